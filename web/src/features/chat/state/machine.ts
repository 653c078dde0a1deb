import type { ChatEvent } from '#shared/chat-events.ts'
import type { Reading } from '#shared/contracts/files.ts'
import type { Session } from '#shared/contracts/messages.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import type { ApprovalDecision } from '../stream/chat-api.ts'
import type { Connection } from '../stream/stream-reply.ts'
import { parseStreamFailure } from './chat-failure.ts'
import type { ChatMessage } from './chat-message.ts'
import {
  applyStoredRun,
  beginReply,
  finishReply,
  getVisibleMessages,
  withLocal,
  type ConversationParts,
  type Choice,
  type ShownError,
} from './conversation-parts.ts'
import { findRetryableMessage } from './shown-conversation.ts'
import {
  continueReply,
  createPendingReply,
  getActiveReply,
  getVisibleText,
  updateReply,
  withDecision,
  type ActiveReply,
  type DocumentProgress,
  type PendingReply,
} from './pending-reply.ts'
import { applyEvent, failReply, stopReply } from './reply-events.ts'
import { prependEarlier } from './stored-conversation.ts'

/** What happens to a conversation. Events with a `request` are its reports; `timestamp` is in milliseconds since 1970. */
export type ConversationEvent =
  /** does nothing once the chat has messages */
  | { type: 'temporary-chosen'; isTemporary: boolean }
  /** the rest stays as it was chosen */
  | { type: 'chosen'; choice: Choice }
  | { type: 'earlier-loaded'; page: Pick<SessionRead, 'messages' | 'earlier'> }
  | { type: 'error-expired'; errorId: string }
  /** the stored part was loaded: its run decides whether a reply ends, goes on or waits */
  | { type: 'loaded' }
  | { type: 'load-failed'; error: ShownError }
  /** @property previousId the unacknowledged message that this one replaces */
  | { type: 'sent'; message: ChatMessage; previousId?: string | undefined }
  /** the incomplete last reply is continued */
  | { type: 'continued'; message: ChatMessage; partial: ChatMessage }
  | ({ type: 'document-progressed'; request: number } & DocumentProgress)
  | { type: 'document-analysed'; request: number; attachmentId: string; reading: Reading }
  | { type: 'documents-analysed'; request: number }
  | { type: 'received'; request: number; event: ChatEvent; timestamp: number }
  | { type: 'connection-changed'; request: number; connection: Connection }
  /**
   * A request is over. `ended`: its stream has, `gone`: the server does not know the reply (any more), `failed`: anything else.
   * @property error shown if the stored state has no explanation
   */
  | { type: 'request-ended'; request: number; reason: 'ended' | 'gone' | 'failed'; error: ShownError }
  /** the stored part was loaded to recover a reply */
  | { type: 'recovered'; request: number; error: ShownError }
  | { type: 'decision-made'; decision: Omit<ApprovalDecision, 'runId'> }
  /** the server has accepted a decision */
  | { type: 'decided'; callId: string; approved: boolean }
  | { type: 'stop-requested' }
  | { type: 'stop-accepted' | 'stop-overdue'; messageId: string; timestamp: number }
  | { type: 'stop-refused'; messageId: string }

/** What has to be done after an event. Those with a `request` report with events. */
export type Effect =
  /** analyse the documents of the message of the reply */
  | { type: 'analyse'; request: number; message: ChatMessage }
  /** open the stream of the reply, with a message or, without one, of a reply that exists; `partial` is continued */
  | { type: 'open'; request: number; message?: ChatMessage; partial?: ChatMessage }
  | { type: 'decide'; request: number; decision: ApprovalDecision }
  /** load the stored part, which decides */
  | { type: 'recover'; request: number; error: ShownError }
  | { type: 'load' }
  | { type: 'abort'; request: number | undefined }
  /** @property isRepeated the run got its id after the first request, whose answer counts */
  | { type: 'stop'; messageId: string; runId: string | undefined; isRepeated: boolean }
  | { type: 'report-session'; session: Session }
  | { type: 'report-tools'; calls: readonly ReplyCall[] }

export type Transition = readonly [next: ConversationParts, effect?: Effect | undefined]

/** Whether a request works on the reply: the page is ahead of the server then, so that the stored part is not loaded. */
export const isBusy = ({ pending }: { pending: PendingReply }): boolean =>
  getActiveReply(pending)?.request !== undefined

/** The next state of a conversation, and what has to be done. Pure. */
export function transition(chat: ConversationParts, event: ConversationEvent): Transition {
  const reply = getActiveReply(chat.local.pending)
  switch (event.type) {
    case 'temporary-chosen':
      return [isEmptyChat(chat) ? withLocal(chat, { isTemporary: event.isTemporary }) : chat]
    case 'chosen':
      return [withLocal(chat, { chosen: { ...chat.local.chosen, ...event.choice } })]
    case 'earlier-loaded':
      return [chat.stored ? { ...chat, stored: prependEarlier(chat.stored, event.page) } : chat]
    case 'error-expired': {
      const { error } = chat.local
      return [error?.id === event.errorId ? withLocal(chat, { error: { ...error, isExpired: true } }) : chat]
    }
    case 'loaded':
      return isBusy(chat.local) ? [chat] : resume(applyStoredRun(chat), isWaiting(reply))
    case 'load-failed':
      return [reply ? chat : withLocal(chat, { error: event.error })]
    case 'sent':
    case 'continued':
      return begin(chat, event)
    case 'received':
      return reply && (reply.request !== event.request || !hasStream(reply))
        ? [chat]
        : receive(chat, reply, event)
    default:
      if (!reply || ('request' in event && event.request !== reply.request)) return [chat]
      if ('messageId' in event && event.messageId !== reply.messageId) return [chat]
      return advance(chat, reply, event)
  }
}

type ReplyEvent = Exclude<
  ConversationEvent,
  {
    type:
      | 'temporary-chosen'
      | 'chosen'
      | 'earlier-loaded'
      | 'error-expired'
      | 'loaded'
      | 'load-failed'
      | 'sent'
      | 'continued'
      | 'received'
  }
>

/** Applies an event that concerns the pending reply. */
function advance(chat: ConversationParts, reply: ActiveReply, event: ReplyEvent): Transition {
  const { isTemporary } = chat.local
  const withReply = (pending: ActiveReply) => withLocal(chat, { pending })
  switch (event.type) {
    case 'document-progressed': {
      const { name, done, total } = event
      return [reply.phase === 'analysing' ? withReply({ ...reply, progress: { name, done, total } }) : chat]
    }
    case 'document-analysed': {
      const userMessage = reply.userMessage && withReading(reply.userMessage, event)
      return [withReply({ ...reply, userMessage })]
    }
    case 'documents-analysed':
      if (reply.phase !== 'analysing') return [chat]
      return [
        withReply(updateReply(reply, {})),
        { type: 'open', request: event.request, ...(reply.userMessage && { message: reply.userMessage }) },
      ]
    case 'connection-changed':
      return [
        reply.connection === event.connection ? chat : withReply({ ...reply, connection: event.connection }),
      ]
    case 'request-ended': {
      const { reason, error, request } = event
      // the approval request may have been decided elsewhere
      if (isWaiting(reply) && (reason === 'ended' || !isTemporary))
        return [
          withReply({ ...reply, request: undefined }),
          reason === 'ended' ? undefined : { type: 'load' },
        ]
      const isGone = reason === 'ended' || (reason === 'gone' && reply.runId !== undefined)
      if (!isGone || isTemporary || !hasStream(reply)) return [failReply(chat, error)]
      return [
        withReply({ ...reply, phase: 'recovering', visibleText: getVisibleText(reply) }),
        { type: 'recover', request, error },
      ]
    }
    case 'recovered':
      return recover(chat, event.error)
    case 'decision-made': {
      const { runId } = reply
      if (reply.phase !== 'waiting' || runId === undefined) return [chat]
      const request = chat.local.requestCount + 1
      return [
        withLocal(chat, { requestCount: request, pending: { ...reply, request } }),
        { type: 'decide', request, decision: { ...event.decision, runId } },
      ]
    }
    case 'decided':
      return [
        isWaiting(reply) && isBusy(chat.local)
          ? withReply(withDecision(reply, event.callId, event.approved))
          : chat,
      ]
    case 'stop-requested': {
      const { messageId, runId, request } = reply
      if (reply.phase === 'stopping') return [chat]
      // not sent yet: the message stays and can be retried
      if (reply.phase === 'analysing') return [finishReply(chat, reply, []), { type: 'abort', request }]
      return [
        withReply({ ...reply, phase: 'stopping', visibleText: getVisibleText(reply) }),
        { type: 'stop', messageId, runId, isRepeated: false },
      ]
    }
    case 'stop-refused':
      return [
        reply.phase === 'stopping' ? withReply(updateReply({ ...reply, phase: 'streaming' }, {})) : chat,
      ]
    case 'stop-accepted':
      // no stream is open that could report the end
      if (!isWaiting(reply)) return [chat]
      return isTemporary ? [stopReply(chat, event.timestamp)] : [chat, { type: 'load' }]
    case 'stop-overdue':
      return reply.phase === 'stopping'
        ? [stopReply(chat, event.timestamp), { type: 'abort', request: reply.request }]
        : [chat]
  }
}

/** Begins a reply. Only one message is answered at a time. */
function begin(
  chat: ConversationParts,
  event: Extract<ConversationEvent, { type: 'sent' | 'continued' }>,
): Transition {
  if (chat.local.pending.phase !== 'idle') return [chat]
  const request = chat.local.requestCount + 1
  const { message } = event
  if (event.type === 'continued') {
    const { partial } = event
    const next = beginReply(chat, continueReply(message, partial, request))
    return [withLocal(next, { requestCount: request }), { type: 'open', request, message, partial }]
  }
  const unsaved = chat.local.unsaved.filter(({ id }) => id !== event.previousId)
  const reply = createPendingReply(message.id, message, request)
  const next = beginReply(withLocal(chat, { unsaved }), { ...reply, phase: 'analysing', progress: undefined })
  return [withLocal(next, { requestCount: request }), { type: 'analyse', request, message }]
}

/** Opens the stream of a reply that the stored part has shown. @param wasWaiting one that waits on has no stream to open */
function resume(chat: ConversationParts, wasWaiting: boolean): Transition {
  const reply = getActiveReply(chat.local.pending)
  if (!reply || (wasWaiting && isWaiting(reply))) return [chat]
  const request = chat.local.requestCount + 1
  const next = withLocal(chat, { requestCount: request, pending: { ...reply, request } })
  return [next, { type: 'open', request }]
}

function receive(
  chat: ConversationParts,
  reply: ActiveReply | undefined,
  { event, timestamp }: Extract<ConversationEvent, { type: 'received' }>,
): Transition {
  const next = applyEvent(chat, event, timestamp)
  if (event.type === 'data-session') return [next, { type: 'report-session', session: event.data }]
  if (event.type === 'finish' && reply && !isWaiting(reply) && reply.toolCalls.length > 0)
    return [next, { type: 'report-tools', calls: reply.toolCalls }]
  const current = getActiveReply(next.local.pending)
  if (event.type !== 'start' || current?.phase !== 'stopping') return [next]
  return [next, { type: 'stop', messageId: current.messageId, runId: current.runId, isRepeated: true }]
}

/** Ends a reply whose stream has ended without a final event, or follows it again. */
function recover(chat: ConversationParts, error: ShownError): Transition {
  const run = chat.stored?.run
  if (run?.status === 'running') return [failReply(chat, error)]
  const [next, effect] = resume(applyStoredRun(chat), false)
  const isExplained = next.stored?.messages.at(-1)?.ended === 'interrupted'
  const messageId = findRetryableMessage(deriveTurn(next))?.id
  if (effect || isExplained || messageId === undefined) return [next, effect]
  const failure = run?.error === undefined ? error : { ...error, ...parseStreamFailure(run.error) }
  return [failReply(next, { ...failure, messageId })]
}

const deriveTurn = (chat: ConversationParts) => ({
  messages: getVisibleMessages(chat),
  pending: chat.local.pending,
})

/** Whether its request is a stream. */
const hasStream = ({ phase }: ActiveReply): boolean => phase !== 'analysing' && phase !== 'recovering'

/** Whether the reply waits, for the user or for servers. */
const isWaiting = (reply: ActiveReply | undefined): boolean => (reply?.approvals.length ?? 0) > 0

/** Whether the conversation is loaded, has no messages, and is not stored: a stored one has a title. */
const isEmptyChat = (chat: ConversationParts) =>
  chat.stored !== undefined && chat.stored.title === null && getVisibleMessages(chat).length === 0

function withReading(
  message: ChatMessage,
  { attachmentId, reading }: { attachmentId: string; reading: Reading },
): ChatMessage {
  const attachments = message.attachments.map((each) =>
    each.id === attachmentId ? { ...each, reading } : each,
  )
  return { ...message, attachments }
}
