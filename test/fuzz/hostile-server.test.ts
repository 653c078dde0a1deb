import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '../../functions/platform/errors.ts'
import { logger } from '../../functions/platform/telemetry/logger.ts'
import { outboundHttp } from '../../functions/platform/net/outbound-http.ts'
import { probeServer } from '../../functions/mcp/probe.ts'
import { McpNotConnected } from '../../functions/mcp/connection.ts'
import { anyJson, arbitraryText, fc, divideRuns, mutatedJson, stringify } from '../support/fuzz.ts'
import { type TestMcpServer, startMcpServer } from '../support/mcp-server.ts'
import { aServerConnection, openMcpServers } from '../support/server-connection.ts'
import { openTestTable } from '../support/table.ts'
import { ProviderError } from '../../functions/providers/provider-error.ts'
import { ReconnectRequired } from '../../functions/providers/reconnect-required.ts'

let server: TestMcpServer
let table: Awaited<ReturnType<typeof openTestTable>>
let http: ReturnType<typeof outboundHttp>
beforeAll(async () => {
  ;[server, table] = await Promise.all([startMcpServer(), openTestTable()])
  http = outboundHttp({ allow: [server.host], timeoutMs: 2_000 })
})
afterAll(async () => {
  await http.close()
  await Promise.all([server.close(), table.close()])
})

// a server's protocol errors are logged, one line each
beforeEach(() => void vi.spyOn(logger, 'warn').mockReturnValue())

const frame = (result: unknown) => ({ jsonrpc: '2.0', id: 0, result })
const initializeFrame = frame({
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'odd', version: '1' },
})
const toolsFrame = frame({
  tools: [
    {
      name: 'echo',
      description: 'Says it',
      inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
    },
  ],
  nextCursor: 'x',
})
const callFrame = frame({
  content: [{ type: 'text', text: 'done' }],
  structuredContent: { a: 1 },
  isError: false,
})
const errorFrame = { jsonrpc: '2.0', id: 0, error: { code: -32_602, message: 'Unknown tool' } }

const oddValue = fc.oneof(
  anyJson(),
  arbitraryText(40),
  fc.constantFrom('2.0', '1.0', -32_601, 'x'.repeat(100_000), [], { tools: {} }),
)
const arbitraryLike = (validFrame: object) =>
  fc.oneof(
    { arbitrary: fc.constant<unknown>(validFrame), weight: 2 },
    { arbitrary: mutatedJson(validFrame, oddValue), weight: 5 },
    { arbitrary: oddValue, weight: 1 },
  )
const responseHead = fc.record({
  status: fc.constantFrom(200, 200, 200, 200, 200, 202, 204, 400, 404, 500, 700),
  type: fc.constantFrom('application/json', 'application/json', 'text/event-stream', 'text/html', ''),
})

/** A response with the frame as JSON or as an event; a frame without an id of its own gets the request's. */
function buildResponse(value: unknown, id: unknown, { status, type }: { status: number; type: string }) {
  const withRequestId =
    typeof value === 'object' && value !== null && 'id' in value && value.id === 0 ? { ...value, id } : value
  const text = stringify(withRequestId)
  return {
    status,
    headers: { 'content-type': type },
    body: type === 'text/event-stream' ? `event: message\ndata: ${text}\n\n` : text,
  }
}

/** Errors that may be thrown: those with a message for the model or the user. */
const isProductError = (error: unknown) =>
  error instanceof ProviderError ||
  error instanceof ReconnectRequired ||
  error instanceof AppError ||
  error instanceof McpNotConnected

it('any response of a server gives tools, a result, or an error message, in time', async () => {
  const script = fc.record({
    initialize: arbitraryLike(initializeFrame),
    tools: arbitraryLike(toolsFrame),
    call: fc.oneof(arbitraryLike(callFrame), arbitraryLike(errorFrame)),
    heads: fc.array(responseHead, { minLength: 3, maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(script, async ({ initialize, tools, call, heads }) => {
      const [initializeHead, listHead, callHead] = heads
      if (!initializeHead || !listHead || !callHead) return
      server.behaviour.override = ({ method, rpc }) => {
        if (method !== 'POST') return { status: 405 }
        if (rpc?.id === undefined) return { status: 202 }
        if (rpc.method === 'initialize')
          return buildResponse(initialize, rpc.id, { ...initializeHead, status: 200 })
        if (rpc.method === 'tools/list') return buildResponse(tools, rpc.id, listHead)
        return rpc.method === 'tools/call' ? buildResponse(call, rpc.id, callHead) : { status: 400 }
      }
      const connection = aServerConnection(server.url)
      const servers = openMcpServers(http, table)
      try {
        const toolList = await servers.listTools(connection)
        for (const tool of toolList.tools) {
          expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
          stringify(tool.parameters.schema)
          JSON.stringify(await tool.run({ a: 'x' }, AbortSignal.timeout(3_000)))
        }
      } catch (error) {
        const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
        if (!isProductError(error) && !isTimeout) throw error
      } finally {
        await servers.close()
      }
      await probeServer(http, server.url, {}).catch((error: unknown) => {
        if (!isProductError(error)) throw error
      })
    }),
    divideRuns(4),
  )
})
