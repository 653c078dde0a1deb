import type { DisabledTool } from '#shared/contracts/chat.ts'
import { toChatFailure, type ChatFailure } from './chat-failure.ts'
import { isUnsaved, withoutKnown, type ChatMessage } from './chat-message.ts'
import {
  getActiveReply,
  idleReply,
  isWaiting,
  resumeReply,
  updateReply,
  type ActiveReply,
  type PendingReply,
} from './pending-reply.ts'
import { isActiveRun, withMessage, type StoredConversation } from './stored-conversation.ts'

/** A conversation: the stored part in the query cache, and the local part. */
export interface ConversationParts {
  /** undefined until it is loaded */
  stored: StoredConversation | undefined
  local: LocalConversation
}

/** What the user has chosen for the next replies. A model is chosen together with its effort. */
export interface Choice {
  model?: string | undefined
  effort?: string | undefined
  /** tools that the replies may not use */
  disabledTools?: readonly DisabledTool[]
  /** the project that a new chat belongs to */
  projectId?: string | null
  /** the assistant that a new chat uses, with the choices that it begins with */
  assistant?: ChosenAssistant
}

/** An assistant of a chat that has not begun. */
export interface ChosenAssistant extends Choice {
  id: string
  name: string
}

/** The error that a conversation shows. */
export interface ShownError extends ChatFailure {
  id: string
  timestamp: number
  /** the user message whose reply it ended */
  messageId?: string
  /** it was shown long enough and is hidden; it still explains why there is no reply */
  isExpired?: true
}

/** Describes an error as the conversation shows it. */
export const toShownError = (cause: unknown): ShownError => ({
  ...toChatFailure(cause),
  id: crypto.randomUUID(),
  timestamp: Date.now(),
})

/** What only this page knows of a conversation: the pending reply, unsaved messages, the error and the user's choices. */
export interface LocalConversation {
  pending: PendingReply
  /** the number of the newest request, which identifies it */
  requestCount: number
  /** messages that the server may not have; shown at the end */
  unsaved: readonly ChatMessage[]
  error: ShownError | null
  /** what the user has chosen since the page was opened */
  chosen: Choice
  /** whether the chat is not stored: chosen until it has messages, then told by the server */
  isTemporary: boolean
}

/**
 * Ends the pending reply. Its messages follow the user message, in the stored part, or in the local part while the stored part is not
 * loaded. Without messages the user message stays at the end. One that replaces another message does so only if the reply answers it
 * (`isAnswer`): otherwise it is an attempt, and the messages are as they were.
 * @param replyMessages the messages of the reply
 */
export function finishReply(
  { stored, local }: ConversationParts,
  reply: ActiveReply,
  replyMessages: readonly ChatMessage[],
): ConversationParts {
  const userMessage = reply.userMessage ?? stored?.messages.find(({ id }) => id === reply.messageId)
  const turn = [
    ...(userMessage ? [userMessage] : []),
    ...withoutKnown(replyMessages, userMessage ? [userMessage] : []),
  ]
  const next = { ...local, pending: idleReply }
  if (!stored || (replyMessages.length === 0 && userMessage?.unacknowledged))
    return { stored, local: { ...next, unsaved: [...withoutKnown(local.unsaved, turn), ...turn] } }
  if (userMessage?.replaces !== undefined && !turn.some(isAnswer)) {
    const ended = replyMessages.at(-1)?.ended
    const messages = stored.messages.filter(({ id }) => id !== userMessage.id && id !== reply.replyId)
    const attempt = { ...userMessage, ...(ended === 'stopped' && { ended }) }
    return { stored: { ...stored, messages, run: null, attempt }, local: next }
  }
  if (replyMessages.length === 0)
    return {
      stored: { ...(userMessage ? withMessage(stored, userMessage) : stored), run: null },
      local: next,
    }
  const savedMessages = turn.filter(({ notStored }) => notStored !== true)
  const messages = savedMessages.some(isAnswer)
    ? [
        ...getMessagesBefore(stored.messages, reply),
        ...withVersions(savedMessages, local.isTemporary ? [] : stored.messages),
      ]
    : [...withoutTurn(stored.messages, reply), ...savedMessages]
  const notStored = turn.filter((message) => message.notStored)
  return {
    stored: { ...stored, messages, run: null },
    local: { ...next, unsaved: [...withoutKnown(local.unsaved, turn), ...notStored] },
  }
}

/** Stops following the pending reply. The user message stays; the run on the server goes on. */
export function dropReply(chat: ConversationParts): ConversationParts {
  const reply = getActiveReply(chat.local.pending)
  return reply ? finishReply(chat, reply, []) : chat
}

/** Whether the message is a reply that lets its user message replace an earlier one. The server has the same rule (`commitReplacement`). */
const isAnswer = ({ role, content, attachments, tool_calls: calls }: ChatMessage) =>
  role === 'assistant' && (content !== '' || attachments.length > 0 || calls.length > 0)

/** Adds to a user message that has replaced another one that there is one version more. */
function withVersions(turn: readonly ChatMessage[], before: readonly ChatMessage[]): ChatMessage[] {
  return turn.map(({ replaces, ...message }) => {
    const replaced = before.find(({ id }) => id === replaces)
    if (!replaced) return message
    const count = (replaced.versions?.count ?? 1) + 1
    return { ...message, versions: { shown: count, count } }
  })
}

/** Applies the stored run: drops a pending reply that has ended, resumes one that runs elsewhere. */
export function applyStoredRun(chat: ConversationParts): ConversationParts {
  const { stored, local } = chat
  if (!stored) return chat
  const { messages, run } = stored
  const reply = getActiveReply(local.pending)
  if (!run || !isActiveRun(run)) {
    const unsaved = withoutKnown(local.unsaved, messages).filter(isUnsaved)
    const userMessage = reply?.userMessage?.unacknowledged ? withoutKnown([reply.userMessage], messages) : []
    return withLocal(chat, { pending: idleReply, unsaved: [...unsaved, ...userMessage] })
  }
  // the reply stays the same object, so that what was entered in approval cards is kept
  if (reply && isWaiting(reply) && run.questions && reply.runId === run.run_id)
    return withLocal(chat, { pending: updateReply(reply, { approvals: run.questions }) })
  const userMessage = messages.find(({ id }) => id === run.message_id)
  return withLocal(chat, {
    pending: resumeReply(run, userMessage),
    unsaved: withoutKnown(local.unsaved, messages).filter(isUnsaved),
    error: null,
  })
}

/** The messages before the user message of a pending reply, without the replaced one and those after it. */
function getMessagesBefore(messages: readonly ChatMessage[], reply: ActiveReply): readonly ChatMessage[] {
  const replacedIndex = messages.findIndex(({ id }) => id === reply.userMessage?.replaces)
  return replacedIndex < 0 ? withoutTurn(messages, reply) : messages.slice(0, replacedIndex)
}

/** The messages before a turn: without the user message of a pending reply, and without a reply of an earlier attempt. */
function withoutTurn(
  messages: readonly ChatMessage[],
  { messageId, replyId }: ActiveReply,
): readonly ChatMessage[] {
  const end = messages.findIndex(({ id }) => id === messageId)
  return end < 0 ? messages.filter(({ id }) => id !== replyId) : messages.slice(0, end)
}

/** Inserts each unsaved message after the one that it was sent after; at the end if that one is not there. */
function insertUnsaved(
  savedMessages: readonly ChatMessage[],
  unsaved: readonly ChatMessage[],
): readonly ChatMessage[] {
  const ids = new Set<string | undefined>(['', ...savedMessages.map(({ id }) => id)])
  const findAfter = (id: string) => unsaved.filter(({ after }) => after === id)
  return [
    ...findAfter(''),
    ...savedMessages.flatMap((message) => [message, ...findAfter(message.id)]),
    ...unsaved.filter(({ after }) => !ids.has(after)),
  ]
}

/** Messages that were to replace a loaded one and got no reply: none of the conversation's messages, but shown below what they did not replace. */
export function findAttempts({ stored, local }: ConversationParts): readonly ChatMessage[] {
  if (!stored) return []
  const refused = local.unsaved.filter(({ unacknowledged }) => unacknowledged)
  return [...(stored.attempt ? [stored.attempt] : []), ...refused].filter(
    ({ replaces }) => replaces !== undefined && stored.messages.some(({ id }) => id === replaces),
  )
}

/** All visible messages: stored, unsaved, and that of the pending reply. */
export function getVisibleMessages(chat: ConversationParts): readonly ChatMessage[] {
  const { stored, local } = chat
  const savedMessages = stored?.messages ?? []
  const messages =
    local.unsaved.length === 0
      ? savedMessages
      : insertUnsaved(savedMessages, withoutKnown(local.unsaved, [...savedMessages, ...findAttempts(chat)]))
  const reply = getActiveReply(local.pending)
  if (!reply) return messages
  const before = getMessagesBefore(messages, reply)
  return reply.userMessage ? [...before, reply.userMessage] : before
}

/** Changes some fields of the local part. */
export const withLocal = (
  chat: ConversationParts,
  change: Partial<LocalConversation>,
): ConversationParts => ({
  ...chat,
  local: { ...chat.local, ...change },
})
