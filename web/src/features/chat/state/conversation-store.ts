import { t } from '@lingui/core/macro'
import { hashKey, QueryObserver, type QueryObserverOptions, type QueryState } from '@tanstack/react-query'
import { showToast } from '../../../components/ui/toast.ts'
import { errorBlockMs } from '../../../lib/browser/limits.ts'
import { ApiError, hasErrorName } from '../../../lib/api/api-errors.ts'
import { createStore } from '../../../lib/browser/create-store.ts'
import { conversationKey } from '../../../lib/conversations/conversation-key.ts'
import type { ConversationOptions } from './conversation.ts'
import { isBusy, transition, type ConversationEvent, type Effect } from './conversation-machine.ts'
import { dropReply, toShownError, type ConversationParts } from './conversation-parts.ts'
import {
  deriveConversationState,
  createLocalConversation,
  type ConversationState,
  type LoadStatus,
} from './conversation-state.ts'
import { getActiveReply } from './pending-reply.ts'
import type { createRunner } from './run-effects.ts'
import { emptyConversation, mergeNewest, type StoredConversation } from './stored-conversation.ts'

/** Loads the code of requests and streams, which is needed from the first message on, or for a reply that is running. */
export const loadRunner = () => import('./run-effects.ts')

/**
 * Creates the state of one conversation: the stored part, which lives in the query cache, and the local part. Events change both by the state
 * machine (`transition`). An error is hidden after `errorBlockMs`.
 * @returns `load` reloads the stored part and rejects if that fails; `canLoad` says whether an automatic refresh is allowed now; `flush` applies
 * the text that has arrived and waits for the next frame; `close` ends all requests and drops the pending reply; `dispose` also removes the
 * stored part from the cache
 */
export function createConversationStore(options: ConversationOptions) {
  const { id, api, queryClient, isNew } = options
  const queryKey = conversationKey(id)
  const hash = hashKey(queryKey)
  const cache = queryClient.getQueryCache()
  const readCache = () => queryClient.getQueryData<StoredConversation>(queryKey)
  let local = createLocalConversation({
    unsaved: options.unacknowledgedMessages,
    isTemporary: options.isTemporary,
  })
  let isNewAndEmpty = isNew
  let isClosing = false

  /** Temporary and empty new chats have no stored part; while a request works on a reply, the page knows more. */
  const canLoad = () => {
    const { isTemporary, messages } = state.getState()
    return !isTemporary && !isBusy(local) && !(isNew && messages.length === 0)
  }
  const query: QueryObserverOptions<StoredConversation> = {
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await api.read(id, undefined, signal)
      return mergeNewest(readCache(), newest)
    },
    initialData: () => (isNewAndEmpty ? emptyConversation : undefined),
    staleTime: () => (canLoad() ? 0 : Infinity),
    refetchOnReconnect: true,
    retry: false,
  }

  const readParts = (): ConversationParts => ({
    stored: readCache() ?? (isNewAndEmpty ? emptyConversation : undefined),
    local,
  })
  const derive = (previous?: ConversationState) => {
    const parts = readParts()
    return deriveConversationState(
      parts,
      toLoadStatus(cache.find({ queryKey })?.state, parts.stored),
      previous,
    )
  }
  const state = createStore(derive())
  const publish = () => state.setState(derive(state.getState()))

  const load = async () => {
    // a request in flight may return an older state
    await queryClient.cancelQueries({ queryKey }, { silent: true })
    return queryClient.fetchQuery({ ...query, staleTime: 0 })
  }

  /** Ends `keepInCache`. */
  let stopKeeping: (() => void) | undefined
  /** Keeps a temporary chat in the query cache, by an observer that loads nothing: there is no other copy. */
  const keepInCache = () => {
    stopKeeping ??= new QueryObserver(queryClient, { queryKey, enabled: false }).subscribe(() => undefined)
  }

  /** Stores the parts and tells the listeners, if they have changed. */
  const write = (before: ConversationParts, after: ConversationParts): void => {
    if (after.stored === before.stored && after.local === before.local) return
    const { error } = after.local
    if (error && error !== local.error)
      setTimeout(() => void dispatch({ type: 'error-expired', errorId: error.id }), errorBlockMs)
    const hasEnded = local.pending.phase !== 'idle' && after.local.pending.phase === 'idle'
    const isLoading = cache.find({ queryKey })?.state.fetchStatus === 'fetching'
    local = after.local
    if (local.pending.phase !== 'idle') {
      // the conversation is not empty any more
      if (isNewAndEmpty) queryClient.setQueryData(queryKey, emptyConversation)
      isNewAndEmpty = false
      if (local.isTemporary) keepInCache()
    }
    if (after.stored !== before.stored) queryClient.setQueryData(queryKey, after.stored)
    publish()
    // a request that was in flight was sent before the reply ended, so its answer may be old
    const shouldReload = isLoading || (readParts().stored === undefined && local.error === null)
    if (hasEnded && shouldReload && !local.isTemporary && !isClosing) void load().catch(() => undefined)
  }

  let runner: ReturnType<typeof createRunner> | undefined
  const perform = async (effect: Effect): Promise<boolean> => {
    try {
      if (!runner) {
        const module = await loadRunner()
        runner ??= module.createRunner({ ...options, getState: state.getState, dispatch, load })
        // the conversation may have been closed, or the reply stopped, while the code was loading
        if ('request' in effect && effect.request !== getActiveReply(local.pending)?.request) return true
      }
      await runner.perform(effect)
      return true
    } catch (cause) {
      reportFailure(effect, cause)
      return false
    }
  }
  /** @param cause why the effect was not performed: its code could not be loaded, or the server could not be asked to stop */
  const reportFailure = (effect: Effect, cause: unknown) => {
    if ('request' in effect && effect.request !== undefined)
      void dispatch({
        type: 'request-ended',
        request: effect.request,
        reason: 'failed',
        error: toShownError(cause),
      })
    if (effect.type !== 'stop') return
    void dispatch({ type: 'stop-refused', messageId: effect.messageId })
    showToast('error', t`Chat Error`, {
      description: t`The reply could not be stopped. Please try again.`,
      cause,
    })
  }
  /** Applies an event, and performs the effect of its transition. @returns undefined without one; false when the server could not be asked to stop */
  const dispatch = (event: ConversationEvent): Promise<boolean> | undefined => {
    const before = readParts()
    const [after, effect] = transition(before, event)
    write(before, after)
    return effect && perform(effect)
  }

  const stopListening = cache.subscribe((event) => {
    if (event.query.queryHash !== hash) return
    publish()
    if (event.type !== 'updated') return
    const { action } = event
    // `manual`: this page has written it, and not loaded it
    if (action.type === 'success' && !action.manual) void dispatch({ type: 'loaded' })
    const hasFailed = action.type === 'error' && !hasErrorName(action.error, 'CancelledError')
    if (hasFailed && state.getState().loadStatus === 'failed')
      void dispatch({ type: 'load-failed', error: toShownError(action.error) })
  })

  const close = () => {
    runner?.close()
    isClosing = true
    void queryClient.cancelQueries({ queryKey }, { silent: true })
    const before = readParts()
    write(before, dropReply(before))
    isClosing = false
  }
  const dispose = () => {
    stopListening()
    stopKeeping?.()
    queryClient.removeQueries({ queryKey })
  }

  return { ...state, query, load, canLoad, dispatch, flush: () => runner?.flush(), close, dispose }
}

function toLoadStatus(query: QueryState | undefined, stored: StoredConversation | undefined): LoadStatus {
  const error = query?.fetchStatus === 'idle' ? query.error : null
  // 400: an address with an id that no conversation can have
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return 'missing'
  if (stored) return 'loaded'
  return error ? 'failed' : 'loading'
}
