import { useState } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import { listConnectedIds } from './use-connected-entries.ts'

/**
 * The integrations that were connected when the page was opened, or when its filters last changed. They come first, and stay there: no card
 * moves under the pointer when something is connected. With other filters all of them move anyway.
 * @param filterKey identifies the filters
 * @returns ids of catalogue entries; undefined until the connections are known
 */
export function useFirstIds(
  connections: readonly Connection[] | undefined,
  filterKey: string,
): ReadonlySet<string> | undefined {
  const [first, setFirst] = useState<{ ids: ReadonlySet<string>; filterKey: string }>()
  if (connections && first?.filterKey !== filterKey)
    setFirst({ ids: new Set(listConnectedIds(connections)), filterKey })
  return first?.ids
}
