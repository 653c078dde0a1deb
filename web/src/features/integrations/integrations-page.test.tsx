import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Integration } from '#shared/contracts/integrations.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { ApiError, NetworkError, NoSessionError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { IntegrationsPage } from './integrations-page.tsx'
import { answering, renderPage, type Answers } from './test-api.tsx'
import { anEntry, anIntegration } from './test-entries.ts'

vi.mock('../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: vi.fn<typeof dismissToast>(),
}))
vi.mock('../../lib/call-api.ts', () => ({ callApi: vi.fn<typeof callApi>() }))

const stripe = anEntry({
  id: 'stripe',
  name: 'Stripe',
  provider: 'Stripe',
  auth_type: 'api_key',
  config: { features: ['Payments'], popularity: 90, source: 'builtin' },
})
const time = anEntry({ id: 'time', name: 'Time', provider: 'Time', auth_type: 'none' })
let entries: RegistryEntry[]
let rows: Integration[]
let api: ReturnType<typeof answering>

const refused = (sentence: string, code = 'refused') => new ApiError({ status: 400, code, sentence })
const pageOf = (items: RegistryEntry[], page = 1, total = items.length) => ({
  items,
  total,
  hasMore: page * 20 < total,
  page,
})

function open(over: Answers = {}) {
  api = answering({
    'registry.page': ({ query }) => {
      const found = entries.filter((entry) => !query?.['auth_type'] || entry.auth_type === query['auth_type'])
      const page = Number(query?.['page'])
      return pageOf(found.slice((page - 1) * 20, page * 20), page, found.length)
    },
    'registry.search': ({ query }) =>
      pageOf(entries.filter((entry) => entry.name.toLowerCase().includes(String(query?.['term'])))),
    'registry.status': () => ({
      isHealthy: true,
      lastSync: new Date(Date.now() - 3.5 * 3_600_000).toISOString(),
      totalServers: 2,
      running: false,
    }),
    'registry.one': ({ params }) => ({ entry: entries.find(({ id }) => id === params?.['entryId']) }),
    'integrations.list': () => ({ integrations: rows }),
    ...over,
  })
  vi.mocked(callApi).mockImplementation(api.call)
  return renderPage(<IntegrationsPage userId="u1" />)
}

const card = (name: string) => screen.findByRole('article', { name })
const toasts = () =>
  vi.mocked(showToast).mock.calls.map(([, title, options]) => [title, options?.description])

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  entries = [anEntry(), stripe, time]
  rows = []
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the header', () => {
  it('INT-03 INT-04 INT-05 INT-06 INT-07 INT-08 INT-81 NAV-05 DEC-059 DEC-065 says what there is and how old it is', async () => {
    open()
    expect(screen.getByRole('heading', { name: 'MCP Integrations' })).toBeTruthy()
    // three entries; the sandbox card of one of them does not count
    expect(await screen.findByText(/^3 available/)).toBeTruthy()
    expect(await screen.findByText('Last sync 3h ago')).toBeTruthy()
    expect(screen.getByText(/· 2 servers$/)).toBeTruthy()
    const group = within(screen.getByRole('group', { name: 'Sync' }))
    expect(group.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Force',
      'Enhanced Sync',
      'GitHub',
      'Refresh',
    ])
    expect(screen.getAllByRole('button', { name: 'Add Custom' })).not.toHaveLength(0)
    expect(document.title).toBe('MCP Integrations · Juno')
  })

  it('INT-01 goes back by its button', async () => {
    open()
    fireEvent.click(screen.getByRole('link', { name: 'Back to chat' }))
    expect(await screen.findByText('main screen')).toBeTruthy()
  })

  it('INT-02 DEC-080 goes back by Escape, but first closes what is open and leaves what is being written', async () => {
    open()
    await card('Slack')
    const search = screen.getByRole<HTMLInputElement>('textbox', { name: 'Search integrations' })
    fireEvent.change(search, { target: { value: 'sla' } })
    fireEvent.keyDown(search, { key: 'Escape', isComposing: true })
    expect(search.value).toBe('sla')
    fireEvent.keyDown(search, { key: 'Escape' })
    expect(search.value).toBe('')
    fireEvent.click(await screen.findByRole('button', { name: 'Setup ~5 mins Slack' }))
    const dialog = await screen.findByRole('dialog')
    fireEvent.keyDown(dialog, { key: 'Escape' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByText('main screen')).toBeNull()
    fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(await screen.findByText('main screen')).toBeTruthy()
  })

  it.each([
    ['Force', 'registry.refresh', { kind: 'force' }, 'Force Refresh Complete'],
    ['GitHub', 'registry.refresh', { kind: 'github' }, 'GitHub Sync Complete'],
    ['Enhanced Sync', 'registry.sync', { trigger: 'manual', enhanced: true }, 'Enhanced Sync Complete'],
  ] as const)(
    'INT-74 INT-75 INT-76 REG-23 REG-24 DEC-077 %s asks %s and says how it went',
    async (label, route, body, title) => {
      const result = { success: true, stats: { total: 30, new: 2, updated: 5 }, errors: [] }
      open({ 'registry.refresh': () => result, 'registry.sync': () => result })
      await card('Slack')
      const before = api.callsOf('registry.page').length
      fireEvent.click(screen.getByRole('button', { name: label }))
      await waitFor(() => expect(toasts()).toEqual([[title, '30 servers, 2 new, 5 updated']]))
      expect(api.callsOf(route)).toEqual([{ body }])
      await waitFor(() => expect(api.callsOf('registry.page').length).toBeGreaterThan(before))
    },
  )

  it.each([
    ['Force', 'Force Refresh Failed'],
    ['GitHub', 'GitHub Sync Failed'],
    ['Enhanced Sync', 'Enhanced Sync Failed'],
  ])('INT-74 INT-75 INT-76 DEC-066 %s says why it failed', async (label, title) => {
    const fail = () => {
      throw refused('10 an hour, please wait.')
    }
    open({ 'registry.refresh': fail, 'registry.sync': fail })
    fireEvent.click(await screen.findByRole('button', { name: label }))
    await waitFor(() => expect(toasts()).toEqual([[title, '10 an hour, please wait.']]))
  })

  it('INT-75 DEC-076 tells success with errors apart from both', async () => {
    open({
      'registry.sync': () => ({
        success: true,
        stats: { total: 1, new: 0, updated: 0 },
        errors: ['GitHub 403'],
      }),
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Enhanced Sync' }))
    await waitFor(() => expect(toasts()[0]?.[0]).toBe('Enhanced Sync Completed with Issues'))
    expect(toasts()[0]?.[1]).toContain('GitHub 403')
  })

  it('REG-39 DEC-064 Refresh reads the list and the connections again, and fails silently', async () => {
    open({
      'registry.refresh': () => {
        throw new NetworkError(false)
      },
    })
    await card('Slack')
    const before = api.callsOf('integrations.list').length
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(api.callsOf('integrations.list').length).toBeGreaterThan(before))
    expect(toasts()).toEqual([])
  })
})

describe('the cards', () => {
  it('INT-14 INT-15 INT-16 INT-17 INT-18 INT-19 INT-20 INT-22 show what it is and what it needs', async () => {
    open()
    const slack = within(await card('Slack'))
    expect(slack.getByText('SL')).toBeTruthy()
    for (const text of [
      'Slack',
      'Live',
      'Not connected',
      'OAuth 2.0',
      'Post to channels and answer threads.',
    ])
      expect(slack.getByText(text)).toBeTruthy()
    for (const feature of ['Post', 'Search', 'Channels', '+2 more'])
      expect(slack.getByText(feature)).toBeTruthy()
    expect(slack.queryByText('Users')).toBeNull()
    expect(slack.getByRole('button').textContent).toBe('Setup ~5 mins')
  })

  it('INT-21 INT-33 INT-34 INT-35 INT-36 show Connect for keys, and a sandbox twin that is never connected', async () => {
    rows = [
      anIntegration({ id: 'a', mcp_id: 'stripe', auth_type: 'api_key' }),
      anIntegration({ id: 'b', mcp_id: 'stripe-sandbox', auth_type: 'api_key' }),
    ]
    open()
    const live = within(await card('Stripe'))
    expect(await live.findByText('Connected')).toBeTruthy()
    expect(live.getByRole('button').textContent).toBe('Disconnect')
    const sandbox = within(await card('Stripe Sandbox'))
    expect(sandbox.getByText('Sandbox')).toBeTruthy()
    expect(sandbox.getByText('Not connected')).toBeTruthy()
    expect(sandbox.getByRole('button').textContent).toBe('Connect')
  })

  it('INT-23 INT-71 disconnect', async () => {
    rows = [anIntegration()]
    open({
      'integrations.disconnect': () => {
        rows = []
        return { success: true, revoked: true }
      },
    })
    const slack = within(await card('Slack'))
    fireEvent.click(await slack.findByRole('button', { name: 'Disconnect Slack' }))
    await waitFor(() =>
      expect(toasts()).toEqual([['Integration Disconnected', 'Successfully disconnected the integration']]),
    )
    expect(api.callsOf('integrations.disconnect')[0]?.params).toEqual({ mcpId: 'slack' })
    expect(await slack.findByText('Not connected')).toBeTruthy()
  })

  it.each([
    [refused('The vault is closed.'), ['Disconnection Failed', 'The vault is closed.']],
    [refused('?', 'unreadable'), ['Disconnection Failed', 'Failed to disconnect integration']],
    [new NetworkError(true), ['Disconnection Error', 'Failed to disconnect. Please try again.']],
  ])('INT-72 INT-73 DEC-081 say when disconnecting failed: %s', async (error, toast) => {
    rows = [anIntegration()]
    open({
      'integrations.disconnect': () => {
        throw error
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Disconnect Slack' }))
    await waitFor(() => expect(toasts()).toEqual([toast]))
  })

  it('INT-50 INT-55 INT-80 OAUTH-19 OAUTH-27 DEC-063 refresh when they need an update, and only then', async () => {
    rows = [anIntegration({ expires_at: new Date(Date.now() - 1000).toISOString() })]
    open({
      'oauth.handle': () => {
        rows = [anIntegration()]
        return { success: true, message: '', provider: 'Slack' }
      },
    })
    const slack = within(await card('Slack'))
    expect(await slack.findByText('Needs update · Expired')).toBeTruthy()
    expect(slack.getByRole('button', { name: 'Disconnect Slack' })).toBeTruthy()
    fireEvent.click(slack.getByRole('button', { name: 'Refresh Slack' }))
    await waitFor(() =>
      expect(toasts()).toEqual([['Token Refreshed', 'Successfully refreshed access token']]),
    )
    expect(api.callsOf('oauth.handle')).toEqual([{ body: { action: 'refresh', mcpId: 'slack' } }])
    expect(await slack.findByText('Connected')).toBeTruthy()
    expect(slack.queryByRole('button', { name: 'Refresh Slack' })).toBeNull()
  })

  it.each([
    [refused('The provider took the permission back.'), 'The provider took the permission back.'],
    [refused('?', 'unreadable'), 'Token refresh failed'],
    [new NetworkError(true), 'Failed to refresh token'],
  ])('OAUTH-21 OAUTH-28 say when refreshing failed: %s', async (error, sentence) => {
    rows = [anIntegration({ token_status: 'expired' })]
    open({
      'oauth.handle': () => {
        throw error
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Refresh Slack' }))
    await waitFor(() => expect(toasts()).toEqual([['Refresh Failed', sentence]]))
  })

  it('DEC-053 INT-46 offer Reconnect for an invalid connection', async () => {
    rows = [anIntegration({ token_status: 'invalid' })]
    open()
    const slack = within(await card('Slack'))
    expect(await slack.findByText('Requires attention')).toBeTruthy()
    fireEvent.click(slack.getByRole('button', { name: 'Reconnect Slack' }))
    expect(await screen.findByRole('dialog', { name: 'Setup Slack' })).toBeTruthy()
  })

  it('INT-49 INT-67 connect at once what needs nothing', async () => {
    open({ 'integrations.connect': () => ({ success: true, integration: anIntegration() }) })
    fireEvent.click(await screen.findByRole('button', { name: 'Connect Time' }))
    await waitFor(() =>
      expect(toasts()).toEqual([['Integration Connected', 'Successfully connected to the integration']]),
    )
    expect(api.callsOf('integrations.connect')).toEqual([
      { params: { mcpId: 'time' }, body: { environment: 'production' } },
    ])
  })

  it.each([
    [new NoSessionError('nobody'), ['Connection Failed', 'User not authenticated']],
    [
      refused('api_key authentication required. Please provide credentials.'),
      ['Connection Failed', 'api_key authentication required. Please provide credentials.'],
    ],
    [refused('MCP with ID time not found'), ['Connection Failed', 'MCP with ID time not found']],
    [refused('?', 'unreadable'), ['Connection Failed', 'Failed to connect integration']],
    [new NetworkError(false), ['Connection Error', 'Failed to initiate connection. Please try again.']],
  ])(
    'INT-41 INT-42 INT-43 INT-68 INT-69 DEC-081 DEC-110 say when connecting failed: %s',
    async (error, toast) => {
      open({
        'integrations.connect': () => {
          throw error
        },
      })
      fireEvent.click(await screen.findByRole('button', { name: 'Connect Time' }))
      await waitFor(() => expect(toasts()).toEqual([toast]))
    },
  )
})

describe('finding', () => {
  it('INT-24 INT-25 says that it is loading, in the shape of cards', () => {
    open({ 'registry.page': () => new Promise(() => undefined) })
    expect(screen.getByText('Loading integrations...')).toBeTruthy()
    expect(screen.getByText('Using cached data when available')).toBeTruthy()
  })

  it('INT-10 INT-11 INT-12 REG-18 LIM-20 searches once the typing has stopped for 500 ms, and clears', async () => {
    open()
    await card('Slack')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const search = screen.getByRole('textbox', { name: 'Search integrations' })
    fireEvent.change(search, { target: { value: 'st' } })
    act(() => void vi.advanceTimersByTime(400))
    fireEvent.change(search, { target: { value: 'stri' } })
    expect(screen.getByText('Searching...')).toBeTruthy()
    act(() => void vi.advanceTimersByTime(499))
    expect(api.callsOf('registry.search')).toEqual([])
    act(() => void vi.advanceTimersByTime(1))
    vi.useRealTimers()
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Slack' })).toBeNull())
    expect(api.callsOf('registry.search')).toEqual([{ query: { term: 'stri', page: 1, limit: 20 } }])
    fireEvent.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull()
    expect(document.activeElement).toBe(search)
    expect(await card('Slack')).toBeTruthy()
  })

  it('INT-26 INT-27 INT-29 says that a search found nothing, with no way to refresh', async () => {
    open()
    await card('Slack')
    fireEvent.change(screen.getByRole('textbox', { name: 'Search integrations' }), {
      target: { value: 'fax' },
    })
    expect(await screen.findByText('No results for "fax"', undefined, { timeout: 3000 })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'No integrations found' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Refresh Integrations' })).toBeNull()
  })

  it('INT-26 INT-28 INT-29 says that there is nothing, and refreshes', async () => {
    entries = []
    open({
      'registry.refresh': () => ({ success: true, stats: { total: 0, new: 0, updated: 0 }, errors: [] }),
    })
    expect(await screen.findByText('No integrations available')).toBeTruthy()
    entries = [anEntry()]
    fireEvent.click(screen.getByRole('button', { name: 'Refresh Integrations' }))
    expect(await card('Slack')).toBeTruthy()
    expect(api.callsOf('registry.refresh')).toEqual([{ body: { kind: 'refresh' } }])
  })

  it('INT-30 INT-31 INT-32 REG-21 LIM-21 DEC-075 loads more, 20 at a time', async () => {
    entries = Array.from({ length: 25 }, (_, n) => anEntry({ id: `e${n}`, name: `Entry ${n}` }))
    let release = () => {}
    open({
      'registry.page': async ({ query }) => {
        const page = Number(query?.['page'])
        if (page === 2) await new Promise<void>((resolve) => (release = resolve))
        return pageOf(entries.slice((page - 1) * 20, page * 20), page, 25)
      },
    })
    await card('Entry 19')
    expect(screen.queryByRole('article', { name: 'Entry 20' })).toBeNull()
    expect(screen.getByText('Showing 20 of 25')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Load More' }))
    expect(await screen.findByRole('button', { name: 'Loading...' })).toBeTruthy()
    release()
    await card('Entry 24')
    expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull()
    expect(api.callsOf('registry.page').map(({ query }) => query)).toEqual([
      { page: 1, limit: 20 },
      { page: 2, limit: 20 },
    ])
  })

  it('REG-16 DEC-074 filters by sign-in type and by what is connected', async () => {
    rows = [anIntegration()]
    open()
    await card('Slack')
    fireEvent.change(screen.getByRole('combobox', { name: 'Sign-in type' }), {
      target: { value: 'api_key' },
    })
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Slack' })).toBeNull())
    expect(await card('Stripe')).toBeTruthy()
    fireEvent.change(screen.getByRole('combobox', { name: 'Sign-in type' }), { target: { value: '' } })
    fireEvent.click(screen.getByRole('button', { name: 'Connected', pressed: false }))
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Stripe' })).toBeNull())
    expect(await card('Slack')).toBeTruthy()
  })

  it('REG-39 INT-25 shows what was seen last when the service does not answer', async () => {
    const { unmount } = open()
    await card('Slack')
    unmount()
    open({
      'registry.page': () => {
        throw new NetworkError(true)
      },
    })
    expect(await card('Slack')).toBeTruthy()
    expect(toasts()).toEqual([])
  })

  it('says when the connections could not be read', async () => {
    let calls = 0
    rows = [anIntegration()]
    open({
      'integrations.list': () => {
        calls += 1
        if (calls <= 2) throw refused('no')
        return { integrations: rows }
      },
    })
    expect(
      await screen.findByText(/Your connections could not be read/, undefined, { timeout: 4000 }),
    ).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await within(await card('Slack')).findByText('Connected')).toBeTruthy()
  })
})
