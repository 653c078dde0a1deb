import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'

type Connection = Pick<IntegrationTools, 'id' | 'capabilities'>

/** @param tool absent: whether no part of the connection is turned off */
export const isEnabled = (disabled: readonly DisabledTool[], id: string, tool?: string): boolean =>
  !disabled.some(
    (one) => one.mcp_id === id && (tool === undefined || one.tool === undefined || one.tool === tool),
  )

export const countEnabled = (disabled: readonly DisabledTool[], { id, capabilities }: Connection): number =>
  capabilities.filter((tool) => isEnabled(disabled, id, tool.id)).length

/** Turns a connection on or off as a whole. */
export function switchConnection(
  disabled: readonly DisabledTool[],
  id: string,
  isOn: boolean,
): DisabledTool[] {
  const others = disabled.filter(({ mcp_id }) => mcp_id !== id)
  return isOn ? others : [...others, { mcp_id: id }]
}

/** Turns one tool on or off. A connection without any tool left is turned off as a whole. */
export function switchTool(
  disabled: readonly DisabledTool[],
  { id, capabilities }: Connection,
  tool: string,
  isOn: boolean,
): DisabledTool[] {
  const off = capabilities
    .map((one) => one.id)
    .filter((one) => (one === tool ? !isOn : !isEnabled(disabled, id, one)))
  if (off.length === capabilities.length) return switchConnection(disabled, id, false)
  return [...switchConnection(disabled, id, true), ...off.map((one) => ({ mcp_id: id, tool: one }))]
}
