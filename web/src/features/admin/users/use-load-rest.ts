import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Loads the remaining pages of a list, one after the other, while it is enabled. A page that fails ends that. */
export function useLoadRest(
  { hasNextPage, isFetchNextPageError, fetchNextPage }: UseInfiniteQueryResult<unknown>,
  { enabled }: { enabled: boolean },
): void {
  const loadsRest = enabled && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (!loadsRest) return
    let isActive = true
    const loadRest = async () => {
      while (isActive) {
        const next = await fetchNextPage({ cancelRefetch: false })
        if (next.isError || !next.hasNextPage) return
      }
    }
    void loadRest()
    return () => {
      isActive = false
    }
  }, [loadsRest, fetchNextPage])
}
