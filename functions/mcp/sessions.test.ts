import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { type Behaviour, startMcpServer } from '../../test/support/mcp-server.ts'
import { aServerConnection } from '../../test/support/server-connection.ts'
import { outboundHttp } from '../platform/net/outbound-http.ts'
import { serverSessions } from './sessions.ts'
import { readToolResult, unwrapResult } from './tool-result.ts'
import { ReconnectRequired } from '../providers/reconnect-required.ts'

const start = Date.parse('2026-11-20T08:00:00Z')
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
})
afterEach(() => vi.useRealTimers())
const setMsAfterStart = (ms: number) => vi.setSystemTime(start + ms)

const neverAborted = new AbortController().signal
const options = { legacy: undefined, onToolsChanged: () => undefined }

async function startServer(behaviour: Partial<Behaviour> = {}) {
  const sentKeys: unknown[] = []
  const server = await startMcpServer({ tools: [{ name: 'echo' }], ...behaviour })
  const previousOverride = server.behaviour.override
  server.behaviour.override = (request) => {
    if (request.rpc?.method === 'tools/call') sentKeys.push(request.headers['x-key'])
    return previousOverride(request)
  }
  const http = outboundHttp({ allow: [server.host], timeoutMs: 30_000 })
  const sessions = serverSessions(http)
  onTestFinished(async () => {
    await sessions.close()
    await server.close()
    await http.close()
  })
  const connection = aServerConnection(server.url)
  const use = (overrides: Partial<typeof connection> = {}, signal = neverAborted, writes = true) =>
    sessions.use({ ...connection, ...overrides }, { ...options, writes }, signal, async (client) =>
      readToolResult(unwrapResult(await client.callTool({ name: 'echo' }))),
    )
  const countSessions = () => server.receivedMethods.filter((method) => method === 'initialize').length
  return { server, sessions, use, countSessions, sentKeys }
}
const buildAccess = (value: string) => () => Promise.resolve({ version: value, headers: { 'x-key': value } })

it('a session is reused while it is used once a minute, and ends after that', async () => {
  const { use, countSessions } = await startServer()
  await use()
  setMsAfterStart(60_000)
  await use()
  setMsAfterStart(120_000)
  await use()
  expect(countSessions()).toBe(1)
  setMsAfterStart(180_001)
  await use()
  expect(countSessions()).toBe(2)
})

it('a session in use does not end, however long the call takes', async () => {
  const pending = Promise.withResolvers<object>()
  const { server, use, countSessions } = await startServer({ call: () => pending.promise })
  const first = use()
  await vi.waitFor(() => expect(server.calls).toHaveLength(1))
  setMsAfterStart(600_000)
  const second = use()
  await vi.waitFor(() => expect(server.calls).toHaveLength(2))
  pending.resolve({ content: [{ type: 'text', text: 'late' }] })
  for (const call of [first, second])
    expect(await call).toMatchObject({ content: [{ type: 'text', text: 'late' }] })
  expect(countSessions()).toBe(1)
})

it('a renewed key is sent over the open session', async () => {
  const { use, countSessions, sentKeys } = await startServer()
  await use({ access: buildAccess('old') })
  await use({ access: buildAccess('new') })
  expect(sentKeys).toEqual(['old', 'new'])
  expect(countSessions()).toBe(1)
})

it('a session is never shared with another user, connection or address', async () => {
  const { server, use, countSessions } = await startServer()
  await use()
  await use({ sub: 'bob' })
  await use({ integration: { mcpId: 'another', name: 'Odd' } })
  await use({ version: 'two' })
  await use({ url: `${server.url}?team=red` })
  expect(countSessions()).toBe(5)
})

it('a closed session is not used again', async () => {
  const { sessions, use, countSessions } = await startServer()
  await use()
  await sessions.close()
  await use()
  expect(countSessions()).toBe(2)
})

// 410: modelcontextprotocol/typescript-sdk#1402; 422: the Rust SDK
it.each([404, 410, 422])(
  'a write is repeated once for a server that forgets each session and answers %i',
  async (status) => {
    const { server, use, countSessions } = await startServer({
      override: ({ rpc }) => (rpc?.method === 'tools/call' ? { status } : 'usual'),
    })
    await expect(use()).rejects.toThrow('Odd ')
    expect(countSessions()).toBe(2)
    expect(server.receivedMethods.filter((method) => method === 'tools/call')).toHaveLength(2)
  },
)

// anthropics/claude-code#55970, actionhero/keryx#503
it.each([
  [
    400,
    'application/json',
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}',
  ],
  [200, 'text/event-stream', 'event: message\ndata: {"error":"Session not found"}\n\n'],
  // of the Python SDK, whatever comes before the handshake
  [
    200,
    'application/json',
    '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid request parameters","data":""},"id":null}',
  ],
  [
    200,
    'application/json',
    '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Received request before initialization was complete"},"id":null}',
  ],
])(
  'a read goes on with a server that was started again, and answers %i of %s: %s',
  async (status, type, body) => {
    let wasRestarted = false
    const { use, countSessions } = await startServer({
      override: ({ rpc }) => {
        if (rpc?.method === 'initialize') wasRestarted = false
        const answer = { status, headers: { 'content-type': type }, body }
        return wasRestarted && rpc?.method === 'tools/call' ? answer : 'usual'
      },
    })
    await use()
    wasRestarted = true
    expect(await use({}, neverAborted, false)).toMatchObject({ content: [{ text: 'done' }] })
    expect(countSessions()).toBe(2)
  },
)

// sparfenyuk/mcp-proxy#149, zereight/gitlab-mcp#697: what else a server answers on a session that it has forgotten
it.each([400, 409, 429, 500, 503])(
  'a call that fails with %i on an old session is not made again, and the next one has a new session',
  async (status) => {
    let isForgotten = false
    const { server, use, countSessions } = await startServer({
      override: ({ rpc }) => {
        if (rpc?.method === 'initialize') isForgotten = false
        return isForgotten && rpc?.method === 'tools/call' ? { status } : 'usual'
      },
    })
    await use()
    isForgotten = true
    await expect(use()).rejects.toThrow('Odd ')
    expect(server.calls).toHaveLength(1)
    expect(await use()).toMatchObject({ content: [{ text: 'done' }] })
    expect(countSessions()).toBe(2)
  },
)

it('a server that is asked too often, and says for how long, keeps its session: a new one takes more requests', async () => {
  let isBusy = false
  const { server, use, countSessions } = await startServer({
    override: ({ rpc }) =>
      isBusy && rpc?.method === 'tools/call' ? { status: 429, headers: { 'retry-after': '7' } } : 'usual',
  })
  await use()
  isBusy = true
  await expect(use()).rejects.toThrow('Odd ')
  isBusy = false
  expect(await use()).toMatchObject({ content: [{ text: 'done' }] })
  expect(server.calls).toHaveLength(2)
  expect(countSessions()).toBe(1)
})

it.each([
  ['a read waits once for as long as its server asks, and is repeated', false, 429, '0', 2],
  ['a read waits for no server that has to rest longer', false, 503, '21', 1],
  ['a write is not repeated', true, 429, '0', 1],
] as const)('%s', async (_, writes, status, seconds, calls) => {
  const { server, use, countSessions } = await startServer({
    override: ({ rpc }) =>
      rpc?.method === 'tools/call' ? { status, headers: { 'retry-after': seconds } } : 'usual',
  })
  await expect(use({}, neverAborted, writes)).rejects.toThrow('Odd ')
  expect(server.receivedMethods.filter((method) => method === 'tools/call')).toHaveLength(calls)
  expect(countSessions()).toBe(1)
})

it('a failed call ends no session on which others still run', async () => {
  const pending = Promise.withResolvers<object>()
  let isFailing = false
  const { server, use, countSessions } = await startServer({
    call: () => pending.promise,
    override: ({ rpc }) => (isFailing && rpc?.method === 'tools/call' ? { status: 500 } : 'usual'),
  })
  const first = use()
  await vi.waitFor(() => expect(server.calls).toHaveLength(1))
  isFailing = true
  await expect(use()).rejects.toThrow('Odd ')
  isFailing = false
  pending.resolve({ content: [{ type: 'text', text: 'late' }] })
  expect(await first).toMatchObject({ content: [{ text: 'late' }] })
  expect(await use()).toMatchObject({ content: [{ text: 'late' }] })
  expect(countSessions()).toBe(2)
})

it('a server that could not be reached is initialised again by the next call', async () => {
  const { server, use } = await startServer({ override: () => ({ status: 503 }) })
  await expect(use()).rejects.toThrow('Odd has a fault of its own')
  server.behaviour.override = () => 'usual'
  expect(await use()).toMatchObject({ content: [{ text: 'done' }] })
})

it('a key that is refused twice requires a reconnect, with the refusal as the cause', async () => {
  const refusedVersions: (string | undefined)[] = []
  const { use, sentKeys } = await startServer({
    override: ({ rpc }) => (rpc?.method === 'tools/call' ? { status: 401 } : 'usual'),
  })
  const loadAccess = (refused?: string) => {
    refusedVersions.push(refused)
    return buildAccess(refused === undefined ? 'old' : 'new')()
  }
  const error = await use({ access: loadAccess }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ReconnectRequired)
  expect((error as ReconnectRequired).cause).toMatchObject({ status: 401 })
  expect(refusedVersions).toEqual([undefined, 'old'])
  expect(sentKeys).toEqual(['old', 'new'])
})

it('a session that the server has forgotten, and answers with 401, is opened again before a sign-in is asked for', async () => {
  let isForgotten = false
  const refusedVersions: (string | undefined)[] = []
  const { use, countSessions } = await startServer({
    override: ({ rpc }) => {
      if (rpc?.method === 'initialize') isForgotten = false
      return isForgotten && rpc?.method === 'tools/call' ? { status: 401 } : 'usual'
    },
  })
  const access = (refused?: string) => {
    refusedVersions.push(refused)
    return buildAccess('key')()
  }
  await use({ access })
  isForgotten = true
  await use({ access })
  expect(refusedVersions).toEqual([undefined, undefined, undefined])
  expect(countSessions()).toBe(2)
})

it('a stopped call fails with the reason of the stop, whatever the server answers', async () => {
  const stop = new AbortController()
  const reason = new Error('the user stopped it')
  const { use } = await startServer({
    override: ({ rpc }) => {
      if (rpc?.method !== 'tools/call') return 'usual'
      stop.abort(reason)
      return { status: 401 }
    },
  })
  await expect(use({}, stop.signal)).rejects.toBe(reason)
})

it('a forbidden call names the missing permission from the headers of the refusal', async () => {
  const refusal = {
    status: 403,
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="files:write"' },
  }
  const { use } = await startServer({
    override: ({ rpc }) => (rpc?.method === 'tools/call' ? refusal : 'usual'),
  })
  await expect(use()).rejects.toThrow('(files:write)')
})
