import { sayCapability } from '#shared/sentences/capabilities.ts'
import { ToolError } from '../../platform/tool-error.ts'
import { parseRecipients } from '#shared/mail-recipients.ts'

/** The mail cannot be sent. It says what to correct. */
export class InvalidMail extends ToolError {}

interface Mail {
  to: string
  subject: string
  body: string
}

/** Longer names are written as encoded words, which can be split between lines. */
const maxPlainName = 60
/** Of the last encoded word of a name and the address after it: with `To: ` and ` <>,`, their line has at most 76 characters. */
const maxWordAndAddress = 66
/** RFC 5322: a line has at most 998 characters. */
const maxPlainLine = 900
/** RFC 2047: a line with encoded words has at most 76 characters: `Subject: ` and one of 64. */
const encodedWordBytes = 39

/**
 * Formats a plain text mail (RFC 5322). Prevents header injection: line breaks in headers are rejected, the body is base64, and
 * non-ASCII text is encoded.
 * @throws InvalidMail
 */
export function formatMailMessage({ to, subject, body }: Mail): string {
  if (/[\r\n\0]/.test(subject)) throw new InvalidMail(sayCapability('invalid_mail.subject'))
  const people = formatMailboxes(to)
  const lines = [
    `To: ${people.join(people.join(', ').length > 70 ? ',\r\n ' : ', ')}`,
    `Subject: ${encodeText(subject)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset="UTF-8"',
    'Content-Transfer-Encoding: base64',
  ]
  const bytes = Buffer.from(body.toWellFormed().replace(/\r\n|\r|\n/g, '\r\n'))
  const encoded = bytes.toString('base64').replace(/.{1,76}/g, '$&\r\n')
  return `${lines.join('\r\n')}\r\n\r\n${encoded || '\r\n'}`
}

/** @returns the recipients as written in the header @throws InvalidMail */
function formatMailboxes(to: string): string[] {
  const parsed = parseRecipients(to)
  if ('problem' in parsed) throw new InvalidMail(parsed.problem)
  return parsed.recipients.map(({ name, address }) => {
    if (name === undefined) return address
    if (name === '') return `<${address}>`
    const mailboxName = formatName(name)
    const lastLine = mailboxName.slice(mailboxName.lastIndexOf('\n') + 1)
    const isEncoded = lastLine.trimStart().startsWith('=?')
    const isLineFull = isEncoded && lastLine.length + address.length > maxWordAndAddress
    return `${mailboxName}${isLineFull ? '\r\n' : ''} <${address}>`
  })
}

function formatName(name: string): string {
  if (/[^\x20-\x7e]/.test(name) || name.includes('=?') || name.length > maxPlainName) return encodeWords(name)
  return /^[\w !#$%&'*+/=?^`{|}~-]+$/.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`
}

/** Encodes text that is not plain as base64 words (RFC 2047), split between characters, one per line. */
function encodeText(text: string): string {
  const isPlain = !/[^\x20-\x7e]/.test(text) && !text.includes('=?') && text.length <= maxPlainLine
  return isPlain ? text : encodeWords(text)
}

function encodeWords(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text.toWellFormed()) {
    if (Buffer.byteLength(word + character) > encodedWordBytes) {
      words.push(word)
      word = ''
    }
    word += character
  }
  words.push(word)
  return words.map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ')
}
