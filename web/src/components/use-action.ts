import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { useNavigate } from '../lib/navigation/router.tsx'
import { useActions } from '../lib/actions/actions.ts'
import { useRunningActions } from '../lib/actions/running-actions.ts'
import { showToast, type Toast } from './ui/toast.ts'
import { useResultNavigation, type OpenResult } from './use-result-navigation.ts'

/**
 * An action of the user. One with its key runs at a time, and all components with the key show it as busy. It goes on when the component is gone.
 * @param key identifies the action and what it changes
 * @param run the action; a toast shows the error that it throws
 * @param failureTitle the title of that toast
 */
export function useAction<Input = void>(
  key: string,
  run: (input: Input, openResult: OpenResult) => Promise<unknown>,
  failureTitle: string,
): { isBusy: boolean; start: (input: Input) => void } {
  const actions = useActions()
  const createOpenResult = useResultNavigation()
  return {
    isBusy: useRunningActions().has(key),
    start: (input) =>
      void actions
        .start(key, () => run(input, createOpenResult()))
        ?.catch((error: unknown) => {
          if (!actions.isClosed()) showToast('error', failureTitle, { error })
        }),
  }
}

/** The component that has started an action, as it is when it is asked. */
interface Owner {
  /** whether the user still sees it */
  readonly isShown: boolean
  /** shows a toast, with a link back to its page if the user has left that */
  notify: typeof showToast
}

interface ActionOptions<Data, Input> {
  run: (input: Input) => Promise<Data>
  /** called also when the component is gone, but not after the user has signed out */
  onSuccess?: (data: Data, input: Input, owner: Owner) => unknown
  onError?: (error: Error, input: Input, owner: Owner) => unknown
  onSettled?: (error: Error | null) => unknown
  /** of the toast for a user who no longer sees the component with its error; absent if `onError` shows a toast */
  failureTitle?: string
  describeError?: ((error: unknown) => string) | undefined
  /** the activity that is shown while it runs */
  describe?: (input: Input) => string
  /** whether an action that is started while another one runs follows it, instead of being ignored */
  isQueued?: boolean
  /** whether the component shows the result while it is mounted; false for a closed dialog */
  isShown?: boolean
}

/** As `useAction`, for a component that shows the result or the error itself. */
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
  const { run, onSuccess, onError, onSettled, failureTitle, describeError } = options
  const { describe, isQueued = false, isShown = true } = options
  const actions = useActions()
  const createOwner = useOwner({ isShown })
  const { mutateAsync, data, error, reset } = useMutation({
    mutationFn: ({ input }: StartedAction<Input>) => run(input),
    onSuccess: (result, { input, path }) =>
      actions.isClosed() ? undefined : onSuccess?.(result, input, createOwner(path)),
    onError: (failure, { input, path }) => {
      if (actions.isClosed()) return
      const owner = createOwner(path)
      onError?.(failure, input, owner)
      if (failureTitle !== undefined && !owner.isShown)
        owner.notify('error', failureTitle, { error: failure, describeError })
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
      // `onError` has handled it
      void begin(key, () => mutateAsync(started), describe?.(input))?.catch(() => undefined)
    },
  }
}

/**
 * The calling component as the owner of actions.
 * @returns creates the owner that the callbacks of an action get. @param path the page on which the action was started
 */
function useOwner({ isShown }: { isShown: boolean }): (path: string) => Owner {
  const navigate = useNavigate()
  const isShownNow = useRef(false)
  useLayoutEffect(() => {
    isShownNow.current = isShown
    return () => {
      isShownNow.current = false
    }
  }, [isShown])
  return (path) => ({
    get isShown() {
      return isShownNow.current
    },
    notify(...[kind, title, toast]) {
      const hasLeftPage = !isShownNow.current && path !== getPath()
      const wayBack = hasLeftPage && { action: { label: t`Open`, onClick: () => navigate(path) } }
      return showToast(...([kind, title, { ...toast, ...wayBack }] as Toast))
    },
  })
}

interface StartedAction<Input> {
  input: Input
  /** the page on which it was started */
  path: string
}

const getPath = () => location.pathname + location.search + location.hash
