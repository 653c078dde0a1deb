import { defaultTimeoutMs } from '../../../lib/browser/limits.ts'
import { trimMessage } from '../trim-message.ts'
import {
  isContinuable,
  newMessage,
  newVersion,
  withoutDeletedFiles,
  type ChatMessage,
} from './chat-message.ts'
import { findRetryableMessage } from './conversation-state.ts'
import { createConversationStore } from './conversation-store.ts'
import type { Conversation, ConversationOptions } from './conversation.ts'
import { isLateApproval } from './decision.ts'
import { createMessageQueue } from './message-queue.ts'
import { getActiveReply } from './pending-reply.ts'

/** Creates a conversation. Its stored part is loaded when its query is observed. */
export function createConversation(options: ConversationOptions): Conversation {
  const { id, api } = options
  const store = createConversationStore(options)
  const { getState, dispatch, canLoad } = store
  const load = () => void store.load().catch(() => undefined)

  /**
   * Sends a message, without those of its files that were deleted.
   * @param previous an unacknowledged message that this one replaces
   */
  const sendMessage = (original: ChatMessage, previous?: ChatMessage) => {
    const {
      after: _after,
      refusal: _refusal,
      ended: _ended,
      failure: _failure,
      ...message
    } = withoutDeletedFiles(original)
    void dispatch({ type: 'sent', message, previousId: previous?.id })
  }

  const conversation: Omit<Conversation, 'messageQueue'> = {
    id,
    getState,
    subscribe: store.subscribe,
    query: store.query,
    close: store.close,
    dispose: store.dispose,

    refresh() {
      if (canLoad()) load()
    },

    choose: (choice) => void dispatch({ type: 'chosen', choice }),
    chooseTemporary: (next) => void dispatch({ type: 'temporary-chosen', isTemporary: next }),

    send(text, attachments = [], messageId) {
      const content = trimMessage(text)
      if ((content === '' && attachments.length === 0) || getState().isReplying) return false
      sendMessage(newMessage(id, content, attachments, messageId))
      return true
    },

    submit: (text, attachments = []) =>
      getState().isReplying ? messageQueue.add(text, attachments) : conversation.send(text, attachments),

    resend(messageId, text, attachments) {
      const content = trimMessage(text)
      const { messages, isReplying } = getState()
      const original = messages.find((message) => message.id === messageId)
      if (!original || isReplying) return false
      const files = attachments ?? original.attachments
      if (content === '' && files.length === 0) return false
      sendMessage(newVersion(original, content, files), original.unacknowledged && original)
      return true
    },

    retry(messageId) {
      const { messages, attempts, isReplying } = getState()
      if (isReplying) return
      const attempt = attempts.find(({ id }) => id === messageId)
      if (attempt) {
        const { content, attachments, replaces, ended } = attempt
        // one that was stopped is over: another takes its place
        const isOver = ended === 'stopped' && replaces !== undefined
        return sendMessage(isOver ? { ...newMessage(id, content, attachments), replaces } : attempt)
      }
      const refused = messages.find(({ id, unacknowledged }) => id === messageId && unacknowledged)
      // the reply is complete but not stored: a read makes the server store it
      if (!refused && messages.at(-1)?.notStored) return load()
      const message = refused ?? findRetryableMessage(getState())
      if (message) sendMessage(message)
    },

    continueReply() {
      const { messages } = getState()
      const partial = messages.at(-1)
      const message = messages.findLast(({ role }) => role === 'user')
      if (partial && isContinuable(partial) && message) void dispatch({ type: 'continued', message, partial })
    },

    decide(decision) {
      const { approvals = [] } = getActiveReply(getState().pending) ?? {}
      const request = approvals.find(({ call_id: callId }) => callId === decision.callId)
      const isLate = request !== undefined && isLateApproval(request, decision)
      void dispatch({ type: 'decision-made', decision, isLate })
    },

    async stop() {
      store.flush()
      return (await dispatch({ type: 'stop-requested' })) ?? true
    },

    async loadEarlier() {
      const { previousCursor: cursor } = getState()
      if (cursor === null) return
      const page = await api.read(id, cursor, AbortSignal.timeout(defaultTimeoutMs))
      if (getState().previousCursor === cursor) void dispatch({ type: 'earlier-loaded', page })
    },
  }
  const messageQueue = createMessageQueue(conversation, options.draftKey, options.isDeleting)
  return { ...conversation, messageQueue }
}
