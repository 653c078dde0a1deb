import { hasConnection, type CatalogueCard } from '../state/catalogue-cards.ts'

/** How many of a group's integrations are connected now. */
export type Connectedness = 'all' | 'some' | 'none'

/** Cards that are shown below a heading of their own. */
export interface CardGroup {
  /** whether its integrations were connected when the page was opened or its filters changed */
  isFirst: boolean
  cards: readonly CatalogueCard[]
  connected: Connectedness
}

/**
 * Divides the cards into those that were connected when the page was opened or its filters changed, which come first, and the others. Empty
 * groups are left out.
 */
export const groupCards = (
  cards: readonly CatalogueCard[],
  firstIds: ReadonlySet<string> | undefined,
): CardGroup[] =>
  [true, false]
    .map((isFirst) => {
      const own = cards.filter(({ entry }) => (firstIds?.has(entry.id) ?? false) === isFirst)
      return { isFirst, cards: own, connected: findConnectedness(own) }
    })
    .filter((group) => group.cards.length > 0)

function findConnectedness(cards: readonly CatalogueCard[]): Connectedness {
  const ids = new Set(cards.map(({ entry }) => entry.id))
  const connected = new Set(cards.filter(hasConnection).map(({ entry }) => entry.id))
  return connected.size === 0 ? 'none' : connected.size < ids.size ? 'some' : 'all'
}
