import { maxDisplayNameCharacters } from '#shared/limits.ts'

/** Sanitizes a user's name for the page, the table and the prompt. */
export const sanitizeDisplayName = (input: string): string => sanitizeLine(input, maxDisplayNameCharacters)

/**
 * Sanitizes a text for the page, the table and the prompt: one line, without control and formatting characters (which could reverse the
 * direction of the surrounding text), at most `maxCharacters` UTF-16 code units, never cut inside a visible character.
 */
export function sanitizeLine(input: string, maxCharacters: number): string {
  const line = input
    .normalize('NFC')
    .replace(/[\p{Zl}\p{Zp}\p{Cc}]/gu, ' ')
    // keeps the zero-width joiner, which emoji sequences need
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
