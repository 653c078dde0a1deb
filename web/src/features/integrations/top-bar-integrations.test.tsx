import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Integration } from '#shared/contracts/integrations.ts'
import { showToast } from '../../components/ui/toast.ts'
import { NetworkError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { shortDate } from '../../lib/short-date.ts'
import type { KnownConnections } from '../../lib/known-connections.ts'
import { nameLetters } from './integration-tile.tsx'
import { answering, renderPage, type Answers } from './test-api.tsx'
import { anIntegration, someTools } from './test-entries.ts'
import { ChipTooltip, TopBarIntegrations } from './top-bar-integrations.tsx'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
vi.mock('../../lib/call-api.ts', () => ({ callApi: vi.fn<typeof callApi>() }))

const onConnections = vi.fn<(connections: KnownConnections | undefined) => void>()
let rows: Integration[]
let api: ReturnType<typeof answering>

const row = (mcp_id: string, mcp_name: string, over: Partial<Integration> = {}) =>
  anIntegration({ id: `i-${mcp_id}`, mcp_id, mcp_name, ...over })
const toolsOf = ({ mcp_id, mcp_name }: Integration) =>
  someTools({ id: mcp_id, name: mcp_name, ...(!['gmail', 'slack'].includes(mcp_id) && { capabilities: [] }) })
const five = () => [
  row('gmail', 'Gmail'),
  row('google-drive', 'Google Drive', { token_status: 'needs_refresh', health_status: 'attention' }),
  row('slack', 'Slack', { token_status: 'expired', health_status: 'attention' }),
  row('stripe', 'Stripe', { token_status: 'invalid', health_status: 'attention' }),
  row('hubspot', 'HubSpot'),
]
const toasts = () => vi.mocked(showToast).mock.calls.map(([, title]) => title)

function open(over: Answers = {}) {
  api = answering({
    'integrations.list': () => ({ integrations: rows }),
    'tools.list': () => ({ integrations: rows.filter(({ status }) => status === 'connected').map(toolsOf) }),
    ...over,
  })
  vi.mocked(callApi).mockImplementation(api.call)
  return renderPage(<TopBarIntegrations userId="u1" onConnections={onConnections} />, '/here')
}
const badges = async () => within(await screen.findByRole('group', { name: 'Connected integrations' }))

async function popover(name: RegExp) {
  fireEvent.click((await badges()).getByRole('button', { name }))
  return within(await screen.findByRole('dialog'))
}

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  rows = five()
})

describe('the chip', () => {
  it('TOP-19 TOP-20 reads Connect Tools with none connected', async () => {
    rows = [row('slack', 'Slack', { status: 'disconnected', token_status: 'inactive' })]
    open()
    const chip = await screen.findByRole('link', { name: 'Connect Tools' })
    expect(chip.getAttribute('href')).toBe('/integrations')
    expect(screen.queryByRole('group', { name: 'Connected integrations' })).toBeNull()
  })

  it('TOP-21 TOP-22 TOP-26 DEC-098 counts what is connected and what it can do', async () => {
    open()
    const chip = await screen.findByRole('link', { name: /5 Active/ })
    // Gmail and Slack bring two each, the others none
    await waitFor(() => expect(chip.textContent).toContain('4 capabilities'))
    expect(chip.getAttribute('href')).toBe('/integrations')
  })

  it('TOP-22 DEC-098 speaks of powerful capabilities where none are known', async () => {
    rows = [row('stripe', 'Stripe')]
    open()
    const chip = await screen.findByRole('link', { name: /1 Active/ })
    await waitFor(() => expect(chip.textContent).toContain('powerful capabilities'))
  })

  it('TOP-23 TOP-24 TOP-25 LIM-10 INT-66 DEC-054 lists the first five in its tooltip', () => {
    const { container } = render(<ChipTooltip active={[...five(), row('a', 'A'), row('b', 'B')]} />)
    expect([...(container.firstElementChild?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
      'GmailActive',
      'Google DriveAttention',
      'SlackAttention',
      'StripeAttention',
      'HubSpotActive',
      '+2 more integrations',
    ])
  })

  it('TOP-25 says nothing of more where there are five', () => {
    render(<ChipTooltip active={five()} />)
    expect(screen.queryByText(/more integrations/)).toBeNull()
  })
})

describe('the badges', () => {
  it('TOP-01 TOP-04 TOP-06 TOP-07 TOP-08 TOP-09 TOP-10 LIM-10 are three at most, with letters and dots, before Tools', async () => {
    open()
    const buttons = (await badges()).getAllByRole('button')
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['GM', 'GO', 'SL', '+2'])
    expect(buttons.map((button) => button.querySelector('svg')?.dataset['tone'])).toEqual([
      'ok',
      'warn',
      'bad',
      undefined,
    ])
    const tools = screen.getByRole('link', { name: 'Tools' })
    expect(tools.getAttribute('href')).toBe('/integrations')
    const chip = screen.getByRole('link', { name: /Active/ })
    const following = Node.DOCUMENT_POSITION_FOLLOWING
    expect(chip.compareDocumentPosition(buttons[0] ?? chip)).toBe(following)
    expect(buttons.at(-1)?.compareDocumentPosition(tools)).toBe(following)
  })

  it('TOP-11 TOP-12 TOP-13 TOP-14 TOP-16 TOP-17 DEC-079 DEC-097 open a popover', async () => {
    open()
    const card = await popover(/Gmail/)
    expect(card.getByText('Gmail')).toBeTruthy()
    expect(card.getByText('Connected')).toBeTruthy()
    expect(card.getByText(`Connected ${shortDate(new Date('2026-11-03T12:00:00Z'))}`)).toBeTruthy()
    expect(card.queryByText('Requires attention')).toBeNull()
    const service = card.getByRole('link', { name: 'Open Service' })
    expect(service.getAttribute('href')).toBe('https://app.slack.com')
    expect([service.getAttribute('target'), service.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
    fireEvent.click(card.getByRole('button', { name: 'Manage Permissions' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.callsOf('integrations.disconnect')).toEqual([])
  })

  it.each([
    [/Google Drive/, 'Needs Refresh'],
    [/Slack/, 'Token Expired'],
  ])('TOP-13 TOP-15 DEC-053 %s needs attention: %s', async (name, words) => {
    open()
    const card = await popover(name)
    expect(card.getByText(words)).toBeTruthy()
    expect(card.getByText('Requires attention')).toBeTruthy()
  })

  it('TOP-15 DEC-053 an invalid one reads Connected, requires attention and offers Reconnect', async () => {
    rows = [row('stripe', 'Stripe', { token_status: 'invalid', connected_at: '' })]
    open()
    const card = await popover(/Stripe/)
    expect(card.getByText('Connected')).toBeTruthy()
    expect(card.getByText('Connected recently')).toBeTruthy()
    expect(card.getByText('Requires attention')).toBeTruthy()
    expect(card.getByRole('link', { name: 'Reconnect' }).getAttribute('href')).toBe('/integrations')
  })

  it('TOP-17 DEC-097 cannot open a service without an address', async () => {
    rows = [row('a', 'Acme', { open_url: null })]
    open()
    const card = await popover(/Acme/)
    expect(card.getByRole<HTMLButtonElement>('button', { name: 'Open Service' }).disabled).toBe(true)
  })

  it('TOP-18 INT-71 DEC-059 disconnect, a sandbox connection under its own id', async () => {
    rows = [row('stripe-sandbox', 'Stripe', { settings: { environment: 'sandbox' } })]
    open({
      'integrations.disconnect': () => {
        rows = []
        return { success: true, revoked: false }
      },
    })
    const card = await popover(/Stripe/)
    expect(card.getByText(/Sandbox/)).toBeTruthy()
    fireEvent.click(card.getByRole('button', { name: 'Disconnect' }))
    expect(await screen.findByRole('link', { name: 'Connect Tools' })).toBeTruthy()
    expect(api.callsOf('integrations.disconnect')[0]?.params).toEqual({ mcpId: 'stripe-sandbox' })
    expect(toasts()).toEqual(['Integration Disconnected'])
  })

  it('INT-73 say when disconnecting failed, and stay', async () => {
    open({ 'integrations.disconnect': () => Promise.reject(new NetworkError(true)) })
    const card = await popover(/Gmail/)
    fireEvent.click(card.getByRole('button', { name: 'Disconnect' }))
    await waitFor(() => expect(toasts()).toEqual(['Disconnection Error']))
    expect((await badges()).getByRole('button', { name: /Gmail/ })).toBeTruthy()
  })

  it('TOP-10 open the others from +N', async () => {
    open()
    const list = await popover(/\+2/)
    fireEvent.click(list.getByRole('button', { name: 'HubSpot' }))
    expect(await screen.findByRole('button', { name: 'Disconnect' })).toBeTruthy()
  })
})

it.each([
  ['Gmail', 'GM'],
  ['google drive', 'GO'],
  ['a', 'A'],
  ['io.github.x/y', 'IO'],
  ['(x) y', 'XY'],
  ['Žluť', 'ŽL'],
])('TOP-07 the letters of %s are %s', (name, letters) => {
  expect(nameLetters(name)).toBe(letters)
})
