import { hashKey, QueryObserver, type QueryObserverOptions, type QueryState } from '@tanstack/react-query'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { errorBlockMs } from '../../../lib/limits.ts'
import { ApiError, hasErrorName } from '../../../lib/api-errors.ts'
import { createStore } from '../../../lib/create-store.ts'
import { conversationKey } from '../../../lib/conversation-key.ts'
import type { ConversationOptions } from './conversation.ts'
import { dropReply, type ConversationParts } from './conversation-parts.ts'
import {
  deriveConversationState,
  createLocalConversation,
  type ConversationState,
  type LoadStatus,
} from './conversation-state.ts'
import { emptyConversation, mergeNewest, type StoredConversation } from './stored-conversation.ts'

interface StoreOptions extends Pick<
  ConversationOptions,
  'id' | 'queryClient' | 'isNew' | 'isTemporary' | 'unacknowledgedMessages'
> {
  /** loads the newest messages */
  load: (signal: AbortSignal) => Promise<SessionRead>
  /** whether an automatic refresh is allowed now */
  canLoad: () => boolean
  /** called after a response was written to the cache */
  onLoaded: () => void
  onLoadFailure: (error: unknown) => void
  /** called when an error was shown long enough */
  onErrorExpired: (errorId: string) => void
}

/**
 * Creates the state of one conversation: the stored part, which lives in the query cache, and the local part. An error is hidden after
 * `errorBlockMs`.
 * @returns `update` applies a change; `load` reloads the stored part and rejects if that fails; `close` drops the pending reply and
 * cancels requests; `dispose` also removes the stored part from the cache
 */
export function createConversationStore(options: StoreOptions) {
  const { id, queryClient, isNew, unacknowledgedMessages, canLoad, onLoaded, onLoadFailure, onErrorExpired } =
    options
  const queryKey = conversationKey(id)
  const hash = hashKey(queryKey)
  const cache = queryClient.getQueryCache()
  const readCache = () => queryClient.getQueryData<StoredConversation>(queryKey)
  let local = createLocalConversation({
    unsaved: unacknowledgedMessages,
    isTemporary: options.isTemporary,
  })
  let isNewAndEmpty = isNew
  let isClosing = false

  const query: QueryObserverOptions<StoredConversation> = {
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await options.load(signal)
      return mergeNewest(readCache(), newest)
    },
    initialData: () => (isNewAndEmpty ? emptyConversation : undefined),
    staleTime: () => (canLoad() ? 0 : Infinity),
    refetchOnReconnect: true,
    retry: false,
  }

  const getStored = () => readCache() ?? (isNewAndEmpty ? emptyConversation : undefined)
  const getLoadStatus = () => toLoadStatus(cache.find({ queryKey })?.state, getStored())
  const state = createStore<ConversationState>(
    deriveConversationState({ stored: getStored(), local }, getLoadStatus()),
  )
  const publish = () =>
    state.setState(deriveConversationState({ stored: getStored(), local }, getLoadStatus(), state.getState()))

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

  /** Applies a change, stores it and tells the listeners. Does nothing when the change returns the same values. */
  const update = (change: (chat: ConversationParts) => ConversationParts): void => {
    const before = { stored: getStored(), local }
    const after = change(before)
    if (after.stored === before.stored && after.local === before.local) return
    const { error } = after.local
    if (error && error !== local.error) setTimeout(() => onErrorExpired(error.id), errorBlockMs)
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
    const shouldReload = isLoading || (getStored() === undefined && local.error === null)
    if (hasEnded && shouldReload && !local.isTemporary && !isClosing) void load().catch(() => undefined)
  }

  const stopListening = cache.subscribe((event) => {
    if (event.query.queryHash !== hash) return
    publish()
    if (event.type !== 'updated') return
    const { action } = event
    // `manual`: this page has written it, and not loaded it
    if (action.type === 'success' && !action.manual) onLoaded()
    if (action.type === 'error' && !hasErrorName(action.error, 'CancelledError')) onLoadFailure(action.error)
  })

  /** Drops the pending reply and cancels requests. */
  const close = () => {
    isClosing = true
    void queryClient.cancelQueries({ queryKey }, { silent: true })
    update(dropReply)
    isClosing = false
  }

  const dispose = () => {
    stopListening()
    stopKeeping?.()
    queryClient.removeQueries({ queryKey })
  }

  return { ...state, update, query, load, close, dispose }
}

function toLoadStatus(query: QueryState | undefined, stored: StoredConversation | undefined): LoadStatus {
  const error = query?.fetchStatus === 'idle' ? query.error : null
  // 400: an address with an id that no conversation can have
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return 'missing'
  if (stored) return 'loaded'
  return error ? 'failed' : 'loading'
}
