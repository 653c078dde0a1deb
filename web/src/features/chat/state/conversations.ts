import type { QueryClient } from '@tanstack/react-query'
import { createStore, type Store } from '../../../lib/browser/create-store.ts'
import {
  clearDraft,
  composerDraftKey,
  conversationDraftKey,
  discardDraft,
  isQueueKey,
} from '../../../lib/input/drafts.ts'
import { createRunningActions, deletionKey } from '../../../lib/actions/running-actions.ts'
import { conversationPath, newChatPath } from '../../../lib/navigation/new-chat.ts'
import { getUserResource } from '../../../lib/actions/user-resources.ts'
import type { KnownConnections } from '../../../lib/conversations/known-connections.ts'
import { conversationsKey } from '../../../lib/conversations/conversation-key.ts'
import { setReplying } from '../../../lib/conversations/replying-conversations.ts'
import { getCurrentUploadQueues } from '../attachments/upload-queues.ts'
import { chatApi } from '../stream/chat-api.ts'
import type { Conversation } from './conversation.ts'
import type { Choice } from './conversation-parts.ts'
import { createConversation } from './create-conversation.ts'
import { createRunReporter, listConversation } from './conversation-lists.ts'
import { loadUnacknowledged, watchConversation } from './watch-conversation.ts'

/**
 * The open conversations of the signed-in user. They outlive pages, so that replies continue while another conversation or page is shown.
 */
export interface Conversations {
  /** Records which entry of the browser's history shows a chat. @returns the one recorded before */
  recordVisit: (visit: Visit) => Visit | undefined
  /**
   * Returns the conversation of this id, and opens it if it is not open yet.
   * @param options.isNew whether it begins empty then; one that is stored is loaded
   */
  get: (id: string, options: { isNew: boolean }) => Conversation
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
  setSavesNewChats: (savesNewChats: boolean) => void
  /** Whether a reply has ended, or has begun to wait for the user, since the page was hidden. */
  readonly hasUnread: Store<boolean>
  /** Starts a new chat, and ends a temporary one. */
  startNewChat: () => void
  /** Sets the function that reads the user's connections when a message is sent. */
  setConnections: (read: () => KnownConnections | undefined) => void
  close: () => void
}

/** The chat page at an entry of the browser's history. */
interface Visit {
  /** of the history entry */
  key: string
  /** the conversation that the address names; null for the new chat */
  openId: string | null
}

/** Creates the open conversations of a user, for `useUserResource`. */
export function createOpenConversations(queryClient: QueryClient, userId: string): Conversations {
  const conversations = new Map<string, Conversation>()
  const newChat = createNewChat(conversations, userId)
  /** by the id of the project or the assistant on whose page they begin */
  const pageChats = new Map<string, Conversation>()
  const unreadReplies = createUnreadReplies()
  let savesNewChats = true
  let readConnections: () => KnownConnections | undefined = () => undefined
  /** Set at the sign-out. Clearing the query cache changes the conversations after that, which must not store anything. */
  let isClosed = false
  const { running } = getUserResource(queryClient, createRunningActions)
  const runReporter = createRunReporter({ queryClient, userId, find: (id) => conversations.get(id) })

  const create = (id: string, { isNew }: { isNew: boolean }): Conversation => {
    const draftKey = conversationDraftKey(userId, id)
    const unacknowledgedMessages = loadUnacknowledged(draftKey, id)
    const conversation = createConversation({
      id,
      draftKey,
      queryClient,
      isNew,
      isTemporary: isNew && !savesNewChats,
      unacknowledgedMessages,
      api: chatApi,
      isDeleting: () => running.getState().has(deletionKey(id)),
      onConversationChange: (session) => listConversation(queryClient, session),
      readConnections: () => readConnections(),
    })
    conversations.set(id, conversation)
    watchConversation(conversation, {
      draftKey,
      storedMessages: unacknowledgedMessages,
      isOpen: () => !isClosed,
      onUnread: unreadReplies.markUnread,
      onRunChange: (isRunning) => runReporter.report(id, { isNew, isRunning }),
    })
    return conversation
  }

  const disposeEmpty = (id: string) => {
    const conversation = conversations.get(id)
    if (!conversation || id === newChat.id.getState()) return
    const { isReplying, messages } = conversation.getState()
    const isNeeded = isReplying || conversation.messageQueue.isAwaitingUploads.getState()
    if (isNeeded || messages.length > 0) return
    conversation.dispose()
    conversations.delete(id)
  }
  const stopWatchingCache = watchRemovals(queryClient, (id) => {
    conversations.get(id)?.messageQueue.refresh()
    disposeEmpty(id)
  })

  const refreshQueues = ({ key }: StorageEvent) => {
    if (isQueueKey(key)) for (const { messageQueue } of conversations.values()) messageQueue.refresh()
  }
  addEventListener('storage', refreshQueues)

  let lastVisit: Visit | undefined
  return {
    recordVisit(visit) {
      const before = lastVisit
      lastVisit = visit
      return before
    },

    get(id, options) {
      return conversations.get(id) ?? create(id, options)
    },

    newChatId: newChat.id,
    hasUnread: unreadReplies.hasUnread,

    getPageChat(pageId, choice) {
      const last = pageChats.get(pageId)
      if (last && conversations.get(last.id) === last && last.getState().messages.length === 0) return last
      const chat = create(crypto.randomUUID(), { isNew: true })
      pageChats.set(pageId, chat)
      chat.choose(choice)
      return chat
    },

    openChat(chat) {
      if (!chat.getState().isTemporary) return conversationPath(chat.id)
      newChat.replace(chat.id)
      return newChatPath()
    },

    setSavesNewChats(next) {
      if (next === savesNewChats) return
      savesNewChats = next
      newChat.find()?.chooseTemporary(!next)
      for (const chat of pageChats.values()) chat.chooseTemporary(!next)
    },

    startNewChat: () => newChat.replace(),

    setConnections(read) {
      readConnections = read
    },

    close() {
      newChat.close()
      isClosed = true
      runReporter.close()
      for (const id of conversations.keys()) setReplying(id, false)
      stopWatchingCache()
      for (const conversation of conversations.values()) {
        conversation.close()
        conversation.dispose()
      }
      removeEventListener('storage', refreshQueues)
      unreadReplies.close()
    },
  }
}

/** Calls back after the cache has removed a conversation: it removes those that were not used for a while. @returns stops that */
const watchRemovals = (queryClient: QueryClient, onRemoved: (id: string) => void) =>
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    const [kind, id] = query.queryKey
    if (type !== 'removed' || kind !== conversationsKey[0] || typeof id !== 'string') return
    // after the conversation's own listeners of the cache
    queueMicrotask(() => onRemoved(id))
  })

/**
 * The new chat, which has no address: it is empty or temporary. A temporary one ends in every way of leaving it.
 * @param conversations the open conversations, from which it is removed at its end
 */
function createNewChat(conversations: Map<string, Conversation>, userId: string) {
  const id = createStore<string>(crypto.randomUUID())
  const find = () => conversations.get(id.getState())
  const endTemporary = () => {
    const chat = find()
    if (!chat?.getState().isTemporary) return
    endTemporaryChat(chat, userId)
    conversations.delete(chat.id)
  }
  /** @param nextId by default of a chat that does not exist yet */
  const replace = (nextId: string = crypto.randomUUID()) => {
    endTemporary()
    id.setState(nextId)
  }
  // the browser may keep the page as it is and show it again (back/forward cache)
  const leavePage = () => {
    if (find()?.getState().isTemporary) replace()
  }
  addEventListener('pagehide', leavePage)
  return {
    id,
    find,
    replace,
    close() {
      endTemporary()
      removeEventListener('pagehide', leavePage)
    },
  }
}

/** Ends a temporary chat, and removes all traces of it: its reply, its messages, its files and its drafts. */
function endTemporaryChat(chat: Conversation, userId: string): void {
  const { id } = chat
  // while its reply waits for the user, the service stores the chat
  if (chat.getState().isReplying) void chatApi.stop(id, undefined, { keepalive: true }).catch(() => undefined)
  chat.close()
  chat.dispose()
  for (const key of [composerDraftKey(userId, id), composerDraftKey(userId)]) {
    getCurrentUploadQueues().discard(key)
    // cleared rather than discarded: the next chat has the same key, and may be temporary, too
    clearDraft(key)
  }
  discardDraft(composerDraftKey(userId, id))
  discardDraft(conversationDraftKey(userId, id))
}

/**
 * Creates the mark that a reply has ended, or waits for the user, since the page was hidden. It is removed when the page is shown.
 * @returns `hasUnread` is the mark; `close` ends the watching of the page
 */
function createUnreadReplies() {
  const hasUnread = createStore(false)
  const markRead = () => {
    if (!document.hidden) hasUnread.setState(false)
  }
  document.addEventListener('visibilitychange', markRead)
  return {
    hasUnread,
    markUnread: () => hasUnread.setState(true),
    close: () => document.removeEventListener('visibilitychange', markRead),
  }
}
