/** @module-tag long */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type EverythingServer, startEverythingServer } from '../support/everything-server.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import type { StackUser } from '../support/stack-user.ts'

let stack: LocalStack
let ann: StackUser
let bob: StackUser
let mcp: EverythingServer
let sseServer: EverythingServer
/** The requests below `/busy`, where each path is a separate server. */
interface BusyRequests {
  requests: number
  open: number
  mostOpen: number
  /** paths that have responded twice: the client gives up after that */
  failed: Set<string>
}
/** The limit of custom servers per user. */
const maxCustomTools = 20
let webServer: {
  server: Server
  port: number
  seen: Record<string, string | string[] | undefined>[]
  busy: BusyRequests
}

/** Not an MCP server: it refuses one key, fails after a moment below `/busy`, and returns web pages otherwise. */
async function startWebServer() {
  const seen: Record<string, string | string[] | undefined>[] = []
  const busy: BusyRequests = { requests: 0, open: 0, mostOpen: 0, failed: new Set() }
  const respondedPaths = new Set<string>()
  const server = createServer((request, response) => {
    request.resume()
    seen.push(request.headers)
    const { url = '' } = request
    if (url.startsWith('/busy/')) {
      busy.requests += 1
      busy.open += 1
      busy.mostOpen = Math.max(busy.mostOpen, busy.open)
      // parallel requests have arrived by then
      setTimeout(() => {
        busy.open -= 1
        if (respondedPaths.has(url)) busy.failed.add(url)
        respondedPaths.add(url)
        response.writeHead(503).end()
      }, 40)
    } else if (request.url === '/locked') response.writeHead(401).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port, seen, busy }
}

beforeAll(async () => {
  ;[mcp, sseServer, webServer] = await Promise.all([
    startEverythingServer(),
    startEverythingServer('sse'),
    startWebServer(),
  ])
  const hosts = [mcp.host, sseServer.host, `127.0.0.1:${webServer.port}`]
  stack = await startStack({ env: { OUTBOUND_ALLOW: hosts.join(',') } })
  ann = await stack.newUser({ name: 'Ann' })
  bob = await stack.newUser({ name: 'Bob' })
})
afterAll(async () => {
  await stack.stop()
  mcp.stop()
  sseServer.stop()
  webServer.server.closeAllConnections()
  webServer.server.close()
})

const config = (parts: object = {}) => ({ serverUrl: '', apiKey: '', customFields: {}, ...parts })
const tools = async (user: StackUser) => (await user.call('customTools.list')).tools

it('CUST-21 lists the tools of a real MCP server before anything is saved', async () => {
  const response = await ann.call('customTools.test', {
    body: { config: config({ serverUrl: mcp.url }) },
  })
  expect(response.success).toBe(true)
  expect(response.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']))
  expect(response.tools.find(({ name }) => name === 'echo')?.description).not.toBe('')
  expect(await tools(ann)).toEqual([])
})

it('CUST-21 lists the tools of a server that supports only the older transport', async () => {
  const response = await ann.call('customTools.test', {
    body: { config: config({ serverUrl: sseServer.url }) },
  })
  expect(response.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']))
})

describe('testing the connection', () => {
  const test = (parts: object) => ann.send('customTools.test', { body: { config: config(parts) } })

  it('says what is wrong', async () => {
    expect(await test({})).toMatchObject({ status: 400 })
    expect(await test({ serverUrl: `http://127.0.0.1:${webServer.port}/page` })).toMatchObject({
      status: 502,
      body: { code: 'mcp_server_failed' },
    })
    expect(await test({ serverUrl: `http://127.0.0.1:${webServer.port}/locked`, apiKey: 'k' })).toMatchObject(
      {
        status: 422,
        body: { code: 'credentials_refused' },
      },
    )
  })

  it.each([
    'http://example.com/mcp',
    'https://127.0.0.1/mcp',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/mcp',
    'https://0x7f.1/mcp',
    'file:///etc/passwd',
    'nonsense',
  ])('DEC-084 is checked by the outbound guard: %s', async (serverUrl) => {
    expect(await test({ serverUrl })).toMatchObject({ status: 400, body: { code: 'address_forbidden' } })
    const response = await ann.send('customTools.add', { body: { name: 'x', config: config({ serverUrl }) } })
    expect(response).toMatchObject({ status: 400, body: { code: 'address_forbidden' } })
  })

  it('sends the key as a bearer token, or in the header that a field names', async () => {
    const serverUrl = `http://127.0.0.1:${webServer.port}/locked`
    webServer.seen.length = 0
    await test({ serverUrl, apiKey: 'first' })
    await test({
      serverUrl,
      apiKey: 'second',
      customFields: { header: 'X-Api-Key', 'X-Team': 'red', Host: 'evil', ' ': 'x' },
    })
    expect(webServer.seen[0]).toMatchObject({ authorization: 'Bearer first' })
    const second = webServer.seen.find((headers) => headers['x-api-key'] === 'second')
    expect(second).toMatchObject({ 'x-team': 'red', host: `127.0.0.1:${webServer.port}` })
    expect(second?.['authorization']).toBeUndefined()
  })
})

describe('custom tools', () => {
  it('CUST-05 require a name', async () => {
    expect(await ann.send('customTools.add', { body: { name: '  ', config: config() } })).toMatchObject({
      status: 400,
      body: { error: 'Tool name is required' },
    })
  })

  it('CUST-06 CUST-07 DATA-37 require nothing else, and belong to the caller alone', async () => {
    const { tool } = await ann.call('customTools.add', {
      body: { name: ' Bare ', description: '', config: config() },
    })
    expect(tool.config).toEqual({ serverUrl: '', apiKey: '', customFields: {} })
    expect(tool.description).toBe('Custom MCP Tool')
    expect(await tools(ann)).toEqual([tool])
    expect(await tools(bob)).toEqual([])
    await ann.call('customTools.remove', { params: { toolId: tool.id } })
  })

  it('CUST-11 DATA-35 have the fields of the specification', async () => {
    const { tool } = await ann.call('customTools.add', {
      body: { name: ' Bare ', description: 'Does things', config: config() },
    })
    expect(Object.keys(tool)).toEqual(
      expect.arrayContaining(['id', 'user_id', 'name', 'description', 'config', 'is_active', 'created_at']),
    )
    expect(tool).toMatchObject({
      user_id: ann.sub,
      name: 'Bare',
      description: 'Does things',
      is_active: true,
    })
    expect(Date.parse(tool.created_at)).not.toBeNaN()
    await ann.call('customTools.remove', { params: { toolId: tool.id } })
  })

  it('CUST-12 CUST-14 DEC-083 store keys and field values in the vault, and delete them', async () => {
    const { tool } = await ann.call('customTools.add', {
      body: {
        name: 'Mine',
        description: 'Does things',
        config: {
          serverUrl: mcp.url,
          apiKey: 'canary-key-0123456789',
          customFields: { team: 'canary-field-987654321', blank: ' ', ' ': 'no name' },
        },
      },
    })
    expect(tool.config).toEqual({
      serverUrl: mcp.url,
      apiKey: '••••6789',
      customFields: { team: '••••4321' },
    })
    const secrets = () => readFile(`${stack.dataDir}/secrets.json`, 'utf8')
    expect(await secrets()).toContain('canary-key-0123456789')
    const table = await openStackTable(stack)
    try {
      expect(JSON.stringify(await table.readRows(ann.sub))).not.toContain('canary')
      expect((await bob.send('customTools.remove', { params: { toolId: tool.id } })).status).toBe(404)
      await ann.call('customTools.remove', { params: { toolId: tool.id } })
      expect(await tools(ann)).toEqual([])
      expect(await secrets()).not.toContain('canary')
      // a soft deletion: the row stays for a month, inactive
      const [row] = (await table.readRows(ann.sub)).filter(({ SK }) => SK === `T#${tool.id}`)
      expect(row).toMatchObject({ is_active: false, masks: {} })
      const days = (Number(row?.['ttl']) - Date.now() / 1_000) / 86_400
      expect(days).toBeGreaterThan(29)
      expect(days).toBeLessThanOrEqual(30)
    } finally {
      table.close()
    }
    expect((await ann.send('customTools.remove', { params: { toolId: tool.id } })).status).toBe(404)
    expect(stack.output()).not.toContain('canary')
  })
})

describe('a user at the limit of custom servers (M8)', () => {
  it('parallel requests do not exceed the limit of 20, and deleting one makes room', async () => {
    const carl = await stack.newUser({ name: 'Carl' })
    const add = (name: number) =>
      carl.send('customTools.add', { body: { name: `Server ${name}`, config: config() } })
    const responses = await Promise.all(Array.from({ length: 25 }, (_, index) => add(index)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(maxCustomTools)
    for (const { status, body } of responses.filter((one) => one.status !== 200)) {
      expect(status).toBe(409)
      expect(body).toMatchObject({
        code: 'too_many_custom_servers',
        error:
          'You have 20 custom tools, which is the most. Remove one that you no longer use, then add this one.',
      })
    }
    const [first] = await tools(carl)
    expect(await tools(carl)).toHaveLength(maxCustomTools)
    await carl.call('customTools.remove', { params: { toolId: first?.id ?? '' } })
    const again = await Promise.all([add(26), add(27)])
    expect(again.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await tools(carl)).toHaveLength(maxCustomTools)
  })

  it(
    'asks at most eight servers at a time, and does not ask a failed one again for a while',
    { tags: 'trial' },
    async () => {
      const dora = await stack.newUser({ name: 'Dora' })
      for (let index = 0; index < maxCustomTools; index += 1)
        await dora.call('customTools.add', {
          body: {
            name: `Server ${index}`,
            description: '',
            config: config({ serverUrl: `http://127.0.0.1:${webServer.port}/busy/${index}` }),
          },
        })
      const { busy } = webServer
      // adding a server has called it, too
      const before = busy.requests
      await Promise.all([dora.call('tools.list'), dora.call('tools.list')])
      await vi.waitFor(() => expect(busy.failed.size).toBe(maxCustomTools))
      expect(busy.mostOpen).toBeLessThanOrEqual(8)
      // once per protocol version, and not for each request of the page
      expect(busy.requests - before).toBe(2 * maxCustomTools)
      // the chat is a separate function: it reads the state from the table
      await vi.waitFor(async () => {
        const table = await openStackTable(stack)
        const rows = await table.readRows(dora.sub).finally(() => table.close())
        expect(rows.filter(({ failed }) => failed !== undefined)).toHaveLength(maxCustomTools)
      })
      await dora.call('tools.list')
      await dora.call('chat.send', { body: { messages: [{ role: 'user', content: 'Hello' }] } })
      expect(busy.requests - before).toBe(2 * maxCustomTools)
    },
  )
})
