import type { ChatEvent } from '../chat-events.ts'
import { deniedByUser } from '../denied-call.ts'
import type { Message } from '../contracts/messages.ts'
import type { RunView } from '../contracts/runs.ts'
import { emptyReply, isCallEnded, type ReplyCall, type ReplyState } from './reply-state.ts'

/**
 * The reply after one more event. It is the only code that knows what the events of a reply mean: its writer, the page, and the recovery
 * of a reply whose writer was lost fold the same events. Events that end the stream change nothing: each reader ends the reply in its
 * own way.
 */
export function foldReply(reply: ReplyState, event: ChatEvent): ReplyState {
  switch (event.type) {
    case 'start':
      return {
        ...emptyReply,
        runId: event.messageMetadata.runId ?? reply.runId,
        replyId: event.messageId,
        approvals: reply.approvals,
      }
    case 'data-reading': {
      const { text: _, ...data } = event.data
      const { readings = [] } = reply
      const isKnown = readings.some(({ id }) => id === data.id)
      return {
        ...reply,
        readings: isKnown ? readings.map((one) => (one.id === data.id ? data : one)) : [...readings, data],
      }
    }
    case 'start-step':
      return reply.readings ? { ...reply, readings: undefined } : reply
    case 'text-start':
      return reply.text === '' ? reply : { ...reply, text: `${reply.text}\n\n` }
    case 'text-delta':
      return { ...reply, text: reply.text + event.delta }
    case 'data-retracted-text':
      return { ...reply, text: reply.text.slice(0, -event.data.characters) }
    case 'reasoning-start':
    case 'reasoning-delta':
    case 'reasoning-end':
      return { ...reply, reasoning: foldReasoning(reply.reasoning, event) }
    case 'tool-input-start':
    case 'tool-input-available':
      return { ...reply, toolCalls: addCall(reply.toolCalls, event) }
    case 'data-result-extras': {
      const { toolCallId, elicited, ...extras } = event.data
      const changes = { extras, ...(elicited && { elicited }) }
      return { ...reply, toolCalls: updateCall(reply.toolCalls, toolCallId, changes) }
    }
    case 'tool-output-available':
    case 'tool-output-error':
    case 'tool-output-denied':
      return {
        ...reply,
        toolCalls: updateCall(reply.toolCalls, event.toolCallId, toOutcome(event)),
        approvals: reply.approvals.filter(({ call_id }) => call_id !== event.toolCallId),
      }
    case 'data-attachment':
      return { ...reply, attachments: [...reply.attachments, event.data] }
    case 'data-notice':
      return { ...reply, notices: [...reply.notices, event.data] }
    case 'source-url': {
      const { url, title } = event
      return { ...reply, sources: [...reply.sources, { url, ...(title !== undefined && { title }) }] }
    }
    case 'message-metadata':
      return { ...reply, usage: event.messageMetadata.usage }
    case 'data-run':
      return {
        ...reply,
        ended: toEnding(event.data),
        runId: event.data.run_id,
        approvals: event.data.questions ?? [],
      }
    case 'finish-step':
    case 'text-end':
    case 'tool-input-delta':
    case 'tool-approval-request':
    case 'tool-approval-response':
    case 'file':
    case 'data-session':
    case 'data-reply':
    case 'abort':
    case 'error':
    case 'finish':
      return reply
    default:
      return ignoreUnknown(reply, event)
  }
}

/** An event of a newer server changes nothing; one that this code should know is a type error. */
const ignoreUnknown = (reply: ReplyState, _event: never): ReplyState => reply

function foldReasoning(
  { text, durationMs } = { text: '', durationMs: 0 },
  event: Extract<ChatEvent, { type: `reasoning-${string}` }>,
): ReplyState['reasoning'] {
  switch (event.type) {
    case 'reasoning-start':
      return { text: text && `${text}\n\n`, durationMs, isActive: true }
    case 'reasoning-delta':
      return { text: text + event.delta, durationMs, isActive: true }
    case 'reasoning-end':
      return {
        text,
        durationMs: durationMs + (event.providerMetadata?.juno.durationMs ?? 0),
        isActive: false,
      }
  }
}

/**
 * Adds a call, or replaces its arguments: the model has written them all, or the user has changed them. Models may use the id of an ended
 * call again for a later one.
 */
function addCall(
  calls: readonly ReplyCall[],
  event: Extract<ChatEvent, { type: 'tool-input-start' | 'tool-input-available' }>,
): readonly ReplyCall[] {
  const activity = event.providerMetadata?.juno
  const isWritten = event.type === 'tool-input-available'
  const call: ReplyCall = {
    id: event.toolCallId,
    name: event.toolName,
    input: isWritten ? asRecord(event.input) : {},
    status: isWritten ? 'running' : 'writing',
    ...(activity && { activity }),
  }
  const open = calls.findLastIndex((one) => one.id === call.id && !isCallEnded(one))
  if (open === -1) return [...calls, call]
  return calls.map((one, index) => (index === open ? { ...one, ...call } : one))
}

/** Changes the newest call with the id; an unknown one is ignored. */
function updateCall(
  calls: readonly ReplyCall[],
  id: string,
  changes: Partial<ReplyCall>,
): readonly ReplyCall[] {
  const index = calls.findLastIndex((call) => call.id === id)
  return calls.map((call, position) => (position === index ? { ...call, ...changes } : call))
}

function toOutcome(event: Extract<ChatEvent, { type: `tool-output-${string}` }>): Partial<ReplyCall> {
  switch (event.type) {
    case 'tool-output-available':
      return { status: 'done', output: event.output }
    case 'tool-output-error':
      return { status: 'failed', error: event.errorText, codes: event.codes }
    case 'tool-output-denied':
      return { status: 'denied', error: deniedByUser, codes: [{ code: 'denied' }] }
  }
}

const toEnding = ({ status }: RunView): Message['ended'] =>
  status === 'incomplete' || status === 'interrupted' || status === 'failed' || status === 'stopped'
    ? status
    : undefined

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
