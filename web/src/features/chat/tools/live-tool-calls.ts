import type { Activity, ChatEvent } from '#shared/chat-events.ts'
import type { ResultExtras, ToolCall } from '#shared/contracts/chat.ts'
import { deniedByUser } from '#shared/chat-texts.ts'

/** A tool call of a streaming reply. */
export interface LiveToolCall {
  id: string
  name: string
  input: Record<string, unknown>
  status: 'running' | 'done' | 'failed' | 'denied'
  /** as declared by the tool */
  activity?: Activity
  output?: unknown
  /** what the result has besides its output */
  extras?: ResultExtras
  error?: string
}

type ToolEvent = Extract<
  ChatEvent,
  {
    type:
      | 'tool-input-start'
      | 'tool-input-available'
      | 'tool-output-available'
      | 'tool-output-error'
      | 'tool-output-denied'
      | 'data-result-extras'
  }
>

/** Applies an event to the calls of a reply. Ignores the result of an unknown call. */
export function applyToolEvent(calls: readonly LiveToolCall[], event: ToolEvent): readonly LiveToolCall[] {
  if (event.type === 'data-result-extras') {
    const { toolCallId, ...extras } = event.data
    return calls.map((call) => (call.id === toolCallId ? { ...call, extras } : call))
  }
  const { toolCallId: id } = event
  if (event.type === 'tool-input-start' || event.type === 'tool-input-available') {
    const activity = event.providerMetadata?.juno
    const call: LiveToolCall = {
      id,
      name: event.toolName,
      input: event.type === 'tool-input-start' ? {} : asRecord(event.input),
      status: 'running',
      ...(activity && { activity }),
    }
    return [...calls.filter((earlier) => earlier.id !== id), call]
  }
  return calls.map((call) => (call.id === id ? { ...call, ...toOutcome(event) } : call))
}

function toOutcome(event: Extract<ToolEvent, { type: `tool-output-${string}` }>): Partial<LiveToolCall> {
  switch (event.type) {
    case 'tool-output-available':
      return { status: 'done', output: event.output }
    case 'tool-output-error':
      return { status: 'failed', error: event.errorText }
    case 'tool-output-denied':
      return { status: 'denied', error: deniedByUser }
  }
}

/** Converts to a call of a stored message. */
export function toToolCall({ name, activity, input, status, output, extras, error }: LiveToolCall): ToolCall {
  return {
    tool: name,
    action: activity?.title ?? name,
    ...(activity?.integration !== undefined && { integration: activity.integration }),
    parameters: input,
    result:
      status === 'done' ? { success: true, data: output, ...extras } : { success: false, error: error ?? '' },
  }
}

/** Converts the calls that are not running any more. */
export const toFinishedToolCalls = (calls: readonly LiveToolCall[]): ToolCall[] =>
  calls.filter(({ status }) => status !== 'running').map(toToolCall)

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
