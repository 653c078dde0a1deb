import type { ToolCall } from '#shared/contracts/chat.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import { isOwnTool, type CalledTool } from './own-tools.ts'

/** What a reply has changed in the user's memories. */
export interface MemoryChange {
  kind: 'remembered' | 'forgotten'
  /** id of the memory; undefined if the same text was already remembered, so that nothing has changed */
  id: string | undefined
  text: string
}

/** Whether a call is one of the product's own tools that change memories. */
export const isMemoryTool = (call: CalledTool): boolean => isOwnTool(call, ['remember', 'forget'])

/** As `isMemoryTool`, for a call of a streaming reply. */
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
