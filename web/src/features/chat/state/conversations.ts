import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/messages.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { createStore, type Store } from '../../../lib/create-store.ts'
import {
  composerDraftKey,
  discardDraft,
  isQueueKey,
  keepDraftInMemory,
  saveDraft,
} from '../../../lib/drafts.ts'
import { createPendingDeletions } from '../../../lib/pending-deletions.ts'
import { getUserResource } from '../../../lib/user-resources.ts'
import type { KnownConnections } from '../../../lib/known-connections.ts'
import { conversationKey } from '../../../lib/conversation-key.ts'
import { getCurrentUploadQueues } from '../attachments/upload-queues.ts'
import { chatApi } from '../stream/chat-api.ts'
import type { Conversation } from './conversation.ts'
import { createConversation } from './create-conversation.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import { findUnacknowledged, loadUnacknowledged, serializeUnacknowledged } from './unacknowledged-message.ts'
import { watchReplies } from './watch-replies.ts'
import * as texts from './texts.ts'

/**
 * The open conversations of the signed-in user. They outlive pages, so that replies continue while another conversation or page is shown.
 */
export interface Conversations {
  /** @param isNew used when the conversation is not open yet */
  get: (id: string, isNew: boolean) => Conversation
  /** The id of the chat without an address: empty or temporary. */
  readonly newChatId: Store<string>
  /** Sets whether new chats are stored, from the user's settings. Those that are not are temporary. */
  setStoring: (isStoring: boolean) => void
  /** Whether a reply has ended since the page was hidden. */
  readonly hasUnread: Store<boolean>
  /** Starts a new chat, and drops a temporary one. */
  startNewChat: () => void
  /** Sets the source of the connections that are sent with messages. */
  setConnections: (read: () => KnownConnections | undefined) => void
  close: () => void
}

/** Creates the store of open conversations of a user. */
export function createConversations(queryClient: QueryClient, userId: string): Conversations {
  const conversations = new Map<string, Conversation>()
  const newChatId = createStore<string>(crypto.randomUUID())
  const hasUnread = createStore(false)
  let isStoring = true
  let readConnections: () => KnownConnections | undefined = () => undefined
  /** Since the sign-out: clearing the query cache still changes the conversations then. */
  let isClosed = false

  /** A temporary chat is lost when the page is closed. */
  const warnBeforeUnload = (event: BeforeUnloadEvent) => {
    const chat = conversations.get(newChatId.getState())?.getState()
    if (chat && chat.isTemporary && chat.messages.length > 0) event.preventDefault()
  }

  /** A temporary chat that is left needs its reply no more: while that waits for the user, the server stores the chat. */
  const stopTemporaryReply = () => {
    const id = newChatId.getState()
    const chat = conversations.get(id)?.getState()
    if (chat?.isTemporary && chat.isReplying)
      void chatApi.stop(id, undefined, { keepalive: true }).catch(() => undefined)
  }
  addEventListener('pagehide', stopTemporaryReply)

  const create = (id: string, isNew: boolean): Conversation => {
    const draftKey = `${userId}/${id}`
    const unacknowledgedMessages = loadUnacknowledged(draftKey, id)
    let saved = JSON.stringify(unacknowledgedMessages.map(serializeUnacknowledged))
    const conversation = createConversation({
      id,
      draftKey,
      queryClient,
      isNew,
      isTemporary: isNew && !isStoring,
      unacknowledgedMessages,
      api: chatApi,
      isDeleting: () => getUserResource(queryClient, createPendingDeletions).ids.getState().has(id),
      onConversationChange: (session) => void updateConversationList(queryClient, session),
      readConnections: () => readConnections(),
      onUnreadableDocument: notifyUnreadableDocument,
      onToolsUsed: notifyToolsUsed,
    })
    const watch = watchReplies(id, () => hasUnread.setState(true))
    let wasTemporary = false
    conversation.subscribe(() => {
      if (isClosed) return
      const state = conversation.getState()
      const { isTemporary } = state
      watch(state)
      if (isTemporary) addEventListener('beforeunload', warnBeforeUnload)
      // the chat page may be unmounted
      if (isTemporary !== wasTemporary) keepDraftInMemory(draftKey, isTemporary)
      wasTemporary = isTemporary
      const current = findUnacknowledged(state).map(serializeUnacknowledged)
      const text = JSON.stringify(current)
      if (text === saved) return
      saved = text
      saveDraft(draftKey, 'unacknowledged', current)
    })
    return conversation
  }

  const disposeEmpty = (id: string) => {
    const conversation = conversations.get(id)
    if (!conversation || id === newChatId.getState()) return
    const { isReplying, messages } = conversation.getState()
    const isNeeded = isReplying || conversation.messageQueue.isAwaitingUploads.getState()
    if (isNeeded || messages.length > 0) return
    conversation.dispose()
    conversations.delete(id)
  }
  // the cache removes unused conversations after a while
  const stopWatchingCache = queryClient.getQueryCache().subscribe(({ type, query }) => {
    const [kind, id] = query.queryKey
    if (type !== 'removed' || kind !== conversationKey('')[0] || typeof id !== 'string') return
    // after the listeners of the conversation
    queueMicrotask(() => {
      conversations.get(id)?.messageQueue.refresh()
      disposeEmpty(id)
    })
  })

  const refreshQueues = ({ key }: StorageEvent) => {
    if (isQueueKey(key)) for (const { messageQueue } of conversations.values()) messageQueue.refresh()
  }
  addEventListener('storage', refreshQueues)
  const markRead = () => {
    if (!document.hidden) hasUnread.setState(false)
  }
  document.addEventListener('visibilitychange', markRead)

  return {
    get(id, isNew) {
      const conversation = conversations.get(id) ?? create(id, isNew)
      conversations.set(id, conversation)
      return conversation
    },

    newChatId,
    hasUnread,

    setStoring(next) {
      if (next === isStoring) return
      isStoring = next
      conversations.get(newChatId.getState())?.chooseTemporary(!next)
    },

    startNewChat() {
      const id = newChatId.getState()
      const previous = conversations.get(id)
      if (previous && previous.getState().isTemporary) {
        const draftKey = `${userId}/${id}`
        stopTemporaryReply()
        previous.close()
        previous.dispose()
        conversations.delete(id)
        getCurrentUploadQueues().discard(composerDraftKey(userId, id))
        discardDraft(composerDraftKey(userId, id))
        discardDraft(draftKey)
      }
      newChatId.setState(crypto.randomUUID())
    },

    setConnections(read) {
      readConnections = read
    },

    close() {
      stopTemporaryReply()
      isClosed = true
      stopWatchingCache()
      for (const conversation of conversations.values()) {
        conversation.close()
        conversation.dispose()
      }
      removeEventListener('beforeunload', warnBeforeUnload)
      removeEventListener('pagehide', stopTemporaryReply)
      removeEventListener('storage', refreshQueues)
      document.removeEventListener('visibilitychange', markRead)
    },
  }
}

/** Updates the conversation list; if its module cannot be loaded, there is no list. */
const updateConversationList = (queryClient: QueryClient, session: Session) =>
  import('../../../lib/conversation-list.ts').then(
    (list) => list.upsertConversation(queryClient, session),
    () => undefined,
  )

function notifyUnreadableDocument(message: string) {
  showToast('error', texts.documentError, { description: message })
}

function notifyToolsUsed(calls: readonly ReplyCall[]) {
  void import('../tools/notify-tool-results.ts').then(({ notifyToolResults }) => notifyToolResults(calls))
}
