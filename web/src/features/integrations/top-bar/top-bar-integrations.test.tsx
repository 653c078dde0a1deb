import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Connection } from '#shared/contracts/integrations.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { NetworkError } from '../../../lib/api/api-errors.ts'
import { formatDate, formatDateTime } from '../../../lib/text/dates.ts'
import { getNameLetters } from '../../../components/name-tile.tsx'
import { type RouteHandlers, fakeApi } from '../../../../../test/support/fake-api.ts'
import { limitTools, renderPage } from '../../../../../test/support/render-page.tsx'
import { aMovedConnection, anIntegration, someTools } from '../../../../../test/support/connections.ts'
import { ChipTooltip, TopBarIntegrations } from './top-bar-integrations.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

let rows: Connection[]
let api: ReturnType<typeof fakeApi>

const createRow = (mcp_id: string, mcp_name: string, changes: Parameters<typeof anIntegration>[0] = {}) =>
  anIntegration({ mcp_id, mcp_name, ...changes })
const buildTools = ({ mcp_id, mcp_name }: Connection) =>
  someTools({ id: mcp_id, name: mcp_name, ...(!['gmail', 'slack'].includes(mcp_id) && { capabilities: [] }) })
const createFiveRows = () => [
  createRow('gmail', 'Gmail'),
  createRow('google-drive', 'Google Drive', { token_status: 'needs_refresh' }),
  createRow('slack', 'Slack', { token_status: 'expired' }),
  createRow('stripe', 'Stripe', { token_status: 'invalid' }),
  createRow('hubspot', 'HubSpot'),
]
const listToasts = () => vi.mocked(showToast).mock.calls.map(([, title]) => title)

function open(handlers: RouteHandlers = {}) {
  api = fakeApi({
    'integrations.list': () => ({ integrations: rows }),
    'tools.list': () => ({
      integrations: rows.filter(({ status }) => status === 'connected').map(buildTools),
    }),
    ...handlers,
  })
  return renderPage(<TopBarIntegrations userId="u1" />, '/here')
}
const findBadges = async () => within(await screen.findByRole('group', { name: 'Connected integrations' }))

async function openPopover(name: RegExp) {
  fireEvent.click((await findBadges()).getByRole('button', { name }))
  return within(await screen.findByRole('dialog'))
}

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  rows = createFiveRows()
})

describe('the chip', () => {
  it('TOP-19 TOP-20 shows Connect Tools if nothing is connected', async () => {
    rows = [createRow('slack', 'Slack', { status: 'disconnected', token_status: 'inactive' })]
    open()
    const chip = await screen.findByRole('link', { name: 'Connect Tools' })
    expect(chip.getAttribute('href')).toBe('/integrations')
    expect(screen.queryByRole('group', { name: 'Connected integrations' })).toBeNull()
  })

  it('leads nobody to tools who may use none; what is connected can still be seen', async () => {
    rows = []
    const { client } = open()
    await screen.findByRole('link', { name: 'Connect Tools' })
    act(() => limitTools(client, 'none'))
    await waitFor(() => expect(screen.queryByRole('link')).toBeNull())
    act(() => void client.setQueryData(['integrations', 'u1'], createFiveRows()))
    await screen.findByRole('link', { name: 'Tools' })
    fireEvent.click((await findBadges()).getByRole('button', { name: /Google Drive/ }))
    const popover = within(await screen.findByRole('dialog'))
    await popover.findByText('Your administrator does not allow it.')
    expect(popover.queryByRole('link', { name: 'Reconnect' })).toBeNull()
  })

  it('says nothing of connections that could not be loaded', async () => {
    const { client } = open({
      'integrations.list': () => {
        throw new NetworkError()
      },
    })
    const getStatus = () => client.getQueryState(['integrations', 'u1'])?.status
    await waitFor(() => expect(getStatus()).toBe('error'))
    expect(screen.queryByRole('link', { name: 'Connect Tools' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Tools' })).toBeTruthy()
  })

  it('TOP-21 TOP-26 shows the number of connections, and links to the integrations', async () => {
    open()
    const chip = await screen.findByRole('link', { name: /5 Active/ })
    expect(chip.textContent).toMatch(/^5 Active/)
    expect(chip.getAttribute('href')).toBe('/integrations')
  })

  const ownServer = someTools({ id: 'custom_1', name: 'My server', provider: 'Custom' })

  it('TOP-22 DEC-098 shows the number of capabilities of connections and custom servers', async () => {
    open({ 'tools.list': () => ({ integrations: [...rows.map(buildTools), ownServer] }) })
    const chip = await screen.findByRole('link', { name: /6 Active/ })
    // Gmail, Slack and the custom server have two each, the others none
    await waitFor(() => expect(chip.textContent).toContain('6 capabilities'))
    expect(api.requestsTo('tools.list')).toHaveLength(1)
  })

  it('TOP-23 DEC-098 a custom server alone is active, and is listed in the tooltip', async () => {
    rows = []
    open({ 'tools.list': () => ({ integrations: [ownServer] }) })
    expect((await screen.findByRole('link', { name: /1 Active/ })).textContent).toContain('2 capabilities')
    expect(screen.queryByRole('link', { name: 'Connect Tools' })).toBeNull()
    const { container } = render(
      <ChipTooltip connections={[]} customServers={[ownServer]} now={new Date()} />,
    )
    expect(container.textContent).toBe('My serverActive')
  })

  it('counts a single capability as one', async () => {
    rows = []
    const capabilities = ownServer.capabilities.slice(0, 1)
    open({ 'tools.list': () => ({ integrations: [{ ...ownServer, capabilities }] }) })
    const chip = await screen.findByRole('link', { name: /1 Active/ })
    expect(chip.textContent).toMatch(/1 capability$/)
  })

  it('does not count the tools of a connection that has ended', async () => {
    rows = [createRow('gmail', 'Gmail')]
    open({ 'tools.list': () => ({ integrations: [...rows, createRow('slack', 'Slack')].map(buildTools) }) })
    const chip = await screen.findByRole('link', { name: /1 Active/ })
    await waitFor(() => expect(chip.textContent).toContain('2 capabilities'))
  })

  it('DEC-098 shows “powerful capabilities” if none are known', async () => {
    rows = [createRow('stripe', 'Stripe')]
    open()
    const chip = await screen.findByRole('link', { name: /1 Active/ })
    await waitFor(() => expect(chip.textContent).toContain('powerful capabilities'))
  })

  const renderTooltipLines = () => {
    const { container } = render(
      <ChipTooltip
        connections={[...createFiveRows(), createRow('a', 'A'), createRow('b', 'B')]}
        customServers={[]}
        now={new Date()}
      />,
    )
    return [...(container.firstElementChild?.children ?? [])].map((line) =>
      line.children.length > 0 ? [...line.children].map(({ textContent }) => textContent) : line.textContent,
    )
  }

  it('TOP-23 LIM-10 lists the first five connections in its tooltip', () => {
    const lines = renderTooltipLines().filter((line) => Array.isArray(line))
    expect(lines).toHaveLength(5)
    expect(lines.map(([name]) => name)).toEqual(['Gmail', 'Google Drive', 'Slack', 'Stripe', 'HubSpot'])
  })

  it('TOP-24 INT-66 DEC-054 marks each connection as Active or Attention', () => {
    const marks = renderTooltipLines().flatMap((line) => (Array.isArray(line) ? [line[1]] : []))
    expect(marks).toEqual(['Active', 'Attention', 'Attention', 'Attention', 'Active'])
    const healthyRows = createFiveRows().filter(({ health_status }) => health_status === 'healthy')
    expect(healthyRows.map(({ mcp_name }) => mcp_name)).toEqual(['Gmail', 'HubSpot'])
    expect(marks.filter((mark) => mark === 'Active')).toHaveLength(healthyRows.length)
  })

  it('TOP-25 shows how many connections there are beyond five', () => {
    expect(renderTooltipLines().at(-1)).toBe('+2 more integrations')
  })

  it('TOP-25 does not mention more connections if there are five', () => {
    render(<ChipTooltip connections={createFiveRows()} customServers={[]} now={new Date()} />)
    expect(screen.queryByText(/more integrations/)).toBeNull()
  })
})

describe('the badges', () => {
  it('TOP-06 TOP-07 TOP-10 are at most three, with letters, and +N', async () => {
    open()
    const buttons = (await findBadges()).getAllByRole('button')
    expect(buttons).toHaveLength(4)
    expect(buttons.slice(0, 3).map(({ textContent }) => textContent)).toEqual(['GM', 'GO', 'SL'])
    expect(buttons[3]?.textContent).toBe('+2')
  })

  it('TOP-08 have a dot each', async () => {
    open()
    const buttons = (await findBadges()).getAllByRole('button')
    expect(buttons.map((button) => button.querySelector('svg')?.dataset['variant'])).toEqual([
      'ok',
      'warn',
      'bad',
      undefined,
    ])
  })

  it('TOP-01 TOP-04 are between the chip and Tools, which links to the integrations', async () => {
    open()
    const buttons = (await findBadges()).getAllByRole('button')
    const tools = screen.getByRole('link', { name: 'Tools' })
    expect(tools.getAttribute('href')).toBe('/integrations')
    const chip = screen.getByRole('link', { name: /Active/ })
    const following = Node.DOCUMENT_POSITION_FOLLOWING
    expect(chip.compareDocumentPosition(buttons[0] ?? chip)).toBe(following)
    expect(buttons.at(-1)?.compareDocumentPosition(tools)).toBe(following)
  })

  it('TOP-11 TOP-12 TOP-13 open a popover with the name and the status', async () => {
    open()
    expect(screen.queryByRole('dialog')).toBeNull()
    const card = await openPopover(/Gmail/)
    expect(card.getByText('Gmail')).toBeTruthy()
    expect(card.getByText('Connected')).toBeTruthy()
    expect(card.queryByText('Requires attention')).toBeNull()
  })

  it('TOP-14 DEC-079 show since when an integration is connected', async () => {
    open()
    const gmail = await openPopover(/Gmail/)
    expect(gmail.getByText(`Connected ${formatDate(new Date('2026-11-03T12:00:00Z'))}`)).toBeTruthy()
    expect(gmail.queryByText('Connected recently')).toBeNull()
  })

  it('TOP-17 DEC-097 link to the service in a new tab', async () => {
    open()
    const card = await openPopover(/Gmail/)
    const service = card.getByRole('link', { name: 'Open Service' })
    expect(service.getAttribute('href')).toBe('https://app.slack.com')
    expect([service.getAttribute('target'), service.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
  })

  it('TOP-16 Manage Permissions only closes the popover', async () => {
    open()
    const card = await openPopover(/Gmail/)
    fireEvent.click(card.getByRole('button', { name: 'Manage Permissions' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.requestsTo('integrations.disconnect')).toEqual([])
  })

  it.each([
    // it is due, and has not expired
    [/Google Drive/, 'Needs Refresh', /^Access needs to be renewed\. /],
    [/Slack/, 'Token Expired', /^Access has expired\. /],
  ])('TOP-13 TOP-15 %s needs attention: %s', async (name, label, reason) => {
    open()
    const card = await openPopover(name)
    expect(card.getByText(label)).toBeTruthy()
    expect(card.getByText(reason)).toBeTruthy()
    expect(card.getByText('Requires attention')).toBeTruthy()
  })

  it('TOP-09 TOP-15 DEC-053 an invalid connection is red, requires attention and offers Reconnect', async () => {
    rows = [createRow('stripe', 'Stripe', { token_status: 'invalid', connected_at: '' })]
    open()
    const badge = await (await findBadges()).findByRole('button', { name: 'ST, Stripe: Needs Reconnect' })
    expect(badge.querySelector('svg')?.dataset['variant']).toBe('bad')
    const card = await openPopover(/Stripe/)
    expect(card.getByText('Needs Reconnect').querySelector('svg')?.dataset['variant']).toBe('bad')
    expect(card.getByText('Connected recently')).toBeTruthy()
    expect(card.getByText('Requires attention')).toBeTruthy()
    expect(card.getByRole('link', { name: 'Reconnect' }).getAttribute('href')).toBe('/integrations')
  })

  it.each([null, 'http://acme.example', 'javascript:alert(1)'])(
    'DEC-097 cannot open %s',
    async (open_url) => {
      rows = [createRow('a', 'Acme', { open_url })]
      open()
      const card = await openPopover(/Acme/)
      expect(card.getByRole<HTMLButtonElement>('button', { name: 'Open Service' }).disabled).toBe(true)
      expect(card.queryByRole('link', { name: 'Open Service' })).toBeNull()
    },
  )

  it('TOP-18 INT-71 DEC-059 disconnect after a confirmation, a sandbox connection with its own ID', async () => {
    rows = [createRow('stripe-sandbox', 'Stripe', { settings: { environment: 'sandbox' } })]
    open({
      'integrations.disconnect': () => {
        rows = []
        return { success: true, revoked: false }
      },
    })
    const card = await openPopover(/Stripe/)
    expect(card.getByText('Stripe Sandbox')).toBeTruthy()
    fireEvent.click(card.getByRole('button', { name: 'Disconnect' }))
    const confirmation = within(card.getByRole('group', { name: 'Disconnect Stripe Sandbox?' }))
    const cancel = confirmation.getByRole('button', { name: 'Cancel' })
    expect(document.activeElement).toBe(cancel)
    fireEvent.click(cancel)
    expect(api.requestsTo('integrations.disconnect')).toEqual([])
    fireEvent.click(card.getByRole('button', { name: 'Disconnect' }))
    fireEvent.click(card.getByRole('button', { name: 'Disconnect' }))
    expect(await screen.findByRole('link', { name: 'Connect Tools' })).toBeTruthy()
    expect(api.requestsTo('integrations.disconnect')[0]?.params).toEqual({ mcpId: 'stripe-sandbox' })
    expect(listToasts()).toEqual(['Integration Disconnected'])
  })

  it('DEC-059 are told apart by name when both the live service and its sandbox are connected', async () => {
    rows = [
      createRow('stripe', 'Stripe'),
      createRow('stripe-sandbox', 'Stripe', { settings: { environment: 'sandbox' } }),
    ]
    open()
    expect(await screen.findByRole('button', { name: 'ST, Stripe: Connected' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'ST, Stripe Sandbox: Connected' })).toBeTruthy()
  })

  it('INT-73 show an error when disconnecting failed, and stay', async () => {
    open({ 'integrations.disconnect': () => Promise.reject(new NetworkError({ hasTimedOut: true })) })
    const card = await openPopover(/Gmail/)
    fireEvent.click(card.getByRole('button', { name: 'Disconnect' }))
    fireEvent.click(card.getByRole('button', { name: 'Disconnect' }))
    await waitFor(() => expect(listToasts()).toEqual(['Disconnection Error']))
    expect((await findBadges()).getByRole('button', { name: /Gmail/ })).toBeTruthy()
  })

  it('TOP-10 open the other connections from +N', async () => {
    open()
    const list = await openPopover(/\+2/)
    fireEvent.click(list.getByRole('button', { name: 'HubSpot' }))
    expect(await screen.findByRole('button', { name: 'Disconnect' })).toBeTruthy()
  })
})

it('TOP-09 TOP-13 DEC-125 shows within a minute that access expires, in the chip, the badge and the popover', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z'), shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  open({
    // every refetch returns the same connection
    'integrations.list': () => ({
      integrations: [createRow('slack', 'Slack', { refreshable: false, expires_at: '2026-11-20T12:20:00Z' })],
    }),
  })
  const findBadge = async () => (await findBadges()).getByRole('button', { name: /Slack/ })
  const readStatuses = async () => [
    (await findBadge()).getAttribute('aria-label'),
    (await findBadge()).querySelector('svg')?.dataset['variant'],
    screen
      .getByRole('link', { name: /1 Active/ })
      .querySelector('[data-variant]')
      ?.getAttribute('data-variant'),
  ]
  const advanceMinutes = (minutes: number) => act(() => vi.advanceTimersByTimeAsync(minutes * 60_000))
  expect(await readStatuses()).toEqual(['SL, Slack: Connected', 'ok', undefined])
  await advanceMinutes(16)
  expect(await readStatuses()).toEqual(['SL, Slack: Needs Refresh', 'warn', 'warn'])
  const card = await openPopover(/Slack/)
  expect(card.getByText('Needs Refresh')).toBeTruthy()
  await advanceMinutes(5)
  expect(card.getByText('Token Expired')).toBeTruthy()
  expect(card.getByText(/Access has expired\./)).toBeTruthy()
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await readStatuses()).toEqual(['SL, Slack: Token Expired', 'bad', 'bad'])
})

it.each([
  ['Gmail', 'GM'],
  ['google drive', 'GO'],
  ['a', 'A'],
  ['io.github.x/y', 'IO'],
  ['(x) y', 'XY'],
  ['Žluť', 'ŽL'],
  ['ßa', 'SS'],
])('TOP-07 the letters of %s are %s', (name, letters) => {
  expect(getNameLetters(name)).toBe(letters)
})

it('marks a connection that has moved, and shows its new host and publisher in the popover (H4, M5)', async () => {
  rows = [createRow('gmail', 'Gmail'), aMovedConnection()]
  open()
  const details = await openPopover(/Notebook: Needs Reconnect/)
  expect(
    details.getByText(/Notebook has moved to mcp\.new\.example\. Connect again to use it there\./),
  ).toBeTruthy()
  expect(details.getByText('com.example')).toBeTruthy()
  expect(details.getByRole('link', { name: 'Reconnect' })).toBeTruthy()
})

it('a popover writes the time of the connection as the reader does', async () => {
  rows = [createRow('gmail', 'Gmail', { connected_at: '2026-11-03T10:00:00.000Z' })]
  open()
  const popover = await openPopover(/Gmail/)
  const date = popover.getByText(/^Connected Nov 3, 2026/)
  expect(date.title).toBe(formatDateTime(new Date('2026-11-03T10:00:00.000Z')))
})
