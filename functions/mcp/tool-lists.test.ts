import { sayTool } from '#shared/sentences/tools.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Behaviour, startMcpServer } from '../../test/support/mcp-server.ts'
import { aServerConnection } from '../../test/support/server-connection.ts'
import { openTestTable } from '../../test/support/table.ts'
import { waitLimitMs } from '../../test/support/time-limits.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { outboundHttp } from '../platform/net/outbound-http.ts'
import { toolLists } from './tool-lists.ts'
import { serverSessions } from './sessions.ts'
import { toolListRepository } from './tool-list-repository.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { ReconnectRequired } from '../providers/reconnect-required.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const start = Date.parse('2026-11-20T08:00:00Z')
const setMsAfterStart = (ms: number) => vi.setSystemTime(start + ms)
const timeout = AbortSignal.timeout.bind(AbortSignal)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  // waits for slow lists, so that a busy machine sends as many requests as an idle one
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.max(ms, waitLimitMs)))
})
afterEach(() => vi.useRealTimers())

const echo = { name: 'echo', description: 'Says it again' }

/** A server, a user who has connected it, and function instances with separate caches. */
async function startServer(behaviour: Partial<Behaviour> = {}) {
  const server = await startMcpServer({ tools: [echo], ...behaviour })
  const http = outboundHttp({ allow: [server.host], timeoutMs: 30_000 })
  onTestFinished(async () => {
    await server.close()
    await http.close()
  })
  const startFunction = (rows: Parameters<typeof toolLists>[1] = toolListRepository(table)) => {
    const sessions = serverSessions(http)
    onTestFinished(() => sessions.close())
    return toolLists(sessions, rows)
  }
  const countLists = () => server.receivedMethods.filter((method) => method === 'tools/list').length
  return { server, connection: aServerConnection(server.url), startFunction, countLists }
}
const listNames = async (list: Promise<{ entries: { name: string }[] }>) =>
  (await list).entries.map(({ name }) => name)
const failingBehaviour = { override: () => ({ status: 503 }) }
const failedMessage = 'Odd did not list its tools just now. Please try again in a moment.'

describe('the tools of a server', () => {
  it('are requested once a minute', async () => {
    const { server, connection, startFunction, countLists } = await startServer()
    const lists = startFunction()
    await lists.list(connection)
    server.behaviour.tools = [{ name: 'new' }]
    setMsAfterStart(59_999)
    expect(await listNames(lists.list(connection))).toEqual(['echo'])
    expect(await listNames(startFunction().list(connection))).toEqual(['echo'])
    expect(countLists()).toBe(1)
    setMsAfterStart(60_000)
    await vi.waitFor(async () => expect(await listNames(lists.list(connection))).toEqual(['new']))
    expect(countLists()).toBe(2)
  })

  it.each([
    [0, 60_000],
    [600_000, 600_000],
    [86_400_000, 3_600_000],
  ])('that the server calls fresh for %i ms are requested again after %i ms', async (ttlMs, ms) => {
    const { connection, startFunction, countLists } = await startServer({ ttlMs })
    const lists = startFunction()
    await lists.list(connection)
    setMsAfterStart(ms - 1)
    await startFunction().list(connection)
    expect(countLists()).toBe(1)
    setMsAfterStart(ms)
    await lists.list(connection)
    expect(countLists()).toBe(2)
  })

  it('are left out if their header names are invalid and the server’s revision supports them', async () => {
    const inputSchema = {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Re gion' } },
    }
    const tools = [echo, { name: 'bad', inputSchema }]
    const modern = await startServer({ modern: true, tools })
    expect(await modern.startFunction().list(modern.connection)).toMatchObject({
      entries: [{ name: 'echo' }],
      leftOut: [{ code: 'tool_unusable', text: 'bad cannot be used: a header has no valid name' }],
    })
    const legacy = await startServer({ tools })
    expect(await listNames(legacy.startFunction().list(legacy.connection))).toEqual(['echo', 'bad'])
  })

  it('are requested once by several replies at the same moment', async () => {
    const { connection, startFunction, countLists } = await startServer()
    const lists = startFunction()
    await Promise.all([lists.list(connection), lists.list(connection, { mustBeCurrent: true })])
    expect(countLists()).toBe(1)
  })

  it.each<[string, object, string]>([
    ['its own title', { title: 'A title', annotations: { title: 'A hint' } }, 'A title'],
    ['the title among its hints', { annotations: { title: 'A hint' } }, 'A hint'],
    ['its name', {}, 'echo'],
    ['its name where the title shows nothing', { title: '\u200b' }, 'echo'],
    ['the beginning of a long title', { title: 'x'.repeat(101) }, `${'x'.repeat(99)}…`],
  ])('are shown with %s', async (_, tool, title) => {
    const { connection, startFunction } = await startServer({ tools: [{ ...echo, ...tool }] })
    expect((await startFunction().list(connection)).entries).toMatchObject([{ title }])
  })

  it('are stored per connection, address and user', async () => {
    const { server, connection, startFunction, countLists } = await startServer()
    const lists = startFunction()
    await lists.list(connection)
    for (const change of [{ sub: 'bob' }, { version: 'two' }, { url: `${server.url}?team=red` }])
      await lists.list({ ...connection, ...change })
    expect(countLists()).toBe(4)
    // the stored list is the last one of ann's, at another address
    await startFunction().list(connection)
    expect(countLists()).toBe(5)
  })

  it('are used when the table can neither be read nor written, which is logged', async () => {
    const { connection, startFunction, countLists } = await startServer()
    const warn = vi.spyOn(logger, 'warn').mockImplementation(() => undefined)
    const fail = () => Promise.reject(new Error('the table is down'))
    const lists = startFunction({ find: fail, put: fail, putFailure: fail })
    expect(await listNames(lists.list(connection))).toEqual(['echo'])
    expect(await listNames(lists.list(connection))).toEqual(['echo'])
    expect(countLists()).toBe(1)
    expect(warn.mock.calls.map(([message]) => message)).toEqual([
      'a list of tools could not be read',
      'a list of tools could not be stored',
    ])
    expect(warn).toHaveBeenLastCalledWith(expect.any(String), { error: new Error('the table is down') })
  })
})

describe('a failed server', () => {
  it('is not asked for half a minute, by other functions either', async () => {
    const { server, connection, startFunction } = await startServer(failingBehaviour)
    const lists = startFunction()
    await expect(lists.list(connection)).rejects.toThrow('a fault of its own')
    server.behaviour.override = () => 'usual'
    const before = server.receivedMethods.length
    setMsAfterStart(29_999)
    const otherFunction = startFunction()
    await expect(lists.list(connection)).rejects.toThrow('a fault of its own')
    await expect(otherFunction.list(connection)).rejects.toThrow(failedMessage)
    expect(server.receivedMethods.length).toBe(before)
    setMsAfterStart(30_000)
    expect(await listNames(lists.list(connection))).toEqual(['echo'])
    // its failure is deleted as well
    expect(await listNames(startFunction().list(connection))).toEqual(['echo'])
  })

  it('is asked by a caller that needs the current state, and after a reconnect', async () => {
    const { server, connection, startFunction } = await startServer(failingBehaviour)
    await expect(startFunction().list(connection)).rejects.toThrow('a fault of its own')
    server.behaviour.override = () => 'usual'
    const otherFunction = startFunction()
    expect(await listNames(otherFunction.list({ ...connection, version: 'two' }))).toEqual(['echo'])
    expect(await listNames(otherFunction.list(connection, { mustBeCurrent: true }))).toEqual(['echo'])
  })

  it('has its last tools offered meanwhile, and is not asked', async () => {
    const { server, connection, startFunction } = await startServer()
    const lists = startFunction()
    await lists.list(connection)
    server.behaviour.override = failingBehaviour.override
    await expect(lists.list(connection, { mustBeCurrent: true })).rejects.toThrow('a fault of its own')
    setMsAfterStart(60_000)
    // records that it does not answer at this moment
    await vi.waitFor(async () => {
      await expect(lists.list(connection, { mustBeCurrent: true })).rejects.toThrow('a fault of its own')
    })
    const before = server.receivedMethods.length
    setMsAfterStart(89_999)
    expect(await listNames(lists.list(connection))).toEqual(['echo'])
    expect(await listNames(startFunction().list(connection))).toEqual(['echo'])
    expect(server.receivedMethods.length).toBe(before)
  })

  it('that does not accept the connection is recorded for the page, and asked again by every function', async () => {
    const { connection, startFunction } = await startServer()
    const reconnectRequired = new ReconnectRequired(connection.integration)
    const refusedConnection = { ...connection, access: () => Promise.reject(reconnectRequired) }
    await expect(startFunction().list(refusedConnection)).rejects.toBe(reconnectRequired)
    const rows = toolListRepository(table)
    const isRejected = async (version: string) =>
      (await rows.findRejected(connection.sub))(connection.integration.mcpId, version)
    expect(await isRejected(connection.version)).toBe(true)
    expect(await isRejected('connected again')).toBe(false)
    // another instance would report a failure of the server
    expect(await listNames(startFunction().list(connection))).toEqual(['echo'])
    expect(await isRejected(connection.version)).toBe(false)
  })

  it('is reported unchanged when the failure cannot be stored, which is logged', async () => {
    const { connection, startFunction } = await startServer(failingBehaviour)
    const warn = vi.spyOn(logger, 'warn').mockImplementation(() => undefined)
    const fail = () => Promise.reject(new Error('the table is down'))
    const lists = startFunction({ ...toolListRepository(table), putFailure: fail })
    await expect(lists.list(connection)).rejects.toThrow('a fault of its own')
    expect(warn).toHaveBeenCalledExactlyOnceWith('a failure of a server could not be stored', {
      error: new Error('the table is down'),
    })
  })
})

describe('a server whose sign-in server is busy', () => {
  it('has the tools offered that it showed when it was connected, and is asked again in three seconds', async () => {
    const { server, connection, startFunction } = await startServer()
    await startFunction().list(connection)
    setMsAfterStart(3_600_000)
    const busy = new ProviderError(sayTool('tool_failed', { message: 'Odd did not renew its permission.' }))
    const busyConnection = { ...connection, access: () => Promise.reject(busy) }
    const lists = startFunction()
    expect(await listNames(lists.list(busyConnection))).toEqual(['echo'])
    server.behaviour.tools = [{ name: 'new' }]
    setMsAfterStart(3_603_001)
    expect(await listNames(lists.list(connection))).toEqual(['new'])
    expect(await listNames(startFunction().list(connection))).toEqual(['new'])
  })

  it('is not reported as failed to other functions', async () => {
    const { connection, startFunction } = await startServer()
    const access = () =>
      Promise.reject(
        new ProviderError(sayTool('tool_failed', { message: 'Odd did not renew its permission.' })),
      )
    await expect(startFunction().list({ ...connection, access })).rejects.toThrow('did not renew')
    expect(await listNames(startFunction().list(connection))).toEqual(['echo'])
  })
})

describe('a server that needs a reconnect', () => {
  const reconnectReason = { kind: 'moved', host: 'evil.example' } as const

  it('has its last tools offered, however old, and is not asked', async () => {
    const { server, connection, startFunction } = await startServer()
    await startFunction().list(connection)
    const before = server.receivedMethods.length
    setMsAfterStart(3_600_000)
    const lists = startFunction()
    expect(await listNames(lists.list({ ...connection, reconnectReason }))).toEqual(['echo'])
    expect(await listNames(lists.list({ ...connection, reconnectReason }, { mustBeCurrent: true }))).toEqual([
      'echo',
    ])
    expect(server.receivedMethods.length).toBe(before)
  })

  it('has no tools if it never reported any', async () => {
    const { server, connection, startFunction } = await startServer()
    await expect(startFunction().list({ ...connection, reconnectReason })).rejects.toThrow(ReconnectRequired)
    expect(server.receivedMethods).toEqual([])
  })
})
