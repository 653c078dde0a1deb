import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { isNotFound } from '../../../lib/api/api-errors.ts'
import { toEntryId } from '../state/catalogue-cards.ts'
import { entryQuery } from '../state/catalogue-queries.ts'
import { isConnected } from '../state/integrations-query.ts'

/** The catalogue entries of the connected integrations, as far as they are loaded. */
export interface ConnectedEntries {
  entries: readonly RegistryEntry[]
  /** whether one of them is still missing */
  isLoading: boolean
  /** why one of them could not be loaded; one that is no longer in the catalogue is no error */
  error: Error | undefined
  /** loads again those that could not be loaded */
  retry: () => void
}

/** Lists the ids of the catalogue entries of the connected integrations, each once. */
export const listConnectedIds = (connections: readonly Connection[]): readonly string[] => [
  ...new Set(connections.filter(isConnected).map(({ mcp_id }) => toEntryId(mcp_id))),
]

/** Loads the catalogue entries of the connected integrations, each by a request of its own. */
export function useConnectedEntries(
  connections: readonly Connection[],
  { enabled }: { enabled: boolean },
): ConnectedEntries {
  const ids = useMemo(() => listConnectedIds(connections), [connections])
  return useQueries({
    queries: ids.map((id) => ({ ...entryQuery(id), enabled, retry: 1 })),
    combine: (results) => ({
      entries: results.map(({ data }) => data).filter((entry): entry is RegistryEntry => entry !== undefined),
      isLoading: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error && !isNotFound(error))?.error ?? undefined,
      retry: () => results.filter(({ isError }) => isError).forEach(({ refetch }) => void refetch()),
    }),
  })
}
