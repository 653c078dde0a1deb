/* The part of the state machine (conversation-machine.ts) that handles what requests report. Loaded with effects.ts. */
import type { ChatEvent } from '#shared/chat-events.ts'
import type { StreamConnection } from '../stream/stream-reply.ts'
import { toRunFailure } from './chat-failure.ts'
import {
  applyStoredRun,
  findAttempts,
  getVisibleMessages,
  withLocal,
  type ConversationParts,
  type ShownError,
} from './conversation-parts.ts'
import { failReply, stopReply } from './end-reply.ts'
import {
  hasStream,
  isAbout,
  resume,
  transition,
  type ConversationEvent,
  type Transition,
} from './conversation-machine.ts'
import { getActiveReply, isWaiting, updateReply, type ActiveReply } from './pending-reply.ts'
import { applyEvent } from './reply-events.ts'
import { findRetryableMessage } from './conversation-state.ts'

/** An event by which a request reports its progress. */
export type RequestReport =
  | { type: 'received'; request: number; event: ChatEvent; timestamp: number }
  | { type: 'connection-changed'; request: number; connection: StreamConnection }
  /** the stored part was loaded to recover a reply */
  | { type: 'recovered'; request: number; error: ShownError }
  /** the server has accepted the decision, or no longer waits for one */
  | { type: 'decided' | 'decision-refused'; request: number }
  | { type: 'stop-accepted' | 'stop-overdue'; messageId: string; timestamp: number }

/** As `transition`, but also for the reports of requests. Pure. */
export function applyReport(chat: ConversationParts, event: ConversationEvent | RequestReport): Transition {
  const reply = getActiveReply(chat.local.pending)
  switch (event.type) {
    case 'received':
      return reply && (reply.request !== event.request || !hasStream(reply))
        ? [chat]
        : receive(chat, reply, event)
    case 'connection-changed':
    case 'recovered':
    case 'decided':
    case 'decision-refused':
    case 'stop-accepted':
    case 'stop-overdue':
      return reply && isAbout(reply, event) ? advance(chat, reply, event) : [chat]
    default:
      return transition(chat, event)
  }
}

function advance(
  chat: ConversationParts,
  reply: ActiveReply,
  event: Exclude<RequestReport, { type: 'received' }>,
): Transition {
  const { isTemporary } = chat.local
  const withReply = (pending: ActiveReply) => withLocal(chat, { pending })
  switch (event.type) {
    case 'connection-changed':
      return [
        reply.connection === event.connection ? chat : withReply({ ...reply, connection: event.connection }),
      ]
    case 'recovered':
      return recover(chat, event.error)
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

function receive(
  chat: ConversationParts,
  reply: ActiveReply | undefined,
  { event, timestamp }: Extract<RequestReport, { type: 'received' }>,
): Transition {
  const next = applyEvent(chat, event, timestamp)
  if (event.type === 'data-session') return [next, { type: 'report-session', session: event.data }]
  if (event.type === 'finish' && reply && !isWaiting(reply) && reply.toolCalls.length > 0)
    return [next, { type: 'report-tools', calls: reply.toolCalls }]
  const current = getActiveReply(next.local.pending)
  if (event.type !== 'start' || current?.phase !== 'stopping') return [next]
  return [next, { type: 'stop', messageId: current.messageId, runId: current.runId, isRepeated: true }]
}

/** Ends a reply whose stream has ended without a final event; one that waits for the user is shown as it is stored. */
function recover(chat: ConversationParts, error: ShownError): Transition {
  const run = chat.stored?.run
  if (run?.status === 'running') return [failReply(chat, error)]
  const [next, effect] = resume(applyStoredRun(chat), { wasWaiting: false })
  const isExplained = next.stored?.messages.at(-1)?.ended === 'interrupted'
  const attempt = findAttempts(next).find(({ id }) => id === getActiveReply(chat.local.pending)?.messageId)
  const messageId = (attempt ?? findRetryableMessage(toRetryInput(next)))?.id
  if (effect || isExplained || messageId === undefined) return [next, effect]
  const failure = { ...error, ...(run && toRunFailure(run)) }
  return [failReply(next, { ...failure, messageId })]
}

const toRetryInput = (chat: ConversationParts) => ({
  messages: getVisibleMessages(chat),
  attempts: findAttempts(chat),
  pending: chat.local.pending,
})

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
