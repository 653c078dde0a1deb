import type { ChatFailure } from './chat-failure.ts'
import { isUnsaved, withoutKnown, type ChatMessage } from './chat-message.ts'
import {
  activeReply,
  idle,
  resumeReply,
  withParts,
  type ActiveReply,
  type PendingReply,
} from './pending-reply.ts'
import { isOpen, withMessage, type StoredConversation } from './stored-conversation.ts'

export interface ShownError extends ChatFailure {
  id: string
  at: number
}

/** What this page alone knows of a conversation. */
export interface LocalChat {
  pending: PendingReply
  /** messages that the server may not have: they stand at the end until it does */
  unsaved: readonly ChatMessage[]
  error: ShownError | null
  /** false: the chat is in no history, this page is all that has it (DEC-033) */
  isSaved: boolean
}

/** A conversation: what is stored, in the query cache, and what this page adds to it. */
export interface Chat {
  /** undefined until it was read */
  stored: StoredConversation | undefined
  local: LocalChat
}

/** CHAT-41: a reply that is pending holds the conversation until it is finished. */
export function begin({ stored, local }: Chat, pending: ActiveReply): Chat {
  const own = local.unsaved.findIndex(({ id }) => id === pending.messageId)
  const others = own < 0 ? local.unsaved : local.unsaved.slice(0, own)
  return {
    // what was left unsaved is part of what was said before
    stored: stored && others.reduce(withMessage, stored),
    local: { ...local, pending, unsaved: stored ? [] : others, error: null },
  }
}

/**
 * The one end of a pending reply: what came of it takes its place after the message that it answers, in what is stored, or beside
 * it as long as that was not read. Without anything the message stands at the end, and what it was to replace stands as before.
 * @param replies the messages that the reply became
 */
export function finish({ stored, local }: Chat, reply: ActiveReply, replies: readonly ChatMessage[]): Chat {
  const asked = reply.message ?? stored?.messages.find(({ id }) => id === reply.messageId)
  const turn = [...(asked ? [asked] : []), ...withoutKnown(replies, asked ? [asked] : [])]
  const next = { ...local, pending: idle }
  if (!stored || (replies.length === 0 && asked?.local))
    return { stored, local: { ...next, unsaved: [...withoutKnown(local.unsaved, turn), ...turn] } }
  if (replies.length === 0)
    return { stored: { ...(asked ? withMessage(stored, asked) : stored), run: null }, local: next }
  const saved = turn.filter(({ unsaved }) => unsaved !== true)
  const messages = [
    ...messagesBefore(stored.messages, reply),
    ...(local.isSaved ? withVersions(saved, stored.messages) : saved),
  ]
  const unsaved = turn.filter((message) => message.unsaved)
  return {
    stored: { ...stored, messages, run: null },
    local: { ...next, unsaved: [...withoutKnown(local.unsaved, turn), ...unsaved] },
  }
}

/** What a message took the place of is an earlier version of it, now that it has a reply; of a temporary chat nothing is left of it. */
function withVersions(turn: readonly ChatMessage[], before: readonly ChatMessage[]): ChatMessage[] {
  const isAnswered = turn.some(({ role, ended }) => role === 'assistant' && ended !== 'failed')
  return turn.map((message) => {
    const replaced = before.find(({ id }) => id === message.replaces)
    if (!replaced || !isAnswered) return message
    const count = (replaced.versions?.count ?? 1) + 1
    return { ...message, versions: { shown: count, count } }
  })
}

/** What was read last wins: a reply that is over is not pending any more, one that runs elsewhere is. */
export function adopt(chat: Chat): Chat {
  const { stored, local } = chat
  if (!stored) return chat
  const { messages, run } = stored
  const reply = activeReply(local.pending)
  if (!run || !isOpen(run)) {
    const unsaved = withoutKnown(local.unsaved, messages).filter(isUnsaved)
    const asked = reply?.message?.local ? withoutKnown([reply.message], messages) : []
    return withLocal(chat, { pending: idle, unsaved: [...unsaved, ...asked] })
  }
  // what is being filled in on the page stays as it is
  if (reply && reply.questions.length > 0 && run.questions && reply.runId === run.run_id)
    return withLocal(chat, { pending: withParts(reply, { questions: run.questions }) })
  const asked = messages.find(({ id }) => id === run.message_id)
  return withLocal(chat, {
    pending: resumeReply(run, asked),
    unsaved: withoutKnown(local.unsaved, messages).filter(isUnsaved),
    error: null,
  })
}

/** The messages that stand before a pending reply's own one: without it, what it replaces, and what followed. */
function messagesBefore(
  messages: readonly ChatMessage[],
  { messageId, message, replyId }: ActiveReply,
): readonly ChatMessage[] {
  const replaced = messages.findIndex(({ id }) => id === message?.replaces)
  const end = replaced < 0 ? messages.findIndex(({ id }) => id === messageId) : replaced
  return end < 0 ? messages.filter(({ id }) => id !== replyId) : messages.slice(0, end)
}

/** All messages to show: what is stored, what may not be, and the message that a pending reply answers. */
export function messagesToShow({ stored, local }: Chat): readonly ChatMessage[] {
  const saved = stored?.messages ?? []
  const known = local.unsaved.length === 0 ? saved : [...saved, ...withoutKnown(local.unsaved, saved)]
  const reply = activeReply(local.pending)
  if (!reply) return known
  const before = messagesBefore(known, reply)
  return reply.message ? [...before, reply.message] : before
}

/** With another local part. */
export const withLocal = (chat: Chat, change: Partial<LocalChat>): Chat => ({
  ...chat,
  local: { ...chat.local, ...change },
})
