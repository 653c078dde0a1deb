import { isInternal } from '#shared/message-content.ts'
import type { ChatMessage } from './chat-message.ts'
import { messagesToShow, type Chat, type LocalChat, type ShownError } from './chat.ts'
import { activeReply, idle, textToShow, type PendingReply } from './pending-reply.ts'

/** How far the stored conversation is known. */
export type LoadStatus = 'loading' | 'loaded' | 'missing' | 'unreadable'

/** CHAT-43, and what the page needs beside it: a conversation as it is shown. */
export interface ChatState {
  messages: readonly ChatMessage[]
  isLoading: boolean
  streamingText: string
  error: ShownError | null
  hasUserSentMessage: boolean
  pending: PendingReply
  load: LoadStatus
  /** false: the chat is in no history, this page is all that has it (DEC-033) */
  isSaved: boolean
  /** names the messages before the first one; null when there are none */
  earlier: string | null
  title: string | null
}

/** @param unsent a message of an earlier page that the service has not acknowledged */
export const emptyLocal = (unsent?: ChatMessage): LocalChat => ({
  pending: idle,
  unsaved: unsent ? [unsent] : [],
  error: null,
  isSaved: true,
})

/**
 * The state to show. Its parts stay the same values as long as nothing about them changes.
 * @param before the state that was shown last
 */
export function chatState(chat: Chat, load: LoadStatus, before?: ChatState): ChatState {
  const { stored, local } = chat
  const shown = messagesToShow(chat)
  const messages = before && isSameList(before.messages, shown) ? before.messages : shown
  const state: ChatState = {
    messages,
    isLoading: local.pending.status !== 'idle',
    streamingText: textToShow(local.pending),
    error: local.error,
    hasUserSentMessage: messages.some(({ role, content }) => role === 'user' && !isInternal(content)),
    pending: local.pending,
    // a message of this page that never arrived is no reason to say that nothing is there
    load: load === 'missing' && retryableMessage({ messages, pending: local.pending }) ? 'loaded' : load,
    isSaved: local.isSaved,
    earlier: stored?.earlier ?? null,
    title: stored?.title ?? null,
  }
  return before && isSame(before, state) ? before : state
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((each, index) => each === other[index])

const isSame = (one: ChatState, other: ChatState) =>
  (Object.keys(one) as (keyof ChatState)[]).every((key) => one[key] === other[key])

/** The reply goes on when the user has answered; until then nothing is written. */
export const isWaiting = ({ pending }: Pick<ChatState, 'pending'>): boolean =>
  (activeReply(pending)?.questions.length ?? 0) > 0

/** The user's message that can be tried again: the last turn has no reply, or one that broke off or is not stored. */
export function retryableMessage({
  messages,
  pending,
}: Pick<ChatState, 'messages' | 'pending'>): ChatMessage | undefined {
  const last = messages.at(-1)
  if (pending.status !== 'idle' || !last) return undefined
  if (last.role === 'user') return last
  if (!last.unsaved && last.ended !== 'failed' && last.ended !== 'interrupted') return undefined
  return messages.findLast(({ role }) => role === 'user')
}
