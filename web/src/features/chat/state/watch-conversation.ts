import { loadConfig } from '../../../lib/api/config.ts'
import { moveDraft, saveDraft, readDraftPart } from '../../../lib/input/drafts.ts'
import { longReplyMs } from '../../../lib/browser/limits.ts'
import { conversationPath, newChatPath } from '../../../lib/navigation/new-chat.ts'
import type { ReplyNews } from '../../../lib/browser/reply-notifications.ts'
import { setReplying } from '../../../lib/conversations/replying-conversations.ts'
import { isErrorDetails, toErrorDetails } from '../../../lib/api/error-details.ts'
import { isStoredFile, withoutLinks } from '../attachments/upload-queues.ts'
import { newMessage, type ChatMessage } from './chat-message.ts'
import type { Conversation } from './conversation.ts'
import { isWaitingForUser, type ConversationState } from './conversation-state.ts'
import { getActiveReply } from './pending-reply.ts'

interface WatchOptions {
  /** identifies the user and the conversation in the stored drafts */
  draftKey: string
  /** what is stored under that key */
  storedMessages: readonly ChatMessage[]
  /** false after the sign-out: then nothing is told or stored any more */
  isOpen: () => boolean
  /** called when a reply has ended, or waits for the user, while the page is hidden */
  onUnread: () => void
  /** called when the service begins or ends a reply, but not in a temporary chat. @param isRunning false at its end */
  onRunChange: (isRunning: boolean) => void
}

/**
 * Keeps what the rest of the page knows of a conversation up to date, whether the conversation is shown or not: its mark in the list, and
 * its unacknowledged messages in the storage. It is never unsubscribed: it lives as long as the
 * conversation.
 */
export function watchConversation(
  conversation: Conversation,
  { draftKey, storedMessages, isOpen, onUnread, onRunChange }: WatchOptions,
): void {
  const { id } = conversation
  const noteReplyState = watchReplies(id, onUnread)
  const noteUnacknowledged = watchUnacknowledged(draftKey, storedMessages)
  let wasTemporary = false
  let lastRunId = getActiveReply(conversation.getState().pending)?.runId
  conversation.subscribe(() => {
    if (!isOpen()) return
    const state = conversation.getState()
    const { isTemporary } = state
    noteReplyState(state)
    if (isTemporary !== wasTemporary) moveDraft(draftKey, isTemporary ? 'memory' : 'storage')
    wasTemporary = isTemporary
    setReplying(id, !isTemporary && state.isReplying && !isWaitingForUser(state))
    const runId = getActiveReply(state.pending)?.runId
    if (runId !== lastRunId) {
      lastRunId = runId
      if (!isTemporary) onRunChange(runId !== undefined)
    }
    noteUnacknowledged(state)
  })
}

/**
 * Watches the replies of a conversation, whether it is shown or not. When one ends or begins to wait for the user while the page is hidden,
 * `onUnread` is called, and after a long reply a notification is shown, if the user wants that.
 * @returns a function to call with each state of the conversation
 */
function watchReplies(id: string, onUnread: () => void): (state: ConversationState) => void {
  let startedAtMs: number | undefined
  return (state) => {
    if (state.isReplying && !isWaitingForUser(state)) {
      startedAtMs ??= performance.now()
      return
    }
    if (startedAtMs === undefined) return
    const tookMs = performance.now() - startedAtMs
    startedAtMs = undefined
    if (!document.hidden) return
    onUnread()
    if (tookMs < longReplyMs) return
    // nothing is shown if the code for that cannot be loaded
    notifyOfReply(id, state).catch(() => undefined)
  }
}

/** Shows a notification of what became of the last reply of a conversation, unless the user has stopped it. */
async function notifyOfReply(id: string, state: ConversationState): Promise<void> {
  const news = findNews(state)
  if (!news) return
  const path = state.isTemporary ? newChatPath() : conversationPath(id)
  const { showReplyNotification } = await import('../../../lib/browser/reply-notifications.ts')
  const { brandName } = await loadConfig()
  await showReplyNotification(brandName, news, id, new URL(path, location.origin).href)
}

/** Finds what to say of the last reply. @returns undefined for a reply that the user has stopped */
function findNews({ isReplying, messages }: ConversationState): ReplyNews | undefined {
  // a reply that is still written is not notified of
  if (isReplying) return 'waiting'
  const last = messages.at(-1)
  if (last?.ended === 'stopped') return undefined
  return last?.role === 'assistant' && last.ended === undefined ? 'ready' : 'unfinished'
}

/** @returns a function that stores the unacknowledged messages of each state, if they have changed */
function watchUnacknowledged(draftKey: string, storedMessages: readonly ChatMessage[]) {
  let storedText = JSON.stringify(storedMessages.map(serializeUnacknowledged))
  return (state: ConversationState) => {
    const messages = findUnacknowledged(state).map(serializeUnacknowledged)
    const text = JSON.stringify(messages)
    if (text === storedText) return
    storedText = text
    saveDraft(draftKey, 'unacknowledged', messages)
  }
}

/** The messages to store because the server has not acknowledged them; none of a temporary chat, which leaves no trace in this browser. */
export function findUnacknowledged({
  isTemporary,
  messages,
  attempts,
}: Pick<ConversationState, 'isTemporary' | 'messages' | 'attempts'>): readonly ChatMessage[] {
  return isTemporary ? [] : [...messages, ...attempts].filter(({ unacknowledged }) => unacknowledged)
}

/** The stored form of an unacknowledged message. */
export function serializeUnacknowledged({
  id,
  content,
  attachments,
  created_at,
  replaces,
  after,
  failure,
}: ChatMessage) {
  return { id, content, attachments: attachments.map(withoutLinks), created_at, replaces, after, failure }
}

/**
 * Loads the unacknowledged messages from before a reload. Invalid ones are left out.
 * @param draftKey identifies the user and the conversation
 */
export function loadUnacknowledged(draftKey: string, sessionId: string): ChatMessage[] {
  // earlier releases stored one message, not a list
  return [readDraftPart(draftKey, 'unacknowledged')]
    .flat()
    .flatMap((stored) => parse(stored, sessionId) ?? [])
}

function parse(stored: unknown, sessionId: string): ChatMessage | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { id, content, attachments, created_at, replaces, after, failure } = stored as Record<string, unknown>
  if (typeof id !== 'string' || typeof content !== 'string' || !Array.isArray(attachments)) return undefined
  const timestamp = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN
  if (Number.isNaN(timestamp)) return undefined
  return {
    ...newMessage(sessionId, content, attachments.filter(isStoredFile)),
    id,
    timestamp,
    created_at: new Date(timestamp).toISOString(),
    ...(typeof replaces === 'string' && { replaces }),
    ...(typeof after === 'string' && { after }),
    ...(isErrorDetails(failure) && { failure: toErrorDetails(failure) }),
  }
}
