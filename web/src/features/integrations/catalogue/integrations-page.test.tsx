import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { closeUserResources } from '../../../lib/actions/user-resources.ts'
import { IntegrationsPage } from './integrations-page.tsx'
import { type RouteHandlers, fakeApi, removeSession } from '../../../../../test/support/fake-api.ts'
import { limitTools, renderPage } from '../../../../../test/support/render-page.tsx'
import {
  aMovedConnection,
  anEntry,
  anIntegration,
  aPublishedEntry,
} from '../../../../../test/support/connections.ts'

vi.mock('../../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: vi.fn<typeof dismissToast>(),
}))

const stripe = anEntry({
  id: 'stripe',
  name: 'Stripe',
  provider: 'Stripe',
  auth_type: 'api_key',
  config: { features: ['Payments'], popularity: 90, source: 'builtin' },
})
const timeServer = anEntry({ id: 'time', name: 'Time', provider: 'Time', auth_type: 'none' })
let entries: RegistryEntry[]
let rows: Connection[]
let api: ReturnType<typeof fakeApi>

const apiError = (userMessage: string, code = 'refused') => new ApiError({ status: 400, code, userMessage })
const toPage = (items: RegistryEntry[], page = 1, total = items.length) => ({
  items,
  total,
  hasMore: page * 20 < total,
  page,
})

function open(handlers: RouteHandlers = {}) {
  api = fakeApi({
    'registry.page': ({ query }) => {
      const found = entries.filter((entry) => !query.auth_type || entry.auth_type === query.auth_type)
      const { page } = query
      return toPage(found.slice((page - 1) * 20, page * 20), page, found.length)
    },
    'registry.search': ({ query }) =>
      toPage(entries.filter((entry) => entry.name.toLowerCase().includes(query.term))),
    'registry.status': () => ({
      isHealthy: true,
      lastSync: new Date(Date.now() - 3.5 * 3_600_000).toISOString(),
      totalServers: 2,
      running: false,
      excluded: {},
    }),
    'registry.one': ({ params }) => {
      const entry = entries.find(({ id }) => id === params.entryId)
      if (!entry) throw new ApiError({ status: 404, code: 'entry_not_found', userMessage: 'No such entry.' })
      return { entry }
    },
    'integrations.list': () => ({ integrations: rows }),
    'tools.list': () => ({ integrations: [] }),
    ...handlers,
  })
  return renderPage(<IntegrationsPage userId="u1" />)
}

async function disconnect(name: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Disconnect ${name}` }))
  const confirmation = within(await screen.findByRole('dialog', { name: `Disconnect ${name}?` }))
  fireEvent.click(confirmation.getByRole('button', { name: 'Disconnect' }))
}
async function openSyncMenu() {
  const trigger = await screen.findByRole('button', { name: 'Sync: more' })
  fireEvent.pointerDown(trigger, { button: 0, ctrlKey: false })
  await screen.findByRole('menu')
}

async function sync(label: string) {
  await openSyncMenu()
  fireEvent.click(screen.getByRole('menuitem', { name: label }))
}
const findCard = (name: string) => screen.findByRole('article', { name })
const listToasts = () =>
  vi.mocked(showToast).mock.calls.map(([, title, options]) => [title, options?.description])

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  entries = [anEntry(), stripe, timeServer]
  rows = []
})
afterEach(() => {
  vi.useRealTimers()
})

describe('DEC-189 a user whose groups do not allow all tools', () => {
  /** The buttons of all cards, once the account is known. */
  async function listButtons(tools: ToolsAllowed, sentence: string, handlers: RouteHandlers = {}) {
    const { client } = open({ 'customTools.list': () => ({ tools: [] }), ...handlers })
    await findCard('Slack')
    act(() => limitTools(client, tools))
    await screen.findByText(sentence)
    return screen
      .getAllByRole('article')
      .flatMap((card) => within(card).queryAllByRole('button'))
      .map((button) => button.getAttribute('aria-label'))
  }

  it('sees no door to tools where none is allowed, and can disconnect', async () => {
    rows = [anIntegration({ token_status: 'invalid' })]
    const sentence =
      'Your administrator does not allow tools. What you connected before is not used any more; you can disconnect it.'
    expect(await listButtons('none', sentence)).toEqual(['Disconnect Slack'])
    expect(screen.queryByRole('button', { name: /Custom/ })).toBeNull()
    fireEvent.change(screen.getByRole('textbox', { name: 'Search integrations' }), {
      target: { value: 'zzz' },
    })
    await screen.findByText('No results for "zzz"')
    expect(screen.queryByRole('button', { name: 'Add it as a custom tool' })).toBeNull()
  })

  it('connects built-in integrations only, with an app of their own where the server would register one', async () => {
    entries = [anEntry({ one_click: true }), stripe, aPublishedEntry()]
    const sentence = 'Your administrator allows built-in integrations only.'
    expect(await listButtons('built_in', sentence)).toEqual([
      'Setup ~5 mins Slack',
      'Connect Stripe',
      'Connect Stripe Sandbox',
    ])
    expect(screen.getAllByText('Your administrator does not allow it.')).toHaveLength(1)
  })

  it('adds no server, but sees those that were added before', async () => {
    const config = { serverUrl: 'https://mcp.roastery.example/x', apiKey: '', customFields: {} }
    const own = { id: 'a', user_id: 'u1', name: 'Roast log', description: '', config }
    const tools = [{ ...own, is_active: true, created_at: '2026-11-20T12:00:00Z' }]
    const sentence = 'Your administrator does not allow servers of your own.'
    const buttons = await listButtons('catalogue', sentence, { 'customTools.list': () => ({ tools }) })
    expect(buttons).toContain('Connect Time')
    expect((await screen.findAllByRole('button', { name: 'Custom Tools' })).length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: 'Add Custom' })).toBeNull()
  })
})

describe('the header', () => {
  it('INT-03 INT-81 has the title MCP Integrations, which is also the title of the tab', async () => {
    open()
    await findCard('Slack')
    expect(screen.getByRole('heading', { name: 'MCP Integrations' })).toBeTruthy()
    expect(document.title).toBe('MCP Integrations - Juno')
  })

  it('INT-04 DEC-059 counts the available integrations without sandbox cards', async () => {
    open()
    expect(await screen.findByText(/^3 available/)).toBeTruthy()
    expect(screen.getAllByRole('article')).toHaveLength(4)
  })

  it('INT-05 INT-06 says how old the last sync is, and how many servers it read', async () => {
    open()
    expect(await screen.findByText('Last sync 3h ago')).toBeTruthy()
    expect(screen.getByText(/· 2 servers$/)).toBeTruthy()
  })

  it('shows a time of the last sync that it cannot read as none', async () => {
    open({
      'registry.status': () => ({
        isHealthy: true,
        lastSync: 'soon',
        totalServers: 2,
        running: false,
        excluded: {},
      }),
    })
    expect(await screen.findByText('Last sync Never')).toBeTruthy()
  })

  it('says of an entry that it has no tools, as far as that is known before connecting', async () => {
    const known = { provider: 'P', tools: ['Read e-mails'] }
    open({
      'registry.page': () =>
        toPage([
          anEntry({ id: 'a', name: 'A', provider: 'P', tools: [] }),
          anEntry({ id: 'b', name: 'B', ...known }),
          anEntry({ id: 'c', name: 'C', provider: 'P' }),
        ]),
    })
    const card = within(await screen.findByRole('article', { name: 'A' }))
    expect(card.getByText('No tools yet')).toBeTruthy()
    expect(screen.getAllByText('No tools yet')).toHaveLength(1)
  })

  it('INT-07 INT-08 DEC-065 has the buttons to sync and to refresh', async () => {
    open()
    expect(await screen.findByText(/^3 available/)).toBeTruthy()
    const group = within(screen.getByRole('group', { name: 'Sync' }))
    expect(group.getByRole('button', { name: 'Refresh' })).toBeTruthy()
    // an open menu hides the rest of the page
    expect(screen.getAllByRole('button', { name: 'Add Custom' })).not.toHaveLength(0)
    await openSyncMenu()
    expect(screen.getAllByRole('menuitem').map((item) => item.getAttribute('aria-label'))).toEqual([
      'Force',
      'Enhanced Sync',
      'GitHub',
    ])
  })

  it('INT-07 on a phone Refresh is in the menu, whose button shows that it runs', async () => {
    vi.stubGlobal('matchMedia', () => ({
      matches: true,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    onTestFinished(() => void vi.unstubAllGlobals())
    const refreshing = Promise.withResolvers<never>()
    open({ 'registry.refresh': () => refreshing.promise })
    await sync('Refresh')
    const trigger = await screen.findByRole('button', { name: 'Sync: more' })
    expect(trigger.ariaBusy).toBe('true')
    await act(async () => refreshing.reject(new NetworkError()))
    await waitFor(() => expect(trigger.ariaBusy).toBeNull())
  })

  it('INT-01 goes back with its button', async () => {
    open()
    fireEvent.click(screen.getByRole('link', { name: 'Back to chat' }))
    expect(await screen.findByText('main screen')).toBeTruthy()
  })

  it('INT-02 DEC-080 goes back with Escape, unless that cancels an input method, clears the search or closes a dialog', async () => {
    open()
    await findCard('Slack')
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
    ['INT-76', 'Force', 'registry.refresh', { kind: 'force' }, 'Force Refresh Complete'],
    ['INT-74', 'GitHub', 'registry.refresh', { kind: 'github' }, 'GitHub Sync Complete'],
    [
      'INT-75 REG-23',
      'Enhanced Sync',
      'registry.sync',
      { trigger: 'manual', enhanced: true },
      'Enhanced Sync Complete',
    ],
  ] as const)('%s DEC-077 %s requests %s and shows the result', async (_, label, route, body, title) => {
    const result = { success: true, stats: { total: 30, new: 2, updated: 5 }, errors: [] }
    open({ 'registry.refresh': () => result, 'registry.sync': () => result })
    await findCard('Slack')
    const before = api.requestsTo('registry.page').length
    await sync(label)
    await waitFor(() => expect(listToasts()).toEqual([[title, '30 servers, 2 new, 5 updated']]))
    expect(api.requestsTo(route)).toEqual([{ body }])
    await waitFor(() => expect(api.requestsTo('registry.page').length).toBeGreaterThan(before))
  })

  it.each([
    ['INT-76', 'Force', 'Force Refresh Failed'],
    ['INT-74', 'GitHub', 'GitHub Sync Failed'],
    ['INT-75 DEC-066', 'Enhanced Sync', 'Enhanced Sync Failed'],
  ])('%s %s says why it failed', async (_, label, title) => {
    const fail = () => {
      throw apiError('10 an hour, please wait.')
    }
    open({ 'registry.refresh': fail, 'registry.sync': fail })
    await sync(label)
    await waitFor(() => expect(listToasts()[0]?.[0]).toBe(title))
    expect(listToasts()).toEqual([[title, '10 an hour, please wait.']])
  })

  it.each([
    ['INT-75 DEC-076', 'Enhanced Sync', 'Enhanced Sync Completed with Issues'],
    ['INT-76', 'Force', 'Force Refresh Completed with Issues'],
  ])('%s %s says that a part failed', async (_, label, title) => {
    const result = { success: true, stats: { total: 1, new: 0, updated: 0 }, errors: ['GitHub 403'] }
    open({ 'registry.refresh': () => result, 'registry.sync': () => result })
    await sync(label)
    await waitFor(() => expect(listToasts()[0]?.[0]).toBe(title))
    expect(listToasts()[0]?.[1]).toContain('GitHub 403')
  })

  it('REG-39 DEC-064 Refresh loads the connections again even if the catalogue cannot be refreshed, and fails silently', async () => {
    open({
      'registry.refresh': () => {
        throw new NetworkError()
      },
    })
    await findCard('Slack')
    const before = api.requestsTo('integrations.list').length
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(api.requestsTo('integrations.list').length).toBeGreaterThan(before))
    expect(listToasts()).toEqual([])
  })
})

describe('the cards', () => {
  it.each([
    ['INT-14', 'the initials', 'SL'],
    ['INT-15', 'the name', 'Slack'],
    ['INT-17', 'the status', 'Not connected'],
    ['INT-18', 'the sign-in type', 'OAuth 2.0'],
    ['INT-19', 'the description', 'Post to channels and answer threads.'],
    ['INT-22', 'the setup time', 'Setup ~5 mins'],
  ])('%s show %s', async (_, __, text) => {
    open()
    expect(within(await findCard('Slack')).getByText(text)).toBeTruthy()
  })

  it('INT-20 show three features and how many more there are', async () => {
    open()
    const slack = within(await findCard('Slack'))
    for (const feature of ['Post', 'Search', 'Channels', '+2 more'])
      expect(slack.getByText(feature)).toBeTruthy()
    expect(slack.queryByText('Users')).toBeNull()
  })

  it.each([
    ['oauth2', 'Own app', 'OAuth 2.0'],
    ['api_key', 'Own key', 'OAuth or API key'],
  ] as const)(
    'INT-22 INT-49 DEC-139 a server that supports automatic registration (%s) shows Connect, %s beside it and %s below it',
    async (auth_type, ownLabel, badge) => {
      const setup = { setupUrl: 'https://x.example', docsUrl: 'https://x.example', appType: 'App', steps: [] }
      entries = [anEntry({ auth_type, one_click: true, setup })]
      open()
      const slack = within(await findCard('Slack'))
      expect(slack.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
        'Connect',
        ownLabel,
      ])
      expect(slack.getByText(badge)).toBeTruthy()
      expect(slack.queryByText('Setup ~5 mins')).toBeNull()
    },
  )

  it.each([
    ['oauth2', 'OAuth 2.0'],
    ['api_key', 'API key'],
    ['none', 'No sign-in'],
  ] as const)('INT-18 DEC-139 show how an integration was connected (%s): %s', async (auth_type, badge) => {
    entries = [anEntry({ auth_type: 'api_key', one_click: true })]
    rows = [anIntegration({ auth_type })]
    open()
    expect(await within(await findCard('Slack')).findByText(badge)).toBeTruthy()
  })

  it('UX-20 DEC-151 say that a server that runs on the user’s own computer cannot be connected', async () => {
    const page = 'https://github.com/modelcontextprotocol/servers/tree/main/src/memory'
    entries = [
      aPublishedEntry({
        id: 'github-mcp-memory',
        name: 'Memory',
        config: { features: [], popularity: 100, source: 'github' },
        open_url: page,
      }),
    ]
    open()
    const memory = within(await findCard('Memory'))
    expect(memory.getByText('Cannot be connected here')).toBeTruthy()
    expect(
      memory.getByText('Runs on your own computer; Juno can use servers with a web address.'),
    ).toBeTruthy()
    expect(memory.queryByRole('button')).toBeNull()
    expect(memory.getByRole('link', { name: 'Documentation of Memory' }).getAttribute('href')).toBe(page)
  })

  const createLiveAndSandboxRows = () => [
    anIntegration({ mcp_id: 'stripe', auth_type: 'api_key' }),
    anIntegration({ mcp_id: 'stripe-sandbox', auth_type: 'api_key' }),
  ]

  it('INT-36 INT-23 show that the live integration is connected', async () => {
    rows = createLiveAndSandboxRows()
    open()
    const liveCard = within(await findCard('Stripe'))
    expect(await liveCard.findByText('Connected')).toBeTruthy()
    expect(liveCard.getByRole('button').textContent).toBe('Disconnect')
  })

  it('DEC-059 the filter Connected counts a sandbox connection, and its card disconnects it', async () => {
    rows = [anIntegration({ mcp_id: 'stripe-sandbox', auth_type: 'api_key' })]
    open({
      'integrations.disconnect': () => {
        rows = []
        return { success: true, revoked: false }
      },
    })
    await findCard('Stripe')
    fireEvent.click(screen.getByRole('button', { name: 'Connected', pressed: false }))
    expect(await screen.findByText('1 shown')).toBeTruthy()
    expect(screen.queryByRole('article', { name: 'Stripe' })).toBeNull()
    await disconnect('Stripe Sandbox')
    await waitFor(() =>
      expect(api.requestsTo('integrations.disconnect')).toEqual([
        { params: { mcpId: 'stripe-sandbox' }, body: {} },
      ]),
    )
  })

  it('INT-33 INT-35 INT-21 show the sandbox card as not connected, with Connect', async () => {
    rows = createLiveAndSandboxRows()
    open()
    // the connections are loaded now
    await within(await findCard('Stripe')).findByText('Connected')
    const sandboxCard = within(await findCard('Stripe Sandbox'))
    expect(sandboxCard.getByText('Sandbox')).toBeTruthy()
    expect(sandboxCard.getByText('Not connected')).toBeTruthy()
    expect(sandboxCard.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Connect',
      'Disconnect',
    ])
  })

  it('INT-23 INT-71 DEC-153 disconnect after a confirmation', async () => {
    rows = [anIntegration()]
    open({
      'integrations.disconnect': () => {
        rows = []
        return { success: true, revoked: true }
      },
    })
    const slack = within(await findCard('Slack'))
    fireEvent.click(await slack.findByRole('button', { name: 'Disconnect Slack' }))
    const confirmation = within(await screen.findByRole('dialog', { name: 'Disconnect Slack?' }))
    fireEvent.click(confirmation.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.requestsTo('integrations.disconnect')).toEqual([])
    await disconnect('Slack')
    await waitFor(() =>
      expect(listToasts()).toEqual([
        ['Integration Disconnected', 'Successfully disconnected the integration'],
      ]),
    )
    expect(api.requestsTo('integrations.disconnect')[0]?.params).toEqual({ mcpId: 'slack' })
    expect(await slack.findByText('Not connected')).toBeTruthy()
  })

  it.each([
    [apiError('The vault is closed.'), ['Disconnection Failed', 'The vault is closed.']],
    [apiError('?', 'unreadable'), ['Disconnection Failed', 'Failed to disconnect integration']],
    [
      new NetworkError({ hasTimedOut: true }),
      ['Disconnection Error', 'Failed to disconnect. Please try again.'],
    ],
  ])('INT-72 INT-73 DEC-081 say when disconnecting failed: %s', async (error, toast) => {
    rows = [anIntegration()]
    open({
      'integrations.disconnect': () => {
        throw error
      },
    })
    await disconnect('Slack')
    await waitFor(() => expect(listToasts()).toEqual([toast]))
  })

  it('is disconnected if another tab has removed the connection', async () => {
    rows = [anIntegration()]
    open({
      'integrations.disconnect': () => {
        rows = []
        throw new ApiError({ status: 404, code: 'integration_not_found', userMessage: 'Not connected.' })
      },
    })
    await disconnect('Slack')
    await waitFor(() => expect(listToasts()[0]?.[0]).toBe('Integration Disconnected'))
  })

  const openExpired = () => {
    rows = [anIntegration({ expires_at: new Date(Date.now() - 1000).toISOString() })]
    open({
      'oauth.handle': () => {
        rows = [anIntegration()]
        return { success: true, message: '', provider: 'Slack' }
      },
    })
    return findCard('Slack')
  }

  it('INT-50 INT-55 DEC-063 say that an expired connection needs an update, and offer Disconnect', async () => {
    const slack = within(await openExpired())
    expect(await slack.findByText(/^Needs update/)).toBeTruthy()
    expect(slack.getByText(/· Expired$/)).toBeTruthy()
    expect(slack.getByRole('button', { name: 'Disconnect Slack' })).toBeTruthy()
  })

  it('offer nothing else while a connection is refreshed: it would not be started', async () => {
    rows = [anIntegration({ token_status: 'expired' })]
    const refreshed = Promise.withResolvers<void>()
    open({
      'oauth.handle': () => refreshed.promise.then(() => ({ success: true, message: '', provider: 'slack' })),
    })
    const slack = within(await findCard('Slack'))
    fireEvent.click(await slack.findByRole('button', { name: 'Refresh Slack' }))
    const button = await slack.findByRole<HTMLButtonElement>('button', { name: 'Disconnect Slack' })
    await waitFor(() => expect(button.disabled).toBe(true))
    await act(async () => refreshed.resolve())
    await waitFor(() => expect(button.disabled).toBe(false))
  })

  it('INT-80 OAUTH-19 OAUTH-27 offer to refresh only a connection that needs an update', async () => {
    const slack = within(await openExpired())
    await slack.findByText('Needs update · Expired')
    fireEvent.click(slack.getByRole('button', { name: 'Refresh Slack' }))
    await waitFor(() =>
      expect(listToasts()).toEqual([['Token Refreshed', 'Successfully refreshed access token']]),
    )
    expect(api.requestsTo('oauth.handle')).toEqual([{ body: { action: 'refresh', mcpId: 'slack' } }])
    expect(await slack.findByText('Connected')).toBeTruthy()
    expect(slack.queryByRole('button', { name: 'Refresh Slack' })).toBeNull()
  })

  it.each([
    [apiError('The provider took the permission back.'), 'The provider took the permission back.'],
    [apiError('?', 'unreadable'), 'Token refresh failed'],
    [new NetworkError({ hasTimedOut: true }), 'Failed to refresh token'],
  ])('OAUTH-21 OAUTH-28 say when refreshing failed: %s', async (error, message) => {
    rows = [anIntegration({ token_status: 'expired' })]
    open({
      'oauth.handle': () => {
        throw error
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Refresh Slack' }))
    await waitFor(() => expect(listToasts()).toEqual([['Refresh Failed', message]]))
  })

  it('DEC-053 INT-46 offer Reconnect for an invalid connection', async () => {
    rows = [anIntegration({ token_status: 'invalid' })]
    open()
    const slack = within(await findCard('Slack'))
    expect(await slack.findByText('Needs Reconnect')).toBeTruthy()
    fireEvent.click(slack.getByRole('button', { name: 'Reconnect Slack' }))
    expect(await screen.findByRole('dialog', { name: 'Setup Slack' })).toBeTruthy()
  })

  it('INT-49 INT-67 connect an integration without credentials at once', async () => {
    open({ 'integrations.connect': () => ({ success: true, integration: anIntegration() }) })
    fireEvent.click(await screen.findByRole('button', { name: 'Connect Time' }))
    await waitFor(() =>
      expect(listToasts()).toEqual([['Integration Connected', 'Successfully connected to the integration']]),
    )
    expect(api.requestsTo('integrations.connect')).toEqual([
      { params: { mcpId: 'time' }, body: { environment: 'production' } },
    ])
  })

  it('stay where they are when they are connected or disconnected, below a heading that says so', async () => {
    rows = [anIntegration()]
    open({
      'integrations.connect': () => {
        rows = [...rows, anIntegration({ mcp_id: 'time', mcp_name: 'Time' })]
        return { success: true, integration: anIntegration({ mcp_id: 'time', mcp_name: 'Time' }) }
      },
      'integrations.disconnect': () => {
        rows = rows.filter(({ mcp_id: id }) => id !== 'slack')
        return { success: true, revoked: true }
      },
    })
    const listGroups = () =>
      screen.getAllByRole('region').map((region) => [
        region.getAttribute('aria-label'),
        within(region)
          .getAllByRole('article')
          .map((card) => card.getAttribute('aria-label')),
      ])
    await screen.findByRole('region', { name: 'Connected' })
    const others = ['Stripe', 'Stripe Sandbox', 'Time']
    expect(listGroups()).toEqual([
      ['Connected', ['Slack']],
      ['Available', others],
    ])
    const card = await findCard('Time')
    fireEvent.click(await screen.findByRole('button', { name: 'Connect Time' }))
    await screen.findByRole('region', { name: 'Available, and just connected' })
    expect(card.isConnected).toBe(true)
    await disconnect('Slack')
    await screen.findByRole('region', { name: 'Just disconnected' })
    expect(listGroups()).toEqual([
      ['Just disconnected', ['Slack']],
      ['Available, and just connected', others],
    ])
    // cards move with a filter anyway
    const search = screen.getByRole('textbox', { name: 'Search integrations' })
    fireEvent.change(search, { target: { value: 'i' } })
    await waitFor(() =>
      expect(listGroups().map(([heading, cards]) => [heading, cards?.includes('Time')])).toEqual([
        ['Connected', true],
        ['Available', false],
      ]),
    )
  })

  it('INT-46 say that the credentials were not stored, and what to do, instead of Integration Connected', async () => {
    open({
      'integrations.connect': () => {
        const changes = { auth_type: 'api_key', token_status: 'invalid', credential: null } as const
        return { success: true, integration: anIntegration({ mcp_id: 'time', mcp_name: 'Time', ...changes }) }
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Connect Time' }))
    await waitFor(() =>
      expect(listToasts()).toEqual([
        [
          'Connection Failed',
          'Time accepted what you entered, but it could not be stored, so the connection does not work yet. Please connect again.',
        ],
      ]),
    )
  })

  it('INT-50 DEC-063 DEC-125 offer Reconnect if access has expired and cannot be renewed', async () => {
    const expires_at = new Date(Date.now() - 1000).toISOString()
    rows = [anIntegration({ refreshable: false, expires_at })]
    open()
    const slack = within(await findCard('Slack'))
    const status = await slack.findByText('Needs update · Expired')
    expect(status.parentElement?.querySelector('svg')?.dataset['variant']).toBe('bad')
    expect(slack.queryByRole('button', { name: 'Refresh Slack' })).toBeNull()
    fireEvent.click(slack.getByRole('button', { name: 'Reconnect Slack' }))
    expect(await screen.findByRole('dialog', { name: 'Setup Slack' })).toBeTruthy()
  })

  it('INT-41 DEC-110 say when the user is no longer signed in', async () => {
    open()
    const connect = await screen.findByRole('button', { name: 'Connect Time' })
    removeSession()
    fireEvent.click(connect)
    await waitFor(() => expect(listToasts()).toEqual([['Connection Failed', 'User not authenticated']]))
    expect(api.requestsTo('integrations.connect')).toEqual([])
  })

  it.each([
    [
      'INT-42',
      apiError('api_key authentication required. Please provide credentials.'),
      ['Connection Failed', 'api_key authentication required. Please provide credentials.'],
    ],
    ['INT-43', apiError('MCP with ID time not found'), ['Connection Failed', 'MCP with ID time not found']],
    ['INT-68', apiError('?', 'unreadable'), ['Connection Failed', 'Failed to connect integration']],
    ['INT-69', new NetworkError(), ['Connection Error', 'Failed to initiate connection. Please try again.']],
  ] as const)('%s say when connecting failed: %s', async (_, error, toast) => {
    open({
      'integrations.connect': () => {
        throw error
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Connect Time' }))
    await waitFor(() => expect(listToasts()).toEqual([toast]))
  })
})

describe('the search and the list', () => {
  it('INT-24 INT-25 says that it is loading', () => {
    open({ 'registry.page': () => new Promise(() => undefined) })
    expect(screen.getByText('Loading integrations...')).toBeTruthy()
    expect(screen.getByText('Using cached data when available')).toBeTruthy()
  })

  it('INT-10 has a search field with a button that clears it', async () => {
    open()
    await findCard('Slack')
    const search = screen.getByRole<HTMLInputElement>('textbox', { name: 'Search integrations' })
    expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull()
    fireEvent.change(search, { target: { value: 'stri' } })
    fireEvent.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(search.value).toBe('')
    expect(document.activeElement).toBe(search)
    expect(await findCard('Slack')).toBeTruthy()
  })

  it('INT-11 says that it is searching', async () => {
    open()
    await findCard('Slack')
    expect(screen.queryByText('Searching…')).toBeNull()
    fireEvent.change(screen.getByRole('textbox', { name: 'Search integrations' }), {
      target: { value: 'stri' },
    })
    expect(screen.getByText('Searching…')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('Searching…')).toBeNull())
  })

  it('INT-12 REG-18 LIM-20 searches the registry 500 ms after the last keystroke', async () => {
    // for five seconds after a synchronisation, such as one by an earlier test, no cache is asked
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000)
    open()
    await findCard('Slack')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const search = screen.getByRole('textbox', { name: 'Search integrations' })
    fireEvent.change(search, { target: { value: 'st' } })
    act(() => void vi.advanceTimersByTime(400))
    fireEvent.change(search, { target: { value: 'stri' } })
    act(() => void vi.advanceTimersByTime(499))
    expect(api.requestsTo('registry.search')).toEqual([])
    act(() => void vi.advanceTimersByTime(1))
    vi.useRealTimers()
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Slack' })).toBeNull())
    expect(api.requestsTo('registry.search')).toEqual([{ query: { term: 'stri', page: 1, limit: 20 } }])
  })

  it('INT-26 INT-27 INT-29 says that a search found nothing, without a button to refresh', async () => {
    open()
    await findCard('Slack')
    fireEvent.change(screen.getByRole('textbox', { name: 'Search integrations' }), {
      target: { value: 'fax' },
    })
    expect(await screen.findByText('No results for "fax"')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'No integrations found' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Refresh Integrations' })).toBeNull()
  })

  it('offers to add a custom tool when a search found nothing', async () => {
    open({ 'customTools.list': () => ({ tools: [] }) })
    await findCard('Slack')
    expect(screen.queryByRole('button', { name: 'Add it as a custom tool' })).toBeNull()
    fireEvent.change(screen.getByRole('textbox', { name: 'Search integrations' }), {
      target: { value: 'fax' },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Add it as a custom tool' }))
    expect(await screen.findByRole('dialog', { name: 'Custom Tools' })).toBeTruthy()
  })

  it('INT-26 INT-28 INT-29 says that there are no integrations, and offers to refresh', async () => {
    entries = []
    open({
      'registry.refresh': () => ({ success: true, stats: { total: 0, new: 0, updated: 0 }, errors: [] }),
    })
    expect(await screen.findByText('No integrations available')).toBeTruthy()
    entries = [anEntry()]
    fireEvent.click(screen.getByRole('button', { name: 'Refresh Integrations' }))
    expect(await findCard('Slack')).toBeTruthy()
    expect(api.requestsTo('registry.refresh')).toEqual([{ body: { kind: 'refresh' } }])
  })

  /** 25 entries; the second page waits for `release`. */
  async function openTwoPages() {
    entries = Array.from({ length: 25 }, (_, n) => anEntry({ id: `e${n}`, name: `Entry ${n}` }))
    const secondPage = Promise.withResolvers<void>()
    open({
      'registry.page': async ({ query }) => {
        const page = Number(query?.['page'])
        if (page === 2) await secondPage.promise
        return toPage(entries.slice((page - 1) * 20, page * 20), page, 25)
      },
    })
    await findCard('Entry 19')
    return { release: secondPage.resolve }
  }

  it('INT-30 INT-31 offers to load more while there are more, and says that it is loading', async () => {
    const { release } = await openTwoPages()
    expect(screen.getByText('Showing 20 of 25')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Load More' }))
    expect(await screen.findByRole('button', { name: 'Loading...' })).toBeTruthy()
    release()
    await findCard('Entry 24')
    expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull()
  })

  it('says that more could not be loaded', async () => {
    entries = Array.from({ length: 25 }, (_, index) => anEntry({ id: `e${index}`, name: `Entry ${index}` }))
    open({
      'registry.page': ({ query }) => {
        if (Number(query?.['page']) === 2)
          throw new ApiError({ status: 400, code: 'x', userMessage: 'That page is gone.' })
        return toPage(entries.slice(0, 20), 1, 25)
      },
    })
    await findCard('Entry 19')
    fireEvent.click(screen.getByRole('button', { name: 'Load More' }))
    expect((await screen.findByRole('alert')).textContent).toBe(
      'More could not be loaded. That page is gone.',
    )
    expect(screen.getByRole('button', { name: 'Load More' })).toBeTruthy()
  })

  it('INT-32 LIM-21 DEC-075 shows 20 at a time', async () => {
    const { release } = await openTwoPages()
    release()
    expect(screen.getAllByRole('article')).toHaveLength(20)
    fireEvent.click(screen.getByRole('button', { name: 'Load More' }))
    await findCard('Entry 24')
    expect(screen.getAllByRole('article')).toHaveLength(25)
    expect(api.requestsTo('registry.page').map(({ query }) => query)).toMatchObject([
      { page: 1, limit: 20 },
      { page: 2, limit: 20 },
    ])
  })

  it('REG-16 DEC-074 filters by sign-in type and by connected', async () => {
    rows = [anIntegration()]
    open()
    await findCard('Slack')
    fireEvent.change(screen.getByRole('combobox', { name: 'Sign-in type' }), {
      target: { value: 'api_key' },
    })
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Slack' })).toBeNull())
    expect(await findCard('Stripe')).toBeTruthy()
    fireEvent.change(screen.getByRole('combobox', { name: 'Sign-in type' }), { target: { value: '' } })
    fireEvent.click(screen.getByRole('button', { name: 'Connected', pressed: false }))
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Stripe' })).toBeNull())
    expect(await findCard('Slack')).toBeTruthy()
    fireEvent.change(screen.getByRole('combobox', { name: 'Sign-in type' }), {
      target: { value: 'api_key' },
    })
    expect(await screen.findByText('Nothing with this sign-in type is connected')).toBeTruthy()
    expect(screen.queryByText('Nothing is connected yet')).toBeNull()
  })

  it('filters connected ones by how they were connected, as their cards say', async () => {
    entries = [anEntry({ auth_type: 'unknown' })]
    rows = [anIntegration({ auth_type: 'oauth2' })]
    open()
    expect(await within(await findCard('Slack')).findByText('OAuth 2.0')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Connected', pressed: false }))
    const type = screen.getByRole('combobox', { name: 'Sign-in type' })
    fireEvent.change(type, { target: { value: 'unknown' } })
    expect(await screen.findByText('Nothing with this sign-in type is connected')).toBeTruthy()
    fireEvent.change(type, { target: { value: 'oauth2' } })
    expect(await findCard('Slack')).toBeTruthy()
  })

  it('INT-27 DEC-074 names the filters of a search that finds nothing, and clears them', async () => {
    rows = [anIntegration()]
    open()
    await findCard('Slack')
    fireEvent.click(screen.getByRole('button', { name: 'Connected', pressed: false }))
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Stripe' })).toBeNull())
    fireEvent.change(screen.getByRole('combobox', { name: 'Sign-in type' }), { target: { value: 'oauth2' } })
    fireEvent.change(screen.getByRole('textbox', { name: 'Search integrations' }), {
      target: { value: 'stripe' },
    })
    expect(await screen.findByText('No results for "stripe"')).toBeTruthy()
    expect(screen.getByText(/Filtered by Connected, OAuth 2\.0\./)).toBeTruthy()
    expect(screen.queryByText('Searching…')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(await findCard('Stripe')).toBeTruthy()
    expect(screen.queryByText(/Filtered by/)).toBeNull()
  })

  it('INT-33 DEC-059 counts sandbox cards separately', async () => {
    open()
    await findCard('Stripe Sandbox')
    expect(screen.getByText(`${entries.length} shown, plus 1 sandbox`)).toBeTruthy()
  })

  it('REG-15 DEC-074 filters by a part of the provider’s name, also among connected integrations', async () => {
    rows = [anIntegration()]
    open({
      'registry.page': ({ query }) => {
        const providerPart = String(query?.['provider'] ?? '').toLowerCase()
        const found = entries.filter(({ provider }) => provider.toLowerCase().includes(providerPart))
        return toPage(found, 1, found.length)
      },
    })
    await findCard('Slack')
    const field = screen.getByRole('textbox', { name: 'Provider' })
    fireEvent.change(field, { target: { value: ' STRI ' } })
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Slack' })).toBeNull())
    expect(await findCard('Stripe')).toBeTruthy()
    // `fresh` is sent too, if a test before has synced
    expect(api.requestsTo('registry.page').at(-1)?.query).toMatchObject({
      page: 1,
      limit: 20,
      provider: 'STRI',
    })
    fireEvent.click(screen.getByRole('button', { name: 'Connected', pressed: false }))
    expect(await screen.findByText('No results of providers with "STRI"')).toBeTruthy()
    fireEvent.change(field, { target: { value: 'lack' } })
    expect(await findCard('Slack')).toBeTruthy()
  })

  it('REG-04 REG-39 DEC-150 shows and searches the built-in list if nothing is cached and the service is down', async () => {
    const rejectRequest = () => {
      throw new ApiError({ status: 503, code: 'x', userMessage: 'Down.' })
    }
    open({ 'registry.page': rejectRequest, 'registry.search': rejectRequest })
    expect(await findCard('Gmail')).toBeTruthy()
    expect(await findCard('Stripe Sandbox')).toBeTruthy()
    expect(screen.queryByText('No integrations found')).toBeNull()
    fireEvent.change(screen.getByRole('textbox', { name: 'Search integrations' }), {
      target: { value: 'notion' },
    })
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Gmail' })).toBeNull())
    expect(await findCard('Notion')).toBeTruthy()
    expect(listToasts()).toEqual([])
  })

  it('does not say that it searches when it only asks whether the service responds again', async () => {
    let isPolled = false
    const { client } = open({
      'registry.page': () => {
        if (isPolled) return new Promise<never>(() => undefined)
        throw new ApiError({ status: 503, code: 'x', userMessage: 'Down.' })
      },
    })
    await findCard('Gmail')
    isPolled = true
    const queryKey = ['registry', 'entries']
    act(() => void client.refetchQueries({ queryKey }))
    await waitFor(() => expect(client.isFetching({ queryKey })).toBe(1))
    expect(screen.queryByText('Searching…')).toBeNull()
  })

  it('REG-39 shows a connected integration even if the service is down', async () => {
    rows = [anIntegration({ mcp_id: 'gmail', mcp_name: 'Gmail' })]
    const rejectRequest = () => {
      throw new NetworkError({ hasTimedOut: true })
    }
    open({ 'registry.page': rejectRequest, 'registry.one': rejectRequest })
    await findCard('Gmail')
    fireEvent.click(screen.getByRole('button', { name: 'Connected', pressed: false }))
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Slack' })).toBeNull())
    expect(await findCard('Gmail')).toBeTruthy()
  })

  it('REG-39 INT-25 shows the last catalogue when the service does not answer', async () => {
    const { unmount } = open()
    await findCard('Slack')
    unmount()
    open({
      'registry.page': () => {
        throw new NetworkError({ hasTimedOut: true })
      },
    })
    expect(await findCard('Slack')).toBeTruthy()
    expect(listToasts()).toEqual([])
  })

  it('says when the connections could not be loaded', async () => {
    let calls = 0
    rows = [anIntegration()]
    open({
      'integrations.list': () => {
        calls += 1
        if (calls <= 2) throw apiError('no')
        return { integrations: rows }
      },
    })
    expect(await screen.findByText(/Your connections could not be loaded/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    const connected = within(await screen.findByRole('region', { name: 'Connected' }))
    const slack = within(connected.getByRole('article', { name: 'Slack' }))
    expect(await slack.findByText('Connected')).toBeTruthy()
  })

  it('DEC-059 INT-16 shows what is connected first, and Live only beside a sandbox', async () => {
    entries = [anEntry(), stripe]
    rows = [anIntegration({ mcp_id: 'stripe', mcp_name: 'Stripe' })]
    open()
    await screen.findByRole('region', { name: 'Connected' })
    expect(screen.getAllByRole('article').map((card) => card.ariaLabel)).toEqual([
      'Stripe',
      'Stripe Sandbox',
      'Slack',
    ])
    expect(screen.getAllByText('Live')).toHaveLength(1)
  })
})

describe('an entry of the MCP Registry', () => {
  it('shows its publisher beside its name, on the card and in the dialog (M5)', async () => {
    entries = [anEntry(), aPublishedEntry()]
    open()
    const notebook = within(await findCard('Notebook'))
    expect(notebook.getByText('com.example').title).toBe('Published by com.example')
    expect(within(await findCard('Slack')).queryByTitle(/Published by/)).toBeNull()
    fireEvent.click(notebook.getByRole('button', { name: 'Connect Notebook' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Setup Notebook' }))
    expect(dialog.getByText('Published by com.example, answers at mcp.example.com')).toBeTruthy()
  })

  it('that has moved says where, and asks for the key again (H4)', async () => {
    entries = [aPublishedEntry()]
    rows = [aMovedConnection()]
    open()
    const movedMessage = 'Notebook has moved to mcp.new.example. Connect again to use it there.'
    const notebook = within(await findCard('Notebook'))
    expect(await notebook.findByText(movedMessage)).toBeTruthy()
    expect(notebook.getByText('Needs Reconnect')).toBeTruthy()
    fireEvent.click(notebook.getByRole('button', { name: 'Reconnect Notebook' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Setup Notebook' }))
    expect(dialog.getByText(movedMessage)).toBeTruthy()
    expect(dialog.getByLabelText<HTMLInputElement>('X-Api-Key', { selector: 'input' }).value).toBe('')
  })
})

it('keeps the entered values of a dialog when an earlier connection completes', async () => {
  const response = Promise.withResolvers<{ success: true; integration: Connection }>()
  open({ 'integrations.connect': () => response.promise })
  fireEvent.click(await screen.findByRole('button', { name: 'Connect Stripe' }))
  const stripeDialog = within(await screen.findByRole('dialog', { name: 'Setup Stripe' }))
  fireEvent.change(stripeDialog.getByLabelText('API key'), { target: { value: 'sk' } })
  fireEvent.click(stripeDialog.getByRole('button', { name: 'Connect to Stripe Live' }))
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(await screen.findByRole('button', { name: 'Setup ~5 mins Slack' }))
  const field = await screen.findByLabelText('Paste your Slack Client ID:')
  fireEvent.change(field, { target: { value: 'my-app' } })
  rows = [anIntegration({ mcp_id: 'stripe', mcp_name: 'Stripe', auth_type: 'api_key' })]
  await act(async () => response.resolve({ success: true, integration: rows[0]! }))
  await waitFor(() => expect(listToasts()).toHaveLength(1))
  expect(screen.getByLabelText<HTMLInputElement>('Paste your Slack Client ID:').value).toBe('my-app')
})

it('shows no toast about a connection once its user has signed out', async () => {
  const connecting = Promise.withResolvers<RouteResponse<'integrations.connect'>>()
  const { client } = open({ 'integrations.connect': () => connecting.promise })
  fireEvent.click(await screen.findByRole('button', { name: 'Connect Time' }))
  await waitFor(() => expect(api.requestsTo('integrations.connect')).toHaveLength(1))
  closeUserResources(client)
  await act(async () => connecting.reject(new NetworkError()))
  expect(listToasts()).toEqual([])
})

describe('integrations that cannot be loaded', () => {
  it('are no catalogue without results, and are loaded by Try again', async () => {
    let isRefused = true
    open({
      'registry.page': () => {
        if (isRefused) throw apiError('Too many requests.', 'rate_limited')
        return toPage([stripe])
      },
    })
    await screen.findByText('Integrations could not be loaded.')
    expect(screen.queryByText(/No results|No integrations/)).toBeNull()
    isRefused = false
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await findCard('Stripe')).toBeTruthy()
    expect(screen.queryByText('Integrations could not be loaded.')).toBeNull()
  })

  it('are not said to be unconnected', async () => {
    rows = [anIntegration({ mcp_id: 'stripe', auth_type: 'api_key', status: 'connected' })]
    open({
      'registry.one': () => {
        throw apiError('Too many requests.', 'rate_limited')
      },
    })
    await findCard('Slack')
    fireEvent.click(screen.getByRole('button', { name: 'Connected', pressed: false }))
    await screen.findByText('Integrations could not be loaded.')
    expect(screen.queryByText(/Nothing is connected/)).toBeNull()
  })
})
