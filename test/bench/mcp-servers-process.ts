import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../infra/local/listen.ts'
import { serveParent } from './child.ts'

// MCP servers for measurements in a separate process: one per path, each with its tools, each response after the same delay.

const [, , delayMs = '0', toolsEach = '20'] = process.argv

const tools = Array.from({ length: Number(toolsEach) }, (_, at) => ({
  name: `read_records_${at}`,
  description: `Reads the records of kind ${at}, newest first, with their owner, their state and the time of their last change.`,
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'words that the records have to hold' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'how many at most' },
      state: { type: 'string', enum: ['open', 'closed', 'all'] },
    },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
}))

const results: Record<string, (asked: { protocolVersion?: string }) => object> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'A record, open, changed today.' }] }),
}

const server = createServer((request, response) => {
  void (async () => {
    const body = await text(request)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const {
      id,
      method,
      params = {},
    } = JSON.parse(body) as {
      id?: number
      method: string
      params?: { protocolVersion?: string }
    }
    if (Number(delayMs) > 0) await sleep(Number(delayMs))
    if (id === undefined) return void response.writeHead(202).end()
    const result = results[method]?.(params)
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }),
      }),
    )
  })()
})
serveParent(new URL((await listen(server)).url).host, {})
