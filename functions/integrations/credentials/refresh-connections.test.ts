import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { CredentialRow } from '../store/credential-repository.ts'
import { ConnectionNotFound } from '../store/errors.ts'
import type { ConnectionRow } from '../store/connection-repository.ts'
import type { IndexedConnection } from '../store/refresh-index.ts'
import {
  dailyRefreshAfterMs,
  refreshConnections,
  type RefreshConnectionsDeps,
} from './refresh-connections.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20) }))
afterEach(() => void vi.useRealTimers())

const getDueRefreshedAt = () => new Date(Date.now() - dailyRefreshAfterMs).toISOString()
const row = { status: 'connected', auth_type: 'oauth2', token_status: 'active' }
const emptySummary = { refreshed: 0, failed: 0, removed: 0, isComplete: true }

/**
 * The daily refresh of connections by their ids, each on a page of its own.
 * @param rows what is stored for each connection
 * @param refreshError a refresh begins by reading the row a second time; this read throws it
 */
async function run(
  rows: Record<string, { row?: object | undefined; credential?: object | undefined }>,
  {
    entry,
    refreshError = new ConnectionNotFound('slack'),
    isTimeUp = () => false,
  }: { entry?: object; refreshError?: Error; isTimeUp?: () => boolean } = {},
) {
  const calls: unknown[] = []
  const connections = Object.keys(rows).map((mcpId): IndexedConnection => ({
    sub: 'ann',
    mcpId,
    refreshedAt: getDueRefreshedAt(),
  }))
  const seenIds = new Set<string>()
  const deps = {
    integrations: {
      find: async (_: string, mcpId: string) => {
        if (seenIds.has(mcpId)) throw refreshError
        seenIds.add(mcpId)
        return { mcp_id: mcpId, ...rows[mcpId]?.row } as ConnectionRow
      },
    },
    credentials: {
      find: async (_: string, mcpId: string) => rows[mcpId]?.credential as CredentialRow | undefined,
    },
    registry: { find: async () => entry as RegistryEntry | undefined },
    index: {
      async *pages(startKey: string) {
        calls.push(['from', startKey])
        for (const connection of connections) yield [connection]
      },
      removeStale: async ({ mcpId }: IndexedConnection) => void calls.push(['remove', mcpId]),
      put: async (connection: IndexedConnection) => void calls.push(['put', connection]),
    },
    pause: async (ms: number) => void calls.push(['pause', ms]),
  } as unknown as RefreshConnectionsDeps
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  return { calls, result: await refreshConnections(deps, { startKey: 'k', isTimeUp }) }
}
const buildCredential = () => ({
  status: 'active',
  refreshable: true,
  version: 'v1',
  updated_at: getDueRefreshedAt(),
})

it.each<[string, object, object | undefined]>([
  ['was disconnected', { ...row, status: 'disconnected' }, {}],
  ['has no credential', row, undefined],
  ['now uses a key', row, { refreshable: false }],
  ['was rejected', row, { status: 'invalid' }],
])('removes a connection that %s from the index', async (_, storedRow, credentialChange) => {
  const { calls, result } = await run({
    slack: { row: storedRow, credential: credentialChange && { ...buildCredential(), ...credentialChange } },
  })
  expect(result).toEqual({ ...emptySummary, removed: 1 })
  expect(calls).toEqual([
    ['from', 'k'],
    ['pause', 125],
    ['remove', 'slack'],
  ])
})

it('updates the time of a connection that was refreshed meanwhile', async () => {
  const updated_at = new Date(Date.now() - dailyRefreshAfterMs + 1).toISOString()
  const { calls, result } = await run({ slack: { row, credential: { ...buildCredential(), updated_at } } })
  expect(result).toEqual(emptySummary)
  expect(calls.at(-1)).toEqual(['put', { sub: 'ann', mcpId: 'slack', refreshedAt: updated_at }])
})

it('does not count a connection that the user ends meanwhile as failed', async () => {
  const { result } = await run({ slack: { row, credential: buildCredential() } })
  expect(result).toEqual(emptySummary)
})

it('logs a failed refresh, and continues with the next connection', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  vi.stubEnv('LOG_LEVEL', 'warn')
  const connection = { row, credential: buildCredential() }
  const { result } = await run(
    { slack: connection, zoom: connection },
    { refreshError: new TypeError('no table') },
  )
  expect(result).toEqual({ ...emptySummary, failed: 2 })
  expect(write.mock.calls.map(([line]) => JSON.parse(String(line)) as object)).toMatchObject(
    Array.from({ length: 2 }, () => ({
      level: 'warn',
      message: 'token refresh failed',
      error: { name: 'TypeError' },
    })),
  )
})

it('sends no tokens for a connection that needs a reconnect', async () => {
  const entry = { config: { remote_url: 'https://new.example/mcp' }, credential_fields: [] }
  const server = { url: 'https://old.example/mcp' }
  const { calls, result } = await run(
    { notes: { row, credential: { ...buildCredential(), server } } },
    { entry, refreshError: new Error('it was refreshed') },
  )
  expect(result).toEqual(emptySummary)
  expect(calls).toEqual([
    ['from', 'k'],
    ['pause', 125],
  ])
})

it('reads nothing more when the time is over', async () => {
  let tries = 0
  const { calls, result } = await run({ slack: { row }, zoom: { row } }, { isTimeUp: () => (tries += 1) > 0 })
  expect(result).toEqual({ ...emptySummary, isComplete: false })
  expect([tries, calls]).toEqual([1, [['from', 'k']]])
})
