import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Loads the remaining pages of a list, one after the other, while they are wanted. */
export function useLoadRest(
  { hasNextPage, isFetchNextPageError, fetchNextPage }: UseInfiniteQueryResult<unknown>,
  isWanted: boolean,
): void {
  const loadsRest = isWanted && hasNextPage && !isFetchNextPageError
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
