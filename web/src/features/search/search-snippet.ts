import { removeMarks } from '#shared/session-title.ts'
import { truncate } from '#shared/truncate.ts'
import { inlineMark, linkEnd } from '../../lib/text/comparable-text.ts'
import { findAll, findTerms, type SearchTerm, type TextRange } from '../../lib/text/search-terms.ts'

/** The part of a message that shows what was found in it. */
export interface Snippet {
  text: string
  highlights: readonly TextRange[]
}

/** About what a line of the results shows. */
const maxSnippetCharacters = 140
/** How much of the text stands before the match, so that the match is seen in a narrow window, too. */
const charactersBeforeMatch = 40
/** The longest text of a link that is found in Markdown: without a limit, many brackets would take long. */
const maxLinkTextCharacters = 300

const linkEnds = new RegExp(linkEnd, 'gu')
/** The line below the head of a table, and one that is drawn. */
const tableRule = /^[ \t]{0,20}[|:-][ \t|:-]{2,1000}$/gm
const inlineMarks = new RegExp(inlineMark, 'gu')
const links = new RegExp(String.raw`!?\[([^[\]\n]{0,${maxLinkTextCharacters}})${linkEnd.source}`, 'gu')

/** The addresses of the links in a message. */
export const listAddresses = (content: string): string[] =>
  [...content.matchAll(linkEnds)].map(([end]) => end.slice(2, -1))

/** The text around the first occurrence of a query without terms, on one line. */
export function createLiteralSnippet(content: string, literal: string): Snippet {
  const text = content.replaceAll(/\s+/g, ' ')
  return cutSnippet(text, Math.max(0, text.indexOf(literal)), (cut) => findAll(cut, literal))
}

/**
 * The text around the first match, on one line and without most Markdown; or the address of a link, or the details of the message, around their
 * match.
 */
export function createSnippet(
  { content, details = '' }: { content: string; details?: string | undefined },
  terms: readonly SearchTerm[],
): Snippet {
  const text = removeMarks(
    content.replaceAll(tableRule, '').replaceAll(links, '$1').replaceAll(inlineMarks, ''),
  )
    // where no blank tells it from a sign, as in Chinese
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
  const highlight = (cut: string) => findTerms(cut, terms)
  for (const whole of [text, ...listAddresses(content), details.replaceAll(/\s+/g, ' ')]) {
    const [first] = findTerms(whole, terms)
    if (first) return cutSnippet(whole, first[0], highlight)
  }
  return cutSnippet(text, 0, highlight)
}

/** Cuts what surrounds a match. @param matchStart where it begins @param findHighlights finds the matches in the part that is shown */
function cutSnippet(
  whole: string,
  matchStart: number,
  findHighlights: (text: string) => readonly TextRange[],
): Snippet {
  let from = Math.max(0, matchStart - charactersBeforeMatch)
  if (from > 0) {
    // from the next word on
    const space = whole.indexOf(' ', from)
    if (space >= 0 && space < matchStart) from = space + 1
    // not between the halves of a surrogate pair
    else if (/[\udc00-\udfff]/.test(whole.charAt(from))) from += 1
  }
  const rest = whole.slice(from)
  const isWhole = rest.length <= maxSnippetCharacters
  const text = `${from > 0 ? '…' : ''}${truncate(rest, maxSnippetCharacters)}${isWhole ? '' : '…'}`
  return { text, highlights: findHighlights(text) }
}
