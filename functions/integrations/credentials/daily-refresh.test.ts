import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openOAuthConnections } from '../../../test/support/oauth-connections.ts'
import { refreshIndex } from '../store/refresh-index.ts'
import { dailyRefreshAfterMs, refreshConnections } from './refresh-connections.ts'
import { leaseMs } from './refresh.ts'

/** The daily refresh of idle connections. */

const { captureOutput, connect, disconnect, getUser, harness, list, readConnection, readTokens } =
  await openOAuthConnections()

describe('DEC-186 the daily refresh', () => {
  const readIndex = async () => {
    const rows = []
    for await (const page of refreshIndex(harness.table).pages('0')) rows.push(...page)
    return rows.filter(({ sub }) => sub === getUser().sub)
  }
  const run = (options: { startKey?: string; isTimeUp?: () => boolean } = {}) =>
    // with the rights of its role
    harness.runAs('connectionRefresh', () =>
      refreshConnections(
        { ...harness.stores, index: refreshIndex(harness.table), pause: async () => undefined },
        { startKey: '0', isTimeUp: () => false, ...options },
      ),
    )
  /** Empties the index: connections of other tests would be due as well. */
  beforeEach(async () => {
    for await (const page of refreshIndex(harness.table).pages('0'))
      for (const { sub, mcpId } of page) await refreshIndex(harness.table).remove(sub, mcpId)
  })
  const emptySummary = { refreshed: 0, failed: 0, removed: 0, isComplete: true }

  it('refreshes only tokens that were not refreshed for a day', async () => {
    await connect('slack', undefined, { expires_in: 3_600 })
    await connect('zoom', undefined, { refresh_token: undefined })
    expect(await readIndex()).toEqual([
      { sub: getUser().sub, mcpId: 'slack', refreshedAt: new Date().toISOString() },
    ])
    expect(await run()).toEqual(emptySummary)
    vi.setSystemTime(Date.now() + dailyRefreshAfterMs)
    harness.scriptTokens('slack', { access_token: 'access-2', refresh_token: 'refresh-2' })
    expect(await run()).toEqual({ ...emptySummary, refreshed: 1 })
    expect(await readTokens('slack')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
    expect(harness.providers.takeRequests()).toHaveLength(1)
    expect(await readIndex()).toMatchObject([{ refreshedAt: new Date().toISOString() }])
    expect(await run()).toEqual(emptySummary)
  })

  it('continues when a provider fails, and tries it again in the next run', async () => {
    await connect('slack')
    await connect('dropbox')
    vi.setSystemTime(Date.now() + dailyRefreshAfterMs)
    harness.scriptTokens('slack', {}, { status: 500, body: '' })
    harness.scriptTokens('dropbox', { access_token: 'access-2' })
    const output = captureOutput()
    expect(await run()).toEqual({ ...emptySummary, refreshed: 1, failed: 1 })
    expect(output.logEntries()).toMatchObject([
      { level: 'warn', message: 'token refresh failed', error: { code: 'unexpected_response' } },
    ])
    expect(output.metrics()).toContainEqual({
      FailedRefreshes: 1,
      code: 'unexpected_response',
      provider: 'slack',
    })
    expect(await readConnection('slack')).toMatchObject({ token_status: 'active' })
    harness.scriptTokens('slack', { access_token: 'access-3' })
    expect(await run()).toEqual({ ...emptySummary, refreshed: 1 })
  })

  it('requires a reconnect when the grant is gone, and does not ask again', async () => {
    await connect('slack')
    vi.setSystemTime(Date.now() + dailyRefreshAfterMs)
    harness.scriptTokens('slack', {}, { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) })
    expect(await run()).toEqual({ ...emptySummary, failed: 1 })
    expect(await readConnection('slack')).toMatchObject({ status: 'connected', token_status: 'invalid' })
    harness.providers.takeRequests()
    expect(await run()).toEqual({ ...emptySummary, removed: 1 })
    expect([harness.providers.takeRequests(), await readIndex()]).toEqual([[], []])
    // a new sign-in is listed again
    await connect('slack')
    expect(await readIndex()).toHaveLength(1)
  })

  it('removes rows of deleted connections, and adds missing ones', async () => {
    const refreshedAt = new Date().toISOString()
    await refreshIndex(harness.table).put({ sub: getUser().sub, mcpId: 'com.example/a#b', refreshedAt })
    await connect('slack', undefined, { expires_in: 60 })
    await refreshIndex(harness.table).remove(getUser().sub, 'slack')
    vi.setSystemTime(Date.now() + dailyRefreshAfterMs)
    expect(await run()).toEqual({ ...emptySummary, removed: 1 })
    expect(await readIndex()).toEqual([])
    await list()
    expect(await readIndex()).toMatchObject([{ mcpId: 'slack' }])
    expect(await disconnect('slack')).toBe(false)
    expect(await readIndex()).toEqual([])
  })

  it('corrects an index row that a refresh could not write', async () => {
    await connect('slack')
    const staleRow = { sub: getUser().sub, mcpId: 'slack', refreshedAt: new Date(0).toISOString() }
    await refreshIndex(harness.table).put(staleRow)
    expect(await run()).toEqual(emptySummary)
    expect(await readIndex()).toEqual([{ ...staleRow, refreshedAt: new Date().toISOString() }])
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('runs only by its schedule, and logs what it did', async () => {
    await connect('slack')
    vi.setSystemTime(Date.now() + dailyRefreshAfterMs)
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { handler } = await import('./daily-refresh.ts')
    const output = captureOutput()
    vi.stubEnv('LOG_LEVEL', 'info')
    const invoke = (event: object, remainingMs: number) =>
      handler(event, { getRemainingTimeInMillis: () => remainingMs })
    const event = { id: 'event-1', source: 'aws.scheduler' }
    // without an id
    await invoke({ source: 'aws.scheduler' }, leaseMs)
    expect(harness.providers.takeRequests()).toEqual([])
    await invoke(event, leaseMs - 1)
    expect(harness.providers.takeRequests()).toEqual([])
    await invoke(event, leaseMs)
    expect(harness.providers.takeRequests('/slack/token')).toHaveLength(1)
    const summaryEntry = { level: 'info', message: 'idle connections refreshed', requestId: 'event-1' }
    expect(output.logEntries()).toMatchObject([
      { message: 'invalid scheduled event' },
      { ...summaryEntry, count: 0, failed: 0, removed: 0 },
      {
        level: 'warn',
        message: 'the time was over before all idle connections were refreshed',
        requestId: 'event-1',
      },
      { ...summaryEntry, count: 1, failed: 0, removed: 0 },
    ])
  })

  it('stops when its time is over, begins at the given key, and leaves the rest for the next day', async () => {
    const mcpIds = ['asana', 'dropbox', 'linear', 'slack', 'zoom']
    for (const mcpId of mcpIds) await connect(mcpId)
    vi.setSystemTime(Date.now() + dailyRefreshAfterMs)
    let checksLeft = 2
    const isTimeUp = () => (checksLeft -= 1) < 0
    expect(await run({ startKey: `${getUser().sub}#linear`, isTimeUp })).toEqual({
      ...emptySummary,
      refreshed: 2,
      isComplete: false,
    })
    expect(
      harness.providers
        .takeRequests()
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['/linear/token', '/slack/token'])
    expect(await run()).toEqual({ ...emptySummary, refreshed: 3 })
    expect(await run()).toEqual(emptySummary)
  })
})
