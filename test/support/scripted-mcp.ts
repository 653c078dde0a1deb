import type { ReceivedRequest, RecordingServer, ScriptedAnswer } from './recording-server.ts'

interface ToolEntry {
  name: string
  description?: string
  inputSchema?: object
  annotations?: object
}

/** A tool of which a server says that it only reads, and only there. */
export const readingTool: ToolEntry = {
  name: 'search',
  description: 'Finds notes',
  annotations: { readOnlyHint: true, openWorldHint: false },
}

/** Lets a recording server answer as an MCP server (streamable HTTP) at a path, to requests that it admits. */
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
    /** that it calls itself */
    name?: string
    admits?: (headers: ReceivedRequest['headers']) => boolean
    challenge?: string
  } = {},
): void {
  server.script(`POST ${path}`, ({ headers, body }): ScriptedAnswer => {
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
    }
    const result = results[method]
    return {
      body: { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'None' } }) },
    }
  })
}
