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
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  lines = () => written.mock.calls.map(([line]) => String(line))
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
  }
  const state = {
    record,
    versions,
    reads: 0,
    fault: undefined as Error | undefined,
    onRead: () => undefined as void,
  }
  const read = catalogue({
    record: {
      async read() {
        state.reads += 1
        if (state.fault) throw state.fault
        const seen = { ...state.record }
        state.onRead()
        return seen
      },
    } as unknown as SyncRepository,
    snapshots: { read: async (version) => state.versions[version] },
  })
  const show = (version: string) => Object.assign(state.record, { snapshot: { version, chunks: 1 } })
  return { state, read, show }
}
const builtIns = builtInProviders.length
const listStoredIds = async ({ read }: ReturnType<typeof openRegistry>) =>
  (await read.search({})).filter(({ config }) => config.source !== 'builtin').map(({ id }) => id)

describe('a reader', () => {
  it('checks for a newer version once a second, and once for all concurrent readers', async () => {
    const at = openRegistry({ one: [buildEntry('a')], two: [buildEntry('b')] })
    at.show('one')
    expect(await Promise.all([listStoredIds(at), listStoredIds(at)])).toEqual([['a'], ['a']])
    expect(at.state.reads).toBe(1)
    at.show('two')
    vi.setSystemTime(start + 999)
    expect(await listStoredIds(at)).toEqual(['a'])
    vi.setSystemTime(start + 1_000)
    expect(await listStoredIds(at)).toEqual(['b'])
    expect(at.state.reads).toBe(2)
  })

  it('checks at once for an entry that it does not know', async () => {
    const at = openRegistry({ one: [], two: [buildEntry('b')] })
    at.show('one')
    await listStoredIds(at)
    at.show('two')
    expect(await at.read.one('b')).toMatchObject({ name: 'b' })
    expect(await at.read.find('gmail')).toMatchObject({ name: 'Gmail' })
    expect(at.state.reads).toBe(2)
    await expect(at.read.one('c')).rejects.toMatchObject({ code: 'mcp_not_found', message: 'no entry c' })
  })

  it('reads the new version when the one that it was about to read is replaced', async () => {
    const at = openRegistry({ two: [buildEntry('b')] })
    at.show('one')
    at.state.onRead = () => void at.show('two')
    expect(await listStoredIds(at)).toEqual(['b'])
    expect(at.state.reads).toBe(2)
  })

  it('gives up when a version stays missing', async () => {
    const at = openRegistry()
    at.show('gone')
    expect(await listStoredIds(at)).toEqual([])
    expect(at.state.reads).toBe(2)
    expect(await listStoredIds(at)).toEqual([])
    expect(at.state.reads).toBe(2)
  })

  it('serves its copy while the table fails, logs that, and tries again', async () => {
    const at = openRegistry({ one: [buildEntry('a')], two: [buildEntry('b')] })
    at.show('one')
    await listStoredIds(at)
    vi.setSystemTime(start + 2_000)
    at.state.fault = new Error('throttled')
    expect(await listStoredIds(at)).toEqual(['a'])
    expect(lines().join('')).toMatch(
      /"message":"the registry could not be read; the copy in memory serves","error":\{"name":"Error"/,
    )
    at.state.fault = undefined
    at.show('two')
    expect(await listStoredIds(at)).toEqual(['b'])
  })

  it('lists no entry that imitates a built-in one', async () => {
    const at = openRegistry({
      one: [
        { ...buildEntry('gmail'), name: 'Other' },
        { ...buildEntry('x'), name: 'gmaiL' },
      ],
    })
    at.show('one')
    expect(await listStoredIds(at)).toEqual([])
    expect((await at.read.status()).excluded).toEqual({
      imitation: 2,
      no_remote_server: 0,
      forbidden_address: 0,
      invalid_name: 0,
    })
  })
})

describe('the age of the registry', () => {
  it('is reported at most once a minute, by a reader', async () => {
    const at = openRegistry()
    await listStoredIds(at)
    expect(listAges()).toEqual([])
    at.state.record.lastSync = new Date(start - 90_400).toISOString()
    vi.setSystemTime(start + 1_000)
    await listStoredIds(at)
    vi.setSystemTime(start + 60_999)
    await listStoredIds(at)
    expect(listAges()).toEqual([91])
    vi.setSystemTime(start + 62_000)
    await listStoredIds(at)
    expect(listAges()).toEqual([91, 152])
  })
})

describe('the status', () => {
  it('returns the last sync, the excluded entries, and whether a sync is running', async () => {
    const at = openRegistry({ one: [buildEntry('a')] })
    at.show('one')
    const lastSync = new Date(start - 3_600_000).toISOString()
    const excluded = { imitation: 9, no_remote_server: 1, forbidden_address: 2, invalid_name: 3 }
    Object.assign(at.state.record, { lastSync, running: true, excluded })
    expect(await at.read.status()).toEqual({
      isHealthy: true,
      lastSync,
      totalServers: builtIns + 1,
      running: true,
      excluded: { ...excluded, imitation: 0 },
    })
    vi.setSystemTime(start + 47 * 3_600_000)
    expect((await at.read.status()).isHealthy).toBe(false)
  })
})
