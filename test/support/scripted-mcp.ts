import type { ReceivedRequest, RecordingServer, ScriptedResponse } from './recording-server.ts'

interface ToolEntry {
  name: string
  description?: string
  inputSchema?: object
  annotations?: object
}

/** A tool that its server declares read-only and closed-world. */
export const readingTool: ToolEntry = {
  name: 'search',
  description: 'Finds notes',
  annotations: { readOnlyHint: true, openWorldHint: false },
}

/** Makes a recording server respond as an MCP server (streamable HTTP) at a path, to the requests that it accepts. */
export function scriptMcpServer(
  server: RecordingServer,
  path: string,
  {
    tools = [],
    name = 'Notes',
    admits = () => true,
    challenge = 'Bearer',
  }: {
    tools?: readonly ToolEntry[]
    /** its name for itself */
    name?: string
    admits?: (headers: ReceivedRequest['headers']) => boolean
    challenge?: string
  } = {},
): void {
  server.script(`POST ${path}`, ({ headers, body }): ScriptedResponse => {
    if (!admits(headers)) return { status: 401, headers: { 'www-authenticate': challenge }, body: {} }
    const {
      id,
      method,
      params = {},
    } = JSON.parse(body) as {
      id?: number
      method: string
      params?: { protocolVersion?: string }
    }
    if (id === undefined) return { status: 202 }
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: params.protocolVersion ?? '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name, version: '1' },
      },
      'tools/list': { tools: tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })) },
      'tools/call': { content: [{ type: 'text', text: `${name} found it` }] },
    }
    const result = results[method]
    return {
      body: { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'None' } }) },
    }
  })
}
