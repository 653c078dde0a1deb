import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/sessions.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { createStore, type Store } from '../../../lib/create-store.ts'
import { discardDraft, isQueueKey, saveDraft, setDraftTemporary } from '../../../lib/drafts.ts'
import type { KnownConnections } from '../../../lib/known-connections.ts'
import { conversationKey } from '../../../lib/conversation-list.ts'
import { currentAttachmentQueues } from '../attachments/attachment-queues.ts'
import { chatApi } from '../stream/chat-api.ts'
import type { Conversation } from './conversation.ts'
import { createConversation } from './create-conversation.ts'
import { createMessageQueue, type MessageQueue } from './message-queue.ts'
import type { LiveToolCall } from '../tools/live-tool-calls.ts'
import { findUnsent, loadUnsent, serializeUnsent } from './unsent-message.ts'

/** A conversation of the user's, with what waits to be sent in it. */
export interface OpenConversation extends Conversation {
  readonly queue: MessageQueue
}

/**
 * The conversations that a user has opened or begun. They live as long as the user is signed in, so that a reply goes on where it
 * belongs while another conversation, or another page, is shown (DEC-008).
 */
export interface Conversations {
  /** @param isNew whether it begins now; only asked for one that is not known yet */
  get: (id: string, isNew: boolean) => OpenConversation
  /** The chat without an address: one that nothing was said in yet, or one that is not saved. */
  readonly newChatId: Store<string>
  /** Whether that chat is not to be stored, whatever the settings say; another one asks the settings again. */
  readonly isNewChatTemporary: Store<boolean>
  /** Another chat without an address; one that was not saved is gone. */
  startNewChat: () => void
  /** Names what is sent with messages of the user's connections. */
  setConnections: (read: () => KnownConnections | undefined) => void
  close: () => void
}

export function createConversations(queryClient: QueryClient, userId: string): Conversations {
  const conversations = new Map<string, OpenConversation>()
  const newChatId = createStore<string>(crypto.randomUUID())
  const isNewChatTemporary = createStore(false)
  let readConnections: () => KnownConnections | undefined = () => undefined
  let isClosing = false

  /** A temporary chat is lost with the page, whatever the page shows. */
  const warnBeforeUnload = (event: BeforeUnloadEvent) => {
    const chat = conversations.get(newChatId.getState())?.getState()
    if (chat && !chat.isSaved && chat.messages.length > 0) event.preventDefault()
  }

  const create = (id: string, isNew: boolean): OpenConversation => {
    const draftKey = `${userId}/${id}`
    let unsent = loadUnsent(draftKey, id)
    const conversation = createConversation({
      id,
      queryClient,
      isNew,
      unsent,
      api: chatApi,
      onConversationChange: (session) => void updateConversationList(queryClient, session),
      readConnections: () => readConnections(),
      onUnreadDocument: notifyUnreadDocument,
      onToolsUsed: notifyToolsUsed,
    })
    conversation.subscribe(() => {
      if (!conversation.getState().isSaved && !isClosing) {
        addEventListener('beforeunload', warnBeforeUnload)
        // the page that shows the chat may have been left
        setDraftTemporary(draftKey, true)
      }
      const now = findUnsent(conversation.getState())
      // whoever has signed out leaves nothing in this browser
      if (isClosing || now === unsent) return
      unsent = now
      saveDraft(draftKey, 'unsent', now && serializeUnsent(now))
    })
    return { ...conversation, queue: createMessageQueue(conversation, draftKey) }
  }

  const disposeEmpty = (id: string) => {
    const conversation = conversations.get(id)
    if (!conversation || id === newChatId.getState()) return
    const { isLoading, messages } = conversation.getState()
    if (isLoading || messages.length > 0) return
    conversation.dispose()
    conversations.delete(id)
  }
  // what nobody has looked at for a while goes from the cache, and from here
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    const [kind, id] = query.queryKey
    if (type !== 'removed' || kind !== conversationKey('')[0] || typeof id !== 'string') return
    // the conversation hears of it first
    queueMicrotask(() => {
      conversations.get(id)?.queue.refresh()
      disposeEmpty(id)
    })
  })

  const refreshQueues = ({ key }: StorageEvent) => {
    if (isQueueKey(key)) for (const { queue } of conversations.values()) queue.refresh()
  }
  addEventListener('storage', refreshQueues)

  return {
    get(id, isNew) {
      const conversation = conversations.get(id) ?? create(id, isNew)
      conversations.set(id, conversation)
      return conversation
    },

    newChatId,
    isNewChatTemporary,

    startNewChat() {
      const id = newChatId.getState()
      const previous = conversations.get(id)
      if (previous && !previous.getState().isSaved) {
        const draftKey = `${userId}/${id}`
        previous.close()
        previous.dispose()
        conversations.delete(id)
        currentAttachmentQueues().discard(draftKey)
        discardDraft(draftKey)
      }
      isNewChatTemporary.setState(false)
      newChatId.setState(crypto.randomUUID())
    },

    setConnections(read) {
      readConnections = read
    },

    close() {
      isClosing = true
      for (const conversation of conversations.values()) conversation.close()
      isClosing = false
      removeEventListener('beforeunload', warnBeforeUnload)
      removeEventListener('storage', refreshQueues)
    },
  }
}

/** Whoever has read a list has its code; without it there is nothing to change, and the list is read when it is opened. */
const updateConversationList = (queryClient: QueryClient, session: Session) =>
  import('../../../lib/conversation-list.ts').then(
    (list) => list.rememberSession(queryClient, session),
    () => undefined,
  )

/** ERR-09 */
function notifyUnreadDocument(sentence: string) {
  showToast('error', 'Document Analysis Error', { description: sentence })
}

/** ERR-12, ERR-13 */
function notifyToolsUsed(tools: readonly LiveToolCall[]) {
  void import('../tools/notify-tool-results.ts').then(({ notifyToolResults: toastTools }) =>
    toastTools(tools),
  )
}
