import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { builtInProviders } from '../providers/built-in.ts'
import { catalogue } from './catalogue.ts'
import type { StoredEntry } from './stored-entry.ts'
import type { SyncRecord, SyncRepository } from './sync-repository.ts'

const start = Date.parse('2026-11-20T03:17:00Z')
let lines: () => string[]
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  vi.stubEnv('LOG_LEVEL', 'warn')
  vi.stubEnv('METRICS_NAMESPACE', 'test')
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  lines = () => write.mock.calls.map(([line]) => String(line))
})
afterEach(() => vi.useRealTimers())
const listAges = () =>
  lines().flatMap((line) => {
    const { RegistryAge } = JSON.parse(line) as { RegistryAge?: number }
    return RegistryAge === undefined ? [] : [RegistryAge]
  })

const buildEntry = (id: string): StoredEntry => ({
  id,
  name: id,
  description: '',
  provider: 'com.example',
  auth_type: 'unknown',
  config: { features: [], popularity: 50, source: 'mcp-registry', server_name: `com.example/${id}` },
  updated_at: '2026-11-01T00:00:00.000Z',
})

/** A registry whose stored versions can be changed while it is read. */
function openRegistry(versions: Record<string, StoredEntry[]> = {}) {
  const record: SyncRecord = {
    snapshot: undefined,
    lastSync: undefined,
    result: undefined,
    excluded: undefined,
    running: false,
    died: false,
  }
  const state = {
    record,
    versions,
    reads: 0,
    fault: undefined as Error | undefined,
    onRead: () => undefined as void,
  }
  const reader = catalogue({
    repository: {
      async read() {
        state.reads += 1
        if (state.fault) throw state.fault
        const recordThen = { ...state.record }
        state.onRead()
        return recordThen
      },
    } as unknown as SyncRepository,
    snapshots: { read: async (version) => state.versions[version] },
  })
  const publish = (version: string) => Object.assign(state.record, { snapshot: { version, chunks: 1 } })
  return { state, reader, publish }
}
const builtInCount = builtInProviders.length
const listStoredIds = async ({ reader }: ReturnType<typeof openRegistry>) =>
  (await reader.search({})).filter(({ config }) => config.source !== 'builtin').map(({ id }) => id)

describe('a reader', () => {
  it('checks for a newer version once a second, and once for all concurrent readers', async () => {
    const registry = openRegistry({ one: [buildEntry('a')], two: [buildEntry('b')] })
    registry.publish('one')
    expect(await Promise.all([listStoredIds(registry), listStoredIds(registry)])).toEqual([['a'], ['a']])
    expect(registry.state.reads).toBe(1)
    registry.publish('two')
    vi.setSystemTime(start + 999)
    expect(await listStoredIds(registry)).toEqual(['a'])
    vi.setSystemTime(start + 1_000)
    expect(await listStoredIds(registry)).toEqual(['b'])
    expect(registry.state.reads).toBe(2)
  })

  it('checks at once for an entry that it does not know', async () => {
    const registry = openRegistry({ one: [], two: [buildEntry('b')] })
    registry.publish('one')
    await listStoredIds(registry)
    registry.publish('two')
    expect(await registry.reader.get('b')).toMatchObject({ name: 'b' })
    expect(await registry.reader.find('gmail')).toMatchObject({ name: 'Gmail' })
    expect(registry.state.reads).toBe(2)
    await expect(registry.reader.get('c')).rejects.toMatchObject({
      code: 'mcp_not_found',
      userMessage: 'MCP with ID c not found',
    })
  })

  it('reads the new version when the one that it was about to read is replaced', async () => {
    const registry = openRegistry({ two: [buildEntry('b')] })
    registry.publish('one')
    registry.state.onRead = () => void registry.publish('two')
    expect(await listStoredIds(registry)).toEqual(['b'])
    expect(registry.state.reads).toBe(2)
  })

  it('gives up when a version stays missing', async () => {
    const registry = openRegistry()
    registry.publish('gone')
    expect(await listStoredIds(registry)).toEqual([])
    expect(registry.state.reads).toBe(2)
    expect(await listStoredIds(registry)).toEqual([])
    expect(registry.state.reads).toBe(2)
  })

  it('serves its copy while the table fails, logs that, and tries again', async () => {
    const registry = openRegistry({ one: [buildEntry('a')], two: [buildEntry('b')] })
    registry.publish('one')
    await listStoredIds(registry)
    vi.setSystemTime(start + 2_000)
    registry.state.fault = new Error('throttled')
    expect(await listStoredIds(registry)).toEqual(['a'])
    expect(lines().join('')).toMatch(
      /"message":"the registry could not be read; the copy in memory serves","error":\{"name":"Error"/,
    )
    registry.state.fault = undefined
    registry.publish('two')
    expect(await listStoredIds(registry)).toEqual(['b'])
  })

  it('lists no entry that imitates a built-in one', async () => {
    const registry = openRegistry({
      one: [
        { ...buildEntry('gmail'), name: 'Other' },
        { ...buildEntry('x'), name: 'gmaiL' },
      ],
    })
    registry.publish('one')
    expect(await listStoredIds(registry)).toEqual([])
    expect((await registry.reader.status()).excluded).toEqual({
      imitation: 2,
      no_remote_server: 0,
      forbidden_address: 0,
      invalid_name: 0,
    })
  })
})

describe('the age of the registry', () => {
  it('is reported at most once a minute, by a reader', async () => {
    const registry = openRegistry()
    await listStoredIds(registry)
    expect(listAges()).toEqual([])
    registry.state.record.lastSync = new Date(start - 90_400).toISOString()
    vi.setSystemTime(start + 1_000)
    await listStoredIds(registry)
    vi.setSystemTime(start + 60_999)
    await listStoredIds(registry)
    expect(listAges()).toEqual([91])
    vi.setSystemTime(start + 62_000)
    await listStoredIds(registry)
    expect(listAges()).toEqual([91, 152])
  })
})

describe('the status', () => {
  it('counts the servers of the sync that it names, also within the second after an earlier look', async () => {
    const registry = openRegistry({ a: [buildEntry('x')] })
    const { totalServers: before } = await registry.reader.status()
    registry.publish('a')
    expect((await registry.reader.status()).totalServers).toBe(before + 1)
  })

  it('returns the last sync, the excluded entries, and whether a sync is running', async () => {
    const registry = openRegistry({ one: [buildEntry('a')] })
    registry.publish('one')
    const lastSync = new Date(start - 3_600_000).toISOString()
    const excluded = { imitation: 9, no_remote_server: 1, forbidden_address: 2, invalid_name: 3 }
    Object.assign(registry.state.record, { lastSync, running: true, excluded })
    expect(await registry.reader.status()).toEqual({
      isHealthy: true,
      lastSync,
      totalServers: builtInCount + 1,
      running: true,
      excluded: { ...excluded, imitation: 0 },
    })
    vi.setSystemTime(start + 47 * 3_600_000)
    expect((await registry.reader.status()).isHealthy).toBe(false)
  })
})
