import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestMcpServer, startMcpServer } from '../../test/support/mcp-server.ts'
import { outboundHttp } from '../platform/net/outbound-http.ts'
import { closeMcp, connectMcp, type McpConnection } from './connection.ts'
import { checkServer, describeServer, probeServer } from './probe.ts'
import { fingerprintServerTool, isReadOnly, listTools, type ServerTool } from './list-tools.ts'

const url = 'https://mcp.example/mcp'
const tool = {
  name: 'search',
  title: 'Search',
  description: 'Finds notes',
  inputSchema: { type: 'object', properties: { a: { default: null }, b: {} }, required: ['b', 'a'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

describe('the fingerprint of a tool', () => {
  it('is the same at any path of its server and in any order of its keys', () => {
    const fingerprint = fingerprintServerTool(url, tool)
    expect(fingerprint).toMatch(/^[\w-]{22}$/)
    expect(fingerprintServerTool('https://mcp.example/other', tool)).toBe(fingerprint)
    const { name, title, description } = tool
    const inputSchema = { required: ['b', 'a'], properties: { b: {}, a: { default: null } }, type: 'object' }
    const annotations = { openWorldHint: false, readOnlyHint: true }
    expect(fingerprintServerTool(url, { annotations, description, inputSchema, title, name })).toBe(
      fingerprint,
    )
  })

  it.each<[string, Record<string, unknown>]>([
    ['name', { name: 'find' }],
    ['title', { title: 'Find' }],
    ['description', { description: 'Deletes notes' }],
    [
      'arguments',
      { inputSchema: { type: 'object', properties: { a: { default: null }, c: {} }, required: ['b', 'a'] } },
    ],
    ['order of a list', { inputSchema: { ...tool.inputSchema, required: ['a', 'b'] } }],
    ['hints', { annotations: { readOnlyHint: true, openWorldHint: true } }],
    ['result', { outputSchema: { type: 'object' } }],
    ['app', { _meta: { ui: { resourceUri: 'ui://a/b' } } }],
    ['visibility', { _meta: { ui: { visibility: ['model'] } } }],
    ['field that the product does not know', { execution: { taskSupport: 'required' } }],
  ])('changes with another %s', (_, change) => {
    expect(fingerprintServerTool(url, { ...tool, ...change })).not.toBe(fingerprintServerTool(url, tool))
    expect(fingerprintServerTool('https://other.example/mcp', tool)).not.toBe(
      fingerprintServerTool(url, tool),
    )
  })
})

it.each<[ServerTool['annotations'], boolean]>([
  [{ readOnlyHint: true, openWorldHint: false }, true],
  [{ readOnlyHint: true, openWorldHint: true }, false],
  [{ readOnlyHint: true }, false],
  [{ readOnlyHint: false, openWorldHint: false }, false],
  [undefined, false],
])('a tool with the hints %j is read-only: %s', (annotations, isReading) => {
  expect(isReadOnly({ annotations })).toBe(isReading)
})

describe('the list of a server', () => {
  let server: TestMcpServer
  let http: ReturnType<typeof outboundHttp>
  let connection: McpConnection | undefined
  beforeEach(async () => {
    server = await startMcpServer()
    http = outboundHttp({ allow: [server.host] })
  })
  afterEach(async () => {
    if (connection) await closeMcp(connection)
    connection = undefined
    await Promise.all([server.close(), http.close()])
  })

  async function list(maxTools = 10) {
    connection ??= await connectMcp(
      http,
      { url: server.url, headers: () => ({}), legacy: true },
      { probeMs: 30_000, timeoutMs: 30_000 },
    )
    const signal = new AbortController().signal
    const { tools, more, isRepeated } = await listTools(connection.client, { maxTools, signal })
    return { names: tools.map(({ name }) => name), more, isRepeated, tools }
  }

  it('contains each tool once, the first of a name', async () => {
    server.behaviour.tools = [
      { name: 'a', description: 'first' },
      { name: 'b' },
      { name: 'a', description: 'second' },
    ]
    const { names, more, tools } = await list()
    expect([names, more, tools[0]?.description]).toEqual([['a', 'b'], false, 'first'])
  })

  it('leaves out invalid tools and invalid fields', async () => {
    server.behaviour.tools = [
      { name: '' },
      { name: 'n'.repeat(1_001) },
      { name: 'schemaless', inputSchema: 'none' },
      {
        name: 'odd',
        description: 7 as unknown as string,
        annotations: { title: 7, readOnlyHint: 'yes', openWorldHint: 1 },
      },
      { name: 'hintless', annotations: 'none' as unknown as object },
      { name: 'n'.repeat(1_000) },
    ]
    const { tools } = await list()
    expect(tools.map((tool) => ({ ...tool, definition: undefined }))).toEqual([
      { name: 'odd', description: undefined, inputSchema: { type: 'object' }, annotations: {} },
      { name: 'hintless', inputSchema: { type: 'object' }, annotations: undefined },
      { name: 'n'.repeat(1_000), inputSchema: { type: 'object' } },
    ])
  })

  it('stops at the maximum number of tools, and returns whether there were more', async () => {
    server.behaviour.tools = ['a', 'b', 'c'].map((name) => ({ name }))
    expect(await list(3)).toMatchObject({ names: ['a', 'b', 'c'], more: false })
    expect(await list(2)).toMatchObject({ names: ['a', 'b'], more: true })
  })

  it('is read page by page, until a page repeats or there are too many', async () => {
    server.behaviour.tools = [{ name: 'a' }]
    server.behaviour.nextCursor = (cursor) => (cursor === undefined ? 'two' : undefined)
    expect((await list()).more).toBe(false)
    const countPages = () => server.receivedMethods.filter((method) => method === 'tools/list').length
    expect(countPages()).toBe(2)
    server.receivedMethods.length = 0
    server.behaviour.nextCursor = () => 'same'
    expect(await list()).toMatchObject({ more: true, isRepeated: true })
    expect(countPages()).toBe(2)
    server.receivedMethods.length = 0
    server.behaviour.nextCursor = (cursor) => String(Number(cursor ?? 0) + 1)
    expect(await list()).toMatchObject({ more: true, isRepeated: false })
    expect(countPages()).toBe(51)
  })

  it.each<[what: string, era: string, pages: Record<string, object>, expected: object]>([
    // https://github.com/PrefectHQ/fastmcp/issues/5025
    [
      'goes on at an empty cursor, which is one since 2026-07-28',
      'modern',
      { first: { tools: [{ name: 'a' }], nextCursor: '' }, '': { tools: [{ name: 'b' }] } },
      { names: ['a', 'b'], more: false },
    ],
    [
      'ends at an empty cursor that leads to the same page',
      'modern',
      { first: { tools: [{ name: 'a' }], nextCursor: '' }, '': { tools: [{ name: 'a' }], nextCursor: '' } },
      { names: ['a'], more: false },
    ],
    [
      'ends at an empty cursor that the server does not know',
      'modern',
      { first: { tools: [{ name: 'a' }], nextCursor: '' } },
      { names: ['a'], more: false },
    ],
    [
      'is not whole if an empty cursor leads to itself',
      'modern',
      { first: { tools: [{ name: 'a' }], nextCursor: '' }, '': { tools: [{ name: 'b' }], nextCursor: '' } },
      { names: ['a', 'b'], more: true },
    ],
    [
      'ends at an empty cursor of an earlier revision',
      'legacy',
      { first: { tools: [{ name: 'a' }], nextCursor: '' }, '': { tools: [{ name: 'b' }] } },
      { names: ['a'], more: false },
    ],
  ])('%s', async (_, era, pages, expected) => {
    const client = {
      getServerCapabilities: () => ({ tools: {} }),
      getProtocolEra: () => era,
      request: async (
        { params }: { params: { cursor?: string } },
        schema: { parse: (page: object) => object },
      ) => {
        const page = pages[params.cursor ?? 'first']
        if (!page) throw new ProtocolError(-32_602, 'Invalid cursor')
        return schema.parse(page)
      },
    } as unknown as Client
    const { tools, more } = await listTools(client, { maxTools: 9, signal: new AbortController().signal })
    expect({ names: tools.map(({ name }) => name), more }).toEqual(expected)
  })

  it('is empty for a server without tools, and fails once the connection is closed', async () => {
    const methods: string[] = []
    const buildClient = (capabilities: object | undefined) =>
      ({
        getServerCapabilities: () => capabilities,
        request: ({ method }: { method: string }) => {
          methods.push(method)
          return Promise.reject(new ProtocolError(-32_601, 'Method not found'))
        },
      }) as unknown as Client
    const options = { maxTools: 1, signal: new AbortController().signal }
    expect(await listTools(buildClient({ prompts: {} }), options)).toEqual({
      tools: [],
      more: false,
      isRepeated: false,
      unreadable: [],
    })
    await expect(listTools(buildClient({ tools: {} }), options)).rejects.toThrow('Method not found')
    await expect(listTools(buildClient(undefined), options)).rejects.toThrow('the connection is closed')
    expect(methods).toEqual(['tools/list', 'tools/list'])
  })

  describe('probed at an address', () => {
    const readingTool = { name: 'search', annotations: { readOnlyHint: true, openWorldHint: false } }

    it('returns the server’s name, its tools and the read-only ones, and ends the connection', async () => {
      server.behaviour.tools = [readingTool, { name: 'write', description: 'Writes' }]
      const result = await probeServer(http, server.url, { 'x-key': 'k' })
      if ('challenge' in result) throw new Error('it demands a sign-in')
      expect({ ...result, ...describeServer(result) }).toEqual({
        server: 'odd',
        tools: [
          { name: 'search', description: '' },
          { name: 'write', description: 'Writes' },
        ],
        readOnlyTools: [
          fingerprintServerTool(server.url, { ...readingTool, inputSchema: { type: 'object' } }),
        ],
        list: expect.objectContaining({
          legacy: true,
          entries: [
            expect.objectContaining({ name: 'search' }),
            expect.objectContaining({ name: 'write', description: 'Writes' }),
          ],
          leftOut: [],
        }) as unknown,
      })
      expect(await checkServer(http, server.url, {})).toMatchObject({
        readOnlyTools: result.readOnlyTools,
      })
    })

    it('ends its session, even when the list fails', async () => {
      for (const listFails of [false, true]) {
        server.receivedMethods.length = 0
        server.behaviour.override = ({ rpc }) => {
          if (rpc?.method === 'tools/list' && listFails) return { status: 500 }
          if (rpc?.method !== 'initialize') return 'usual'
          const result = {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'a', version: '1' },
          }
          const headers = { 'content-type': 'application/json', 'mcp-session-id': 'session-1' }
          return { status: 200, headers, body: JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result }) }
        }
        await probeServer(http, server.url, {}).catch(() => undefined)
        expect(server.receivedMethods.at(-1)).toBe('DELETE')
      }
    })

    it('returns as many tools as can be shown, and every read-only one', async () => {
      server.behaviour.tools = Array.from({ length: 501 }, (_, index) => ({
        ...readingTool,
        name: `tool-${index}`,
      }))
      const result = await probeServer(http, server.url, {})
      if ('challenge' in result) throw new Error('it demands a sign-in')
      expect(describeServer(result).tools).toHaveLength(200)
      expect(result.readOnlyTools).toHaveLength(500)
    })

    it('leaves out a read-only tool whose definition is nested too deeply for a fingerprint', async () => {
      const deepSchema = `${'{"a":'.repeat(20_000)}{}${'}'.repeat(20_000)}`
      server.behaviour.tools = [readingTool]
      server.behaviour.override = ({ rpc }) => {
        if (rpc?.method !== 'tools/list') return 'usual'
        const hints = JSON.stringify(readingTool.annotations)
        const buildTool = (name: string, schema: string) =>
          `{"name":"${name}","inputSchema":${schema},"annotations":${hints}}`
        const tools = `[${buildTool('deep', deepSchema)},${buildTool('search', '{}')}]`
        const headers = { 'content-type': 'application/json' }
        return { status: 200, headers, body: `{"jsonrpc":"2.0","id":${rpc.id},"result":{"tools":${tools}}}` }
      }
      const result = await probeServer(http, server.url, {})
      expect(result).toMatchObject({
        tools: [{ name: 'deep' }, { name: 'search' }],
        readOnlyTools: [expect.any(String)],
      })
    })

    it('returns what the server requires, or throws why it did not answer', async () => {
      server.behaviour.override = () => ({
        status: 401,
        headers: { 'www-authenticate': 'Bearer scope="read"' },
      })
      expect(await probeServer(http, server.url, {})).toEqual({ challenge: { scope: 'read' } })
      expect(await checkServer(http, server.url, {})).toBe('refused')
      server.behaviour.override = () => ({ status: 500 })
      await expect(probeServer(http, server.url, {})).rejects.toMatchObject({
        code: 'mcp_server_failed',
        message: expect.not.stringContaining(server.host) as string,
      })
      server.behaviour.override = ({ rpc }) => (rpc?.method === 'tools/list' ? { status: 401 } : 'usual')
      expect(await probeServer(http, server.url, {})).toEqual({ challenge: {} })
      server.behaviour.override = ({ rpc }) => (rpc?.method === 'tools/list' ? { status: 500 } : 'usual')
      await expect(probeServer(http, server.url, {})).rejects.toMatchObject({ code: 'mcp_server_failed' })
      await expect(probeServer(http, 'https://10.0.0.1/', {})).rejects.toMatchObject({
        code: 'address_forbidden',
      })
      await server.close()
      await expect(probeServer(http, server.url, {})).rejects.toMatchObject({ code: 'outbound_failed' })
      server = await startMcpServer()
    })
  })
})
