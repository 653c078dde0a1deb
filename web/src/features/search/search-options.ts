import type { ReactNode } from 'react'
import { hasEveryTerm, parseSearch } from '../../lib/text/search-terms.ts'
import type { Hit } from './search-index.ts'
import type { ShownResults } from './use-search.ts'

/** A page or action that is found by its name. */
export interface Destination {
  label: string
  /** what it is, such as 'Project' */
  note?: string
  icon: ReactNode
  /** not listed without a query */
  isOnlyFound?: boolean
  onSelect: () => void
}

/** What the list of results offers. Kind and key identify it in the list. */
export type SearchOption =
  | { kind: 'hit'; key: string; hit: Hit }
  | { kind: 'destination'; key: string; destination: Destination }
  | { kind: 'more'; key: string; count: number }

/**
 * Lists what can be chosen: conversations with the query in their title, pages with it in their name, conversations with it in a message,
 * then a request for more. Without a query: pages, then the newest conversations.
 * @param options.results may be those of an earlier query
 * @param options.isDeleting whether a conversation is not listed, because it is being deleted
 */
export function listOptions(
  query: string,
  {
    destinations,
    results,
    isDeleting,
  }: {
    destinations: readonly Destination[]
    results: ShownResults
    isDeleting: (sessionId: string) => boolean
  },
): SearchOption[] {
  const terms = parseSearch(query)
  const isSearching = query.trim() !== ''
  const pages = destinations
    .filter(({ label, isOnlyFound = false }) =>
      isSearching ? terms.length > 0 && hasEveryTerm(label, terms) : !isOnlyFound,
    )
    .map((destination, index) => ({ kind: 'destination' as const, key: `${index}`, destination }))
  const hits = results.hits
    .filter(({ sessionId }) => !isDeleting(sessionId))
    .map((hit) => ({ kind: 'hit' as const, key: hit.sessionId, hit }))
  const remaining = results.total - results.hits.length
  const more = remaining > 0 ? [{ kind: 'more' as const, key: '', count: remaining }] : []
  // an empty query is in every title
  const comesFirst = ({ hit }: { hit: Hit }) => isSearching && results.query.trim() !== '' && hit.isInTitle
  return [...hits.filter(comesFirst), ...pages, ...hits.filter((each) => !comesFirst(each)), ...more]
}
