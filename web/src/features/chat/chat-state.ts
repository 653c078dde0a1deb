import type { ReplyNotice } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message, RunQuestion } from '#shared/contracts/sessions.ts'
import type { ChatFailure } from './chat-failure.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ShownTool } from './tools/running-tools.ts'

/** The reply that is being waited for or written. */
export interface Turn {
  /** the user's message that it answers */
  messageId: string
  runId: string | undefined
  replyId: string | undefined
  /** the user asked to stop; what still arrives is not shown any more */
  stopping: boolean
  /** everything received, what arrived after the stop included: that is what is stored */
  text: string
  ended: Message['ended']
  /** the calls of this reply so far */
  tools: readonly ShownTool[]
  /** what the reply waits for the user to answer; empty while it is written */
  questions: readonly RunQuestion[]
  /** what was made for this reply */
  attachments: readonly Attachment[]
  /** what the reply goes without */
  notices: readonly ReplyNotice[]
  /** the documents that are read before the message is sent; null once it is */
  reading: { name: string; done: number; total: number } | null
  /** the branch that this turn takes the place of; it comes back when no reply comes */
  replaced: readonly ChatMessage[]
}

export interface ShownError extends ChatFailure {
  id: string
  at: number
}

/** CHAT-43, and what the page needs beside it to come back to a conversation. */
export interface ChatState {
  messages: readonly ChatMessage[]
  isLoading: boolean
  streamingText: string
  error: ShownError | null
  hasUserSentMessage: boolean
  turn: Turn | null
  /** how far the stored conversation is known */
  stored: 'unread' | 'reading' | 'read' | 'missing' | 'unreadable'
  /** false: the chat is in no history, this page is all that has it (DEC-033) */
  kept: boolean
  /** names the messages before the first one; null when there are none */
  earlier: string | null
  title: string | null
  /** false while a lost connection to the reply is looked for */
  connected: boolean
}

/**
 * @param fresh nothing of it is stored yet
 * @param unsent a message of an earlier page that the service has not acknowledged
 */
export function emptyChat(fresh: boolean, unsent?: ChatMessage): ChatState {
  return {
    messages: unsent ? [unsent] : [],
    isLoading: false,
    streamingText: '',
    error: null,
    hasUserSentMessage: unsent !== undefined,
    turn: null,
    stored: fresh ? 'read' : 'unread',
    kept: true,
    earlier: null,
    title: null,
    connected: true,
  }
}

/** The reply goes on when the user has answered; until then nothing is written. */
export const isWaiting = ({ turn }: Pick<ChatState, 'turn'>): boolean =>
  turn !== null && turn.questions.length > 0

/** The user's message that can be tried again: the last turn has no reply, or one that broke off or is not stored. */
export function retryableMessage({ messages, isLoading }: ChatState): ChatMessage | undefined {
  const last = messages.at(-1)
  if (isLoading || !last) return undefined
  if (last.role === 'user') return last
  if (!last.unsaved && last.ended !== 'failed' && last.ended !== 'interrupted') return undefined
  return messages.findLast(({ role }) => role === 'user')
}
