import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestMcpServer, startMcpServer } from '../../test/support/mcp-server.ts'
import { outboundHttp } from '../platform/net/outbound-http.ts'
import { closeMcp, connectMcp, McpNotConnected, raceSignal } from './connection.ts'
import { findLostSession, getHttpStatus } from './connection-errors.ts'

let server: TestMcpServer
let http: ReturnType<typeof outboundHttp>
beforeEach(async () => {
  server = await startMcpServer({ tools: [{ name: 'search' }] })
  http = outboundHttp({ allow: [server.host] })
})
afterEach(() => Promise.all([server.close(), http.close()]))

const connect = (more: Partial<Parameters<typeof connectMcp>[1]> = {}, timeoutMs = 30_000) =>
  connectMcp(http, { url: server.url, headers: () => ({}), ...more }, { probeMs: timeoutMs, timeoutMs })
const catchRefusal = async (promise: Promise<unknown>): Promise<McpNotConnected> => {
  const error = await promise.catch((caught: unknown) => caught)
  if (!(error instanceof McpNotConnected)) throw new Error('it was connected', { cause: error })
  return error
}

describe('a connection to an MCP server', () => {
  it('identifies the product, and sends the current headers with each request', async () => {
    vi.stubEnv('PRODUCT_VERSION', '1.2.3')
    const authorizations: (string | undefined)[] = []
    let initializeParams: unknown
    server.behaviour.override = ({ headers, rpc }) => {
      if (rpc?.method === 'initialize') initializeParams = rpc.params
      if (rpc) authorizations.push(headers.authorization)
      return 'usual'
    }
    let token = 'one'
    const connection = await connect({
      headers: () => ({ authorization: `Bearer ${token}`, accept: 'mine' }),
    })
    token = 'two'
    await connection.client.listTools()
    // before 2026-07-28 a server cannot ask the user during a call
    expect(initializeParams).toMatchObject({
      clientInfo: { name: 'juno-assistant', version: '1.2.3' },
      capabilities: {},
    })
    expect(initializeParams).not.toHaveProperty('capabilities.elicitation')
    expect([authorizations[0], authorizations.at(-1)]).toEqual(['Bearer one', 'Bearer two'])
    expect(connection).toMatchObject({ legacy: true, observed: {} })
    await closeMcp(connection)
  })

  it('the transport’s own headers replace those that a user entered', async () => {
    const acceptHeaders: (string | undefined)[] = []
    server.behaviour.override = ({ method, headers }) => {
      if (method === 'POST') acceptHeaders.push(headers.accept)
      return 'usual'
    }
    await closeMcp(await connect({ headers: () => ({ Accept: 'mine' }) }))
    expect(acceptHeaders.length).toBeGreaterThan(0)
    for (const value of acceptHeaders) expect(value).toContain('application/json')
  })

  it('sends an older server no probe when it is known to be one', async () => {
    await closeMcp(await connect())
    const firstMethods = server.receivedMethods.splice(0)
    await closeMcp(await connect({ legacy: true }))
    expect(server.receivedMethods[0]).toBe('initialize')
    expect(firstMethods[0]).not.toBe('initialize')
  })

  it('falls back to the older protocol when the server fails on an unknown method', async () => {
    server.behaviour.override = ({ rpc }) =>
      rpc && !['initialize', 'notifications/initialized'].includes(rpc.method) ? { status: 500 } : 'usual'
    expect(await connect()).toMatchObject({ legacy: true })
    server.behaviour.override = ({ rpc }) => (rpc?.method === 'initialize' ? { status: 500 } : 'usual')
    server.receivedMethods.length = 0
    await catchRefusal(connect({ legacy: true }))
    expect(server.receivedMethods.filter((method) => method === 'initialize')).toHaveLength(1)
  })

  it.each([400, 404, 405])('opens a stream when the server answers %i to a POST', async (status) => {
    server.behaviour.override = ({ method }) => (method === 'POST' ? { status } : { status: 418 })
    await catchRefusal(connect())
    expect(server.receivedMethods.at(-1)).toBe('GET')
  })

  it.each([402, 406])('opens no stream when the server answers %i', async (status) => {
    server.behaviour.override = () => ({ status })
    await catchRefusal(connect())
    expect(server.receivedMethods).not.toContain('GET')
  })

  it.each([401, 403])(
    'returns what a server that answers %i requires, and sends no second request',
    async (status) => {
      const challenge =
        'Bearer resource_metadata="https://mcp.example/about", scope="read write", error="insufficient_scope"'
      server.behaviour.override = () => ({ status, headers: { 'www-authenticate': challenge } })
      const { observed, message } = await catchRefusal(connect())
      expect(observed.challenge).toEqual({
        resourceMetadataUrl: new URL('https://mcp.example/about'),
        scope: 'read write',
      })
      expect(message).toBe('the connection to the MCP server failed')
      expect(observed.errorHeaders?.get('www-authenticate')).toBe(challenge)
      expect(server.receivedMethods).toHaveLength(1)
      server.behaviour.override = () => ({ status })
      expect((await catchRefusal(connect())).observed.challenge).toEqual({})
    },
  )

  it.each([401, 403])(
    'connects by the older handshake if the newest is answered %i without a word',
    async (status) => {
      server.behaviour.override = ({ rpc }) => (rpc?.method === 'server/discover' ? { status } : 'usual')
      const { observed, legacy } = await connect()
      expect(legacy).toBe(true)
      expect(observed).not.toHaveProperty('challenge')
    },
  )

  it('returns the headers of a refusal, and none of a success', async () => {
    server.behaviour.override = () => ({ status: 429, headers: { 'retry-after': '7' } })
    const { observed } = await catchRefusal(connect())
    expect(observed.errorHeaders?.get('retry-after')).toBe('7')
    expect(observed).not.toHaveProperty('challenge')
    server.behaviour.override = () => 'usual'
    expect((await connect()).observed).toEqual({})
  })

  it('fails for a forbidden address, and for a redirect to one', async () => {
    await expect(connect({ url: 'https://10.0.0.1/mcp' })).rejects.toMatchObject({
      code: 'address_forbidden',
    })
    server.behaviour.override = () => ({ status: 307, headers: { location: 'https://10.0.0.1/' } })
    expect((await catchRefusal(connect())).observed.failure).toMatchObject({ code: 'outbound_failed' })
  })

  it.each<[string, TestMcpServer['behaviour']['override']]>([
    ['says nothing', () => undefined],
    [
      'opens a stream that never begins',
      ({ method }) =>
        method === 'POST'
          ? { status: 405 }
          : { status: 200, headers: { 'content-type': 'text/event-stream' }, body: ': nothing\n\n' },
    ],
  ])('gives up a server that %s', async (_, override) => {
    server.behaviour.override = override
    expect(await catchRefusal(connect({}, 300))).toHaveProperty(
      'message',
      'the connection to the MCP server failed',
    )
  })

  it.each([false, true])('tells listeners that the tools have changed (modern: %s)', async (modern) => {
    server.behaviour.modern = modern
    let changes = 0
    const connection = await connect({ onToolsChanged: () => (changes += 1) })
    await expect.poll(() => server.hasListeners()).toBe(true)
    server.notifyToolsChanged()
    await expect.poll(() => changes).toBe(1)
    expect(server.receivedMethods).not.toContain('tools/list')
    await closeMcp(connection)
  })

  it('is ready before the server accepts its subscription, which it may never do', async () => {
    server.behaviour.modern = true
    let isAsked = false
    server.behaviour.override = ({ rpc }) => {
      if (rpc?.method !== 'subscriptions/listen') return 'usual'
      isAsked = true
      return undefined
    }
    const connection = await connect({ onToolsChanged: () => undefined })
    expect((await connection.client.listTools()).tools).toMatchObject([{ name: 'search' }])
    await expect.poll(() => isAsked).toBe(true)
    await closeMcp(connection)
  })

  it('ends its session at the server when it closes, and does not wait for a silent server', async () => {
    server.behaviour.override = ({ rpc }) =>
      rpc?.method === 'initialize'
        ? {
            status: 200,
            headers: { 'content-type': 'application/json', 'mcp-session-id': 'session-1' },
            body: JSON.stringify({
              jsonrpc: '2.0',
              id: rpc.id,
              result: {
                protocolVersion: '2025-06-18',
                capabilities: { tools: {} },
                serverInfo: { name: 'odd', version: '1' },
              },
            }),
          }
        : 'usual'
    const connection = await connect({ legacy: true })
    // a busy machine can take longer than the second that closing may take
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
    await closeMcp(connection)
    limit.mockRestore()
    expect(server.receivedMethods).toContain('DELETE')
    expect(connection.client.transport).toBeUndefined()
    const silentConnection = await connect({ legacy: true })
    server.behaviour.override = () => undefined
    const startedAtMs = Date.now()
    await closeMcp(silentConnection)
    // the SDK waits for a minute
    expect(Date.now() - startedAtMs).toBeLessThan(30_000)
  })
})

describe('what an error of the client means', () => {
  const http404 = new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status: 404 })
  it('is its status, however deeply it is nested', () => {
    expect(getHttpStatus(http404)).toBe(404)
    expect(getHttpStatus(new Error('outer', { cause: new Error('inner', { cause: http404 }) }))).toBe(404)
    expect(getHttpStatus(new InsufficientScopeError({ requiredScope: 'read' }))).toBe(403)
    expect(getHttpStatus(new Error('none'))).toBeUndefined()
    expect(getHttpStatus('none')).toBeUndefined()
  })

  it('may be that the session is lost', () => {
    const buildHttpError = (status: number, text: string) =>
      new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `Error POSTing to endpoint: ${text}`, {
        status,
      })
    const refused = { wasRefused: true }
    expect(findLostSession(http404, true)).toEqual(refused)
    expect(findLostSession(new SdkError(SdkErrorCode.NotConnected, 'x'), true)).toEqual(refused)
    expect(findLostSession(buildHttpError(400, 'No valid session ID provided'), true)).toEqual(refused)
    expect(findLostSession(buildHttpError(410, 'Session expired'), true)).toEqual(refused)
    // anthropics/claude-code#55970
    expect(findLostSession(buildHttpError(400, 'Server not initialized'), true)).toEqual(refused)
    // without a session, the answer is about something else
    expect(findLostSession(http404, false)).toEqual({ wasRefused: false })
    // the error may be the tool's own
    expect(findLostSession(new ProtocolError(-32_000, 'Session not found'), true)).toEqual({
      wasRefused: false,
    })
    for (const error of [
      new SdkError(SdkErrorCode.RequestTimeout, 'x'),
      new Error('session'),
      buildHttpError(400, 'No such city'),
      buildHttpError(400, 'The variable was not initialized'),
      buildHttpError(401, 'Session expired'),
      buildHttpError(429, 'Too many sessions'),
      buildHttpError(500, 'Session store is down'),
      new ProtocolError(-32_602, 'No such city'),
    ])
      expect(findLostSession(error, true)).toBeUndefined()
  })
})

describe('waiting for a promise until a signal aborts', () => {
  it('settles with whichever comes first', async () => {
    const { signal } = new AbortController()
    expect(await raceSignal(Promise.resolve('done'), signal)).toBe('done')
    await expect(raceSignal(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed')
    const ending = new AbortController()
    const waiting = raceSignal(new Promise<never>(() => undefined), ending.signal)
    ending.abort(new Error('too late'))
    await expect(waiting).rejects.toThrow('too late')
    await expect(raceSignal(Promise.resolve('done'), ending.signal)).rejects.toThrow('too late')
  })
})
