import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../lib/api-errors.ts'

const isRoleLoss = (error: unknown) => error instanceof ApiError && error.code === 'not_admin'

/**
 * Reports that the user is no longer an administrator, when any query or mutation is rejected because of that.
 * @param onLoss must be a stable function
 */
export function useRoleLoss(onLoss: () => void): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const unsubscribeQueries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && isRoleLoss(event.action.error))
        onLoss()
    })
    const unsubscribeMutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && isRoleLoss(event.action.error))
        onLoss()
    })
    return () => {
      unsubscribeQueries()
      unsubscribeMutations()
    }
  }, [queryClient, onLoss])
}
