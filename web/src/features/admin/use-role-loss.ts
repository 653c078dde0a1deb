import {
  useQueryClient,
  type MutationCacheNotifyEvent,
  type QueryCacheNotifyEvent,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../lib/api/api-errors.ts'

const isRoleLoss = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) =>
  event.type === 'updated' &&
  event.action.type === 'error' &&
  event.action.error instanceof ApiError &&
  event.action.error.code === 'not_admin'

/**
 * Reports that the user is no longer an administrator, when any query or mutation is rejected because of that.
 * @param onLoss must be a stable function
 */
export function useRoleLoss(onLoss: () => void): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const report = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) => {
      if (isRoleLoss(event)) onLoss()
    }
    const unsubscribeQueries = queryClient.getQueryCache().subscribe(report)
    const unsubscribeMutations = queryClient.getMutationCache().subscribe(report)
    return () => {
      unsubscribeQueries()
      unsubscribeMutations()
    }
  }, [queryClient, onLoss])
}
