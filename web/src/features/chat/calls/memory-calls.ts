import type { ToolCall } from '#shared/contracts/chat.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'

/** A change of the user's memories by a reply. */
export interface MemoryChange {
  kind: 'remembered' | 'forgotten'
  /** undefined when the text was remembered before */
  id: string | undefined
  text: string
}

/** Whether a call is of one of the product's own tools that change memories; tools of servers have an integration. */
export const isMemoryTool = ({
  tool,
  integration,
}: {
  tool: string
  integration?: string | null | undefined
}): boolean => (integration ?? undefined) === undefined && (tool === 'remember' || tool === 'forget')

/** The same for a call of a streaming reply. */
export const isLiveMemoryTool = ({ name, activity }: ReplyCall): boolean =>
  isMemoryTool({ tool: name, integration: activity?.integration })

/** The change that a call made. @returns undefined for other calls, and for one that failed or was denied */
export function parseMemoryChange(call: ToolCall): MemoryChange | undefined {
  const { tool, result } = call
  const data = result.data
  if (!isMemoryTool(call) || !result.success || typeof data !== 'object' || data === null) return undefined
  const { id, text } = data as Record<string, unknown>
  if (typeof text !== 'string') return undefined
  return {
    kind: tool === 'remember' ? 'remembered' : 'forgotten',
    id: typeof id === 'string' ? id : undefined,
    text,
  }
}
