import { truncate } from '#shared/truncate.ts'

/** Control characters, and those that turn the direction of text or show nothing. */
// oxlint-disable-next-line no-control-regex
const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g

/** DEC-069: text of strangers as one line of plain text. */
export function plainLine(text: string, maxCharacters: number): string {
  const line = truncate(text, maxCharacters * 4)
    .replace(unseen, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return line.length > maxCharacters ? `${truncate(line, maxCharacters - 1)}…` : line
}

/** @returns the address when it is https, without credentials and not too long; links of strangers are nothing else */
export function httpsLink(address: unknown): string | undefined {
  const url = typeof address === 'string' && address.length <= 2_000 ? URL.parse(address) : null
  return url?.protocol === 'https:' && !url.username && !url.password ? url.href : undefined
}
