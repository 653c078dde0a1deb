import type { DataTag, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Changes the response that a query has in the cache, and begins to fetch it again. A fetch that is under way is cancelled: its response
 * may be older than the change.
 * @param change not called while there is no response
 */
export async function updateCached<Data>(
  queryClient: QueryClient,
  { queryKey }: { queryKey: DataTag<QueryKey, Data, Error> },
  change: (known: NoInfer<Data>) => NoInfer<Data>,
): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<Data, QueryKey>(queryKey, (known) => known && change(known))
  void queryClient.invalidateQueries({ queryKey })
}
