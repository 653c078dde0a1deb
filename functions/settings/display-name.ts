import { maxDisplayNameCharacters } from '#shared/limits.ts'

/**
 * A name as a user typed it, made fit to be shown, kept and told to a model: one line, without control and formatting
 * characters (which could turn the direction of the text around it), at most 80 characters, whole ones.
 */
export function cleanName(typed: string): string {
  const line = typed
    .normalize('NFC')
    // a joiner inside an emoji is part of it
    .replace(/[\p{Zl}\p{Zp}\p{Cc}]/gu, ' ')
    .replace(/(?!\u200d)[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (kept.length + segment.length > maxDisplayNameCharacters) break
    kept += segment
  }
  return kept.trim()
}
