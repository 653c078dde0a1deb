import type { Source } from '#shared/contracts/chat.ts'
import { formatLinks, toSource } from './message-links.ts'
import { toFields, toText, type Fields } from './read-values.ts'

/** Adds the page of a citation to the sources, unless they have it. @returns the page; undefined if it has no address of the web */
export function addSource(citation: Fields, sources: Source[]): Source | undefined {
  const url = toText(citation['url']) || toText(toFields(citation['details'])['url'])
  const source = toSource(url, toText(citation['title']))
  if (source && !sources.some((one) => one.url === source.url)) sources.push(source)
  return source
}

/**
 * Puts links behind the passages that cite, and adds the pages to the sources. Where a citation has no position inside of the text, its link
 * stands at the end.
 */
export function addCitations(text: string, citations: readonly Fields[], sources: Source[]): string {
  const citedSources = citations.flatMap((citation) => {
    const source = addSource(citation, sources)
    return source ? [{ source, end: toPosition(text, citation['end_index']) }] : []
  })
  if (citedSources.length === 0) return text
  const byEnd = Map.groupBy(citedSources, ({ end }) => end)
  let linkedText = ''
  let at = 0
  for (const [end, cited] of [...byEnd].sort(([a], [b]) => a - b)) {
    const passage = text.slice(at, end)
    const words = passage.trimEnd()
    const cites = [...new Map(cited.map(({ source }) => [source.url, source])).values()]
    linkedText += words + formatLinks(cites) + passage.slice(words.length)
    at = end
  }
  return linkedText + text.slice(at)
}

/** Beyond it, what follows a position is no word. */
const longestWord = 40

/** What ends a word: a space, punctuation behind it, and each letter and mark of scripts that write no spaces between words. */
const wordEnd =
  /[\s.,;:!?)\]\u3000-\u303f\uff01-\uff65\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** The end of the word at a position, so that no link stands inside of one; the position itself where words have no spaces between them. */
function toPosition(text: string, index: unknown): number {
  if (typeof index !== 'number' || !Number.isInteger(index) || index <= 0 || index > text.length)
    return text.length
  if (wordEnd.test(text.charAt(index - 1))) return index
  const ahead = text.slice(index, index + longestWord)
  const end = ahead.search(wordEnd)
  return index + (end >= 0 ? end : ahead.length < longestWord ? ahead.length : 0)
}
