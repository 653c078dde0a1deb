import { hashKey, QueryObserver, type QueryClient, type QueryObserverOptions } from '@tanstack/react-query'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { errorBlockMs } from '#shared/limits.ts'
import { ApiError, hasErrorName } from '../../../lib/api-errors.ts'
import { createStore } from '../../../lib/create-store.ts'
import { conversationKey } from '../../../lib/conversation-list.ts'
import type { ChatMessage } from './chat-message.ts'
import { chatReducer, type ChatAction } from './chat-reducer.ts'
import type { Chat } from './chat.ts'
import { chatState, emptyLocal, type ChatState, type LoadStatus } from './chat-state.ts'
import { emptyConversation, withNewest, type StoredConversation } from './stored-conversation.ts'

interface ChatStoreOptions {
  id: string
  queryClient: QueryClient
  /** nothing of it is stored yet */
  fresh: boolean
  /** a message of an earlier page that the service has not acknowledged */
  unsent: ChatMessage | undefined
  /** the newest messages of the conversation */
  read: (signal: AbortSignal) => Promise<SessionRead>
  /** whether what is stored may be read by itself now */
  canRead: () => boolean
  /** what was read is in the cache */
  onRead: () => void
  onReadFailure: (error: unknown) => void
}

/**
 * The state of one conversation: what is stored, in the query cache, and beside it what this page adds. An error goes by itself after
 * 5 s (CHAT-29).
 */
export function createChatStore(options: ChatStoreOptions) {
  const { id, queryClient, fresh, unsent, canRead, onRead, onReadFailure } = options
  const queryKey = conversationKey(id)
  const hash = hashKey(queryKey)
  const cache = queryClient.getQueryCache()
  const readCache = () => queryClient.getQueryData<StoredConversation>(queryKey)
  let local = emptyLocal(unsent)
  let isPristine = fresh
  let isClosing = false

  const query: QueryObserverOptions<StoredConversation> = {
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await options.read(signal)
      return withNewest(readCache(), newest)
    },
    initialData: () => (isPristine ? emptyConversation : undefined),
    staleTime: () => (canRead() ? 0 : Infinity),
    refetchOnReconnect: true,
    retry: false,
  }

  const stored = () => readCache() ?? (isPristine ? emptyConversation : undefined)
  const loadStatus = (): LoadStatus => {
    const { error, fetchStatus } = cache.find({ queryKey })?.state ?? {}
    const isRefused = error instanceof ApiError && (error.status === 404 || error.status === 400)
    if (isRefused && fetchStatus === 'idle') return 'missing'
    if (stored()) return 'loaded'
    return error && fetchStatus === 'idle' ? 'unreadable' : 'loading'
  }
  const state = createStore<ChatState>(chatState({ stored: stored(), local }, loadStatus()))
  const publish = () => state.setState(chatState({ stored: stored(), local }, loadStatus(), state.getState()))

  const read = async () => {
    // what is on its way may be older than what happened meanwhile
    await queryClient.cancelQueries({ queryKey }, { silent: true })
    return queryClient.fetchQuery({ ...query, staleTime: 0 })
  }

  /** Nothing else has it: it stays as long as the page. */
  let unsubscribeKeeper: (() => void) | undefined
  const pinInCache = () => {
    unsubscribeKeeper ??= new QueryObserver(queryClient, { queryKey, enabled: false }).subscribe(
      () => undefined,
    )
  }

  /** Nothing happens when the change gives the same values. */
  const update = (change: (chat: Chat) => Chat): void => {
    const before = { stored: stored(), local }
    const after = change(before)
    if (after.stored === before.stored && after.local === before.local) return
    const { error } = after.local
    if (error && error !== local.error)
      setTimeout(() => dispatch({ type: 'error-cleared', errorId: error.id }), errorBlockMs)
    const hasEnded = local.pending.status !== 'idle' && after.local.pending.status === 'idle'
    const isReading = cache.find({ queryKey })?.state.fetchStatus === 'fetching'
    local = after.local
    if (local.pending.status !== 'idle') {
      // from now on there is something to store
      if (isPristine) queryClient.setQueryData(queryKey, emptyConversation)
      isPristine = false
      if (!local.isSaved) pinInCache()
    }
    if (after.stored !== before.stored) queryClient.setQueryData(queryKey, after.stored)
    publish()
    // what is on its way was asked for before the reply was there
    const isWanted = isReading || (stored() === undefined && local.error === null)
    if (hasEnded && isWanted && local.isSaved && !isClosing) void read().catch(() => undefined)
  }

  const dispatch = (action: ChatAction) => update((chat) => chatReducer(chat, action))

  const stopListening = cache.subscribe((event) => {
    if (event.query.queryHash !== hash) return
    if (event.type !== 'updated' || (event.action.type === 'success' && event.action.manual)) return publish()
    const { action } = event
    publish()
    if (action.type === 'success') onRead()
    if (action.type === 'error' && !hasErrorName(action.error, 'CancelledError')) onReadFailure(action.error)
  })

  /** Drops the pending reply, and ends a reading that is under way, for good. */
  const close = () => {
    isClosing = true
    void queryClient.cancelQueries({ queryKey }, { silent: true })
    dispatch({ type: 'left-unanswered' })
    isClosing = false
  }

  const dispose = () => {
    stopListening()
    unsubscribeKeeper?.()
    queryClient.removeQueries({ queryKey })
  }

  return { ...state, update, dispatch, query, read, close, dispose }
}
