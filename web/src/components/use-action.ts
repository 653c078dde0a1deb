import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { showToast } from './ui/toast.ts'
import { useActions } from '../lib/actions.ts'
import { useRunningActions } from '../lib/running-actions.ts'
import { getErrorMessage } from '../lib/api-errors.ts'
import { watchPresence } from '../lib/presence.ts'

/** Opens a page with what an action has made. @param title of the toast that offers it to a user who has gone on */
export type OpenResult = (path: string, title: string) => void

/** How long a toast offers the way to what was made. */
const offerMs = 10_000

/** @returns offers a page by a toast */
export function usePageOffer(): OpenResult {
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
export function useResultNavigation(): () => OpenResult {
  const navigate = useNavigate()
  const actions = useActions()
  const offer = usePageOffer()
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
  run: (input: Input, arrive: OpenResult) => Promise<unknown>,
  failureTitle: string,
): { isBusy: boolean; start: (input: Input) => void } {
  const actions = useActions()
  const watch = useResultNavigation()
  return {
    isBusy: useRunningActions().has(key),
    start: (input) =>
      void actions
        .start(key, () => run(input, watch()))
        ?.catch((error: unknown) => {
          if (!actions.isClosed()) showToast('error', failureTitle, { description: getErrorMessage(error) })
        }),
  }
}

/** What is known of the component that has started an action, whenever it is asked after the end. */
interface Owner {
  readonly isShown: boolean
  /** shows a toast, with the way back to its page if the user has gone on */
  notify: typeof showToast
}

interface ActionOptions<Data, Input> {
  run: (input: Input) => Promise<Data>
  /** What follows, also after the component has gone, but not after the user has signed out. */
  onSuccess?: (data: Data, input: Input, owner: Owner) => unknown
  onError?: (error: Error, input: Input, owner: Owner) => unknown
  onSettled?: (error: Error | null) => unknown
  /** of the toast for a user who no longer sees the component, which shows the error; absent where `onError` tells it */
  failureTitle?: string
  describeError?: (error: unknown) => string
  /** what is being done, for those who show the key */
  describe?: (input: Input) => string
  /** a press while one runs is another action, which follows it */
  isQueued?: boolean
  /** whether the component shows how it ends, as long as it is there */
  isShown?: boolean
}

/** An action whose end the component shows: like `useAction`, one at a time for a key and busy for everybody who uses it. */
export function useActionMutation<Data, Input = void>(
  key: string,
  options: ActionOptions<Data, Input>,
): {
  isBusy: boolean
  /** what is being done, by `describe` */
  activity: string | undefined
  data: Data | undefined
  error: Error | null
  start: (input: Input) => void
  reset: () => void
} {
  const { run, onSuccess, onError, onSettled, failureTitle, describeError = getErrorMessage } = options
  const { describe, isQueued = false, isShown = true } = options
  const actions = useActions()
  const navigate = useNavigate()
  const isShownNow = useRef(false)
  useLayoutEffect(() => {
    isShownNow.current = isShown
    return () => {
      isShownNow.current = false
    }
  }, [isShown])
  const findOwner = (path: string): Owner => ({
    get isShown() {
      return isShownNow.current
    },
    notify(kind, title, toast) {
      const hasGone = !isShownNow.current && path !== getPath()
      const wayBack = hasGone && { action: { label: t`Open`, onClick: () => void navigate(path) } }
      return showToast(kind, title, { ...toast, ...wayBack })
    },
  })
  const { mutateAsync, data, error, reset } = useMutation({
    mutationFn: ({ input }: Started<Input>) => run(input),
    onSuccess: (result, { input, path }) =>
      actions.isClosed() ? undefined : onSuccess?.(result, input, findOwner(path)),
    onError: (failure, { input, path }) => {
      if (actions.isClosed()) return
      const owner = findOwner(path)
      onError?.(failure, input, owner)
      if (failureTitle !== undefined && !owner.isShown)
        owner.notify('error', failureTitle, { description: describeError(failure) })
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
    start: (input) => {
      const started = { input, path: getPath() }
      const begin = actions[isQueued ? 'enqueue' : 'start']
      void begin(key, () => mutateAsync(started), describe?.(input))?.catch(() => undefined)
    },
  }
}

interface Started<Input> {
  input: Input
  /** the page on which it was started */
  path: string
}

const getPath = () => location.pathname + location.search + location.hash
