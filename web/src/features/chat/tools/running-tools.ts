import type { ChatEvent } from '#shared/chat-events.ts'
import type { ToolCall } from '#shared/contracts/chat.ts'

/** A tool call as it stands while the reply is written. */
export interface ShownTool {
  id: string
  name: string
  input: Record<string, unknown>
  status: 'running' | 'done' | 'failed'
  output?: unknown
  error?: string
}

type ToolEvent = Extract<
  ChatEvent,
  {
    type: 'tool-input-available' | 'tool-output-available' | 'tool-output-error' | 'tool-output-denied'
  }
>

const denied = 'The user denied this call.'

/** The calls after one more event. A result whose call was never seen is ignored. */
export function toolsAfter(tools: readonly ShownTool[], event: ToolEvent): readonly ShownTool[] {
  const { toolCallId: id } = event
  if (event.type === 'tool-input-available') {
    const call: ShownTool = { id, name: event.toolName, input: asRecord(event.input), status: 'running' }
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
      return { status: 'failed', error: denied }
  }
}

/** The calls that have ended, as a stored message carries them (CAP-13). */
export function toolsToShow(tools: readonly ShownTool[]): ToolCall[] {
  return tools
    .filter(({ status }) => status !== 'running')
    .map(({ name, input, status, output, error }) => ({
      tool: name,
      action: name,
      parameters: input,
      result: status === 'done' ? { success: true, data: output } : { success: false, error: error ?? '' },
    }))
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
