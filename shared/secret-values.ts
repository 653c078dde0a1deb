import { parseJson } from './parse-json.ts'
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

/** Headers that belong to the request itself. */
const requestHeaders = /^(host|content-length|content-type|transfer-encoding|connection|expect|upgrade)$/i
const maxHeaders = 20

/**
 * Reads the operator's headers for requests to the model's server: JSON of an object, or a line of `Name: value` for each.
 * @throws InvalidSecretValue, whose message quotes no value
 */
export function parseHeaders(text: string): Readonly<Record<string, string>> {
  const json = /^\s*\{/.test(text) ? parseJson(text) : undefined
  const pairs: [string, unknown][] =
    typeof json === 'object' && json !== null
      ? Object.entries(json)
      : text.split('\n').flatMap((line): [string, unknown][] => {
          const [name, ...value] = line.split(':')
          return line.trim() === '' ? [] : [[name ?? '', value.join(':')]]
        })
  const headers = pairs.map(([name, value]): [string, string] => [
    name.trim().toLowerCase(),
    typeof value === 'string' ? value.trim() : '',
  ])
  const wrong = headers.find(
    ([name, value]) =>
      !/^[a-z0-9!#$%&'*+.^_|~-]{1,100}$/.test(name) ||
      requestHeaders.test(name) ||
      !/^[\x20-\x7e]{1,8000}$/.test(value),
  )
  if (headers.length > 0 && headers.length <= maxHeaders && !wrong) return Object.fromEntries(headers)
  throw new InvalidSecretValue(
    'The headers must be JSON such as {"x-team": "a"}, or lines such as "x-team: a": at most 20, with printable values, and none that belongs to the request itself.',
  )
}

/**
 * Checks a value before it is stored, as those that read it will: the operator's apps at providers are JSON, headers are JSON or lines,
 * everything else is a key.
 * @throws InvalidProviderApps, InvalidSecretValue
 */
export function checkSecretValue(text: string, kind: 'apps' | 'headers' | 'key' | 'unknown'): void {
  if (kind === 'headers') return void parseHeaders(text)
  if (kind === 'unknown' && isHeaders(text)) return
  // no key begins so; a secret that no setting names yet is told by its beginning
  if (kind === 'apps' || (kind === 'unknown' && /^\s*[[{]/.test(text))) parseOperatorApps(text)
  else if (kind === 'key' || !/^\s*[[{]/.test(text)) parseKey(text)
}

/** Whether a text has headers that requests to the model's server may carry. */
export function isHeaders(text: string): boolean {
  try {
    parseHeaders(text)
    return true
  } catch {
    return false
  }
}
