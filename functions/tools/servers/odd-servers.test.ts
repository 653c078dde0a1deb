import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startMcpServer, type Behaviour } from '../../../test/support/mcp-server.ts'
import { aServerConnection, openMcpServers } from '../../../test/support/server-connection.ts'
import { openTestTable } from '../../../test/support/table.ts'
import { mayBeDone } from '../../providers/may-be-done.ts'
import { outboundHttp } from '../../platform/net/outbound-http.ts'
import { closeMcp, connectMcp } from '../../mcp/connection.ts'
import { probeServer } from '../../mcp/probe.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

type Override = Behaviour['override']
type Answer = Exclude<ReturnType<Override>, 'usual'>

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const plain = (body: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
})
const page: Answer = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Hi' }
const events = (body: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body,
})
const answerTo =
  (method: string, answer: (id: number | string | undefined) => Answer): Override =>
  ({ rpc }) =>
    rpc?.method === method ? answer(rpc.id) : 'usual'

/** @param behaviour of a server with one tool */
async function start(behaviour: Partial<Behaviour>) {
  const server = await startMcpServer({ tools: [{ name: 'create' }], ...behaviour })
  const http = outboundHttp({ allow: [server.host], timeoutMs: 30_000 })
  const servers = openMcpServers(http, table)
  onTestFinished(async () => {
    await servers.close()
    await server.close()
    await http.close()
  })
  const connection = aServerConnection(server.url)
  const run = async (input: Record<string, unknown> = {}, { reads = false } = {}) => {
    const { tools } = await servers.listTools(connection)
    const readOnlyTools = new Set(tools.flatMap(({ definitionFingerprint }) => definitionFingerprint ?? []))
    const current = reads ? (await servers.listTools({ ...connection, readOnlyTools })).tools : tools
    return current[0]?.run(input, AbortSignal.timeout(60_000))
  }
  return { server, http, run, servers, connection, probe: () => probeServer(http, server.url, {}) }
}

describe('an older server whose answer to the probe of a newer revision is', () => {
  /** JSON-RPC 2.0 section 5 wants an error with the request's id; these are answers of servers in use. */
  const answers: [string, (id: number | string | undefined) => Answer][] = [
    ['an error without the id', () => json({ jsonrpc: '2.0', error: { code: -32_601, message: 'No' } })],
    [
      'an error with a null id',
      () => json({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'No' } }),
    ],
    ['202', () => ({ status: 202 })],
    ['204', () => ({ status: 204 })],
    ['a text', () => plain('unknown method')],
    ['a web page', () => page],
    ['an empty body', () => json('')],
    ['a null result', (id) => json({ jsonrpc: '2.0', id, result: null })],
    ['an empty result', (id) => json({ jsonrpc: '2.0', id, result: {} })],
    ['a result of another kind', (id) => json({ jsonrpc: '2.0', id, result: 'what?' })],
    ['an empty stream', () => events('')],
    ['429', () => ({ status: 429 })],
    ['500', () => ({ status: 500 })],
    ['501 with a page', () => ({ ...page, status: 501 })],
  ]
  it.each(answers)('%s is connected', async (_, answer) => {
    const { probe } = await start({ override: answerTo('server/discover', answer) })
    expect(await probe()).toMatchObject({ server: 'odd', tools: [{ name: 'create' }] })
  })

  it('silence is connected, because the probe has its own time', async () => {
    const { server, http } = await start({ override: answerTo('server/discover', () => undefined) })
    const times = { probeMs: 50, timeoutMs: 30_000 }
    const connection = await connectMcp(http, { url: server.url, headers: () => ({}) }, times)
    expect(connection.legacy).toBe(true)
    await closeMcp(connection)
  })
})

describe('a server that refuses a newer version of the protocol', () => {
  /** It should offer its own: https://modelcontextprotocol.io/specification/2025-06-18/basic/lifecycle#version-negotiation */
  const message = 'Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26)'
  const refusals: [string, (id: number | string | undefined) => Answer, string[]][] = [
    ['with 400 and a text', () => plain(message, 400), ['2025-11-25', '2025-06-18']],
    [
      'with 400 and an error',
      (id) =>
        json(
          {
            jsonrpc: '2.0',
            id,
            error: { code: -32_602, message: 'No', data: { supported: ['2025-06-18'] } },
          },
          400,
        ),
      ['2025-11-25', '2025-06-18'],
    ],
    [
      'with an error',
      (id) =>
        json({ jsonrpc: '2.0', id, error: { code: -32_602, message, data: { supported: ['2025-03-26'] } } }),
      ['2025-11-25', '2025-06-18'],
    ],
    ['without a reason', () => ({ status: 400 }), ['2025-11-25', '2025-06-18']],
  ]
  it.each(refusals)('%s is connected in an older one', async (_, refuse, versions) => {
    const offered: (string | undefined)[] = []
    const { probe } = await start({
      override: ({ rpc }) => {
        if (rpc?.method !== 'initialize') return 'usual'
        const version = rpc.params?.protocolVersion ?? ''
        offered.push(version)
        return version > '2025-06-18' ? refuse(rpc.id) : 'usual'
      },
    })
    expect(await probe()).toMatchObject({ tools: [{ name: 'create' }] })
    expect(offered).toEqual(versions)
  })
})

describe('the handshake of a server', () => {
  const handshakes: [string, object][] = [
    ['capabilities of PHP, whose empty object is a list', { capabilities: { tools: [] } }],
    ['no tools capability', { capabilities: {} }],
    ['null capabilities', { capabilities: null }],
    ['no version of the server', { serverInfo: { name: 'odd' } }],
    ['null instructions', { instructions: null }],
    ['null _meta', { _meta: null }],
    ['true as a capability', { capabilities: { tools: true, logging: null } }],
  ]
  it.each(handshakes)('may have %s', async (_, changes) => {
    const { probe } = await start({
      override: answerTo('initialize', (id) =>
        json({
          jsonrpc: '2.0',
          id,
          result: {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'odd', version: '1' },
            ...changes,
          },
        }),
      ),
    })
    expect(await probe()).toMatchObject({ server: 'odd', tools: [{ name: 'create' }] })
  })

  const failures: [string, Override, string][] = [
    ['a web page', () => page, 'A web page answered at this address, not an MCP server.'],
    [
      'a page that is not found',
      () => ({ ...page, status: 404 }),
      'A web page answered at this address (404)',
    ],
    ['an empty 404', () => ({ status: 404 }), 'The server at this address refused the connection (404).'],
    ['a fault', () => ({ status: 503 }), 'has a fault of its own (503)'],
    ['a limit', () => ({ status: 429 }), 'takes no more requests right now'],
    ['a text', () => plain('hello there'), 'not as an MCP server does. It said: "hello there"'],
    [
      'a refusal of each version',
      ({ rpc }) =>
        json({
          jsonrpc: '2.0',
          id: rpc?.id,
          error: { code: -32_602, message: 'Unsupported protocol version' },
        }),
      'accepts none of the protocol versions that are spoken here. It said: "Unsupported protocol version"',
    ],
    [
      'a version that is not known',
      answerTo('initialize', (id) =>
        json({
          jsonrpc: '2.0',
          id,
          result: { protocolVersion: '1.0', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
        }),
      ),
      'accepts none of the protocol versions',
    ],
    [
      'an error',
      ({ rpc }) => json({ jsonrpc: '2.0', id: rpc?.id, error: { code: -32_000, message: 'Plan has ended' } }),
      'The server refused the connection. It said: "Plan has ended"',
    ],
  ]
  it.each(failures)('that ends with %s fails with the reason', async (_, override, reason) => {
    const { probe } = await start({ override })
    const error = await probe().catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'mcp_server_failed' })
    expect((error as { userMessage: string }).userMessage).toContain(reason)
  })

  it.each([301, 302, 307, 308])('is redirected with %i, and stays a POST', async (status) => {
    const { probe } = await start({
      override: ({ url }) => (url === '/mcp' ? { status, headers: { location: '/mcp/' } } : 'usual'),
    })
    expect(await probe()).toMatchObject({ tools: [{ name: 'create' }] })
  })
})

describe('the list of a server', () => {
  it('ends at an empty cursor', async () => {
    const { servers, connection } = await start({ nextCursor: () => '' })
    expect(await servers.listTools(connection)).toMatchObject({ tools: [{ title: 'create' }], leftOut: [] })
  })

  it('has tools without a schema, and names those that cannot be read', async () => {
    const { servers, connection } = await start({
      tools: [{ name: 'plain', inputSchema: null }, { name: 'odd', inputSchema: 'none' }, { name: '' }],
    })
    const { tools, leftOut } = await servers.listTools(connection)
    expect(tools).toMatchObject([{ title: 'plain', parameters: { schema: { type: 'object' } } }])
    expect(leftOut.map(({ text }) => text)).toEqual([
      'odd cannot be used: it is not described as the protocol says',
      'a tool without a name cannot be used',
    ])
  })
})

describe('whole numbers above 2^53', () => {
  const text = '{"id":9007199254740993,"price":10.50}'
  const results: [string, object][] = [
    ['in a text', { content: [{ type: 'text', text }] }],
    ['in structured content', { content: [], structuredContent: '$text' }],
  ]
  it.each(results)('%s reach the model as they were written', async (_, result) => {
    const answer = (id: unknown) =>
      json(`{"jsonrpc":"2.0","id":${String(id)},"result":${JSON.stringify(result).replace('"$text"', text)}}`)
    const { run } = await start({ override: answerTo('tools/call', answer) })
    expect(JSON.stringify(await run())).toBe(text)
  })

  it('reach the server as the model wrote them', async () => {
    let body = ''
    const { run, server } = await start({})
    server.behaviour.override = (request) => {
      if (request.rpc?.method === 'tools/call') body = request.body
      return 'usual'
    }
    await run(JSON.parse('{}') as Record<string, unknown>)
    await run({ id: JSON.rawJSON('9007199254740993') })
    expect(body).toContain('"arguments":{"id":9007199254740993}')
  })
})

describe('a call that was made, but whose answer', () => {
  const unknown: [string, (id: number | string | undefined) => Answer, string][] = [
    ['is a web page', () => page, 'Odd answered with a web page, not as an MCP server does.'],
    ['is a text', () => plain('ok'), 'Odd did not answer as an MCP server does. It said: "ok"'],
    ['is empty', () => json(''), 'Odd did not answer as an MCP server does.'],
    ['is a fault', () => ({ status: 502 }), 'Odd has a fault of its own (502).'],
    ['is late at a gateway', () => ({ status: 408 }), 'Odd refused the request (408).'],
    [
      'is an empty stream',
      () => events(''),
      'The connection broke off before the answer of Odd was complete.',
    ],
    [
      'is cut',
      () => events('data: {"jsonrpc":"2.0","id":'),
      'Odd answered with something that could not be read.',
    ],
    [
      'is too large',
      () => events(`data: ${'x'.repeat(3_000_000)}\n\n`),
      'Odd answered with more than can be read.',
    ],
  ]
  it.each(unknown)('%s may have been done, and is not made again', async (_, answer, sentence) => {
    const { run, server } = await start({ override: answerTo('tools/call', answer) })
    const error = await run().catch((caught: unknown) => caught)
    expect((error as Error).message).toContain(sentence)
    expect((error as Error).message).toMatch(new RegExp(`${mayBeDone.text}$`))
    expect(server.receivedMethods.filter((method) => method === 'tools/call')).toHaveLength(1)
    // nothing is in doubt after a read
    const readError = await run({}, { reads: true }).catch((caught: unknown) => caught)
    expect((readError as Error).message).not.toContain(mayBeDone.text)
  })

  it.each<[string, (id: number | string | undefined) => Answer]>([
    ['has no id', () => json({ jsonrpc: '2.0', result: { content: [{ type: 'text', text: 'done' }] } })],
    ['has no version', (id) => json({ id, result: { content: [{ type: 'text', text: 'done' }] } })],
    ['has the id as a text', (id) => json({ jsonrpc: '2.0', id: String(id), result: { content: ['done'] } })],
    [
      'has an error of null',
      (id) => json({ jsonrpc: '2.0', id, error: null, result: { content: ['done'] } }),
    ],
    [
      'has another media type',
      (id) => plain(JSON.stringify({ jsonrpc: '2.0', id, result: { content: ['done'] } })),
    ],
    [
      'is a stream without its last empty line',
      (id) => events(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: ['done'] } })}`),
    ],
    [
      'is a stream that begins with something else',
      (id) =>
        events(
          `: hi\n\ndata: nonsense\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: ['done'] } })}\n\n`,
        ),
    ],
    ['is a batch', (id) => json([{ jsonrpc: '2.0', id, result: { content: ['done'] } }])],
  ])('%s is read', async (_, answer) => {
    const { run } = await start({ override: answerTo('tools/call', answer) })
    expect(await run()).toBe('done')
  })

  /** Of a stream that ends after its first event: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery */
  const resumable = events('id: one\nretry: 1\ndata: \n\n')
  it('breaks off is continued', async () => {
    let callId: number | string | undefined
    const { run } = await start({
      override: ({ method, headers, rpc }) => {
        if (rpc?.method === 'tools/call') {
          callId = rpc.id
          return resumable
        }
        if (method !== 'GET') return 'usual'
        if (headers['last-event-id'] !== 'one') return { status: 405 }
        return events(
          `data: ${JSON.stringify({ jsonrpc: '2.0', id: callId, result: { content: ['done'] } })}\n\n`,
        )
      },
    })
    expect(await run()).toBe('done')
  })

  it.each([404, 405, 503])('breaks off and cannot be continued (%i) may have been done', async (status) => {
    const { run } = await start({
      override: ({ method, rpc }) =>
        rpc?.method === 'tools/call' ? resumable : method === 'GET' ? { status } : 'usual',
    })
    await expect(run()).rejects.toThrow(
      `The connection broke off before the answer of Odd was complete. ${mayBeDone.text}`,
    )
  })

  it('is an error of an odd shape is told', async () => {
    const { run } = await start({
      override: answerTo('tools/call', (id) => json({ jsonrpc: '2.0', id, error: 'No such city' })),
    })
    await expect(run()).rejects.toThrow('Odd refused the call. It said: "No such city"')
  })
})

/** Of the revision 2025-11-25, in which a call cannot ask: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error */
describe('a call that a server refuses until the user has opened a page', () => {
  const url = `https://auth.example.com/authorize?state=${'x'.repeat(1_200)}`
  const refuse = (elicitations: unknown) =>
    answerTo('tools/call', (id) =>
      json({
        jsonrpc: '2.0',
        id,
        error: { code: -32_042, message: 'Sign in first', data: { elicitations } },
      }),
    )
  const refusal = refuse([{ mode: 'url', elicitationId: 'one', url, message: 'Sign in at Example' }])

  async function startCall(override: Override) {
    const { server, servers, connection } = await start({ override })
    const { tools } = await servers.listTools(connection)
    const call = (continuation = {}) => tools[0]?.run({}, AbortSignal.timeout(60_000), continuation)
    return { server, call }
  }

  // danny-avila/LibreChat#15550, can1357/oh-my-pi#8808
  it('shows the page, and is made again once the user has opened it', async () => {
    const { server, call } = await startCall(refusal)
    const error = await Promise.resolve(call()).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      name: 'InputRequired',
      request: {
        requests: [{ mode: 'url', key: 'one', url, host: 'auth.example.com', message: 'Sign in at Example' }],
      },
    })
    let sent = ''
    server.behaviour.override = ({ body, rpc }) => {
      if (rpc?.method === 'tools/call') sent = body
      return 'usual'
    }
    expect(await call({ inputResponses: { one: { action: 'accept' } } })).toBe('done')
    expect(sent).not.toContain('inputResponses')
  })

  it('is refused with the words of its server once the user has declined', async () => {
    const { call } = await startCall(refusal)
    await expect(call({ inputResponses: { one: { action: 'decline' } } })).rejects.toThrow('Sign in first')
  })

  it.each<[string, unknown]>([
    ['no page', []],
    ['no list', { url }],
    ['a page without an address', [{ elicitationId: 'one' }]],
    ['a page at a private address', [{ elicitationId: 'one', url: 'http://10.0.0.1/' }]],
  ])('is refused if its server names %s', async (_, elicitations) => {
    const { call } = await startCall(refuse(elicitations))
    const error = await Promise.resolve(call()).catch((caught: unknown) => caught)
    expect(error).not.toMatchObject({ name: 'InputRequired' })
    expect((error as Error).message).toContain('Odd ')
  })
})

describe('a server that forgets its sessions', () => {
  const lost = 'Bad Request: No valid session ID provided'
  const answers: [string, (id: number | string | undefined) => Answer, { write: number; read: number }][] = [
    [
      '400 and an error',
      () => json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: lost } }, 400),
      { write: 1, read: 1 },
    ],
    ['400 and a text', () => plain(lost, 400), { write: 1, read: 1 }],
    ['404', () => ({ status: 404 }), { write: 1, read: 1 }],
    ['410 and a text', () => plain('The session has expired', 410), { write: 1, read: 1 }],
    // https://github.com/punkpeye/fastmcp/issues/121
    [
      '500 and an error',
      () => json({ error: `Error POSTing to endpoint (HTTP 400): ${lost}` }, 500),
      { write: 0, read: 1 },
    ],
    ['a text in place of an answer', () => plain('Session not found'), { write: 0, read: 1 }],
    // it may be the tool that says so, after a part of its work
    [
      'an error',
      (id) => json({ jsonrpc: '2.0', id, error: { code: -32_000, message: lost } }),
      { write: 0, read: 1 },
    ],
  ]
  it.each(answers)('with %s gets a new one', async (_, answer, calls) => {
    let isForgotten = false
    const { run, server } = await start({
      override: ({ rpc }) => {
        if (rpc?.method === 'initialize') isForgotten = false
        return isForgotten && rpc?.method === 'tools/call' ? answer(rpc.id) : 'usual'
      },
    })
    await run()
    isForgotten = true
    await run().catch(() => undefined)
    expect(server.calls).toHaveLength(1 + calls.write)
    isForgotten = true
    await run({}, { reads: true })
    expect(server.calls).toHaveLength(1 + calls.write + calls.read)
  })

  it.each([
    ['404', { status: 404 }],
    ['400 and a text', plain('The session of your shop has expired', 400)],
  ])('that has none says %s about a call itself, so it is not made again', async (_, answer) => {
    const { run, server } = await start({
      stateless: true,
      override: ({ rpc }) => (rpc?.method === 'tools/call' ? answer : 'usual'),
    })
    await run().catch(() => undefined)
    expect(server.receivedMethods.filter((method) => method === 'tools/call')).toHaveLength(1)
  })
})
