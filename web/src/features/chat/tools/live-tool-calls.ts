import type { Activity, ChatEvent } from '#shared/chat-events.ts'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { deniedByUser } from '#shared/chat-texts.ts'

/** A tool call as it stands while the reply is written. */
export interface ShownTool {
  id: string
  name: string
  input: Record<string, unknown>
  status: 'running' | 'done' | 'failed' | 'denied'
  /** what the tool says of itself (DEC-113) */
  activity?: Activity
  output?: unknown
  error?: string
}

type ToolEvent = Extract<
  ChatEvent,
  {
    type: 'tool-input-available' | 'tool-output-available' | 'tool-output-error' | 'tool-output-denied'
  }
>

/** The calls after one more event. A result whose call was never seen is ignored. */
export function toolsAfter(tools: readonly ShownTool[], event: ToolEvent): readonly ShownTool[] {
  const { toolCallId: id } = event
  if (event.type === 'tool-input-available') {
    const activity = event.providerMetadata?.juno
    const call: ShownTool = {
      id,
      name: event.toolName,
      input: asRecord(event.input),
      status: 'running',
      ...(activity && { activity }),
    }
    return [...tools.filter((tool) => tool.id !== id), call]
  }
  return tools.map((tool) => (tool.id === id ? { ...tool, ...outcome(event) } : tool))
}

function outcome(event: Exclude<ToolEvent, { type: 'tool-input-available' }>): Partial<ShownTool> {
  switch (event.type) {
    case 'tool-output-available':
      return { status: 'done', output: event.output }
    case 'tool-output-error':
      return { status: 'failed', error: event.errorText }
    case 'tool-output-denied':
      return { status: 'denied', error: deniedByUser }
  }
}

/** A call as a stored message carries it (CAP-13). */
export function toolCallOf({ name, activity, input, status, output, error }: ShownTool): ToolCall {
  return {
    tool: name,
    action: activity?.title ?? name,
    ...(activity?.integration !== undefined && { integration: activity.integration }),
    parameters: input,
    result: status === 'done' ? { success: true, data: output } : { success: false, error: error ?? '' },
  }
}

/** The calls that have ended. */
export const toolsToShow = (tools: readonly ShownTool[]): ToolCall[] =>
  tools.filter(({ status }) => status !== 'running').map(toolCallOf)

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
