import { fold } from '#shared/text-compare.ts'
import { inlineTagNames } from './inline-tag-names.ts'

/** `](address)`, the end of a link of Markdown. */
export const linkEnd = /\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}\)/u
/** Between the digits of a number: `1 234 567`. */
const digitSeparator = /(?<=\d)[,.'’\u00a0\u202f\u2009 ](?=\d{3}(?!\d))/u
/** Marks of quotations and headings before the first line. */
const firstLineMarks = /^(?:>[ \t>]{0,40}(?:#{1,6}[ \t]+)?|#{1,6}[ \t]+)/u
/** The end of a line with such marks after it. */
const lineEnd = /[^\S\n]{0,40}\n\s*(?:>[ \t>]{0,40})?(?:#{1,6}[ \t]+)?/u
/** Scripts without blanks between words. Korean has them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3001\u3002\uff0c\u30fc]/u
const blanks = new RegExp(String.raw`\s{2,}|[^\S ]|\s(?=${unspaced.source})`, 'u')
const cell = /[ \t]{0,40}\|[ \t|]*/u
/** Marks of Markdown, quotation marks and apostrophes. */
const marks = /[*_`"“”„‟«»‹›「」『』'‘’ʼ´[\]\\]+|~{2,}/u
/** Tags that only mark text, and `==` around marked text; one in code is text. */
export const inlineMark = new RegExp(
  String.raw`(?<!\x60)</?(?:${inlineTagNames.join('|')})>(?!\x60)|(?<![=\p{L}\p{N}])==(?=[^\s=])|(?<=[^\s=])==(?![=\p{L}\p{N}])`,
  'u',
)
const dashes = /[-\u2010-\u2015\u2212]+/u
const capitals = /[A-Z]+/u
/** One letter with its accents, so that its position is known. */
const otherLetter = /[^\p{ASCII}][\p{M}\uff9e\uff9f]{0,8}/u

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

const isWord = /[\p{L}\p{N}\p{M}]/u

/** A cache, because folding is slow. */
const foldedLetters = new Map<string, string>()
const maxCachedLetters = 20_000
const arabicDigits = /[٠-٩۰-۹]/g
function foldLetter(letter: string): string {
  let folded = foldedLetters.get(letter)
  if (folded === undefined) {
    folded = fold(letter)
      // what Arabic keyboards write for one another
      .replaceAll('ة', 'ه')
      .replaceAll(arabicDigits, (digit) => String(digit.charCodeAt(0) % 16))
    if (foldedLetters.size >= maxCachedLetters) foldedLetters.clear()
    foldedLetters.set(letter, folded)
  }
  return folded
}

/** A part of a text whose comparable form has another length. */
interface Change {
  at: number
  length: number
  newLength: number
}

function convertText(text: string, onChange?: (change: Change) => void): string {
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
    else if (dash !== undefined) converted = isBetween(isWord, at, part) ? '' : '-'
    else if (removed === undefined) converted = foldLetter(part)
    if (converted.length !== part.length) onChange?.({ at, length: part.length, newLength: converted.length })
    return converted
  }
  const isBetween = (pattern: RegExp, at: number, part: string) =>
    pattern.test(text.charAt(at - 1)) && pattern.test(text.charAt(at + part.length))
  return text.replaceAll(parts, convert)
}

/**
 * A text of a person or a model as searches compare it: without letter case, accents, marks of Markdown, addresses of links, quotation
 * marks and apostrophes, hyphens within words and separators within numbers; each run of blanks is one.
 */
export const toComparable = (text: string): string => convertText(text)

/** Letters that keyboards without them write as two. */
const spelledLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const umlauts = /[äöüøå]/gi
const spellOut = (text: string) =>
  text.normalize('NFC').replaceAll(umlauts, (letter) => spelledLetters[letter.toLowerCase()] ?? letter)
/** A comparable spelling as it stands in a text with those letters. */
const joinSpelling = (spelling: string) => spelling.replaceAll(/([aou])e|aa/g, (pair) => pair.charAt(0))

/** As `toComparable`; below it the words with letters that others write as two (Österreich, Oesterreich), written so. */
export function toSearchable(text: string): string {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? []
  const spelled = words
    .map(spellOut)
    .filter((word, index) => word !== words[index])
    .map(toComparable)
  return [toComparable(text), ...new Set(spelled)].join('\n')
}

/** The spellings of a word or phrase that is searched for. Comparable texts. */
export type SearchTerm = readonly string[]

/** A phrase in quotation marks of any language, with or without its end; or a word. */
const wordOrPhrase = /(?<!\S)["“”„«»「」『』]([^"“”„«»「」『』]+)["“”„«»「」『』]?|\S+/gu

/** Parses the words of a query; quotation marks group words. */
export function parseSearch(query: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>()
  for (const [written, phrase] of query.matchAll(wordOrPhrase)) {
    const text = phrase ?? written
    const [term = '', ...others] = [
      text,
      text.replaceAll(/[\s\u2010-\u2015-]+/g, ' '),
      text.replaceAll(/\s+/g, ''),
      spellOut(text),
    ]
      .map((each) => toComparable(each).trim())
      .filter((each, index, all) => each !== '' && all.indexOf(each) === index)
    if (term !== '') terms.set(term, [term, ...others])
  }
  return [...terms.values()]
}

/** @param text comparable */
export const hasTerm = (text: string, term: SearchTerm): boolean =>
  term.some((spelling) => text.includes(spelling))

/** Whether a short text has each word of a query. */
export const hasEveryTerm = (text: string, terms: readonly SearchTerm[]): boolean => {
  const searchable = toSearchable(text)
  return terms.every((term) => hasTerm(searchable, term))
}

export type TextRange = readonly [from: number, to: number]

/** Where a text has the terms, in order; overlapping ranges are merged. @param most so many ranges of each spelling */
export function findTerms(text: string, terms: readonly SearchTerm[], most = Infinity): TextRange[] {
  const spellings = terms.flat()
  const ranges = findSpellings(text, spellings, most)
  if (ranges.length > 0) return ranges
  const hasSpelledLetter = ([from, to]: TextRange) => text.slice(from, to) !== spellOut(text.slice(from, to))
  return findSpellings(text, spellings.map(joinSpelling), most).filter(hasSpelledLetter)
}

function findSpellings(text: string, spellings: readonly string[], most: number): TextRange[] {
  const changes: Change[] = []
  const comparable = convertText(text, (change) => changes.push(change))
  const ranges = spellings.flatMap((spelling) =>
    findAll(comparable, spelling, most).map(([from, to]): TextRange => [
      locate(changes, from)[0],
      locate(changes, to - 1)[1],
    ]),
  )
  const merged: [number, number][] = []
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** Where a text has another one as it is written. */
export function findAll(text: string, part: string, most = Infinity): TextRange[] {
  const ranges: TextRange[] = []
  for (
    let at = text.indexOf(part);
    at >= 0 && ranges.length < most;
    at = text.indexOf(part, at + part.length)
  )
    ranges.push([at, at + part.length])
  return ranges
}

/** Where a character of the comparable text is in the text: its part, if that was changed. */
function locate(changes: readonly Change[], position: number): TextRange {
  let shift = 0
  for (const { at, length, newLength } of changes) {
    const start = at - shift
    if (start > position) break
    if (start + newLength > position) return [at, at + length]
    shift += length - newLength
  }
  return [position + shift, position + shift + 1]
}
