import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'

type ConnectionTools = Pick<IntegrationTools, 'id' | 'capabilities'>

/** Whether a tool is on: neither it nor its whole connection is turned off. */
export const isEnabled = (disabledTools: readonly DisabledTool[], id: string, tool: string): boolean =>
  !disabledTools.some((entry) => entry.mcp_id === id && (entry.tool === undefined || entry.tool === tool))

/** The number of tools of a connection that are on. */
export const countEnabled = (
  disabledTools: readonly DisabledTool[],
  { id, capabilities }: ConnectionTools,
): number => capabilities.filter((tool) => isEnabled(disabledTools, id, tool.id)).length

/** Turns a connection on or off as a whole. */
export function switchConnection(
  disabledTools: readonly DisabledTool[],
  id: string,
  { isOn }: { isOn: boolean },
): DisabledTool[] {
  const otherTools = disabledTools.filter(({ mcp_id }) => mcp_id !== id)
  return isOn ? otherTools : [...otherTools, { mcp_id: id }]
}

/**
 * Turns one tool on or off. A connection without any tool left is turned off as a whole. A tool that was turned off and that the server does
 * not list now stays off, so that it is off when the server lists it again.
 */
export function switchTool(
  disabledTools: readonly DisabledTool[],
  { id, capabilities }: ConnectionTools,
  tool: string,
  { isOn }: { isOn: boolean },
): DisabledTool[] {
  const disabledIds = capabilities
    .map((capability) => capability.id)
    .filter((toolId) => (toolId === tool ? !isOn : !isEnabled(disabledTools, id, toolId)))
  if (disabledIds.length === capabilities.length) return switchConnection(disabledTools, id, { isOn: false })
  const isUnlisted = ({ mcp_id, tool: disabledId }: DisabledTool) =>
    mcp_id === id &&
    disabledId !== undefined &&
    !capabilities.some((capability) => capability.id === disabledId)
  return [
    ...switchConnection(disabledTools, id, { isOn: true }),
    ...disabledTools.filter(isUnlisted),
    ...disabledIds.map((toolId) => ({ mcp_id: id, tool: toolId })),
  ]
}
