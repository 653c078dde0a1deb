import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mcpRegistry, getStatus } from './mcp-registry.ts'

let server: Server
let url: string
let requests: IncomingMessage[]
let respond: (response: ServerResponse) => void
beforeEach(async () => {
  requests = []
  server = createServer((request, response) => {
    requests.push(request)
    respond(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

const official = 'io.modelcontextprotocol.registry/official'
const readPage = (cursor?: string, since?: string) =>
  mcpRegistry({ apiUrl: `${url}/root` }).page({ cursor, since })
const respondWith = (body: unknown) => {
  respond = (response) => void response.end(JSON.stringify(body))
}

it('requests the newest versions, a hundred at a time', async () => {
  respondWith({ servers: [] })
  expect(await readPage()).toEqual({ servers: [], unreadable: 0, nextCursor: undefined })
  await readPage('a&b', '2026-11-01T00:00:00Z')
  expect(requests.map(({ url }) => url)).toEqual([
    '/root/v0.1/servers?limit=100&version=latest',
    '/root/v0.1/servers?limit=100&version=latest&cursor=a%26b&updated_since=2026-11-01T00%3A00%3A00Z',
  ])
  expect(requests[0]?.headers).toMatchObject({ accept: 'application/json', 'user-agent': 'juno-assistant' })
})

it('keeps the usable parts of an entry, and counts entries without any', async () => {
  const headers = [{ name: 'X-Key', isSecret: true }]
  const remote = { type: 'sse', url: 'https://mcp.example.com/' }
  const buildEntry = (server: object, meta: object = { status: 'active' }) => ({
    server,
    _meta: { [official]: meta },
  })
  respondWith({
    servers: [
      buildEntry({ name: 'a/full', description: 'x', title: 't', remotes: [{ ...remote, headers }] }),
      buildEntry({ name: 'a/bare' }, { status: 'active', updatedAt: '2026-01-01', isLatest: false }),
      buildEntry({
        name: 'a/odd',
        title: 1,
        websiteUrl: 2,
        repository: 'x',
        remotes: [{ ...remote, headers: 3 }],
      }),
      buildEntry({ name: 'a/none', remotes: 'x' }),
      { server: { name: 'a/without-status' } },
      buildEntry({}),
      'nonsense',
    ],
    metadata: { nextCursor: 'two' },
  })
  const { servers, unreadable, nextCursor } = await readPage()
  expect([unreadable, nextCursor]).toEqual([3, 'two'])
  expect(servers.map(({ server }) => server)).toEqual([
    { name: 'a/full', description: 'x', title: 't', remotes: [{ ...remote, headers }] },
    { name: 'a/bare', description: '', remotes: [] },
    { name: 'a/odd', description: '', remotes: [remote] },
    { name: 'a/none', description: '', remotes: [] },
  ])
  expect(servers.slice(0, 2).map(getStatus)).toEqual([
    { status: 'active', isLatest: true },
    { status: 'active', updatedAt: '2026-01-01', isLatest: false },
  ])
})

it.each([{ nextCursor: '' }, { nextCursor: null }, {}])('%j is the last page', async (metadata) => {
  respondWith({ servers: [], metadata })
  expect((await readPage()).nextCursor).toBeUndefined()
})

it.each([
  ['MCP Registry error: 404', (response: ServerResponse) => void response.writeHead(404).end('{}')],
  ['MCP Registry error: 500', (response: ServerResponse) => void response.writeHead(500).end()],
  ['MCP Registry error: no usable answer', (response: ServerResponse) => void response.destroy()],
  ['MCP Registry error: no usable answer', (response: ServerResponse) => void response.end('<html>')],
  ['MCP Registry error: no usable answer', (response: ServerResponse) => void response.end('{"servers":1}')],
  [
    'MCP Registry error: no usable answer',
    (response: ServerResponse) => void response.end(`{"servers":[]${' '.repeat(16 * 1024 * 1024)}}`),
  ],
])('fails with "%s"', async (message, misbehave) => {
  respond = misbehave
  await expect(readPage()).rejects.toMatchObject({ name: 'McpRegistryFailed', message })
})
