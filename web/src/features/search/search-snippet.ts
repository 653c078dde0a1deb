import { truncate } from '#shared/truncate.ts'
import { inlineMark, linkEnd, toComparable } from '../../lib/comparable-text.ts'
import { findAll, findTerms, hasTerm, type SearchTerm, type TextRange } from '../../lib/search-terms.ts'

/** The part of a message that shows what was found in it. */
export interface Snippet {
  text: string
  highlights: readonly TextRange[]
}

const maxSnippetCharacters = 140
const charactersBeforeMatch = 40
const linkEnds = new RegExp(linkEnd, 'gu')
const inlineMarks = new RegExp(inlineMark, 'gu')
const links = new RegExp(String.raw`!?\[([^[\]\n]{0,300})${linkEnd.source}`, 'gu')

/** The addresses of the links in a message. */
export const listAddresses = (content: string): string[] =>
  [...content.matchAll(linkEnds)].map(([end]) => end.slice(2, -1))

/** The text around the first place that has the query as it is written, on one line. */
export function createLiteralSnippet(content: string, literal: string): Snippet {
  const text = content.replaceAll(/\s+/g, ' ')
  return cutSnippet(text, Math.max(0, text.indexOf(literal)), (cut) => findAll(cut, literal))
}

/** The text around the first match, on one line, without Markdown; or the address of a link that matches. */
export function createSnippet(content: string, terms: readonly SearchTerm[]): Snippet {
  const text = content
    .replaceAll(links, '$1')
    .replaceAll(inlineMarks, '')
    .replaceAll(/```|\*\*|`/g, '')
    .replaceAll(/\s+/g, ' ')
  const first = findTerms(text, terms, 1)[0]?.[0]
  if (first === undefined) {
    const address = listAddresses(content).find((each) =>
      terms.some((term) => hasTerm(toComparable(each), term)),
    )
    return cutSnippet(address ?? text, 0, (cut) => findTerms(cut, terms))
  }
  return cutSnippet(text, first, (cut) => findTerms(cut, terms))
}

/** @param first where the first match begins */
function cutSnippet(
  whole: string,
  first: number,
  findHighlights: (text: string) => readonly TextRange[],
): Snippet {
  let from = Math.max(0, first - charactersBeforeMatch)
  if (from > 0) {
    const space = whole.indexOf(' ', from)
    if (space >= 0 && space < first) from = space + 1
    // not between the halves of a surrogate pair
    else if (/[\udc00-\udfff]/.test(whole.charAt(from))) from += 1
  }
  const rest = whole.slice(from)
  const isWhole = rest.length <= maxSnippetCharacters
  const text = `${from > 0 ? '…' : ''}${truncate(rest, maxSnippetCharacters)}${isWhole ? '' : '…'}`
  return { text, highlights: findHighlights(text) }
}
