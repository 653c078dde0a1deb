import { isInternal } from '#shared/message-content.ts'
import type { ChatMessage } from './chat-message.ts'
import { messagesToShow, type Chat, type LocalChat, type ShownError } from './chat.ts'
import { getActiveReply, idleReply, getVisibleText, type PendingReply } from './pending-reply.ts'

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
  loadStatus: LoadStatus
  /** false: the chat is in no history, this page is all that has it (DEC-033) */
  isSaved: boolean
  /** names the messages before the first one; null when there are none */
  previousCursor: string | null
  title: string | null
}

/** @param unsent a message of an earlier page that the service has not acknowledged */
export const createLocalChat = (unsent?: ChatMessage): LocalChat => ({
  pending: idleReply,
  unsaved: unsent ? [unsent] : [],
  error: null,
  isSaved: true,
})

/**
 * The state to show. Its parts stay the same values as long as nothing about them changes.
 * @param previous the state that was shown last
 */
export function deriveChatState(chat: Chat, loadStatus: LoadStatus, previous?: ChatState): ChatState {
  const { stored, local } = chat
  const messagesNow = messagesToShow(chat)
  const messages = previous && isSameList(previous.messages, messagesNow) ? previous.messages : messagesNow
  const state: ChatState = {
    messages,
    isLoading: local.pending.status !== 'idle',
    streamingText: getVisibleText(local.pending),
    error: local.error,
    hasUserSentMessage: messages.some(({ role, content }) => role === 'user' && !isInternal(content)),
    pending: local.pending,
    // a message of this page that never arrived is no reason to say that nothing is there
    loadStatus:
      loadStatus === 'missing' && findRetryableMessage({ messages, pending: local.pending })
        ? 'loaded'
        : loadStatus,
    isSaved: local.isSaved,
    previousCursor: stored?.previousCursor ?? null,
    title: stored?.title ?? null,
  }
  return previous && isSame(previous, state) ? previous : state
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((each, index) => each === other[index])

const isSame = (one: ChatState, other: ChatState) =>
  (Object.keys(one) as (keyof ChatState)[]).every((key) => one[key] === other[key])

/** The reply goes on when the user has answered; until then nothing is written. */
export const isWaitingForUser = ({ pending }: Pick<ChatState, 'pending'>): boolean =>
  (getActiveReply(pending)?.approvals.length ?? 0) > 0

/** The user's message that can be tried again: the last turn has no reply, or one that broke off or is not stored. */
export function findRetryableMessage({
  messages,
  pending,
}: Pick<ChatState, 'messages' | 'pending'>): ChatMessage | undefined {
  const last = messages.at(-1)
  if (pending.status !== 'idle' || !last) return undefined
  if (last.role === 'user') return last
  if (!last.unsaved && last.ended !== 'failed' && last.ended !== 'interrupted') return undefined
  return messages.findLast(({ role }) => role === 'user')
}
