import { fold } from '#shared/text-compare.ts'
import { inlineTagNames } from './inline-tag-names.ts'

/** `](address)`, the end of a link of Markdown. */
export const linkEnd = /\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}\)/u
/** Blanks in a number: `1 234 567`. */
const digitGroup = /[,.'’\u00a0\u202f\u2009 ](?=\d{3}(?!\d))/u
/** The end of a line with the marks of quotations and headings after it, which the first line has, too. */
const lineStart =
  /^(?:>[ \t>]{0,40}(?:#{1,6}[ \t]+)?|#{1,6}[ \t]+)|[^\S\n]{0,40}\n\s*(?:>[ \t>]{0,40})?(?:#{1,6}[ \t]+)?/u
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
  [linkEnd, inlineMark, digitGroup, lineStart, cell, blanks, marks, dashes, capitals, otherLetter]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)

const isDigit = /\d/
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

function convert(part: string, at: number, text: string): string {
  const first = part.charAt(0)
  if (first >= 'A' && first <= 'Z') return part.toLowerCase()
  const next = text.charAt(at + part.length)
  const previous = text.charAt(at - 1)
  if (part.length === 1 && isDigit.test(previous) && digitGroup.test(part + text.slice(at + 1, at + 5)))
    return ''
  if (linkEnd.test(part) || marks.test(first) || part.startsWith('~~')) return ''
  if (first === '>' || first === '#' || first === '<' || first === '=') return ''
  if (/\s|\|/.test(first)) return unspaced.test(previous) && unspaced.test(next) ? '' : ' '
  if (dashes.test(first)) return isWord.test(previous) && isWord.test(next) ? '' : '-'
  return foldLetter(part)
}

/** A part of a text whose comparable form has another length. */
interface Change {
  at: number
  length: number
  newLength: number
}

function convertText(text: string, onChange?: (change: Change) => void): string {
  return text.replaceAll(parts, (part: string, at: number) => {
    const converted = convert(part, at, text)
    if (converted.length !== part.length) onChange?.({ at, length: part.length, newLength: converted.length })
    return converted
  })
}

/**
 * A text of a person or a model as searches compare it: without letter case, accents, marks of Markdown, addresses of links, quotation
 * marks and apostrophes, hyphens within words and separators within numbers; each run of blanks is one.
 */
export const toComparable = (text: string): string => convertText(text)

/** Letters that keyboards without them write as two. */
const spellings: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const spelledLetters = /[äöüøå]/gi
const spellOut = (text: string) =>
  text.normalize('NFC').replaceAll(spelledLetters, (letter) => spellings[letter.toLowerCase()] ?? letter)
/** A comparable way as it stands in a text with those letters. */
const joinSpellings = (way: string) => way.replaceAll(/([aou])e|aa/g, (pair) => pair.charAt(0))

/** As `toComparable`; below it the words with letters that others write as two (Österreich, Oesterreich), written so. */
export function toSearchable(text: string): string {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? []
  const spelled = words
    .map(spellOut)
    .filter((word, index) => word !== words[index])
    .map(toComparable)
  return [toComparable(text), ...new Set(spelled)].join('\n')
}

/** A word or phrase that is searched for, in the ways that it may be written. Comparable texts. */
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
export const hasTerm = (text: string, term: SearchTerm): boolean => term.some((way) => text.includes(way))

/** Whether a short text has each word of a query. */
export const hasEveryTerm = (text: string, terms: readonly SearchTerm[]): boolean => {
  const searchable = toSearchable(text)
  return terms.every((term) => hasTerm(searchable, term))
}

export type TextRange = readonly [from: number, to: number]

/** Where a text has the terms, in order; overlapping ranges are merged. @param most so many ranges of each way of a term */
export function findTerms(text: string, terms: readonly SearchTerm[], most = Infinity): TextRange[] {
  const found = findWays(text, terms.flat(), most)
  if (found.length > 0) return found
  const hasSpelling = ([from, to]: TextRange) => text.slice(from, to) !== spellOut(text.slice(from, to))
  return findWays(text, terms.flat().map(joinSpellings), most).filter(hasSpelling)
}

function findWays(text: string, ways: readonly string[], most: number): TextRange[] {
  const changes: Change[] = []
  const comparable = convertText(text, (change) => changes.push(change))
  const ranges: [number, number][] = []
  for (const way of ways) {
    let count = 0
    for (
      let at = comparable.indexOf(way);
      at >= 0 && count < most;
      at = comparable.indexOf(way, at + way.length)
    ) {
      ranges.push([locate(changes, at)[0], locate(changes, at + way.length - 1)[1]])
      count += 1
    }
  }
  const merged: [number, number][] = []
  for (const range of ranges.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1])
    else merged.push(range)
  }
  return merged
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
