import { parseRecipients } from '#shared/mail-recipients.ts'
import type { Tool } from './tool.ts'

/*
 * Whom or what a call reaches: addresses, channels, ids, pages. Every argument counts that is not plainly what is sent, so that an argument
 * which nobody has thought of counts.
 */

/** Names of arguments that say what is sent. */
const contents = new Set(
  'attachments agenda body caption comment content description html markdown message note notes subject summary text title'.split(
    ' ',
  ),
)

/** The same, only in built-in integrations, whose tools write into the user's own account: for a server a name may be a person's. */
const ownContents = new Set(
  'company currency duedate endtime fields firstname lastname location mimetype name starttime type'.split(
    ' ',
  ),
)

const toPlainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** A date, with or without a time. */
const dateTime = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]{5,12}(?:Z|[+-]\d{2}:?\d{2})?)?$/
/** A telephone number, or another one with separators. */
const dialled = /^\+?[\d\s().-]{6,30}$/

const normalize = (text: string) => text.normalize('NFKC').trim().toLowerCase()
const joinDigits = (text: string) => text.replace(/(?<=\d)[\s().-]{1,3}(?=\d)/g, '')
const toComparable = (text: string) => {
  const plain = normalize(text)
  return (dialled.test(plain) ? joinDigits(plain) : plain).replace(/(?<=[^/])\/$/, '')
}

/** Of a list of addresses each one; names are only shown. */
function splitAddresses(text: string): string[] {
  const parsed = text.includes('@') ? parseRecipients(text) : undefined
  return parsed && 'recipients' in parsed ? parsed.recipients.map(({ address }) => address) : [text]
}

/**
 * Lists what a call reaches, so that it can be compared. Where the arguments for a server do not tell, it is the tool itself, which no text
 * names. A built-in tool without any writes into the user's own account.
 */
export function listRecipients(
  { name: tool, definitionFingerprint }: Pick<Tool, 'name' | 'definitionFingerprint'>,
  input: Readonly<Record<string, unknown>>,
): string[] {
  const isServer = definitionFingerprint !== undefined
  const found = new Set<string>()
  const add = (text: string) => {
    for (const one of splitAddresses(text)) found.add(toComparable(one))
  }
  const walk = (name: string, value: unknown): void => {
    const isContent = contents.has(name) || (!isServer && ownContents.has(name))
    if (typeof value === 'string') {
      if (!isContent && value.trim() !== '' && !dateTime.test(value.trim())) add(value)
    } else if (typeof value === 'number' || typeof value === 'bigint' || JSON.isRawJSON(value)) {
      if (isServer && !isContent) add(JSON.stringify(value))
    } else if (Array.isArray(value)) for (const one of value) walk(name, one)
    else if (typeof value === 'object' && value !== null && (isServer || !isContent))
      for (const [key, one] of Object.entries(value)) {
        // a list may be written as names with true
        if (/[@/]|\d{5}/.test(key)) add(key)
        walk(toPlainName(key), one)
      }
  }
  walk('', input)
  return found.size === 0 && isServer ? [`tool:${tool}`] : [...found]
}

const isPartOfWord = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{M}\p{N}_@/%+.:-]/u.test(character)

/** Whether a recipient stands in a text as a whole, also as #channel or @name. @param text as `normalize` leaves it */
function standsIn(text: string, recipient: string): boolean {
  for (let at = text.indexOf(recipient); at >= 0; at = text.indexOf(recipient, at + 1)) {
    const start = /[#@]/.test(text[at - 1] ?? '') ? at - 1 : at
    const end = at + recipient.length
    // a point or colon may end the sentence
    const next = /[.:]/.test(text[end] ?? '') ? text[end + 1] : text[end]
    if (!isPartOfWord(text[start - 1]) && !isPartOfWord(next)) return true
  }
  return false
}

/** Whether each recipient stands in what a person has written, or is one of those that they have approved. */
export function areKnown(
  recipients: readonly string[],
  { prompt, approved }: { prompt: string; approved: readonly string[] },
): boolean {
  const texts = [normalize(prompt), joinDigits(normalize(prompt))]
  return recipients.every((one) => approved.includes(one) || texts.some((text) => standsIn(text, one)))
}
