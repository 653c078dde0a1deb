import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import type { LedgerEntry } from '#shared/contracts/tools.ts'
import { showToast } from '../../components/ui/toast.ts'
import { NetworkError } from '../../lib/api/api-errors.ts'
import { announcementStore } from '../../lib/browser/announce.ts'
import { type RouteHandlers, fakeApi } from '../../../../test/support/fake-api.ts'
import { ActivityCard } from './activity-card.tsx'
import { ActivityRow } from './activity-row.tsx'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const createEntry = (changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: crypto.randomUUID(),
  at: '2026-11-20T09:00:00Z',
  tool: 'gmail_send_email',
  title: 'Send an e-mail',
  integration: 'Gmail',
  mcp_id: 'gmail',
  arguments: { to: 'ann@example.org' },
  success: true,
  error: null,
  result_size: 1234,
  allowed: 'approved',
  ...changes,
})
const allowedTool = {
  id: 'a1',
  tool: 'gmail_send_email',
  title: 'Send an e-mail',
  integration: 'Gmail',
  mcp_id: 'gmail',
  allowed_at: '2026-11-20T09:00:00Z',
}
let handlers: RouteHandlers
let api: ReturnType<typeof fakeApi>

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  handlers = { 'tools.ledger': () => ({ entries: [], next: null }), 'tools.allowed': () => ({ tools: [] }) }
})

const open = () => {
  api = fakeApi(handlers)
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <ActivityCard />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}
const press = (name: string | RegExp) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })))

it('says that there is no activity yet', async () => {
  open()
  expect(screen.getByRole('progressbar', { name: 'Loading what the assistant did' })).toBeTruthy()
  expect(await screen.findByText('Nothing yet. Calls of your tools are listed here.')).toBeTruthy()
  expect(
    await screen.findByText('None: in your chats, every call that writes, sends or deletes asks first.'),
  ).toBeTruthy()
})

it('says that loading failed, and offers to try again', async () => {
  handlers['tools.ledger'] = () => {
    throw new NetworkError()
  }
  open()
  await screen.findByText(/could not be loaded/)
  handlers['tools.ledger'] = () => ({ entries: [createEntry()], next: null })
  await press('Try again')
  expect(await screen.findByRole('list', { name: 'What the assistant did' })).toBeTruthy()
})

it('lists calls page by page, and shows the arguments and the size of the result of each', async () => {
  handlers['tools.ledger'] = ({ query }) =>
    query?.before === 'p2'
      ? {
          entries: [createEntry({ title: 'Read deals', integration: 'HubSpot', allowed: 'reading' })],
          next: null,
        }
      : {
          entries: [
            createEntry(),
            createEntry({ success: false, error: 'No.', allowed: 'denied', arguments: null }),
          ],
          next: 'p2',
        }
  open()
  await screen.findByRole('list', { name: 'What the assistant did' })
  await press('Show more')
  expect(await screen.findByText('HubSpot · Read deals')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  await press(/You approved it/)
  expect(screen.getByText('ann@example.org')).toBeTruthy()
  expect(screen.getByText('1,234 characters')).toBeTruthy()
  await press(/Denied$/)
  expect(screen.getByText('No.')).toBeTruthy()
  expect(screen.getByText('Not stored: this was a temporary chat')).toBeTruthy()
})

it('deletes the list after a confirmation', async () => {
  handlers['tools.ledger'] = () => ({ entries: [createEntry()], next: null })
  handlers['tools.clearLedger'] = () => {
    handlers['tools.ledger'] = () => ({ entries: [], next: null })
    return { success: true }
  }
  open()
  await screen.findByRole('list', { name: 'What the assistant did' })
  await press('Delete the list')
  const dialog = within(screen.getByRole('dialog'))
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Delete' })))
  await screen.findByText('Nothing yet. Calls of your tools are listed here.')
  expect(announcementStore.getState().text).toBe('List deleted')
})

it('keeps the confirmation open when the list could not be deleted, and loads the list again', async () => {
  handlers['tools.ledger'] = () => ({ entries: [createEntry()], next: null })
  handlers['tools.clearLedger'] = () => {
    throw new NetworkError()
  }
  open()
  await screen.findByRole('list', { name: 'What the assistant did' })
  await press('Delete the list')
  const dialog = within(screen.getByRole('dialog'))
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Delete' })))
  await waitFor(() => expect(api.requestsTo('tools.ledger')).toHaveLength(2))
  expect((await dialog.findByRole('alert')).textContent).toContain('did not confirm it')
})

it('revokes an always-allowed tool, and says when revoking failed', async () => {
  handlers['tools.allowed'] = () => ({ tools: [allowedTool] })
  handlers['tools.revoke'] = () => {
    throw new NetworkError()
  }
  open()
  await screen.findByRole('list', { name: 'Always allowed' })
  await press('Ask again for Gmail · Send an e-mail')
  await waitFor(() =>
    expect(vi.mocked(showToast).mock.lastCall?.slice(0, 2)).toEqual(['error', 'Update failed']),
  )
  handlers['tools.revoke'] = () => {
    handlers['tools.allowed'] = () => ({ tools: [] })
    return { success: true }
  }
  await press('Ask again for Gmail · Send an e-mail')
  await screen.findByText('None: in your chats, every call that writes, sends or deletes asks first.')
  expect(api.requestsTo('tools.revoke').at(-1)).toEqual({ params: { toolId: 'a1' } })
})

it('a call that the user denied is not shown as failed', async () => {
  handlers['tools.ledger'] = () => ({
    entries: [createEntry({ success: false, allowed: 'denied' })],
    next: null,
  })
  open()
  expect(await screen.findByLabelText('Denied')).toBeTruthy()
  expect(screen.queryByLabelText('Failed')).toBeNull()
})

it('reveals hidden characters in what servers and calls say', async () => {
  const hostile = 'pay \u202eeur 5'
  const texts = { title: hostile, integration: hostile, arguments: { [hostile]: hostile }, error: hostile }
  handlers['tools.ledger'] = () => ({ entries: [createEntry({ ...texts, success: false })], next: null })
  handlers['tools.allowed'] = () => ({ tools: [{ ...allowedTool, title: hostile, integration: hostile }] })
  open()
  await screen.findByRole('list', { name: 'What the assistant did' })
  await screen.findByRole('button', { name: /Ask again for/ })
  await press(/You approved it/)
  expect(document.body.textContent.split('pay [U+202E]eur 5')).toHaveLength(8)
  expect(document.body.innerHTML).not.toContain('\u202e')
})

it('says nothing of the approval of a call that this page does not know', () => {
  render(<ActivityRow entry={createEntry({ allowed: 'constructor' as LedgerEntry['allowed'] })} />)
  const time = screen.getByText(/2026/, { selector: 'time' })
  expect(time.parentElement?.textContent).toBe(time.textContent)
})
