import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/messages.ts'
import { createStore, type Store } from '../../../lib/create-store.ts'
import { clearDraft, composerDraftKey, discardDraft, isQueueKey } from '../../../lib/drafts.ts'
import { listenToOtherTabs } from '../../../lib/conversation-broadcast.ts'
import { createRunningActions, deletionKey } from '../../../lib/running-actions.ts'
import { conversationPath, newChatPath } from '../../../lib/new-chat.ts'
import { getUserResource } from '../../../lib/user-resources.ts'
import type { KnownConnections } from '../../../lib/known-connections.ts'
import { loadConfig } from '../../../lib/config.ts'
import { conversationKey } from '../../../lib/conversation-key.ts'
import { setReplying } from '../../../lib/replying-conversations.ts'
import { getCurrentUploadQueues } from '../attachments/upload-queues.ts'
import { chatApi } from '../stream/chat-api.ts'
import type { Conversation } from './conversation.ts'
import type { Choice } from './conversation-parts.ts'
import { createConversation } from './create-conversation.ts'
import { loadUnacknowledged } from './unacknowledged-message.ts'
import { watchConversation } from './watch-conversation.ts'

/**
 * The open conversations of the signed-in user. They outlive pages, so that replies continue while another conversation or page is shown.
 */
export interface Conversations {
  /** Records which entry of the browser's history shows a chat. @returns the one recorded before */
  recordVisit: (visit: Visit) => Visit | undefined
  /** @param isNew used when the conversation is not open yet */
  get: (id: string, isNew: boolean) => Conversation
  /** The id of the new chat, which has no address: it is empty or temporary. */
  readonly newChatId: Store<string>
  /**
   * The chat that begins on the page of a project or an assistant: the same one as long as it is empty.
   * @param pageId id of the project or the assistant
   * @param choice what a new one begins with
   */
  getPageChat: (pageId: string, choice: Choice) => Conversation
  /**
   * Prepares a chat that has begun on such a page to be shown by the chat page. A temporary one becomes the new chat, and ends a temporary
   * chat that was the new one.
   * @returns the path to navigate to
   */
  openChat: (chat: Conversation) => string
  /** Sets whether new chats are stored, from the user's settings. Those that are not are temporary. */
  setSavesNewChats: (isStoring: boolean) => void
  /** Whether a reply has ended since the page was hidden. */
  readonly hasUnread: Store<boolean>
  /** Starts a new chat, and ends a temporary one. */
  startNewChat: () => void
  /** Sets the function that reads the user's connections when a message is sent. */
  setConnections: (read: () => KnownConnections | undefined) => void
  close: () => void
}

/** The number of messages after the first reply. */
const firstReplyMessageCount = 2
/** Waits for the title that a model writes, where models write titles. If this fails, the next load of the list has the title. */
async function followTitle(queryClient: QueryClient, session: Session): Promise<void> {
  if (!(await loadConfig()).writesTitles) return
  const module = await import('../../../lib/follow-title.ts')
  return module.followTitle(queryClient, session)
}

/** The chat page at an entry of the browser's history. */
interface Visit {
  /** of the history entry */
  key: string
  /** the conversation that the address names; null for the new chat */
  openId: string | null
}

/** Creates the open conversations of a user; `useConversations` and the app get them by `useUserResource`. */
export function createConversations(queryClient: QueryClient, userId: string): Conversations {
  const conversations = new Map<string, Conversation>()
  const newChatId = createStore<string>(crypto.randomUUID())
  /** by the id of the project or the assistant on whose page they begin */
  const pageChats = new Map<string, Conversation>()
  const hasUnread = createStore(false)
  let isStoring = true
  let readConnections: () => KnownConnections | undefined = () => undefined
  /** Set at the sign-out. Clearing the query cache changes the conversations after that, which must not store anything. */
  let isClosed = false
  const { running, setActivity } = getUserResource(queryClient, createRunningActions)
  // one channel for sending and receiving, because a channel does not receive its own messages
  const otherTabs = listenToOtherTabs((id) => {
    if (typeof id !== 'string') return
    const isShown = queryClient
      .getQueryCache()
      .find({ queryKey: conversationKey(id) })
      ?.isActive()
    if (isShown) conversations.get(id)?.refresh()
    void loadConversationCache(queryClient).then((cache) => cache?.refetchIfMissing(id))
  })

  /** A reply has begun or ended: the service has the conversation, and other tabs follow or show the reply. */
  const reportRun = (id: string, isNew: boolean, runId: string | undefined) => {
    otherTabs.broadcast(id)
    const { messages, projectId } = conversations.get(id)?.getState() ?? {}
    const message = messages?.find(({ role }) => role === 'user')
    if (runId === undefined || !message) return
    void loadConversationCache(queryClient).then((cache) =>
      isNew ? cache?.begin({ id, userId, message, projectId }) : cache?.refetchIfMissing(id),
    )
  }

  const create = (id: string, isNew: boolean): Conversation => {
    const draftKey = `${userId}/${id}`
    const unacknowledgedMessages = loadUnacknowledged(draftKey, id)
    const conversation = createConversation({
      id,
      draftKey,
      queryClient,
      isNew,
      isTemporary: isNew && !isStoring,
      unacknowledgedMessages,
      api: chatApi,
      isDeleting: () => running.getState().has(deletionKey(id)),
      onConversationChange: (session) => {
        void loadConversationCache(queryClient).then((cache) => cache?.upsert(session))
        if (session.message_count === firstReplyMessageCount)
          void followTitle(queryClient, session).catch(() => undefined)
      },
      readConnections: () => readConnections(),
    })
    watchConversation(conversation, {
      draftKey,
      storedMessages: unacknowledgedMessages,
      isOpen: () => !isClosed,
      onUnread: () => hasUnread.setState(true),
      onRunChange: (runId) => reportRun(id, isNew, runId),
      onDecision: setActivity,
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
    // after the conversation's own listeners of the cache
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

  /** Ends the temporary chat, if there is one, and removes all traces of it. Every way of leaving one calls this. */
  const endTemporaryChat = () => {
    const id = newChatId.getState()
    const chat = conversations.get(id)
    if (!chat?.getState().isTemporary) return
    // while its reply waits for the user, the service stores the chat
    if (chat.getState().isReplying)
      void chatApi.stop(id, undefined, { keepalive: true }).catch(() => undefined)
    const draftKey = `${userId}/${id}`
    chat.close()
    chat.dispose()
    conversations.delete(id)
    for (const key of [composerDraftKey(userId, id), composerDraftKey(userId)]) {
      getCurrentUploadQueues().discard(key)
      // cleared rather than discarded: the next chat has the same key, and may be temporary, too
      clearDraft(key)
    }
    discardDraft(composerDraftKey(userId, id))
    discardDraft(draftKey)
  }
  const startNewChat = () => {
    endTemporaryChat()
    newChatId.setState(crypto.randomUUID())
  }
  // the browser may keep the page as it is and show it again (back/forward cache)
  const leavePage = () => {
    if (conversations.get(newChatId.getState())?.getState().isTemporary) startNewChat()
  }
  addEventListener('pagehide', leavePage)

  let lastVisit: Visit | undefined
  return {
    recordVisit(visit) {
      const before = lastVisit
      lastVisit = visit
      return before
    },

    get(id, isNew) {
      const conversation = conversations.get(id) ?? create(id, isNew)
      conversations.set(id, conversation)
      return conversation
    },

    newChatId,
    hasUnread,

    getPageChat(pageId, choice) {
      const last = pageChats.get(pageId)
      if (last && conversations.get(last.id) === last && last.getState().messages.length === 0) return last
      const chat = create(crypto.randomUUID(), true)
      conversations.set(chat.id, chat)
      pageChats.set(pageId, chat)
      chat.choose(choice)
      return chat
    },

    openChat(chat) {
      if (!chat.getState().isTemporary) return conversationPath(chat.id)
      endTemporaryChat()
      newChatId.setState(chat.id)
      return newChatPath()
    },

    setSavesNewChats(next) {
      if (next === isStoring) return
      isStoring = next
      conversations.get(newChatId.getState())?.chooseTemporary(!next)
      for (const chat of pageChats.values()) chat.chooseTemporary(!next)
    },

    startNewChat,

    setConnections(read) {
      readConnections = read
    },

    close() {
      endTemporaryChat()
      isClosed = true
      otherTabs.close()
      for (const id of conversations.keys()) setReplying(id, false)
      stopWatchingCache()
      for (const conversation of conversations.values()) {
        conversation.close()
        conversation.dispose()
      }
      removeEventListener('pagehide', leavePage)
      removeEventListener('storage', refreshQueues)
      document.removeEventListener('visibilitychange', markRead)
    },
  }
}

/** The cached list of conversations; undefined if its code cannot be loaded, and so no list is shown. */
const loadConversationCache = (queryClient: QueryClient) =>
  import('../../../lib/conversation-cache.ts').then(
    (module) => module.conversationCache(queryClient),
    () => undefined,
  )
