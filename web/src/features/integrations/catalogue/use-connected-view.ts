import { useMemo } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { buildCards, type CatalogueCard, hasConnection } from '../state/catalogue-cards.ts'
import type { CatalogueFilter } from '../state/catalogue-queries.ts'
import type { CatalogueView } from './catalogue-view.ts'
import type { ConnectedEntries } from './use-connected-entries.ts'

interface ConnectedViewOptions {
  connections: readonly Connection[]
  connectedEntries: ConnectedEntries
}

/** The connected integrations that match a filter. Every connection counts, also one to a sandbox. */
export function useConnectedView(
  filter: CatalogueFilter,
  { connections, connectedEntries }: ConnectedViewOptions,
): CatalogueView {
  const { entries, isLoading, error, retry } = connectedEntries
  const toolsAllowed = useToolsAllowed()
  const allCards = useMemo(
    () => buildCards(entries, connections, toolsAllowed).filter(hasConnection),
    [entries, connections, toolsAllowed],
  )
  const cards = useMemo(() => allCards.filter((card) => matchesFilter(card, filter)), [allCards, filter])
  return {
    cards,
    shownCount: cards.length,
    total: allCards.length,
    isLoading,
    isSearching: false,
    error,
    retry,
    nextPage: undefined,
  }
}

/** Whether a connected integration matches the filter. Its sign-in type is the one that it was connected with, as its card shows. */
function matchesFilter(
  { entry, connection, sandboxConnection }: CatalogueCard,
  { term, authType, provider }: CatalogueFilter,
): boolean {
  const connectedBy = (connection ?? sandboxConnection)?.auth_type ?? entry.auth_type
  if (authType !== undefined && connectedBy !== authType) return false
  if (!entry.provider.toLowerCase().includes(provider.toLowerCase())) return false
  const { name, description, config } = entry
  const texts = [name, description, entry.provider, ...config.features]
  const searchedText = [...texts, ...texts.map((text) => translateName(text))].join(' ')
  return searchedText.toLowerCase().includes(term.toLowerCase())
}
