import { fold } from '#shared/text-compare.ts'
import { inlineTagNames } from './inline-tag-names.ts'

// a pattern whose end may be missing repeats characters a limited number of times: searching takes linear time in any text

/** `](address)`, the end of a link of Markdown. */
export const linkEnd = /\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}\)/u
/** The separator of thousands within a number: `1 234 567`. */
const digitSeparator = /(?<=\d)[,.'’\u00a0\u202f\u2009 ](?=\d{3}(?!\d))/u
/** The marks of a quotation (`>`) or a heading (`#`) at the beginning of the text. */
const firstLineMarks = /^(?:>[ \t>]{0,40}(?:#{1,6}[ \t]+)?|#{1,6}[ \t]+)/u
/** The end of a line, with the marks of a quotation or a heading at the beginning of the next one. */
const lineEnd = /[^\S\n]{0,40}\n\s*(?:>[ \t>]{0,40})?(?:#{1,6}[ \t]+)?/u
/** Letters of scripts that write no blanks between words. Korean writes them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3001\u3002\uff0c\u30fc]/u
const blanks = new RegExp(String.raw`\s{2,}|[^\S ]|\s(?=${unspaced.source})`, 'u')
/** The border between two cells of a table. */
const cell = /[ \t]{0,40}\|[ \t|]*/u
/** Marks of Markdown, quotation marks and apostrophes. */
const marks = /[*_`"“”„‟«»‹›「」『』'‘’ʼ´[\]\\]+|~{2,}/u
/** Inline HTML tags, and `==` around highlighted text. Between backticks a tag is ordinary text. */
export const inlineMark = new RegExp(
  String.raw`(?<!\x60)</?(?:${inlineTagNames.join('|')})>(?!\x60)|(?<![=\p{L}\p{N}])==(?=[^\s=])|(?<=[^\s=])==(?![=\p{L}\p{N}])`,
  'u',
)
const dashes = /[-\u2010-\u2015\u2212]+/u
const capitals = /[A-Z]+/u
/** One letter with its combining accents. They are replaced together, so that positions stay known. */
const otherLetter = /[^\p{ASCII}][\p{M}\uff9e\uff9f]{0,8}/u

/** Everything of a text that its comparable form writes otherwise, in the groups that `convertText` tells apart. */
const parts = new RegExp(
  [
    [linkEnd, inlineMark, digitSeparator, firstLineMarks, marks],
    [lineEnd, cell, blanks],
    [dashes],
    [capitals],
    [otherLetter],
  ]
    .map((kind) => `(${kind.map(({ source }) => source).join('|')})`)
    .join('|'),
  'gu',
)

const wordCharacter = /[\p{L}\p{N}\p{M}]/u

/** The folded form of letters. A cache, because folding is slow. */
const foldedLetters = new Map<string, string>()
/** Only bounds the memory: even texts in Chinese have a few thousand different letters. */
const maxCachedLetters = 20_000
const arabicDigits = /[٠-٩۰-۹]/g
/** @returns the letter without case and accents; digits of Arabic as those of ASCII */
function foldLetter(letter: string): string {
  let folded = foldedLetters.get(letter)
  if (folded === undefined) {
    folded = fold(letter)
      // Arabic keyboards write one for the other
      .replaceAll('ة', 'ه')
      // the code points of both kinds of digits are multiples of 16, plus the digit
      .replaceAll(arabicDigits, (digit) => String(digit.charCodeAt(0) % 16))
    if (foldedLetters.size >= maxCachedLetters) foldedLetters.clear()
    foldedLetters.set(letter, folded)
  }
  return folded
}

/** A part of a text that has another length in the comparable form. */
export interface TextChange {
  /** offset in the original text */
  at: number
  length: number
  newLength: number
}

/** As `toComparable`. @param onChange called in order, for each part whose length changes: positions can be mapped back by that */
export function convertText(text: string, onChange?: (change: TextChange) => void): string {
  type Group = string | undefined
  const convert = (
    part: string,
    removed: Group,
    blank: Group,
    dash: Group,
    capitalLetters: Group,
    _otherLetter: Group,
    at: number,
  ): string => {
    let converted = ''
    if (capitalLetters !== undefined) converted = part.toLowerCase()
    else if (blank !== undefined) converted = isBetween(unspaced, at, part) ? '' : ' '
    else if (dash !== undefined) converted = isBetween(wordCharacter, at, part) ? '' : '-'
    else if (removed === undefined) converted = foldLetter(part)
    if (converted.length !== part.length) onChange?.({ at, length: part.length, newLength: converted.length })
    return converted
  }
  const isBetween = (pattern: RegExp, at: number, part: string) => {
    const end = at + part.length
    // of two code units, because letters beyond the basic plane have as many
    const [before = ''] = Array.from(text.slice(Math.max(0, at - 2), at)).slice(-1)
    const [after = ''] = text.slice(end, end + 2)
    return pattern.test(before) && pattern.test(after)
  }
  return text.replaceAll(parts, convert)
}

/**
 * A text of a person or a model as searches compare it: without letter case, accents, marks of Markdown, addresses of links, quotation
 * marks and apostrophes, hyphens within words and separators within numbers. Each run of blanks is one, and none between letters of
 * scripts that write no blanks.
 */
export const toComparable = (text: string): string => convertText(text)

/** Letters that are written as two where the keyboard lacks them. */
const spelledLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const umlauts = /[äöüøå]/gi
/** Writes umlauts and their like as two small letters: `Österreich` becomes `oesterreich`. */
export const spellOut = (text: string) =>
  text.normalize('NFC').replaceAll(umlauts, (letter) => spelledLetters[letter.toLowerCase()] ?? letter)

/** As `toComparable`, followed by a list of the words with umlauts in their other spelling: a search for Oesterreich finds Österreich. */
export function toSearchable(text: string): string {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? []
  const spelled = words
    .map(spellOut)
    .filter((word, index) => word !== words[index])
    .map(toComparable)
  return [toComparable(text), ...new Set(spelled)].join('\n')
}
