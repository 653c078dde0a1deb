import type { ConnectedApi } from '../../providers/api.ts'
import { listCapabilities } from '../../providers/capabilities.ts'
import { zodParameters } from '../calls/tool.ts'
import type { ListedTool, ToolServer } from './server.ts'

/** Some providers are slow to read. Whether a write that takes longer was done is unknown. */
const callMs = 30_000

const listings = new Map<string, readonly ListedTool[]>()

/** The tools of a built-in integration, built once; none for any other id. */
export function listBuiltInTools(id: string): readonly ListedTool[] {
  const known = listings.get(id)
  if (known) return known
  const tools = listCapabilities(id).map(
    ({ id: name, name: title, description, parameters, writes, activity, examples }): ListedTool => ({
      name,
      id: name,
      title,
      description,
      parameters: zodParameters(parameters),
      writes,
      activity,
      examples,
    }),
  )
  if (tools.length > 0) listings.set(id, tools)
  return tools
}

/** Calls a tool of a built-in integration. @throws as `Tool.run` */
export const callBuiltInTool = async (
  id: string,
  tool: string,
  api: ConnectedApi,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> =>
  listCapabilities(id)
    .find((one) => one.id === tool)
    ?.run(api, input, signal)

/** A built-in integration: its tools are code of the product, over the API of its provider. */
export const builtInServer = (id: string, api: ConnectedApi): ToolServer => ({
  timeoutMs: callMs,
  listTools: async () => ({ tools: listBuiltInTools(id), leftOut: [] }),
  callTool: ({ name }, input, { signal }) => callBuiltInTool(id, name, api, input, signal),
})
