import { convertText, spellOut, toComparable, toSearchable, type TextChange } from './comparable-text.ts'

/** Reads two letters as the umlaut that they may stand for: `oesterreich` becomes `osterreich`, the comparable form of Österreich. */
const joinSpelling = (spelling: string) => spelling.replaceAll(/([aou])e|aa/g, (pair) => pair.charAt(0))

/** A word or phrase that is searched for, in all its spellings. They are comparable texts (`toComparable`). */
export type SearchTerm = readonly string[]

/** A phrase in quotation marks of any language, whose end may be missing; or a word. */
const wordOrPhrase = /(?<!\S)["“”„«»「」『』]([^"“”„«»「」『』]+)["“”„«»「」『』]?|\S+/gu

/** Brackets and the marks of sentences at the ends of a word: they belong to the sentence that the word was copied from. */
const sentenceMarks = /^[\p{Ps}\p{Pi}¿¡]{1,20}|[\p{Pe}\p{Pf},;:!?.…،؛؟。、，；：！？]{1,20}$/gu
/** All marks at the ends of a word, such as those of .env and C++. */
const endMarks = /^[\p{P}\p{S}]{1,20}|[\p{P}\p{S}]{1,20}$/gu

/**
 * Parses a query into words, and phrases in quotation marks. A term that occurs twice is returned once.
 * @param options.withoutMarks whether a word is searched without any marks at its ends
 */
export function parseSearch(query: string, { withoutMarks = false } = {}): SearchTerm[] {
  const marks = withoutMarks ? endMarks : sentenceMarks
  const terms = new Map<string, SearchTerm>()
  /** searched only if there are no words */
  const markTerms = new Map<string, SearchTerm>()
  for (const [written, phrase] of query.matchAll(wordOrPhrase)) {
    const whole = phrase ?? written
    const bare = whole.replaceAll(marks, '').trim()
    const text = bare || whole
    // as it is written, with blanks for hyphens, without blanks as in Chinese, with umlauts as two letters
    const [term = '', ...others] = [
      text,
      text.replaceAll(/[\s\u2010-\u2015-]+/g, ' '),
      text.replaceAll(/\s+/g, ''),
      spellOut(text),
    ]
      .map((each) => toComparable(each).trim())
      .filter((each, index, all) => each !== '' && all.indexOf(each) === index)
    if (term !== '') (bare === '' ? markTerms : terms).set(term, [term, ...others])
  }
  return [...(terms.size > 0 ? terms : markTerms).values()]
}

/** Whether a text has the term in one of its spellings. @param text in its comparable form */
export const hasTerm = (text: string, term: SearchTerm): boolean =>
  term.some((spelling) => text.includes(spelling))

/** Whether a short text has each word of a query. */
export const hasEveryTerm = (text: string, terms: readonly SearchTerm[]): boolean => {
  const searchable = toSearchable(text)
  return terms.every((term) => hasTerm(searchable, term))
}

/** Offsets of UTF-16 code units; `to` is exclusive. */
export type TextRange = readonly [from: number, to: number]

/**
 * Where a text has the terms, in order; ranges that overlap or touch are merged. A text that has none of them is searched for umlauts that
 * the terms spell as two letters.
 */
export function findTerms(text: string, terms: readonly SearchTerm[]): TextRange[] {
  const spellings = terms.flat()
  const ranges = findSpellings(text, spellings)
  if (ranges.length > 0) return ranges
  const hasSpelledLetter = ([from, to]: TextRange) => text.slice(from, to) !== spellOut(text.slice(from, to))
  return findSpellings(text, spellings.map(joinSpelling)).filter(hasSpelledLetter)
}

function findSpellings(text: string, spellings: readonly string[]): TextRange[] {
  const changes: TextChange[] = []
  const comparable = convertText(text, (change) => changes.push(change))
  const ranges = spellings.flatMap((spelling) => {
    const locate = createLocator(changes)
    return findAll(comparable, spelling).map(([from, to]): TextRange => [locate(from)[0], locate(to - 1)[1]])
  })
  const merged: [number, number][] = []
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** Where a text contains another one literally, which is not empty. The ranges do not overlap. */
export function findAll(text: string, part: string): TextRange[] {
  const ranges: TextRange[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
    ranges.push([at, at + part.length])
  return ranges
}

/**
 * @returns finds the range of the original text that became the character at a position of the comparable text. No position may come
 * before the last one, so that all of them take one pass through the changes
 */
function createLocator(changes: readonly TextChange[]): (position: number) => TextRange {
  let next = 0
  let shift = 0
  return (position) => {
    for (let change = changes[next]; change; change = changes[++next]) {
      const { at, length, newLength } = change
      const start = at - shift
      if (start > position) break
      if (start + newLength > position) return [at, at + length]
      shift += length - newLength
    }
    return [position + shift, position + shift + 1]
  }
}
