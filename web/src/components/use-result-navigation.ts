import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { useNavigate } from '../lib/navigation/router.tsx'
import { useActions } from '../lib/actions/actions.ts'
import { watchPresence } from '../lib/input/presence.ts'
import { showToast } from './ui/toast.ts'

/** Leads to a page with the result of an action. @param title of the toast that offers the page to a user who is doing something else */
export type OpenResult = (path: string, title: string) => void

/** How long a toast offers a page: longer than others, because the user is doing something else. */
const offerMs = 10_000

/** @returns shows a toast with a link to a page; nothing after a sign-out */
export function usePageOffer(): OpenResult {
  const navigate = useNavigate()
  const actions = useActions()
  return useCallback(
    (path, title) => {
      const action = { label: t`Open`, onClick: () => navigate(path) }
      if (!actions.isClosed()) showToast('success', title, { durationMs: offerMs, action })
    },
    [navigate, actions],
  )
}

/**
 * For actions that create something with a page of its own.
 * @returns to be called when the action begins. It returns a function that leads to the page: directly if the user has stayed where they were,
 * else by a toast
 */
export function useResultNavigation(): () => OpenResult {
  const navigate = useNavigate()
  const actions = useActions()
  const offer = usePageOffer()
  return useCallback(() => {
    const isHere = watchPresence()
    return (path, title) => {
      if (isHere() && !actions.isClosed()) navigate(path)
      else offer(path, title)
    }
  }, [navigate, actions, offer])
}
