import { toLatin } from '../platform/look-alikes.ts'

/*
 * Servers must not ask for credentials in a form (MCP 2026-07-28, elicitation, "form mode"): they have URL mode and OAuth for that. This
 * recognises fields that do it anyway, by name and title. It errs on the side of refusing.
 */

/** With l for each i, as `toLatin` has it. */
const secretWords = new RegExp(
  `\\b(?:${[
    'pass ?(?:word|wort|phrase|code|wd)s?',
    'pwd',
    'kennwort',
    'secrets?',
    'token',
    'credentials?',
    '(?:api|access|private|secret|ssh|signing|encryption|recovery|auth|account|client|service|wallet|license|master) ?keys?',
    'pin(?: code| number)?',
    't?otp',
    '(?:2 ?|m)fa',
    'one time (?:code|password)',
    '(?:verification|security|auth|authentication|authorization|backup|recovery|login) codes?',
    'c(?:vv|vc|sc)2?',
    '(?:credit |debit )?card (?:number|no|nr)',
    '(?:credit|debit) card',
    'ssn',
    'social security(?: number)?',
    '(?:seed|recovery) phrase',
    'mnemonic',
    'contrasena',
    'mot de passe',
    'senha',
    'wachtwoord',
  ]
    .join('|')
    .replaceAll('i', 'l')})\\b`,
)
const otherAlphabet = /密码|密碼|パスワード|비밀번호|пароль|кодовое слово/

/** Whether a field's name or title asks for a password, key, token, code or card number. */
export function isSecretField(name: string): boolean {
  const composed = name.normalize('NFKC').replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
  const separated = composed
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const words = Array.from(separated, toLatin).join('')
  return words === 'key' || secretWords.test(words) || otherAlphabet.test(composed.toLowerCase())
}
