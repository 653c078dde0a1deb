import type { QueryClient, QueryObserverOptions } from '@tanstack/react-query'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Session } from '#shared/contracts/sessions.ts'
import type { KnownConnections } from '../../../lib/known-connections.ts'
import type { ChatApi, ApprovalDecision } from '../stream/chat-api.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ChatState } from './chat-state.ts'
import type { StoredConversation } from './stored-conversation.ts'
import type { ShownTool } from '../tools/live-tool-calls.ts'
import { useSyncExternalStore } from 'react'

/** One conversation of the page: its state, and what can be done to it. Replies belong to it wherever the user looks. */
export interface Conversation {
  readonly id: string
  getState: () => ChatState
  /** @returns ends the subscription */
  subscribe: (listener: () => void) => () => void
  /** What is stored of it. Whoever shows the conversation observes this: it is read when it comes into view, and again. */
  readonly query: QueryObserverOptions<StoredConversation>
  /** Reads what is stored again and goes on with a reply that is running; nothing while one is followed already. */
  refresh: () => void
  /** Lets go of everything; the server goes on alone. `refresh` takes it up again. */
  close: () => void
  /** Forgets what was read of it: nobody has it any more. */
  dispose: () => void
  /**
   * CHAT-39, CHAT-41: ignored when blank and without files, or while a reply is awaited.
   * @param attachments stored files of the user
   * @param isSaved whether a chat that begins with this is to be written to the history
   * @param messageId of a message that may have been sent under it already
   * @returns whether it was sent
   */
  send: (text: string, attachments?: readonly Attachment[], isSaved?: boolean, messageId?: string) => boolean
  /** Sends one of the user's messages anew, with another text or for another reply; what follows it goes when the reply is there. */
  resend: (messageId: string, text: string) => boolean
  /** Sends the last unanswered message once more, under its own id; looks again for a reply that was not stored. */
  retry: () => void
  /** Has the incomplete reply at the end go on where it stopped. */
  goOn: () => void
  /**
   * Answers a question of the waiting reply, which goes on when it was the last one.
   * @returns the sentence to show when the answer was not taken
   */
  answer: (answer: Omit<ApprovalDecision, 'runId'>) => Promise<string | undefined>
  /** @returns false when the request to stop did not get through; the reply goes on then */
  stop: () => Promise<boolean>
  /** Reads the messages before the first one. */
  loadEarlier: () => Promise<void>
}

export interface ConversationOptions {
  id: string
  /** holds what is stored; of one user */
  queryClient: QueryClient
  /** nothing of it is stored yet */
  fresh: boolean
  /** a message of an earlier page that the service has not acknowledged */
  unsent?: ChatMessage | undefined
  api: ChatApi
  /** the conversation as stored after a turn, for the list */
  onSession: (session: Session) => void
  /** ERR-09: a document could not be read; the message goes on with it attached */
  onUnreadDocument?: (sentence: string) => void
  /** ERR-12, ERR-13: the calls of a reply that this page has followed to its end */
  onToolsUsed?: (tools: readonly ShownTool[]) => void
  /** what the page knows of the user's connections when a message is sent */
  connections?: () => KnownConnections | undefined
}

/** A part of a conversation's state. @param select must give the same value for the same state */
export function useConversationState<Part>(
  { subscribe, getState }: Conversation,
  select: (state: ChatState) => Part,
): Part {
  return useSyncExternalStore(subscribe, () => select(getState()))
}
