import { truncate } from '#shared/truncate.ts'
import type {} from './exact-json.ts'

/**
 * Invisible characters, which could spell a text for the model alone or split a word that is searched for, and those that change the
 * direction of the text. The selectors of emoji stay.
 */
const invisibleCharacters = /[[\p{C}\p{Default_Ignorable_Code_Point}\u2800]--[\ufe0e-\ufe0f\n\t]]/gv

const cleanCharacters = (text: string) => text.replace(invisibleCharacters, '')

/** A copy of JSON data with clean texts, the names of its fields among them. @param data not deeper than the engine's stack */
export function cleanData(data: unknown): unknown {
  if (typeof data === 'string') return cleanCharacters(data)
  if (Array.isArray(data)) return data.map(cleanData)
  if (typeof data !== 'object' || data === null || JSON.isRawJSON(data)) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, each]) => [cleanCharacters(name), cleanData(each)]),
  )
}

/** Cleans untrusted text for the model: no control characters, no direction overrides, at most `maxCharacters`. */
export function cleanText(text: unknown, maxCharacters = 1_000): string {
  if (typeof text !== 'string') return ''
  const clean = cleanCharacters(text).trim()
  return clean.length <= maxCharacters ? clean : `${truncate(clean, maxCharacters)}…`
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/**
 * Removes tags. One that has another `<` in it ends at the first `>`: https://html.spec.whatwg.org/multipage/parsing.html#tag-name-state
 * Behind the last `>` there is no tag, so each that begins ends, and the time is linear.
 */
function removeTags(html: string): string {
  const end = html.lastIndexOf('>') + 1
  const tagged = html.slice(0, end)
  return (
    tagged
      .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b[^>]*>/gi, '\n')
      .replace(/<[a-z/!?][^>]*>|<[^<>]*>/gi, ' ') + html.slice(end)
  )
}

/** Extracts the text of HTML, such as mails and snippets, in linear time. */
export function htmlToText(html: string): string {
  return removeTags(html.replace(/<(style|script|head)\b[^]*?(?:<\/\1>|$)/gi, ' '))
    .replace(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi,
      (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
        return code <= 0x10ffff ? String.fromCodePoint(code) : ''
      },
    )
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}

/** Untrusted text as one line of plain text. */
export function plainLine(text: string, maxCharacters: number): string {
  const line = truncate(text, maxCharacters * 4)
    .replace(invisibleCharacters, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return line.length > maxCharacters ? `${truncate(line, maxCharacters - 1)}…` : line
}

/** @returns the address when it is https, without credentials and not too long; other untrusted links are dropped */
export function httpsLink(address: unknown): string | undefined {
  const url = typeof address === 'string' && address.length <= 2_000 ? URL.parse(address) : null
  return url?.protocol === 'https:' && !url.username && !url.password ? url.href : undefined
}
