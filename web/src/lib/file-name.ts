import { trimCharacters } from '#shared/trim-characters.ts'
import { truncate } from '#shared/truncate.ts'

const maxCharacters = 80
/** Names of devices of Windows, and what no system takes in a name. */
const reservedName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i
const forbiddenCharacters = /[\\/:*?"<>|\p{C}\p{Zl}\p{Zp}]+/gu

/** @returns a name of a file, without its ending, that each system takes; undefined if nothing is left of the text */
export function toFileName(text: string): string | undefined {
  // half of a surrogate pair is one of the forbidden characters
  const name = text.replaceAll(forbiddenCharacters, ' ').replaceAll(/\s+/g, ' ')
  const trimmed = trimCharacters(truncate(name, maxCharacters), (one) => one === '.' || one === ' ')
  return reservedName.test(trimmed) ? `${trimmed}_` : trimmed || undefined
}

/** As `toFileName`, with hyphens between the words and nothing else. */
export const toHyphenatedFileName = (title: string): string | undefined =>
  toFileName((title.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join('-'))
