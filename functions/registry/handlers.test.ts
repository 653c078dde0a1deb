import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { syncsPerHour } from '../platform/limits.ts'
import { type RegistryFunctions, startRegistryFunctions } from '../../test/support/registry-functions.ts'
import { builtInProviders } from '../providers/built-in.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { openSyncDeps } from './open-sync-deps.ts'
import { syncRepository } from './sync-repository.ts'

let functions: RegistryFunctions
beforeAll(async () => {
  functions = await startRegistryFunctions({ operatorApps: { gmail: { clientId: 'app' } } })
})
afterAll(() => functions.close())
beforeEach(() => {
  functions.sources.state.fault = undefined
  functions.sources.state.calls = []
})

const builtInCount = builtInProviders.length
const read: RegistryFunctions['read'] = (name, call) => functions.read(name, call)
const press: RegistryFunctions['press'] = (name, body, options) => functions.press(name, body, options)
const refresh = (kind: string, options?: { sub?: string; remainingMs?: number }) =>
  press('registry.refresh', { kind }, options)
const listRequestedPaths = () =>
  functions.sources.state.calls.map((path) => path.replace('/repos/modelcontextprotocol/servers', 'repo'))

/** The last sync was longer than a day ago. */
const ageSync = () =>
  functions.table.client.send(
    new UpdateCommand({
      TableName: functions.table.name,
      Key: { PK: 'SYNC', SK: 'SYNC' },
      UpdateExpression: 'SET lastSync = :at',
      ExpressionAttributeValues: { ':at': new Date(Date.now() - 25 * 3_600_000).toISOString() },
    }),
  )

describe('before the first sync', () => {
  it('has the built-in entries, and Refresh says so', async () => {
    expect((await read('registry.page')).body).toMatchObject({ total: builtInCount })
    const { statusCode, headers, body } = await refresh('refresh')
    expect([statusCode, body]).toEqual([
      200,
      { success: true, stats: { total: builtInCount, new: 0, updated: 0 }, errors: [] },
    ])
    expect(headers).toMatchObject({ 'content-type': expect.stringContaining('application/json') })
    expect(listRequestedPaths()).toEqual([])
  })
})

describe('the buttons', () => {
  it('request everything with Force, what is new with Enhanced, GitHub with GitHub, and nothing with Refresh', async () => {
    expect((await refresh('force')).body).toEqual({
      success: true,
      stats: { total: builtInCount + 3, new: 3, updated: 0 },
      errors: ['2 entries of the MCP Registry could not be read'],
      codes: [{ code: 'sync_part', params: { reason: 'unreadable', count: 2 } }],
    })
    expect(listRequestedPaths()).toEqual([
      'repo/contents/src',
      'repo',
      'repo/contents/src/weather/README.md',
      'repo/contents/src/weather/package.json',
      '/v0.1/servers',
      '/v0.1/servers',
    ])
    functions.sources.state.calls = []
    await ageSync()
    const nothingNew = { success: true, stats: { total: builtInCount + 3, new: 0, updated: 0 }, errors: [] }
    expect((await press('registry.sync', { trigger: 'manual', enhanced: true })).body).toEqual(nothingNew)
    expect(listRequestedPaths()).toEqual(['repo/contents/src', 'repo', '/v0.1/servers'])
    for (const pressGitHub of [
      () => press('registry.sync', { trigger: 'manual', enhanced: false }),
      () => refresh('github'),
    ]) {
      functions.sources.state.calls = []
      await ageSync()
      expect((await pressGitHub()).body).toEqual(nothingNew)
      expect(listRequestedPaths()).toEqual(['repo/contents/src', 'repo'])
    }
    functions.sources.state.calls = []
    expect((await refresh('refresh')).body).toEqual(nothingNew)
    expect(listRequestedPaths()).toEqual([])
  })

  it('REG-02 ask the sources once a day, except Force', async () => {
    const pressAll = async (sub: string) => {
      functions.sources.state.calls = []
      const answers = [
        await press('registry.sync', { trigger: 'manual', enhanced: true }, { sub }),
        await press('registry.sync', { trigger: 'manual', enhanced: false }, { sub }),
        await refresh('github', { sub }),
        await refresh('enhanced', { sub }),
      ]
      for (const { body } of answers)
        expect(body).toMatchObject({ success: true, stats: { new: 0, updated: 0 } })
      return listRequestedPaths()
    }
    expect(await pressAll('day')).toEqual([])
    await refresh('force', { sub: 'day' })
    expect(listRequestedPaths()).toContain('repo/contents/src')
    await ageSync()
    // the first asks, the others are within a day of it
    expect(await pressAll('next-day')).toEqual(['repo/contents/src', 'repo', '/v0.1/servers'])
  })

  it('REG-30 REG-35 read the repository’s stars with each sync, also of a listing that is unchanged', async () => {
    const readStars = async () =>
      (await read('registry.one', { params: { entryId: 'github-mcp-weather' } })).body['entry']
    functions.sources.state.stars = 2_000
    await ageSync()
    await refresh('github', { sub: 'stars' })
    expect((await read('registry.page', { query: { fresh: 'true' } as never })).statusCode).toBe(200)
    expect(await readStars()).toMatchObject({ config: { github_stars: 2_000 } })
  })

  it('continue the walk through the registry next time if there is no time for it', async () => {
    const { body } = await refresh('force', { remainingMs: 60_000, sub: 'short' })
    expect(body['errors']).toEqual([
      'The MCP Registry was not read to its end. The next sync continues from there.',
      '1 entries of the MCP Registry could not be read',
    ])
    await ageSync()
    expect(
      (await press('registry.sync', { trigger: 'manual', enhanced: true }, { sub: 'short' })).body,
    ).toMatchObject({
      success: true,
    })
  })

  it('join the running sync, and return its result', async () => {
    await ageSync()
    functions.sources.state.fault = 'slow'
    const first = refresh('github', { sub: 'bob' })
    await expect.poll(() => functions.sources.state.calls.length).toBe(1)
    expect((await read('registry.status')).body).toMatchObject({ running: true })
    const second = press('registry.sync', { trigger: 'manual', enhanced: true }, { sub: 'cid' })
    // counted, so it is at the lease, which the first one holds
    const listCounters = () => queryAll(functions.table, { partition: 'RATE#cid', prefix: 'sync#' })
    await expect.poll(listCounters).toHaveLength(1)
    // without time left to wait, the response says so
    expect((await refresh('force', { sub: 'dan', remainingMs: 60_000 })).body).toEqual({
      success: false,
      stats: { total: builtInCount, new: 0, updated: 0 },
      errors: ['The running sync has not ended yet'],
      codes: [{ code: 'sync_failed', params: { reason: 'running' } }],
    })
    functions.sources.state.release()
    expect((await second).body).toEqual((await first).body)
    expect(listRequestedPaths()).toEqual(['repo/contents/src', 'repo'])
  })

  it('say so when the running sync dies, instead of returning the result of the one before', async () => {
    const row = { TableName: functions.table.name, Key: { PK: 'SYNC', SK: 'SYNC' } }
    const { Item } = await functions.table.client.send(new GetCommand(row))
    expect(Item).toHaveProperty('result')
    vi.useFakeTimers({ toFake: ['Date'] })
    const leaseUntilSeconds = Math.floor(Date.now() / 1_000) + 100
    await functions.table.client.send(
      new PutCommand({ ...row, Item: { ...Item, leaseOwner: 'dead', leaseUntilSeconds } }),
    )
    const joining = refresh('force', { sub: 'eli' })
    // counted, so it is at the lease, which the dead one holds
    await expect
      .poll(() => queryAll(functions.table, { partition: 'RATE#eli', prefix: 'sync#' }))
      .toHaveLength(1)
    expect((await read('registry.status')).body).toMatchObject({ running: true })
    vi.setSystemTime(Date.now() + 200_000)
    expect((await joining).body).toEqual({
      success: false,
      stats: { total: builtInCount, new: 0, updated: 0 },
      errors: ['The running sync ended without a result'],
      codes: [{ code: 'sync_failed', params: { reason: 'no_result' } }],
    })
    vi.useRealTimers()
    await functions.table.client.send(new PutCommand({ ...row, Item }))
  })

  it('report an internal error without its text, and log it', async () => {
    const row = { TableName: functions.table.name, Key: { PK: 'SYNC', SK: 'SYNC' } }
    const { Item } = await functions.table.client.send(new GetCommand(row))
    await functions.table.client.send(new PutCommand({ ...row, Item: { ...row.Key, names: 'not a map' } }))
    vi.stubEnv('LOG_LEVEL', 'error')
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const { body } = await refresh('force', { sub: 'eve' })
    const log = write.mock.calls.join('')
    write.mockRestore()
    await functions.table.client.send(new PutCommand({ ...row, Item }))
    expect(body).toEqual({
      success: false,
      stats: { total: builtInCount, new: 0, updated: 0 },
      errors: ['The sync failed'],
      codes: [{ code: 'sync_failed', params: { reason: 'unknown' } }],
    })
    expect(log).toMatch(/"message":"sync failed".*"name":"ZodError"/)
  })

  it('REG-42 DEC-066 work ten times an hour for each user, all together', async () => {
    const kinds = ['refresh', 'github', 'enhanced', 'force'] as const
    for (let count = 0; count < syncsPerHour; count += 1)
      expect((await refresh(kinds[count % kinds.length] ?? 'refresh', { sub: 'fay' })).statusCode).toBe(200)
    const refusal = await refresh('refresh', { sub: 'fay' })
    expect(refusal).toMatchObject({ statusCode: 429, body: { code: 'too_many_requests' } })
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0)
    for (const kind of kinds) expect((await refresh(kind, { sub: 'fay' })).statusCode).toBe(429)
    expect(
      (await press('registry.sync', { trigger: 'manual', enhanced: true }, { sub: 'fay' })).statusCode,
    ).toBe(429)
    expect((await refresh('refresh', { sub: 'gil' })).statusCode).toBe(200)
  })
})

describe('the catalogue', () => {
  it('is returned in pages, by name and by filter', async () => {
    // readers trust their copy for a second
    await expect.poll(async () => (await read('registry.page')).body['total']).toBe(builtInCount + 3)
    const query = { page: 2, limit: 20 }
    const { body } = await read('registry.page', { query: query as never })
    expect(body).toMatchObject({ total: builtInCount + 3, hasMore: false, page: 2 })
    expect(body['items']).toHaveLength(builtInCount + 3 - 20)
    const search = async (query: Record<string, string>) => {
      const { body: found } = await read('registry.search', { query })
      return (found['items'] as { id: string }[]).map(({ id }) => id)
    }
    expect(await search({ term: 'WEATHER' })).toEqual(['github-mcp-weather'])
    expect(await search({ term: '', provider: 'goog' })).toEqual(['gmail', 'google-drive', 'google-calendar'])
    expect(await search({ term: 'gmail', auth_type: 'api_key' })).toEqual([])
  })

  it('says which built-in entries an operator has set up', async () => {
    const findEntry = async (entryId: string) =>
      (await read('registry.one', { params: { entryId } })).body['entry']
    expect(await findEntry('gmail')).toMatchObject({ name: 'Gmail', preconfigured: true })
    expect(await findEntry('slack')).toMatchObject({ preconfigured: false })
    const { body } = await read('registry.page')
    const preconfigured = (body['items'] as { id: string; preconfigured: boolean }[]).filter(
      ({ preconfigured }) => preconfigured,
    )
    expect(preconfigured.map(({ id }) => id)).toEqual(['gmail'])
    expect(await read('registry.one', { params: { entryId: 'nothing' } })).toMatchObject({
      statusCode: 404,
      body: { code: 'mcp_not_found', error: 'MCP with ID nothing not found' },
    })
  })

  it('is available while the secret of the operator’s apps cannot be read or is invalid', async () => {
    for (const secret of ['test/nothing-here', 'test/github-token']) {
      vi.stubEnv('PROVIDER_APPS_SECRET', secret)
      expect(await read('registry.page')).toMatchObject({ statusCode: 200 })
      const { body } = await read('registry.one', { params: { entryId: 'gmail' } })
      expect(body['entry']).toMatchObject({ name: 'Gmail', preconfigured: false })
    }
  })

  it('has a status', async () => {
    const { lastSync } = await syncRepository(functions.table).read(Date.now())
    expect((await read('registry.status')).body).toMatchObject({
      isHealthy: true,
      lastSync,
      totalServers: builtInCount + 3,
      running: false,
    })
  })
})

describe('the sources', () => {
  it('are the public ones unless others are configured', () => {
    vi.stubEnv('GITHUB_API_URL', '')
    vi.stubEnv('MCP_REGISTRY_URL', '')
    const fetchSpy = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'))
    const { github, registry } = openSyncDeps()
    return Promise.allSettled([
      github.listServers(undefined),
      registry.page({ cursor: undefined, since: undefined }),
    ]).then(() => {
      const urls = fetchSpy.mock.calls.map(([url]) => new URL(url as string).origin)
      expect(new Set(urls)).toEqual(
        new Set(['https://api.github.com', 'https://registry.modelcontextprotocol.io']),
      )
    })
  })

  it('get the operator’s token, if there is one', async () => {
    const fetchSpy = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 304 }))
    await openSyncDeps().github.listServers('e')
    vi.stubEnv('GITHUB_TOKEN_SECRET', '')
    await openSyncDeps().github.listServers('e')
    const headers = fetchSpy.mock.calls.map(([, init]) => init?.headers as Record<string, string>)
    expect(headers.map(({ authorization }) => authorization)).toEqual(['Bearer token-1', undefined])
    expect(fetchSpy.mock.calls[0]?.[0]).toBe(
      `${functions.sources.url}/repos/modelcontextprotocol/servers/contents/src`,
    )
  })

  it('list servers with a public and complete address', () => {
    vi.stubEnv('OUTBOUND_ALLOW', 'http://127.0.0.1:9')
    const { mayBeCalled } = openSyncDeps()
    const base = 'https://mcp.example.com/'
    const longest = base.padEnd(2_000, 'x')
    expect([base, longest].map(mayBeCalled)).toEqual([true, true])
    expect(
      [`${base}{tenant}`, `${longest}x`, 'https://10.0.0.1/', 'http://mcp.example.com/', 'x'].map(
        mayBeCalled,
      ),
    ).toEqual([false, false, false, false, false])
  })
})
