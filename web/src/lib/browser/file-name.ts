import { trimCharacters } from '#shared/trim-characters.ts'
import { truncate } from '#shared/truncate.ts'

/** Of UTF-16: at most 240 bytes of UTF-8, which leaves room for the ending and a number, as file systems take 255 bytes. */
const maxCharacters = 80
/** A device of Windows, which takes no such name with any ending: what counts is before the first dot. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?= *(?:\.|$))/i
/** What Windows takes in no name, control characters, and invisible ones except the joiners within words and emoji. */
const forbiddenCharacters = /(?![\u200c\u200d])[\\/:*?"<>|\p{C}\p{Zl}\p{Zp}]/gu

/** @returns a name of a file, without its ending, for Windows, macOS and Linux; undefined if nothing is left of the text */
export function toFileName(text: string): string | undefined {
  // half of a surrogate pair is one of the forbidden characters
  const name = text.replaceAll(forbiddenCharacters, ' ').replaceAll(/\s+/g, ' ')
  const trimmed = trimCharacters(truncate(name, maxCharacters), (one) => '. \u200c\u200d'.includes(one))
  return trimmed.replace(deviceName, '$&_') || undefined
}

/** Letters, marks and digits, with the joiners between them. */
const word = /[\p{L}\p{M}\p{N}]+(?:[\u200c\u200d]+[\p{L}\p{M}\p{N}]+)*/gu

/** As `toFileName`, with hyphens between the words and nothing else. */
export const toHyphenatedFileName = (title: string): string | undefined =>
  // a name that is cut may end between two words
  toFileName((title.normalize('NFC').match(word) ?? []).join('-'))?.replace(/-$/, '')
