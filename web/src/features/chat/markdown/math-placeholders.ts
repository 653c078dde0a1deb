import { joiner, literalPipe, placeholderEnd, placeholderStart, urlEnd } from './source-marks.ts'

/** A part of a text that is hidden from the parser of Markdown: a formula, or a source that the parser would misread. */
export interface HiddenPart {
  /** empty if it is no formula */
  tex: string
  /** on a line of its own, as in KaTeX */
  displayMode: boolean
  /** the text as it was written, delimiters included */
  source: string
  /** shown instead of the source, except in code */
  text?: string
}

/** Creates the placeholder of a hidden part by its index. */
export const createPlaceholder = (index: number) => `${placeholderStart}${index}${placeholderEnd}`
const placeholderPattern = new RegExp(String.raw`${placeholderStart}(\d+)${placeholderEnd}`, 'g')

/** Splits a text with placeholders into strings and formulas. What is no formula is a string again. */
export function splitAtPlaceholders(
  text: string,
  hiddenParts: readonly HiddenPart[],
): (string | HiddenPart)[] {
  const pieces: (string | HiddenPart)[] = []
  let offset = 0
  for (const match of text.matchAll(placeholderPattern)) {
    if (match.index > offset) pieces.push(removeMarks(text.slice(offset, match.index)))
    const part = hiddenParts[Number(match[1])]
    if (part) pieces.push(part.tex === '' ? (part.text ?? part.source) : part)
    offset = match.index + match[0].length
  }
  if (offset < text.length) pieces.push(removeMarks(text.slice(offset)))
  return pieces.filter((piece) => piece !== '')
}

/** Removes the marks of `source-marks.ts`. */
const removeMarks = (text: string): string =>
  text.replaceAll(urlEnd, '').replaceAll(joiner, '').replaceAll(literalPipe, '|')

/** Replaces placeholders by the source text, for code and URLs. */
export const restoreSource = (text: string, hiddenParts: readonly HiddenPart[]): string =>
  removeMarks(text).replace(
    placeholderPattern,
    (_, index: string) => hiddenParts[Number(index)]?.source ?? '',
  )
