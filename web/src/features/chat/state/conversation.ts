import type { QueryClient, QueryObserverOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Session } from '#shared/contracts/messages.ts'
import type { KnownConnections } from '../../../lib/conversations/known-connections.ts'
import type { ChatApi, ApprovalDecision } from '../stream/chat-api.ts'
import type { ChatMessage } from './chat-message.ts'
import type { Choice } from './conversation-parts.ts'
import type { ConversationState } from './conversation-state.ts'
import type { MessageQueue } from './message-queue.ts'
import type { StoredConversation } from './stored-conversation.ts'

/** One conversation: its state and operations. Its replies continue while another page is shown. */
export interface Conversation {
  readonly id: string
  getState: () => ConversationState
  /** @returns unsubscribes */
  subscribe: (listener: () => void) => () => void
  readonly messageQueue: MessageQueue
  /** The query of the stored part, observed while the conversation is shown. */
  readonly query: QueryObserverOptions<StoredConversation>
  /** Reloads the stored part and resumes a running reply. Does nothing without a stored part, and while a request works on a reply. */
  refresh: () => void
  /** Aborts all requests, before `dispose`; the run continues on the server. */
  close: () => void
  /** Removes it from the cache and stops following that. */
  dispose: () => void
  /** Changes what is chosen for the next replies. What is absent in `choice` stays as it is. */
  choose: (choice: Choice) => void
  /** Makes a chat temporary, or not. Does nothing once it has messages. */
  chooseTemporary: (isTemporary: boolean) => void
  /**
   * Sends a message. Ignored when empty, or while a reply is pending.
   * @param attachments stored files
   * @param messageId for a message that may have been sent before
   * @returns whether it was sent
   */
  send: (text: string, attachments?: readonly Attachment[], messageId?: string) => boolean
  /** Sends a message, or queues it while a reply is pending. @returns false when it was neither sent nor queued */
  submit: (text: string, attachments?: readonly Attachment[]) => boolean
  /**
   * Sends a new version of a user message. Later messages are replaced when the reply arrives.
   * @param attachments those of its files that it keeps: all without it
   * @returns whether it was sent
   */
  resend: (messageId: string, text: string, attachments?: readonly Attachment[]) => boolean
  /**
   * Sends the last message again under its id, or reloads a reply that was not stored.
   * @param messageId of an earlier message that the server refused
   */
  retry: (messageId?: string) => void
  continueReply: () => void
  /**
   * Decides an approval request of a waiting reply, which continues after the last decision. Does nothing while another decision is being
   * sent (`deciding` of the pending reply; `failedDecision` says why the last one failed).
   */
  decide: (decision: Omit<ApprovalDecision, 'runId'>) => void
  /** @returns false when the request failed; the reply continues then */
  stop: () => Promise<boolean>
  /** Loads the messages before the first one. @throws what `ChatApi.read` throws */
  loadEarlier: () => Promise<void>
}

/** What a conversation needs, and whom it tells what has happened. */
export interface ConversationOptions {
  id: string
  /** identifies the user and the conversation; queued and unacknowledged messages are stored under it */
  draftKey: string
  /** the cache of the signed-in user */
  queryClient: QueryClient
  /** not stored on the server yet */
  isNew: boolean
  /** whether a new chat is not stored */
  isTemporary: boolean
  /** messages from before a reload that were not acknowledged */
  unacknowledgedMessages: readonly ChatMessage[]
  api: ChatApi
  /** whether it is being deleted, which can be undone */
  isDeleting: () => boolean
  /** called with the stored conversation after a turn */
  onConversationChange: (session: Session) => void
  /** the user's connections, read when a message is sent; undefined while they are not known */
  readConnections: () => KnownConnections | undefined
}

/** Reads a part of the state and renders again when it changes. @param select has to return the same value for the same state */
export function useConversationState<Part>(
  { subscribe, getState }: Conversation,
  select: (state: ConversationState) => Part,
): Part {
  return useSyncExternalStore(subscribe, () => select(getState()))
}
