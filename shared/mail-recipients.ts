import { sayInput } from './sentences/inputs.ts'
import type { Sentence } from './sentences/sentence.ts'

/** A recipient of an e-mail. */
export interface Recipient {
  /** undefined for a bare address, empty for an address in brackets without a name */
  name: string | undefined
  address: string
}

const maxRecipients = 50
/** RFC 5321 */
const maxAddress = 254
const addressPattern = /^[^\s@<>()[\],;:\\"]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

/**
 * Parses the recipients of an e-mail. The mail is sent to exactly these, and the approval card shows exactly these.
 * @param to addresses separated by commas, with or without names
 * @returns the recipients in order, or a sentence that describes the problem
 */
export function parseRecipients(to: string): { recipients: Recipient[] } | { problem: Sentence } {
  if (/[\r\n\0]/.test(to)) return { problem: sayInput('recipients.line') }
  const parts = splitRecipients(to)
  if (!parts) return { problem: sayInput('recipients.quotation') }
  if (parts.length === 0) return { problem: sayInput('recipients.none') }
  if (parts.length > maxRecipients)
    return { problem: sayInput('recipients.too_many', { max: maxRecipients }) }
  const recipients: Recipient[] = []
  for (const part of parts) {
    const bracket = part.endsWith('>') ? part.lastIndexOf('<') : -1
    const address = (bracket < 0 ? part : part.slice(bracket + 1, -1)).trim()
    if (!isAddress(address))
      return { problem: sayInput('recipients.address', { address: address.slice(0, 100) }) }
    recipients.push({ name: bracket < 0 ? undefined : parseName(part.slice(0, bracket)), address })
  }
  return { recipients }
}

/** Splits at commas outside of quotation marks. @returns undefined if a quotation mark has no pair */
function splitRecipients(to: string): string[] | undefined {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let index = 0; index < to.length; index += 1) {
    const character = to[index]
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted && character === '\\') index += 1
    else if (!isQuoted && character === ',') {
      parts.push(to.slice(start, index))
      start = index + 1
    }
  }
  if (isQuoted) return undefined
  return [...parts, to.slice(start)].map((part) => part.trim()).filter(Boolean)
}

const isAddress = (text: string) =>
  text.length <= maxAddress && addressPattern.test(text) && !/[^\x21-\x7e]/.test(text) && !text.includes('..')

/** A long run of white space could push what follows out of sight. */
const parseName = (text: string) =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/\\(.)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()

/** Formats recipients so that `parseRecipients` reads the same ones again: one blank after each comma, and no other white space around. */
export function formatRecipients(recipients: readonly Recipient[]): string {
  return recipients
    .map(({ name, address }) => {
      if (name === undefined) return address
      if (name === '') return `<${address}>`
      return /^[\p{L}\p{M}\p{N} ._'-]+$/u.test(name)
        ? `${name} <${address}>`
        : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`
    })
    .join(', ')
}
