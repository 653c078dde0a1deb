import type { Session } from '#shared/contracts/messages.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import type { ApprovalDecision } from '../stream/chat-api.ts'
import type { ChatMessage } from './chat-message.ts'
import {
  applyStoredRun,
  beginReply,
  getVisibleMessages,
  withLocal,
  type ConversationParts,
  type Choice,
  type ShownError,
} from './conversation-parts.ts'
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
import { failReply } from './end-reply.ts'
import { prependEarlier } from './stored-conversation.ts'

/** What happens to a conversation. The reports of its requests are in `request-reports.ts`. */
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
  | ReplyEvent

/** What happens to the pending reply; ignored if there is none. */
type ReplyEvent =
  /**
   * A request is over. `ended`: its stream has ended; `gone`: the server does not know the reply (any more); `failed`: anything else.
   * @property error shown if the stored state has no explanation
   */
  | { type: 'request-ended'; request: number; reason: 'ended' | 'gone' | 'failed'; error: ShownError }
  | { type: 'decision-made'; decision: Omit<ApprovalDecision, 'runId'> }
  | { type: 'stop-requested' }
  | { type: 'stop-refused'; messageId: string }

/** The side effect of a transition, which effects.ts performs. One that begins a `request` reports its progress and end with events. */
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
  /** the decision came after another one, or after the end */
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
    default:
      return reply && isAbout(reply, event) ? advance(chat, reply, event) : [chat]
  }
}

/** Whether an event is about this reply and its request, not about those before. */
export const isAbout = (reply: ActiveReply, event: object): boolean =>
  !('request' in event && event.request !== reply.request) &&
  !('messageId' in event && event.messageId !== reply.messageId)

function advance(chat: ConversationParts, reply: ActiveReply, event: ReplyEvent): Transition {
  switch (event.type) {
    case 'request-ended':
      return endRequest(chat, reply, event)
    case 'decision-made':
      return decide(chat, reply, event.decision)
    case 'stop-requested': {
      const { messageId, runId } = reply
      if (reply.phase === 'stopping') return [chat]
      return [
        withLocal(chat, { pending: { ...reply, phase: 'stopping', visibleText: getVisibleText(reply) } }),
        { type: 'stop', messageId, runId, isRepeated: false },
      ]
    }
    case 'stop-refused':
      return [
        reply.phase === 'stopping'
          ? withLocal(chat, { pending: updateReply({ ...reply, phase: 'open' }, {}) })
          : chat,
      ]
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

/** Begins to send a decision, unless another one is being sent or the reply does not wait for this one. */
function decide(
  chat: ConversationParts,
  reply: ActiveReply,
  decision: Omit<ApprovalDecision, 'runId'>,
): Transition {
  const { runId, deciding, approvals } = reply
  const approval = approvals.find(
    ({ call_id, decision: made }) => call_id === decision.callId && made === null,
  )
  if (reply.phase !== 'open' || runId === undefined || deciding || !approval) return [chat]
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

/**
 * Opens the stream of a reply that is running.
 * @param options.wasWaiting whether it waited before; one that still waits has no stream to open
 */
export function resume(chat: ConversationParts, { wasWaiting }: { wasWaiting: boolean }): Transition {
  const reply = getActiveReply(chat.local.pending)
  if (!reply || (wasWaiting && isWaiting(reply))) return [chat]
  const request = chat.local.requestCount + 1
  const next = withLocal(chat, { requestCount: request, pending: { ...reply, request } })
  return [next, { type: 'open', request }]
}

/** Whether the request of a reply is its stream. */
export const hasStream = ({ phase }: ActiveReply): boolean => phase !== 'recovering'

/** Whether the conversation is loaded, has no messages, and is not stored: a stored one has a title. */
const isEmptyChat = (chat: ConversationParts) =>
  chat.stored !== undefined && chat.stored.title === null && getVisibleMessages(chat).length === 0
