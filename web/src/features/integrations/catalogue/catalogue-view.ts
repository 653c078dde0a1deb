import type { CatalogueCard } from '../state/catalogue-cards.ts'

/** What the catalogue shows: the results of a search, or the connected integrations. */
export interface CatalogueView {
  cards: readonly CatalogueCard[]
  /** how many of the cards count as integrations: sandbox cards do only among the connected ones */
  shownCount: number
  /** how many there are; undefined until known */
  total: number | undefined
  /** whether there are no results yet */
  isLoading: boolean
  /** whether results are shown that will soon be replaced */
  isSearching: boolean
  /** why integrations are missing; undefined also if only the next page could not be loaded */
  error: Error | undefined
  /** loads again what could not be loaded */
  retry: () => void
  /** the next page of results; undefined after the last one */
  nextPage: NextPage | undefined
}

/** The next page of results, which the user may ask for. */
export interface NextPage {
  isLoading: boolean
  /** why it could not be loaded */
  error: Error | undefined
  load: () => void
}
