import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { showToast } from './ui/toast.ts'
import { useActions } from '../lib/actions.ts'
import { useRunningActions } from '../lib/running-actions.ts'
import { errorMessage } from '../lib/api-errors.ts'
import { watchPresence } from '../lib/presence.ts'

/** Opens a page with what an action has made. @param title of the toast that offers it to a user who has gone on */
export type Arrive = (path: string, title: string) => void

/** How long a toast offers the way to what was made. */
const offerMs = 10_000

/** @returns offers a page by a toast */
export function useOffer(): Arrive {
  const navigate = useNavigate()
  const actions = useActions()
  return useCallback(
    (path, title) => {
      const action = { label: t`Open`, onClick: () => void navigate(path) }
      if (!actions.isClosed()) showToast('success', title, { durationMs: offerMs, action })
    },
    [navigate, actions],
  )
}

/** @returns begins to watch the user, who is taken to the result of an action only if they have stayed */
export function useArrival(): () => Arrive {
  const navigate = useNavigate()
  const actions = useActions()
  const offer = useOffer()
  return useCallback(() => {
    const isHere = watchPresence()
    return (path, title) => {
      if (isHere() && !actions.isClosed()) void navigate(path)
      else offer(path, title)
    }
  }, [navigate, actions, offer])
}

/**
 * An action of the user: one at a time, busy for everybody who uses its key, told at its end wherever the user is by then.
 * @param key names what is done, and to what
 * @param run throws what is told by a toast
 * @param failureTitle the title of that toast
 */
export function useAction<Input = void>(
  key: string,
  run: (input: Input, arrive: Arrive) => Promise<unknown>,
  failureTitle: string,
): { isBusy: boolean; start: (input: Input) => void } {
  const actions = useActions()
  const watch = useArrival()
  return {
    isBusy: useRunningActions().has(key),
    start: (input) =>
      void actions
        .start(key, () => run(input, watch()))
        ?.catch((error: unknown) => {
          if (!actions.isClosed()) showToast('error', failureTitle, { description: errorMessage(error) })
        }),
  }
}

interface ActionOptions<Data, Input> {
  run: (input: Input) => Promise<Data>
  /** What follows, also after the component has gone (`isShown`), but not after the user has signed out. */
  onSuccess?: (data: Data, input: Input, isShown: boolean) => unknown
  onError?: (error: Error, input: Input) => unknown
  onSettled?: (error: Error | null) => unknown
  /** of the toast for a user who no longer sees the component, which shows the error; absent where `onError` tells it */
  failureTitle?: string
  /** what is being done, for those who show the key */
  describe?: (input: Input) => string
}

/** An action whose end the component shows: like `useAction`, one at a time for a key and busy for everybody who uses it. */
export function useActionMutation<Data, Input = void>(
  key: string,
  { run, onSuccess, onError, onSettled, failureTitle, describe }: ActionOptions<Data, Input>,
): {
  isBusy: boolean
  /** what is being done, by `describe` */
  activity: string | undefined
  data: Data | undefined
  error: Error | null
  start: (input: Input) => void
  reset: () => void
} {
  const actions = useActions()
  const isShown = useRef(false)
  useLayoutEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const { mutateAsync, data, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: (result, input) =>
      actions.isClosed() ? undefined : onSuccess?.(result, input, isShown.current),
    onError: (failure, input) => {
      if (actions.isClosed()) return
      onError?.(failure, input)
      if (failureTitle !== undefined && !isShown.current)
        showToast('error', failureTitle, { description: errorMessage(failure) })
    },
    onSettled: (_data, failure) => onSettled?.(failure),
  })
  const activity = useRunningActions().get(key)
  return {
    isBusy: activity !== undefined,
    activity,
    data,
    error,
    reset,
    start: (input) =>
      void actions.start(key, () => mutateAsync(input), describe?.(input))?.catch(() => undefined),
  }
}
