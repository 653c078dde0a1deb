import { sayRegistry } from '#shared/sentences/registry.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DeleteCommand, GetCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { noneExcluded } from '#shared/registry-exclusions.ts'
import { metricLines } from '../../test/support/metric-lines.ts'
import { openTestTable } from '../../test/support/table.ts'
import { builtInProviders } from '../providers/built-in.ts'
import { catalogue, isHealthy } from './catalogue.ts'
import { GitHubFailed, McpRegistryFailed } from './errors.ts'
import type { GitHub } from './github.ts'
import type { McpRegistry, PublishedServer } from './mcp-registry.ts'
import { snapshotStore } from './snapshot.ts'
import { syncRegistry } from './sync.ts'
import { syncRepository } from './sync-repository.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())
beforeEach(() =>
  table.client.send(new DeleteCommand({ TableName: table.name, Key: { PK: 'SYNC', SK: 'SYNC' } })),
)

const now = new Date('2026-11-20T03:17:00Z')
const builtInCount = builtInProviders.length

const buildServer = (
  name: string,
  more: { title?: string; status?: string; url?: string; description?: string } = {},
): PublishedServer => ({
  server: {
    name,
    description: more.description ?? `About ${name}`,
    title: more.title,
    websiteUrl: undefined,
    repository: undefined,
    remotes: [
      { type: 'streamable-http', url: more.url ?? `https://mcp.example.com/${name}`, headers: undefined },
    ],
  },
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: more.status ?? 'active',
      updatedAt: '2026-11-01T00:00:00Z',
      isLatest: true,
    },
  },
})

interface SourceState {
  /** directory → revision */
  directories: Record<string, string>
  readme: string
  gitHubFault: Error | undefined
  pages: PublishedServer[][]
  registryFault: Error | undefined
  onPage: ((index: number) => void) | undefined
  requests: {
    listings: (string | undefined)[]
    servers: string[]
    pages: { cursor?: string | undefined; since?: string | undefined }[]
  }
}

const buildSourceState = (changes: Partial<SourceState> = {}): SourceState => ({
  directories: { fetch: 'r1', git: 'r1' },
  readme: '# Title\n\nFetches pages.\n\n## Installation\n\n1. Set EXAMPLE_API_KEY.\n',
  gitHubFault: undefined,
  pages: [[buildServer('com.example/notes')], [buildServer('com.example/mail')]],
  registryFault: undefined,
  onPage: undefined,
  requests: { listings: [], servers: [], pages: [] },
  ...changes,
})

function sync(
  source: SourceState,
  {
    force = false,
    registry = true,
    deadlineMs = Date.now() + 60_000,
    repository = syncRepository(table),
  } = {},
) {
  const github: GitHub = {
    async listServers(etag) {
      source.requests.listings.push(etag)
      if (source.gitHubFault) throw source.gitHubFault
      const contentEtag = JSON.stringify(source.directories)
      if (etag === contentEtag) return 'unchanged'
      return {
        servers: Object.entries(source.directories).map(([name, revision]) => ({ name, revision })),
        etag: contentEtag,
      }
    },
    async readServer(name) {
      source.requests.servers.push(name)
      return { readme: source.readme, packageJson: undefined }
    },
    statistics: async () => ({ stars: 1_000, forks: 100, watchers: 50 }),
  }
  const walk: McpRegistry = {
    async page({ cursor, since }) {
      source.requests.pages.push({ cursor, since })
      if (source.registryFault) throw source.registryFault
      const index = Number(cursor ?? 0)
      source.onPage?.(index)
      return {
        servers: source.pages[index] ?? [],
        unreadable: 0,
        nextCursor: index + 1 < source.pages.length ? String(index + 1) : undefined,
      }
    },
  }
  const deps = {
    github,
    registry: registry ? walk : undefined,
    repository,
    snapshots: snapshotStore(table),
    mayBeCalled: (url: string) => /^https:\/\/mcp\.(example|zendesk)\.com\//.test(url),
  }
  return syncRegistry(deps, now, { force, deadlineMs })
}

/** @param path below the attribute */
const removeFromRecord = (attribute: string, path = '') =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: { PK: 'SYNC', SK: 'SYNC' },
      UpdateExpression: `REMOVE #attribute${path}`,
      ExpressionAttributeNames: { '#attribute': attribute },
    }),
  )

const openReader = () => catalogue({ repository: syncRepository(table), snapshots: snapshotStore(table) })
const listStoredIds = async () =>
  (await openReader().search({})).filter(({ config }) => config.source !== 'builtin').map(({ id }) => id)

describe('a sync', () => {
  it('REG-01 REG-25 fills the catalogue from both sources beside the built-in entries', async () => {
    expect(await sync(buildSourceState())).toEqual({
      success: true,
      stats: { total: builtInCount + 4, new: 4, updated: 0 },
      errors: [],
    })
    const entries = await openReader().search({})
    expect(entries).toHaveLength(builtInCount + 4)
    const sources = entries.map(({ config }) => config.source)
    expect(sources.filter((source) => source === 'github')).not.toHaveLength(0)
    expect(sources.filter((source) => source === 'mcp-registry')).not.toHaveLength(0)
    expect(sources.filter((source) => source === 'builtin')).toHaveLength(builtInCount)
  })

  it('REG-34 REG-37 gives entries of the repository ids with github-mcp-, and api_key as auth type', async () => {
    await sync(buildSourceState())
    const entries = (await openReader().search({})).filter(({ config }) => config.source === 'github')
    expect(entries.map(({ id }) => id)).toContain('github-mcp-fetch')
    expect(entries.every(({ id }) => id.startsWith('github-mcp-'))).toBe(true)
    expect(new Set(entries.map(({ auth_type }) => auth_type))).toEqual(new Set(['api_key']))
  })

  it('DATA-16 DATA-23 stores each entry with the data of its source', async () => {
    await sync(buildSourceState())
    const entries = await openReader().search({})
    expect(entries.find(({ id }) => id === 'github-mcp-fetch')).toMatchObject({
      name: 'Fetch',
      description: 'Fetches pages.',
      auth_type: 'api_key',
      is_active: true,
      config: {
        source: 'github',
        popularity: 64,
        server_name: 'fetch',
        github_stars: 1_000,
        setup_instructions: ['Set EXAMPLE_API_KEY.'],
        required_credentials: ['EXAMPLE_API_KEY'],
        repository: 'https://github.com/modelcontextprotocol/servers/tree/main/src/fetch',
      },
      credential_fields: [{ name: 'EXAMPLE_API_KEY', label: 'EXAMPLE_API_KEY', secret: true }],
    })
    expect(entries.find(({ name }) => name === 'notes')).toMatchObject({
      auth_type: 'unknown',
      provider: 'com.example',
      config: {
        source: 'mcp-registry',
        remote_url: 'https://mcp.example.com/com.example/notes',
        popularity: 50,
      },
    })
  })

  it('reads no file and writes almost nothing when nothing has changed', async () => {
    const source = buildSourceState()
    await sync(source)
    source.pages = [[]]
    source.requests = { listings: [], servers: [], pages: [] }
    const before = table.writeUnits()
    const { snapshot } = await syncRepository(table).read(now.getTime())
    expect(await sync(source)).toMatchObject({
      success: true,
      stats: { total: builtInCount + 4, new: 0, updated: 0 },
    })
    const { snapshot: after } = await syncRepository(table).read(now.getTime())
    // the first sync has made it permanent: its chunks are not written again
    expect(snapshot).toMatchObject({ kept: true })
    expect(after).toEqual(snapshot)
    expect(table.writeUnits() - before).toBeLessThanOrEqual(6)
    expect(source.requests).toEqual({
      listings: [JSON.stringify(source.directories)],
      servers: [],
      // only what changed since the last walk began, with some overlap for clocks
      pages: [{ cursor: undefined, since: '2026-11-20T03:12:00.000Z' }],
    })
  })

  it('reads changed entries, removes deleted ones, and counts both', async () => {
    const source = buildSourceState()
    await sync(source)
    source.directories = { fetch: 'r2', time: 'r1' }
    source.readme = '# T\n\nNew words.\n'
    source.pages = [
      [
        buildServer('com.example/notes', { title: 'My notes' }),
        buildServer('com.example/mail', { status: 'deleted' }),
      ],
    ]
    source.requests.servers = []
    expect(await sync(source)).toMatchObject({ stats: { new: 1, updated: 2 } })
    expect(source.requests.servers).toEqual(['fetch', 'time'])
    const names = (await openReader().search({})).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Fetch', 'Time', 'My notes']))
    expect(names).not.toContain('Git')
    expect(names).not.toContain('mail')
  })

  it('DATA-19 DATA-22 DEC-141 lists and counts existing entries, but no withdrawn ones', async () => {
    const source = buildSourceState()
    await sync(source)
    expect(await openReader().search({})).toHaveLength(builtInCount + 4)
    expect(await openReader().status()).toMatchObject({ totalServers: builtInCount + 4 })
    source.pages = [[buildServer('com.example/mail', { status: 'deleted' })]]
    await sync(source)
    const entries = await openReader().search({})
    expect(entries.map(({ name }) => name)).not.toContain('mail')
    expect(entries.every(({ is_active }) => is_active)).toBe(true)
    expect(await openReader().status()).toMatchObject({ totalServers: entries.length })
    expect(entries).toHaveLength(builtInCount + 3)
  })

  it('REG-31 skips folders that are not servers, and names that cannot be ids', async () => {
    const folders = [
      'docs',
      'examples',
      'scripts',
      'tests',
      '.github',
      '.vscode',
      'Docs',
      'a b',
      'x'.repeat(101),
      'memory',
    ]
    await sync(
      buildSourceState({ directories: Object.fromEntries(folders.map((name) => [name, 'r'])), pages: [[]] }),
    )
    expect(await listStoredIds()).toEqual(['github-mcp-memory'])
  })

  it.each([
    [
      'a failed listing',
      { gitHubFault: new GitHubFailed(sayRegistry('github_failed.status', { status: 503 })) },
      'GitHub API error: 503',
    ],
    ['an empty listing', { directories: {} }, 'GitHub API error: the listing is empty'],
    [
      'a failed registry',
      { registryFault: new McpRegistryFailed(sayRegistry('mcp_registry_failed.status', { status: 500 })) },
      'MCP Registry error: 500',
    ],
  ])('REG-38 DEC-068 reports %s and removes nothing', async (_, fault, error) => {
    await sync(buildSourceState())
    expect(await sync(buildSourceState(fault))).toMatchObject({
      success: true,
      stats: { total: builtInCount + 4, new: 0, updated: 0 },
      errors: [error],
    })
    expect(await listStoredIds()).toHaveLength(4)
  })

  it('REG-40 fails when no source answers, and keeps the date of the last success', async () => {
    await sync(buildSourceState())
    const failingSource = buildSourceState({
      gitHubFault: new GitHubFailed(sayRegistry('github_failed.rate_limit', { status: 403 })),
      registryFault: new McpRegistryFailed(sayRegistry('mcp_registry_failed.unusable')),
    })
    expect(await sync(failingSource)).toMatchObject({
      success: false,
      errors: ['GitHub API error: 403 (rate limit)', 'MCP Registry error: no usable answer'],
    })
    expect(await openReader().status()).toMatchObject({
      lastSync: now.toISOString(),
      totalServers: builtInCount + 4,
    })
  })

  it('a sync that fails writes no date of success, whatever was there before', async () => {
    const repository = syncRepository(table)
    const result = { success: false, stats: { total: 27, new: 0, updated: 0 }, errors: ['x'] }
    const readAfter = async (owner: string, at: string) => {
      await repository.take(owner, { nowSeconds: 1_000, untilSeconds: 1_240 })
      await repository.finish(owner, { names: {} }, result, new Date(at))
      return repository.read(Date.parse(at))
    }
    expect(await readAfter('first', '2026-11-20T00:00:00Z')).toMatchObject({ lastSync: undefined, result })
    await repository.take('second', { nowSeconds: 1_000, untilSeconds: 1_240 })
    await repository.finish('second', { names: {} }, { ...result, success: true }, now)
    expect((await readAfter('third', '2026-11-25T00:00:00Z')).lastSync).toBe(now.toISOString())
  })

  it('REG-09 DEC-072 DEC-138 does not list a name that equals or resembles a built-in one, and reports it (M5)', async () => {
    const imitations = ['GMAIL', 'Gmai\u217c', 'Gm\u0430il', 'S1ack', '\uff33\uff54ripe', 'N\u043etion.']
    const pages = [
      [
        ...imitations.map((title, index) => buildServer(`io.github.mallory/${index}`, { title })),
        buildServer('com.example/b', { title: 'Notes for Gmail' }),
      ],
    ]
    const source = buildSourceState({ pages })
    expect(await sync(source)).toMatchObject({
      success: true,
      stats: { total: builtInCount + 3, new: 9 },
      errors: ['6 entries are not listed: their name is, or looks like, a built-in integration’s'],
    })
    expect((await openReader().get('gmail')).provider).toBe('Google')
    expect(await openReader().search({ term: 'io.github.mallory' })).toEqual([])
    // counted again, but not reported as an error by each sync
    expect(await sync(source)).toMatchObject({ errors: [] })
    expect((await openReader().status()).excluded).toMatchObject({ imitation: 6 })
  })

  it('a title belongs to the publisher with the matching domain, not to the first one (M5)', async () => {
    const squatter = buildServer('io.github.mallory/x', { title: 'Zendesk' })
    const vendor = buildServer('com.zendesk/mcp', { title: 'Zendesk', url: 'https://mcp.zendesk.com/mcp' })
    const source = buildSourceState({ pages: [[squatter]] })
    await sync(source)
    const listNames = async () =>
      (await openReader().search({ term: 'zendesk' })).map(({ name, namespace }) => `${name} by ${namespace}`)
    expect(await listNames()).toEqual(['Zendesk by io.github.mallory'])
    source.pages = [[vendor]]
    expect(await sync(source)).toMatchObject({ success: true, errors: [] })
    expect(await listNames()).toEqual([
      'Zendesk by com.zendesk',
      'Zendesk (io.github.mallory) by io.github.mallory',
    ])
  })

  it('an entry whose name was made to collide with another id neither replaces nor removes it', async () => {
    // ids end in 32 bits of a hash, so an attacker can find such a name in their own namespace by trying
    const [vendor, mallory] = [
      'io.github.acme/server-...--__-__.......x',
      'io.github.acme-server/-__._..-..........x',
    ]
    const source = buildSourceState({ pages: [[buildServer(vendor)]] })
    await sync(source)
    const before = await listStoredIds()
    for (const status of ['active', 'deleted']) {
      source.pages = [[buildServer(mallory, { status })]]
      expect(await sync(source)).toMatchObject({ success: true })
      expect(await listStoredIds()).toEqual(before)
      const entries = await openReader().search({ term: 'server' })
      expect(entries.map(({ namespace }) => namespace)).toContain('io.github.acme')
    }
    expect((await openReader().status()).excluded.invalid_name).toBe(1)
    // its own publisher still removes it
    source.pages = [[buildServer(vendor, { status: 'deleted' })]]
    await sync(source)
    expect(await listStoredIds()).toHaveLength(before.length - 1)
  })

  it('counts excluded entries by reason in the status (M5)', async () => {
    const nowhere = buildServer('com.example/nowhere')
    const pages = [
      [
        { ...nowhere, server: { ...nowhere.server, remotes: [] } },
        buildServer('com.example/private', { url: 'https://10.0.0.1/mcp' }),
        buildServer('no namespace'),
      ],
    ]
    const counts = { imitation: 0, no_remote_server: 1, forbidden_address: 1, invalid_name: 1 }
    expect(await sync(buildSourceState({ pages }))).toMatchObject({ success: true, errors: [] })
    expect((await openReader().status()).excluded).toEqual(counts)
  })

  it('lists no server at a forbidden address, and no hostile text', async () => {
    const pages = [
      [
        buildServer('com.example/private', { url: 'https://10.0.0.1/mcp' }),
        buildServer('com.example/loud', {
          title: `Nice\u202e\u0000 ${'x'.repeat(100_000)}`,
          description: `<script>alert(1)</script>\u0007${'y'.repeat(100_000)}`,
        }),
      ],
    ]
    await sync(buildSourceState({ directories: { git: 'r' }, pages }))
    const entries = await openReader().search({ term: 'nice' })
    expect(entries[0]?.description.length).toBeLessThanOrEqual(300)
    expect(entries[0]?.description).not.toContain('\u0007')
    const names = entries.map(({ name }) => name)
    expect(names).toHaveLength(1)
    expect(names[0]).toMatch(/^Nice x+…$/)
    expect(names[0]).toHaveLength(100)
    expect(await listStoredIds()).toHaveLength(2)
  })

  it('DEC-066 REG-03 runs once at a time', async () => {
    const source = buildSourceState()
    const [one, two] = await Promise.all([sync(source), sync(source)])
    expect([one, two].filter((result) => result === undefined)).toHaveLength(1)
    expect(source.requests.listings).toHaveLength(1)
  })

  it('a walk that runs out of time continues from its page next time', async () => {
    const source = buildSourceState()
    expect(await sync(source, { deadlineMs: 0 })).toMatchObject({
      errors: ['The MCP Registry was not read to its end. The next sync continues from there.'],
    })
    expect(await listStoredIds()).toHaveLength(3)
    expect(await sync(source)).toMatchObject({ stats: { new: 1 }, errors: [] })
    expect(source.requests.pages).toEqual([
      { cursor: undefined, since: undefined },
      { cursor: '1', since: undefined },
    ])
    expect(await listStoredIds()).toHaveLength(4)
  })

  it('a walk that was killed continues from its last checkpoint', async () => {
    const source = buildSourceState({
      pages: ['a', 'b', 'c', 'd'].map((name) => [buildServer(`com.example/${name}`)]),
    })
    vi.useFakeTimers({ toFake: ['Date'] })
    source.onPage = (index) => {
      vi.setSystemTime(Date.now() + 15_000)
      if (index === 3) throw new TypeError('killed')
    }
    await expect(sync(source, { deadlineMs: Infinity })).rejects.toThrow('killed')
    vi.useRealTimers()
    source.onPage = undefined
    source.requests.pages = []
    expect(await sync(source)).toMatchObject({ errors: [] })
    expect(source.requests.pages.map(({ cursor }) => cursor)).toEqual(['2', '3'])
    expect(await openReader().search({ provider: 'com.example' })).toHaveLength(4)
  })

  it('DEC-077 force requests everything again; GitHub alone does not use the registry', async () => {
    const source = buildSourceState()
    await sync(source)
    source.requests = { listings: [], servers: [], pages: [] }
    expect(await sync(source, { force: true })).toMatchObject({
      success: true,
      stats: { new: 0, updated: 0 },
    })
    expect(source.requests.listings).toEqual([undefined])
    expect(source.requests.servers).toEqual(['fetch', 'git'])
    expect(source.requests.pages[0]).toEqual({ cursor: undefined, since: undefined })
    source.requests.pages = []
    expect(await sync(source, { registry: false })).toMatchObject({ success: true })
    expect(source.requests.pages).toEqual([])
  })

  it('an internal error is recorded, releases the lease and is thrown', async () => {
    const source = buildSourceState({ gitHubFault: new TypeError('bug') })
    vi.stubEnv('METRICS_NAMESPACE', 'test')
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    onTestFinished(() => write.mockRestore())
    await expect(sync(source)).rejects.toThrow('bug')
    expect(metricLines(write.mock.calls.join('\n'))).toMatchObject([{ values: { FailedSyncs: 1 } }])
    write.mockRestore()
    expect((await syncRepository(table).read(Date.now())).result).toMatchObject({
      success: false,
      errors: ['The sync failed'],
    })
    expect(await sync(buildSourceState())).toMatchObject({ success: true })
  })

  it('an internal error is thrown even when it cannot be recorded', async () => {
    const repository = {
      ...syncRepository(table),
      finish: () => Promise.reject(new Error('the table is down')),
    }
    await expect(
      sync(buildSourceState({ gitHubFault: new TypeError('bug') }), { repository }),
    ).rejects.toThrow('bug')
  })

  it('returns no result of its own when another sync has taken over its lease', async () => {
    const repository = syncRepository(table)
    const finish: typeof repository.finish = async (...input) => {
      const nowSeconds = Math.floor(Date.now() / 1_000) + 600
      expect(await repository.take('another', { nowSeconds, untilSeconds: nowSeconds + 240 })).toBeDefined()
      return repository.finish(...input)
    }
    expect(await sync(buildSourceState(), { repository: { ...repository, finish } })).toBeUndefined()
    expect((await repository.read(Date.now())).result).toBeUndefined()
  })

  it('does not block itself: a lease whose response was lost is taken by the repeated write', async () => {
    const repository = syncRepository(table)
    const lease = { nowSeconds: 1_000, untilSeconds: 1_240 }
    const state = await repository.take('first', lease)
    expect(await repository.take('first', lease)).toEqual(state)
    expect(await repository.take('second', lease)).toBeUndefined()
  })

  it('stores thousands of entries in a few rows that do not expire', async () => {
    const servers = Array.from({ length: 3_000 }, (_, index) => buildServer(`com.example/server-${index}`))
    const pages = Array.from({ length: 30 }, (_, page) => servers.slice(page * 100, (page + 1) * 100))
    expect(await sync(buildSourceState({ pages }))).toMatchObject({ success: true, stats: { new: 3_002 } })
    const { snapshot } = await syncRepository(table).read(Date.now())
    expect(snapshot?.chunks).toBeLessThanOrEqual(2)
    expect(await openReader().search({ term: 'server-2999' })).toHaveLength(1)
    const read = (version = '') =>
      table.client.send(new GetCommand({ TableName: table.name, Key: { PK: `REG#${version}`, SK: 'C#000' } }))
    const { Item } = await read(snapshot?.version)
    expect(Item).toBeDefined()
    // the recorded version does not expire
    expect(Item).not.toHaveProperty('ttl')
  })

  describe('that dies', () => {
    const listChunks = async () => {
      const { Items = [] } = await table.client.send(
        new ScanCommand({
          TableName: table.name,
          ConsistentRead: true,
          FilterExpression: 'begins_with(PK, :prefix)',
          ExpressionAttributeValues: { ':prefix': 'REG#' },
        }),
      )
      return Items.map(({ PK, ttl }) => ({ version: String(PK).slice('REG#'.length), ttl: ttl as unknown }))
    }
    const weekSeconds = 7 * 86_400

    it('before it records its snapshot leaves chunks that expire', async () => {
      const stores = { repository: syncRepository(table), snapshots: snapshotStore(table) }
      const before = await listChunks()
      const version = crypto.randomUUID()
      await stores.snapshots.write(version, [])
      const added = (await listChunks()).filter(
        (chunk) => !before.some((one) => one.version === chunk.version),
      )
      expect(added).toEqual([{ version, ttl: expect.any(Number) as number }])
      const endsInSeconds = Number(added[0]?.ttl) - Date.now() / 1_000
      expect(Math.abs(endsInSeconds - weekSeconds)).toBeLessThan(60)
    })

    it('after it recorded its snapshot is completed by the next sync', async () => {
      await sync(buildSourceState({ directories: { fetch: 'died' } }))
      const { snapshot } = await syncRepository(table).read(Date.now())
      if (!snapshot) throw new Error('no snapshot')
      const [PK, SK] = [`REG#${snapshot.version}`, 'C#000']
      // as if it died: recorded, but not permanent
      const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: { PK, SK } }))
      await table.client.send(
        new PutCommand({ TableName: table.name, Item: { ...Item, ttl: 4_000_000_000 } }),
      )
      await removeFromRecord('snapshot', '.kept')
      await sync(buildSourceState({ directories: { fetch: 'died' } }))
      expect((await listChunks()).find(({ version }) => version === snapshot.version)).toEqual({
        version: snapshot.version,
        ttl: undefined,
      })
    })
  })
})

describe('readers', () => {
  it('REG-04 REG-05 REG-39 serve the built-in entries when nothing is stored or the table fails', async () => {
    expect(await openReader().search({})).toHaveLength(builtInCount)
    expect(await openReader().status()).toEqual({
      isHealthy: false,
      lastSync: null,
      totalServers: builtInCount,
      running: false,
      excluded: noneExcluded,
    })
    const failingRepository = { ...syncRepository(table), read: () => Promise.reject(new Error('throttled')) }
    const offline = catalogue({ repository: failingRepository, snapshots: snapshotStore(table) })
    expect(await offline.search({ term: 'gmail' })).toHaveLength(1)
    expect(await offline.status()).toMatchObject({ isHealthy: false, lastSync: null })
  })

  it('INT-43 report an unknown id in the words of the specification', async () => {
    await expect(openReader().get('nothing')).rejects.toMatchObject({
      userMessage: 'MCP with ID nothing not found',
      status: 404,
    })
  })

  it('REG-28 call the registry healthy until 48 hours after a sync that found servers', () => {
    const isHealthyAfter = (hours: number, servers = 1) =>
      isHealthy({
        lastSync: new Date(now.getTime() - hours * 3_600_000).toISOString(),
        servers,
        nowMs: now.getTime(),
      })
    expect([isHealthyAfter(0), isHealthyAfter(47.9), isHealthyAfter(48), isHealthyAfter(1, 0)]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
