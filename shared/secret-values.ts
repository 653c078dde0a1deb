import { parseOperatorApps } from './provider-apps.ts'

/** A secret's value is not what its reader takes; the message quotes nothing of it. */
export class InvalidSecretValue extends Error {}

/** The longest value of Secrets Manager. */
const maxCharacters = 65_536

/**
 * Reads a key or a token, which is sent in a header: one line of printable characters.
 * @returns it without white space around it
 * @throws InvalidSecretValue
 */
export function parseKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= maxCharacters) return key
  throw new InvalidSecretValue('The key is empty, or has white space or other characters that no key has.')
}

/**
 * Checks a value before it is stored, as those that read it will: the operator's apps at providers are JSON, everything else is a key.
 * @throws InvalidProviderApps, InvalidSecretValue
 */
export function checkSecretValue(text: string, kind: 'apps' | 'key' | 'unknown'): void {
  // no key begins so; a secret that no setting names yet is told by its beginning
  if (kind === 'apps' || (kind === 'unknown' && /^\s*[[{]/.test(text))) parseOperatorApps(text)
  else if (kind === 'key' || !/^\s*[[{]/.test(text)) parseKey(text)
}
