import type { ChatEvent } from '#shared/chat-events.ts'
import type { Session } from '#shared/contracts/messages.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import type { ApprovalDecision } from '../stream/chat-api.ts'
import type { StreamConnection } from '../stream/stream-reply.ts'
import { toRunFailure } from './chat-failure.ts'
import type { ChatMessage } from './chat-message.ts'
import {
  applyStoredRun,
  findAttempts,
  getVisibleMessages,
  withLocal,
  type ConversationParts,
  type Choice,
  type ShownError,
} from './conversation-parts.ts'
import { findRetryableMessage } from './conversation-state.ts'
import {
  continueReply,
  createPendingReply,
  getActiveReply,
  getVisibleText,
  isWaiting,
  updateReply,
  type ActiveReply,
  type PendingReply,
} from './pending-reply.ts'
import { applyEvent, failReply, stopReply } from './reply-events.ts'
import { prependEarlier, withMessage } from './stored-conversation.ts'

/** What happens to a conversation: what the user does, what is loaded, and what its requests report. */
export type ConversationEvent =
  /** ignored once the chat has messages */
  | { type: 'temporary-chosen'; isTemporary: boolean }
  /** what is absent in `choice` stays as it was chosen */
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
  /** an event of the reply's stream has arrived */
  | { type: 'received'; request: number; event: ChatEvent; timestamp: number }
  | ReplyEvent

/** What happens to the pending reply; ignored if there is none, or if it is about an earlier reply or request. */
type ReplyEvent =
  /**
   * A request is over. `ended`: its stream has ended; `gone`: the server does not know the reply (any more); `failed`: anything else.
   * @property error shown if the stored state has no explanation
   */
  | { type: 'request-ended'; request: number; reason: 'ended' | 'gone' | 'failed'; error: ShownError }
  | { type: 'connection-changed'; request: number; connection: StreamConnection }
  /** the stored part was loaded to recover a reply */
  | { type: 'recovered'; request: number; error: ShownError }
  /** @property isLate see `isLateApproval` */
  | { type: 'decision-made'; decision: Omit<ApprovalDecision, 'runId'>; isLate: boolean }
  /** the server has accepted the decision, or no longer waits for one */
  | { type: 'decided' | 'decision-refused'; request: number }
  | { type: 'stop-requested' }
  | { type: 'stop-refused'; messageId: string }
  | { type: 'stop-accepted' | 'stop-overdue'; messageId: string; timestamp: number }

/** The side effect of a transition, which run-effects.ts performs. One that begins a `request` reports its progress and end with events. */
export type Effect =
  /** open the stream of the reply, with a message or, without one, of a reply that exists; `partial` is continued */
  | { type: 'open'; request: number; message?: ChatMessage; partial?: ChatMessage }
  | { type: 'decide'; request: number; decision: ApprovalDecision }
  /** load the stored part, which says what has become of the reply */
  | { type: 'recover'; request: number; error: ShownError }
  | { type: 'load' }
  | { type: 'abort'; request: number | undefined }
  /** @property isRepeated sent again, because the run has got its id meanwhile; the answer to the first request counts */
  | { type: 'stop'; messageId: string; runId: string | undefined; isRepeated: boolean }
  /** the decision came after another one, after the end, or after the time of its request */
  | { type: 'report-late-decision' }
  | { type: 'report-session'; session: Session }
  | { type: 'report-tools'; calls: readonly ReplyCall[] }

/** The next state, and the effect that has to be performed, if any. */
export type Transition = readonly [next: ConversationParts, effect?: Effect | undefined]

/** Whether a request works on the reply. Then the page knows more than the stored part, which is not loaded. */
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
      return isBusy(chat.local) ? [chat] : resume(applyStoredRun(chat), { wasWaiting: isWaiting(reply) })
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
      return reply && isAbout(reply, event) ? advance(chat, reply, event) : [chat]
  }
}

/** Whether the conversation is loaded, has no messages, and is not stored: a stored one has a title. */
const isEmptyChat = (chat: ConversationParts) =>
  chat.stored !== undefined && chat.stored.title === null && getVisibleMessages(chat).length === 0

/** Whether the request of a reply is its stream. */
const hasStream = ({ phase }: ActiveReply): boolean => phase !== 'recovering'

/** Whether an event is about this reply and its request, not about those before. */
const isAbout = (reply: ActiveReply, event: ReplyEvent): boolean =>
  !('request' in event && event.request !== reply.request) &&
  !('messageId' in event && event.messageId !== reply.messageId)

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
  const next = beginReply(withLocal(chat, { unsaved }), createPendingReply(message.id, message, request))
  return [withLocal(next, { requestCount: request }), { type: 'open', request, message }]
}

function beginReply({ stored, local }: ConversationParts, pending: ActiveReply): ConversationParts {
  const { messageId, userMessage: { replaces } = {} } = pending
  const otherMessages = local.unsaved.filter(
    (one) => one.id !== messageId && (replaces === undefined || one.replaces !== replaces),
  )
  if (!stored) return { stored, local: { ...local, pending, unsaved: otherMessages, error: null } }
  // complete replies that were not stored become part of the history; refused messages stay where they are
  const next = otherMessages.filter(({ unacknowledged }) => !unacknowledged).reduce(withMessage, stored)
  const after = next.messages.at(-1)?.id ?? ''
  const unsaved = otherMessages
    .filter(({ unacknowledged }) => unacknowledged)
    .map((each) => ({ after, ...each }))
  // the conversation goes on without it, or with another attempt
  return { stored: { ...next, attempt: undefined }, local: { ...local, pending, unsaved, error: null } }
}

/**
 * Opens the stream of a reply that is running.
 * @param options.wasWaiting whether it waited before; one that still waits has no stream to open
 */
function resume(chat: ConversationParts, { wasWaiting }: { wasWaiting: boolean }): Transition {
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

function advance(chat: ConversationParts, reply: ActiveReply, event: ReplyEvent): Transition {
  const { isTemporary } = chat.local
  const withReply = (pending: ActiveReply) => withLocal(chat, { pending })
  switch (event.type) {
    case 'request-ended':
      return endRequest(chat, reply, event)
    case 'connection-changed':
      return [
        reply.connection === event.connection ? chat : withReply({ ...reply, connection: event.connection }),
      ]
    case 'recovered':
      return recover(chat, event.error)
    case 'decision-made':
      return decide(chat, reply, event)
    case 'decided':
      return [withReply(withDecision(reply))]
    case 'decision-refused': {
      const approval = reply.approvals.find(({ call_id }) => call_id === reply.deciding?.callId)
      // the other kinds are also decided without the user, who need not be told
      const isAnswer = approval?.kind === 'approval' || approval?.kind === 'elicitation'
      return [
        withReply({ ...reply, deciding: undefined }),
        isAnswer ? { type: 'report-late-decision' } : undefined,
      ]
    }
    case 'stop-requested': {
      const { messageId, runId } = reply
      if (reply.phase === 'stopping') return [chat]
      return [
        withReply({ ...reply, phase: 'stopping', visibleText: getVisibleText(reply) }),
        { type: 'stop', messageId, runId, isRepeated: false },
      ]
    }
    case 'stop-refused':
      return [reply.phase === 'stopping' ? withReply(updateReply({ ...reply, phase: 'open' }, {})) : chat]
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

/**
 * A waiting reply goes on waiting. Of another one whose stream is over, the stored part is loaded, which says what has become of it; one that
 * failed, or of a temporary chat, which has no stored part, fails.
 */
function endRequest(
  chat: ConversationParts,
  reply: ActiveReply,
  { reason, error, request }: Extract<ReplyEvent, { type: 'request-ended' }>,
): Transition {
  const { isTemporary } = chat.local
  const { deciding } = reply
  const canTryAgain = deciding && reason === 'failed'
  if (isWaiting(reply) && (reason === 'ended' || !isTemporary || canTryAgain)) {
    const failedDecision = deciding && reason !== 'gone' && { callId: deciding.callId, failure: error }
    const pending = {
      ...reply,
      request: undefined,
      deciding: undefined,
      ...(failedDecision && { failedDecision }),
    }
    // the stored part is loaded, because the approval request may have been decided elsewhere
    return [withLocal(chat, { pending }), reason === 'ended' || isTemporary ? undefined : { type: 'load' }]
  }
  const isGone = reason === 'ended' || (reason === 'gone' && reply.runId !== undefined)
  if (!isGone || isTemporary || !hasStream(reply)) return [failReply(chat, error)]
  return [
    withLocal(chat, { pending: { ...reply, phase: 'recovering', visibleText: getVisibleText(reply) } }),
    { type: 'recover', request, error },
  ]
}

/** Ends a reply whose stream has ended without a final event; one that waits for the user is shown as it is stored. */
function recover(chat: ConversationParts, error: ShownError): Transition {
  const run = chat.stored?.run
  if (run?.status === 'running') return [failReply(chat, error)]
  const [next, effect] = resume(applyStoredRun(chat), { wasWaiting: false })
  const isExplained = next.stored?.messages.at(-1)?.ended === 'interrupted'
  const attempts = findAttempts(next)
  const attempt = attempts.find(({ id }) => id === getActiveReply(chat.local.pending)?.messageId)
  const shown = { messages: getVisibleMessages(next), attempts, pending: next.local.pending }
  const messageId = (attempt ?? findRetryableMessage(shown))?.id
  if (effect || isExplained || messageId === undefined) return [next, effect]
  const failure = { ...error, ...(run && toRunFailure(run)) }
  return [failReply(next, { ...failure, messageId })]
}

/** Begins to send a decision, unless another one is being sent or the reply does not wait for this one. */
function decide(
  chat: ConversationParts,
  reply: ActiveReply,
  { decision, isLate }: Extract<ReplyEvent, { type: 'decision-made' }>,
): Transition {
  const { runId, deciding, approvals } = reply
  const approval = approvals.find(
    ({ call_id, decision: made }) => call_id === decision.callId && made === null,
  )
  if (reply.phase !== 'open' || runId === undefined || deciding || !approval) return [chat]
  if (isLate) return [chat, { type: 'report-late-decision' }]
  const request = chat.local.requestCount + 1
  const pending: ActiveReply = {
    ...reply,
    request,
    deciding: { ...decision, askedAt: approval.asked_at },
    failedDecision: undefined,
  }
  return [
    withLocal(chat, { requestCount: request, pending }),
    { type: 'decide', request, decision: { ...decision, runId } },
  ]
}

/** Adds the decision that was on its way; after the last one the reply continues. */
function withDecision(reply: ActiveReply): ActiveReply {
  const { deciding } = reply
  if (!deciding) return reply
  const decision = deciding.approved ? 'approved' : 'denied'
  const approvals = reply.approvals.map((approval) =>
    approval.call_id === deciding.callId ? ({ ...approval, decision } as const) : approval,
  )
  const isDecided = approvals.every((approval) => approval.decision)
  return updateReply(reply, { deciding: undefined, approvals: isDecided ? [] : approvals })
}
