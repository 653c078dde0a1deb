import type { RunView } from '#shared/contracts/runs.ts'
import { emptyReply, isCallEnded, type ReplyState } from '#shared/reply/reply-state.ts'
import type { ApprovalDecision } from '../stream/chat-api.ts'
import type { StreamConnection } from '../stream/stream-reply.ts'
import type { ChatFailure } from './chat-failure.ts'
import type { ChatMessage } from './chat-message.ts'

/** A decision that is being sent. @property askedAt tells the approval request from a later one of the same call */
export type DecisionInFlight = Omit<ApprovalDecision, 'runId'> & { askedAt: string }

/** The reply as its events describe it, with what only the page knows. Its `text` includes what came after a stop, as the stored reply does. */
interface Reply extends ReplyState {
  /** of the user message */
  messageId: string
  /** undefined when it is before the loaded messages */
  userMessage: ChatMessage | undefined
  connection: StreamConnection
  /** The request that works on the reply; reports of others are ignored. Only a waiting reply can have none. */
  request: number | undefined
  /** the decision that `request` sends; no other one is sent meanwhile */
  deciding?: DecisionInFlight | undefined
  /** the decision that did not reach the server, until the next one */
  failedDecision?: { callId: string; failure: ChatFailure } | undefined
}

/** A pending reply and its phase. */
export type ActiveReply = Reply &
  /** its stream is open, or it waits (`isWaiting`) */
  (
    | { phase: 'open' }
    /** `stopping`: the server was asked to end it. `recovering`: its stream has ended without a result, and the stored state is read. */
    | { phase: 'stopping' | 'recovering'; visibleText: string }
  )

/** The pending reply of a conversation, which may have none. */
export type PendingReply = { phase: 'idle' } | ActiveReply

export const idleReply: PendingReply = { phase: 'idle' }

/** The reply that is being written or waits; undefined if there is none. */
export const getActiveReply = (pending: PendingReply): ActiveReply | undefined =>
  pending.phase === 'idle' ? undefined : pending

/** Whether the reply waits, for the user or for servers. */
export const isWaiting = (reply: ReplyState | undefined): boolean => (reply?.approvals.length ?? 0) > 0

/** A reply that has no content yet. @param userMessage if it is loaded */
export function createPendingReply(
  messageId: string,
  userMessage: ChatMessage | undefined,
  request?: number,
): ActiveReply {
  return { phase: 'open', ...emptyReply, messageId, userMessage, connection: 'open', request }
}

/** Continues an incomplete reply: its text stays visible. */
export function continueReply(
  userMessage: ChatMessage,
  { id, content, attachments }: ChatMessage,
  request: number,
): ActiveReply {
  return updateReply(createPendingReply(userMessage.id, userMessage, request), {
    replyId: id,
    text: content,
    ended: 'incomplete',
    attachments,
  })
}

/** Resumes a reply that runs on the server or waits for the user. */
export function resumeReply(run: RunView, userMessage: ChatMessage | undefined): ActiveReply {
  return updateReply(createPendingReply(run.message_id, userMessage), {
    runId: run.run_id,
    replyId: run.reply_id,
    approvals: run.questions ?? [],
  })
}

/** Changes fields of the reply, which is then open unless it is being stopped or recovered. A decision that has arrived is removed. */
export function updateReply(reply: ActiveReply, parts: Partial<Reply>): ActiveReply {
  const { deciding, ...next } = { ...reply, ...parts }
  const isUndecided =
    !isWaiting(next) ||
    next.approvals.some(
      ({ call_id, asked_at, decision }) =>
        call_id === deciding?.callId && asked_at === deciding.askedAt && decision === null,
    )
  const updated = { ...next, ...(isUndecided && { deciding }) }
  return updated.phase === 'stopping' || updated.phase === 'recovering'
    ? updated
    : { ...updated, phase: 'open' }
}

/** The visible text: later text of a reply that is being stopped is not shown. */
export function getVisibleText(pending: PendingReply): string {
  if (pending.phase === 'idle') return ''
  return pending.phase === 'stopping' || pending.phase === 'recovering' ? pending.visibleText : pending.text
}

/** Whether the reply has a text, files or calls that have ended, so that it becomes a message. */
export const hasContent = ({ text, attachments, toolCalls }: Reply): boolean =>
  text.trim() !== '' || attachments.length > 0 || toolCalls.some(isCallEnded)
