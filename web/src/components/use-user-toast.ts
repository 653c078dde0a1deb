import { useCallback } from 'react'
import { useActions } from '../lib/actions/actions.ts'
import { showToast } from './ui/toast.ts'

/**
 * Shows toasts about the requests of the signed-in user.
 * @returns `showToast`, which shows nothing once that user has signed out: a toast may quote what is theirs, and somebody else may sit at
 * the screen when a late response arrives. The id that it then returns belongs to no toast.
 */
export function useUserToast(): typeof showToast {
  const actions = useActions()
  return useCallback<typeof showToast>(
    (...toast) => (actions.isClosed() ? '' : showToast(...toast)),
    [actions],
  )
}
