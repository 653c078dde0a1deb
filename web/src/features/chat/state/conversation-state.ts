import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { ConversationAssistant } from '#shared/contracts/messages.ts'
import { isSameList } from '../is-same-list.ts'
import type { ErrorDetails } from '../../../lib/api/error-details.ts'
import { isLasting, toRunFailure } from './chat-failure.ts'
import type { ChatMessage } from './chat-message.ts'
import {
  findAttempts,
  getVisibleMessages,
  type ConversationParts,
  type Choice,
  type LocalConversation,
  type ShownError,
} from './conversation-parts.ts'
import { getActiveReply, idleReply, isWaiting, getVisibleText, type PendingReply } from './pending-reply.ts'

/** The load status of the stored conversation. */
export type LoadStatus = 'loading' | 'loaded' | 'missing' | 'failed'

/** The state of a conversation for components, derived from `ConversationParts`. */
export interface ConversationState {
  messages: readonly ChatMessage[]
  /** messages that were to replace one of these and got no reply */
  attempts: readonly ChatMessage[]
  /** whether a reply is pending: it is written, waits or is being stopped */
  isReplying: boolean
  streamingText: string
  error: ShownError | null
  /** why the message to retry has no complete reply, if that is known */
  failureReason: string | undefined
  /** of the error that ended its reply, also if nothing more is said of it */
  failureDetails: ErrorDetails | undefined
  pending: PendingReply
  loadStatus: LoadStatus
  isTemporary: boolean
  /** what the user has chosen here; the fields below are what the next reply will use */
  chosen: Choice
  model: string | undefined
  effort: string | undefined
  disabledTools: readonly DisabledTool[]
  /** null or undefined: in no project */
  projectId: string | null | undefined
  /** the assistant that is used; without its version until the first response of the server */
  assistant: Partial<ConversationAssistant> | undefined
  /** the cursor of earlier messages; null when there are none */
  previousCursor: string | null
  title: string | null
}

/**
 * Creates the local part of a conversation before anything happens in it.
 * @param options.unsaved messages from before a reload that the server has not acknowledged
 */
export const createLocalConversation = ({
  unsaved,
  isTemporary,
}: Pick<LocalConversation, 'unsaved' | 'isTemporary'>): LocalConversation => ({
  pending: idleReply,
  requestCount: 0,
  unsaved,
  error: null,
  chosen: {},
  isTemporary,
})

/**
 * Derives the state. Returns `previous`, or its parts, where nothing has changed, so that components do not render again.
 * @param previous the last derived state
 */
export function deriveConversationState(
  chat: ConversationParts,
  loadStatus: LoadStatus,
  previous?: ConversationState,
): ConversationState {
  const { stored, local } = chat
  const visibleMessages = getVisibleMessages(chat)
  const messages =
    previous && isSameList(previous.messages, visibleMessages) ? previous.messages : visibleMessages
  const foundAttempts = findAttempts(chat)
  const attempts =
    previous && isSameList(previous.attempts, foundAttempts) ? previous.attempts : foundAttempts
  const failure = findFailure(chat, { messages, attempts })
  const state: ConversationState = {
    messages,
    attempts,
    isReplying: local.pending.phase !== 'idle',
    streamingText: getVisibleText(local.pending),
    error: local.error?.isExpired ? null : local.error,
    failureReason: failure?.reason,
    failureDetails: isSameDetails(previous?.failureDetails, failure?.details)
      ? previous?.failureDetails
      : failure?.details,
    pending: local.pending,
    // an unacknowledged message is shown, even if the server has no such conversation
    loadStatus:
      loadStatus === 'missing' && findRetryableMessage({ messages, attempts, pending: local.pending })
        ? 'loaded'
        : loadStatus,
    isTemporary: local.isTemporary,
    chosen: local.chosen,
    ...resolveChoice(chat),
    projectId: stored?.projectId === undefined ? local.chosen.projectId : stored.projectId,
    assistant: stored?.assistant ?? local.chosen.assistant,
    previousCursor: stored?.previousCursor ?? null,
    title: stored?.title ?? null,
  }
  return previous && isSameState(previous, state) ? previous : state
}

/**
 * Finds what ended the reply to the newest message. The `reason` says nothing of a lost connection or session, which may be back by now; nor of
 * a function that died.
 */
function findFailure(
  { stored, local: { error, pending } }: ConversationParts,
  shown: Pick<ConversationState, 'messages' | 'attempts'>,
): { reason?: string; details: ErrorDetails | undefined } | undefined {
  const id = findRetryableMessage({ ...shown, pending })?.id
  if (id === undefined) return undefined
  const run = stored?.run?.message_id === id ? stored.run : undefined
  const failure = error?.messageId === id ? error : run && toRunFailure(run)
  if (failure) return { ...(isLasting(failure) && { reason: failure.message }), details: failure.details }
  if (run?.failed_at === undefined) return undefined
  return { details: { atMs: Date.parse(run.failed_at), code: run.status, requestId: run.request_id } }
}

const isSameDetails = (one: ErrorDetails | undefined, other: ErrorDetails | undefined) =>
  one?.atMs === other?.atMs && one?.code === other?.code && one?.requestId === other?.requestId

const noTools: readonly DisabledTool[] = []

/** Resolves the choices of the next reply: what the user chose here, otherwise those of the last reply. */
const resolveChoice = ({ stored, local: { chosen } }: ConversationParts) => {
  // a chat that has not begun takes the choices of its assistant
  const defaults = stored?.model === undefined ? (chosen.assistant ?? stored) : stored
  const { model, effort } = defaults && chosen.model === undefined ? defaults : chosen
  return { model, effort, disabledTools: chosen.disabledTools ?? defaults?.disabledTools ?? noTools }
}

const isSameState = (before: ConversationState, now: ConversationState) =>
  (Object.keys(before) as (keyof ConversationState)[]).every((key) => before[key] === now[key])

/** Whether the reply waits: for the user or for servers. */
export const isReplyWaiting = ({ pending }: Pick<ConversationState, 'pending'>): boolean =>
  isWaiting(getActiveReply(pending))

/** Whether the reply waits for a decision or an answer of the user, and not only for servers. */
export const isWaitingForUser = ({ pending }: Pick<ConversationState, 'pending'>): boolean =>
  getActiveReply(pending)?.approvals.some(({ kind, decision }) => kind !== 'task' && decision === null) ??
  false

/**
 * The user message to retry: the last turn has no reply, or one that failed, was interrupted or could not be stored. Where it was to be
 * replaced, that attempt is retried instead.
 */
export function findRetryableMessage({
  messages,
  attempts,
  pending,
}: Pick<ConversationState, 'messages' | 'attempts' | 'pending'>): ChatMessage | undefined {
  const last = messages.at(-1)
  if (pending.phase !== 'idle' || !last) return undefined
  const isUnfinished =
    last.role === 'user' || last.notStored || last.ended === 'failed' || last.ended === 'interrupted'
  const message = isUnfinished ? messages.findLast(({ role }) => role === 'user') : undefined
  return attempts.some(({ replaces }) => replaces === message?.id) ? undefined : message
}
