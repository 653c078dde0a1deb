import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Rpc {
  id?: number | string
  method: string
  params?: {
    name?: string
    uri?: string
    capabilities?: object
    cursor?: string
    arguments?: Record<string, unknown>
    protocolVersion?: string
    notifications?: object
  }
}

/** A response that a test sends instead of the regular one; `undefined` for no response. */
type OverrideResponse = { status: number; headers?: Record<string, string>; body?: string } | undefined

interface ToolEntry {
  name: string
  description?: string
  inputSchema?: unknown
  outputSchema?: unknown
  annotations?: object
  _meta?: object
}

/** What a test changes while the server runs. */
export interface Behaviour {
  tools: readonly ToolEntry[]
  /** the next page's cursor, for a list that has one */
  nextCursor?: (cursor: string | undefined) => string | undefined
  call: (name: string, args: Record<string, unknown>) => object | Promise<object>
  /** replaces the response to a request; `'usual'` for the regular one */
  override: (request: {
    method: string
    url: string
    headers: IncomingMessage['headers']
    rpc: Rpc | undefined
    /** of the request, as it was sent */
    body: string
  }) => OverrideResponse | 'usual'
  protocolVersion?: string
  /** gives its clients no session */
  stateless?: boolean
  /** speaks revision 2026-07-28, without a handshake */
  modern?: boolean
  /** its resources: the entries of the list, and what reading one returns */
  resources?: { list: readonly object[]; read: (uri: string) => object }
  /** how long its lists are fresh (SEP-2549) */
  ttlMs?: number
}

/** A small MCP server over streamable HTTP that can be made to misbehave in any way. */
export async function startMcpServer(initial: Partial<Behaviour> = {}) {
  const behaviour: Behaviour = {
    tools: [],
    call: () => ({ content: [{ type: 'text', text: 'done' }] }),
    override: () => 'usual',
    ...initial,
  }
  /** called methods, in order */
  const receivedMethods: string[] = []
  /** capabilities of the clients that connected with a handshake */
  const clientCapabilities: object[] = []
  const calls: { name: string; args: Record<string, unknown> }[] = []
  /** open streams for the server's own messages, with the id of a subscription (2026-07-28) */
  const streams = new Map<ServerResponse, string | undefined>()
  const sendEvent = (stream: ServerResponse, method: string, params: object = {}) => {
    const id = streams.get(stream)
    const meta = id !== undefined && { _meta: { 'io.modelcontextprotocol/subscriptionId': id } }
    const message = { jsonrpc: '2.0', method, params: { ...params, ...meta } }
    stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }
  const openStream = (response: ServerResponse, id?: string) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    streams.set(response, id)
  }

  async function result(rpc: Rpc): Promise<object> {
    const { method, params = {} } = rpc
    if (method === 'initialize') {
      clientCapabilities.push(params.capabilities ?? {})
      return {
        protocolVersion: behaviour.protocolVersion ?? params.protocolVersion ?? '2025-11-25',
        capabilities: { tools: { listChanged: true }, ...(behaviour.resources && { resources: {} }) },
        serverInfo: { name: 'odd', version: '1' },
      }
    }
    if (method === 'server/discover' && behaviour.modern)
      return {
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'odd', version: '1' },
      }
    if (method === 'tools/list') {
      const nextCursor = behaviour.nextCursor?.(params.cursor)
      return {
        tools: behaviour.tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })),
        ...(nextCursor !== undefined && { nextCursor }),
        ...(behaviour.modern && { resultType: 'complete', cacheScope: 'private', ttlMs: 0 }),
        ...(behaviour.ttlMs !== undefined && { ttlMs: behaviour.ttlMs }),
      }
    }
    if (method === 'resources/list' && behaviour.resources) return { resources: behaviour.resources.list }
    if (method === 'resources/read' && behaviour.resources) return behaviour.resources.read(params.uri ?? '')
    const { name = '', arguments: args = {} } = params
    if (method === 'tools/call' && behaviour.tools.some((tool) => tool.name === name)) {
      calls.push({ name, args })
      return behaviour.call(name, args)
    }
    throw new Error(method === 'tools/call' ? `Unknown tool: ${name}` : 'Method not found')
  }

  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const rpc = body === '' ? undefined : (JSON.parse(body) as Rpc)
      receivedMethods.push(rpc?.method ?? request.method ?? '')
      const override = behaviour.override({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        rpc,
        body,
      })
      if (override === undefined) return
      if (override !== 'usual')
        return void response.writeHead(override.status, override.headers).end(override.body)
      if (request.method === 'GET') {
        openStream(response)
        return
      }
      if (request.method !== 'POST' || rpc?.id === undefined) return void response.writeHead(202).end()
      if (rpc.method === 'subscriptions/listen' && behaviour.modern) {
        openStream(response, String(rpc.id))
        const { notifications } = rpc.params ?? {}
        sendEvent(response, 'notifications/subscriptions/acknowledged', { notifications })
        return
      }
      const answer = await result(rpc).then(
        (value) => ({ result: value }),
        (error: unknown) => ({
          error: { code: rpc.method === 'tools/call' ? -32602 : -32601, message: (error as Error).message },
        }),
      )
      const isStart = rpc.method === 'initialize' && !behaviour.stateless
      response
        .writeHead(200, {
          'content-type': 'application/json',
          ...(isStart && { 'mcp-session-id': randomUUID() }),
        })
        .end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, ...answer }))
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    behaviour,
    receivedMethods,
    calls,
    clientCapabilities,
    host,
    url: `http://${host}/mcp`,
    /** whether a client listens for the server's own messages */
    hasListeners: () => streams.size > 0,
    notifyToolsChanged() {
      for (const stream of streams.keys()) sendEvent(stream, 'notifications/tools/list_changed')
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type TestMcpServer = Awaited<ReturnType<typeof startMcpServer>>
