/** @module-tag long */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { routeContracts } from '#shared/contracts/route-contracts.ts'
import { builtInProviders } from '../../functions/providers/built-in.ts'
import { startCatalogueSources } from '../support/catalogue-sources.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import type { CallResponse } from '../support/caller.ts'
import type { StackUser } from '../support/stack-user.ts'

/** the built-in integrations, and three servers of the sources */
const total = builtInProviders.length + 3

let sources: Awaited<ReturnType<typeof startCatalogueSources>>
let stack: LocalStack
beforeAll(async () => {
  sources = await startCatalogueSources()
  const { url } = sources
  stack = await startStack({ env: { GITHUB_API_URL: url, MCP_REGISTRY_URL: url } })
  // the sync at the start
  const user = await stack.newUser()
  await vi.waitFor(async () => {
    if (!(await user.call('registry.status')).lastSync) throw new Error('not synced yet')
  })
})
afterAll(async () => {
  await stack.stop()
  await sources.close()
})

let user: StackUser
beforeEach(async () => {
  sources.state.fault = undefined
  sources.state.calls = []
  user = await stack.newUser()
})

describe('the catalogue', () => {
  it('REG-22 is served in pages', async () => {
    const page = await user.call('registry.page', { query: { page: 1, limit: 20 } })
    expect(page).toMatchObject({ total, hasMore: true, page: 1 })
    expect(page.items).toHaveLength(20)
    expect(page.items[0]).toMatchObject({ id: 'gmail', config: { popularity: 95 } })
    const second = await user.call('registry.page', { query: { page: 2, limit: 20 } })
    expect(second).toMatchObject({ hasMore: false })
    expect(new Set([...page.items, ...second.items].map(({ id }) => id)).size).toBe(total)
    expect([...page.items, ...second.items].every(({ is_active }) => is_active)).toBe(true)
  })

  it('REG-27 DATA-21 returns when the daily sync last ran, and the number of servers', async () => {
    const status = await user.call('registry.status')
    expect(Date.parse(status.lastSync ?? '')).toBeLessThanOrEqual(Date.now())
    expect(status).toMatchObject({
      isHealthy: true,
      totalServers: total,
      running: false,
    })
  })

  it('REG-21 has 50 entries per page by default', async () => {
    // the catalogue of this test is shorter than a page
    expect(routeContracts['registry.page'].query.parse({})).toEqual({ page: 1, limit: 50 })
    expect((await user.call('registry.page')).items).toHaveLength(total)
  })

  const searchIds = async (query: { term?: string; provider?: string; auth_type?: 'api_key' }) =>
    (await user.call('registry.search', { query: { term: '', page: 1, limit: 50, ...query } })).items.map(
      ({ id }) => id,
    )

  it('INT-12 REG-13 DEC-073 searches the synced entries without calling a source', async () => {
    const callsBefore = [...sources.state.calls]
    expect(await searchIds({ term: 'GMAIL' })).toEqual(['gmail'])
    expect(await searchIds({ term: 'weather' })).toEqual(['github-mcp-weather'])
    expect(await searchIds({ term: 'no such thing' })).toEqual([])
    expect(sources.state.calls).toEqual(callsBefore)
  })

  it('REG-15 REG-16 filters by a part of the provider’s name, and by the exact auth type', async () => {
    expect(await searchIds({ provider: 'goog' })).toEqual(['gmail', 'google-drive', 'google-calendar'])
    const withKey = builtInProviders.filter((one) => one.auth_type === 'api_key')
    expect(await searchIds({ auth_type: 'api_key' })).toEqual([
      ...withKey.toSorted((a, b) => b.popularity - a.popularity).map(({ id }) => id),
      'github-mcp-weather',
    ])
  })

  it('DATA-16 DATA-20 returns one entry', async () => {
    const { entry } = await user.call('registry.one', { params: { entryId: 'github-mcp-weather' } })
    expect(entry).toMatchObject({
      name: 'Weather',
      description: 'Tells the weather – everywhere.',
      config: { popularity: 26, github_stars: 400, required_credentials: ['WEATHER_API_KEY'] },
    })
    expect(await user.send('registry.one', { params: { entryId: 'nothing' } })).toMatchObject({
      status: 404,
      body: { error: 'MCP with ID nothing not found' },
    })
  })
})

describe('a server that users run on their own computer', () => {
  it('UX-20 DEC-151 is listed after all others, and cannot be connected', { tags: 'trial' }, async () => {
    const { items } = await user.call('registry.page')
    const firstLocal = items.findIndex(({ id }) => id.startsWith('github-mcp-'))
    expect(firstLocal).toBeGreaterThan(0)
    expect(items.slice(firstLocal).every(({ config }) => config.source === 'github')).toBe(true)
    const refusal = {
      status: 422,
      body: {
        code: 'runs_locally',
        error: 'Weather runs on your own computer and has no web address, so it cannot be connected here.',
      },
    }
    const params = { mcpId: 'github-mcp-weather' }
    expect(
      await user.send('integrations.connect', {
        params,
        body: { credentials: { WEATHER_API_KEY: 'k-123' } },
      }),
    ).toMatchObject(refusal)
    expect(
      await user.send('oauth.handle', {
        body: {
          action: 'initiate',
          mcpId: 'github-mcp-weather',
          clientId: 'x',
          redirectUri: `${stack.origin}/oauth/callback`,
        },
      }),
    ).toMatchObject(refusal)
    expect(await user.call('integrations.list')).toEqual({ integrations: [] })
  })
})

describe('the buttons', () => {
  it('REG-24 Enhanced Sync answers within a day of the last sync without asking', async () => {
    const result = await user.call('registry.sync', { body: { trigger: 'manual', enhanced: true } })
    expect(result).toEqual({ success: true, stats: { total, new: 0, updated: 0 }, errors: [] })
    expect(sources.state.calls).toEqual([])
  })

  it('DEC-077 Force fetches everything, the others nothing within a day', async () => {
    const press = (kind: 'force' | 'github' | 'refresh') => user.call('registry.refresh', { body: { kind } })
    expect(await press('force')).toMatchObject({
      success: true,
      stats: { total, new: 0, updated: 0 },
      errors: ['2 entries of the MCP Registry could not be read'],
    })
    expect(sources.state.calls.filter((call) => call === '/v0.1/servers')).toHaveLength(2)
    sources.state.calls = []
    expect(await press('github')).toMatchObject({ success: true })
    expect(sources.state.calls).toEqual([])
    sources.state.calls = []
    expect(await press('refresh')).toMatchObject({ success: true, stats: { total } })
    expect(sources.state.calls).toEqual([])
  })

  it('REG-38 distinguishes a used-up budget from a failure, and keeps the existing entries', async () => {
    sources.state.fault = 'rate-limit'
    const limited = await user.call('registry.refresh', { body: { kind: 'force' } })
    expect(limited).toMatchObject({
      success: true,
      errors: expect.arrayContaining([
        expect.stringMatching(/^GitHub API error: 403 \(rate limit until \d\d:\d\d UTC\)$/),
      ]),
    })
    sources.state.fault = 'cut'
    expect(await user.call('registry.refresh', { body: { kind: 'force' } })).toMatchObject({
      success: true,
      errors: expect.arrayContaining(['GitHub API error: the answer broke off']),
    })
    expect((await user.call('registry.page')).total).toBe(total)
  })

  it('DEC-066 pressing a button during a sync joins it and returns its result', async () => {
    sources.state.fault = 'slow'
    const first = user.call('registry.refresh', { body: { kind: 'force' } })
    await expect.poll(() => sources.state.calls.length).toBe(1)
    const other = await stack.newUser()
    expect((await other.call('registry.status')).running).toBe(true)
    // the headers arrive when it is running, the outcome when the joined run ends
    const second = await fetch(`${stack.origin}/functions/v1/mcp-registry-sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${other.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ trigger: 'manual', enhanced: true }),
    })
    sources.state.release()
    expect(await second.json()).toEqual(await first)
    expect(sources.state.calls.filter((call) => call.endsWith('/contents/src'))).toHaveLength(1)
  })

  it('REG-42 DEC-066 the buttons work ten times an hour per user', async () => {
    const press = () => user.send('registry.refresh', { body: { kind: 'refresh' } })
    const getHour = () => Math.floor(Date.now() / 3_600_000)
    let responses: CallResponse[]
    let hour: number
    // the limit counts from each full hour: if one begins meanwhile, another user starts again
    do {
      hour = getHour()
      user = await stack.newUser()
      responses = []
      for (let count = 0; count < 11; count += 1) responses.push(await press())
    } while (getHour() !== hour)
    for (const { status } of responses.slice(0, 10)) expect(status).toBe(200)
    const refusal = responses.at(-1)
    expect(refusal).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    const seconds = Number(refusal?.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(3_600)
    expect((await user.send('registry.refresh', { body: { kind: 'github' } })).status).toBe(429)
  })
})
