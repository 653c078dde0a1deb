import { maxDisplayNameCharacters } from '#shared/limits.ts'

/** Sanitizes a user's name for the page, the table and the prompt. */
export const sanitizeDisplayName = (input: string): string => sanitizeLine(input, maxDisplayNameCharacters)

/**
 * Sanitizes a text for the page, the table and the prompt: one line, without control and formatting characters (which could turn the
 * direction of the text around it), at most `maxCharacters` long, whole characters.
 */
export function sanitizeLine(input: string, maxCharacters: number): string {
  const line = input
    .normalize('NFC')
    // a joiner inside an emoji is part of it
    .replace(/[\p{Zl}\p{Zp}\p{Cc}]/gu, ' ')
    .replace(/(?!\u200d)[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  let result = ''
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (result.length + segment.length > maxCharacters) break
    result += segment
  }
  return result.trim()
}
