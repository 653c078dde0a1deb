import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Session } from '#shared/contracts/sessions.ts'
import { showToast } from '../../components/ui/toast.ts'
import { NetworkError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { HistoryPanel } from './history-panel.tsx'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
vi.mock('../../lib/call-api.ts', () => ({ callApi: vi.fn<typeof callApi>() }))

const onOpenChange = vi.fn<(open: boolean) => void>()
const onSelect = vi.fn<(id: string) => void>()
const onStartFresh = vi.fn<() => void>()
let sessions: Session[]
let deletion: () => Promise<unknown>

const session = (id: string, title: string, count: number): Session => ({
  id,
  user_id: 'u',
  title,
  created_at: '',
  updated_at: new Date().toISOString(),
  message_count: count,
})

beforeEach(() => {
  for (const mock of [onOpenChange, onSelect, onStartFresh, vi.mocked(showToast)]) mock.mockReset()
  sessions = [session('a', 'Rome', 2), session('b', 'Paris', 1)]
  deletion = async () => ({ success: true })
  vi.mocked(callApi)
    .mockReset()
    .mockImplementation((async (name: string, input: { params?: { sessionId: string } }) => {
      if (name === 'sessions.list') return { sessions }
      const answer = await deletion()
      sessions = sessions.filter(({ id }) => id !== input.params?.sessionId)
      return answer
    }) as typeof callApi)
})

function open(currentSessionId: string | null = 'a') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return render(
    <QueryClientProvider client={client}>
      <HistoryPanel {...{ open: true, onOpenChange, currentSessionId, onSelect, onStartFresh }} />
    </QueryClientProvider>,
  )
}

it('HIST-01 HIST-03 HIST-04 HIST-07 lists conversations under their day, counted', async () => {
  open()
  const panel = within(await screen.findByRole('dialog', { name: 'Your Conversations' }))
  const list = within(await panel.findByRole('list', { name: 'Today' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Rome2 messages · \d\d:\d\d$/),
    expect.stringMatching(/^Paris1 message · \d\d:\d\d$/),
  ])
  expect(panel.getByText('2 conversations saved')).toBeTruthy()
})

it('DEC-044 HIST-07 one conversation is one', async () => {
  sessions = [session('a', 'Rome', 2)]
  open()
  expect(await screen.findByText('1 conversation saved')).toBeTruthy()
})

it('HIST-08 HIST-09 says that there are none', async () => {
  sessions = []
  open()
  expect(await screen.findByText('No conversations yet')).toBeTruthy()
  expect(screen.getByText('Start chatting to see them here!')).toBeTruthy()
})

it('HIST-10 HIST-11 the open one does nothing, another one is loaded and closes the panel', async () => {
  open()
  fireEvent.click(await screen.findByRole('button', { name: /^Rome/ }))
  expect([onSelect.mock.calls, onOpenChange.mock.calls]).toEqual([[], []])
  fireEvent.click(screen.getByRole('button', { name: /^Paris/ }))
  expect(onSelect).toHaveBeenCalledWith('b')
  expect(onOpenChange).toHaveBeenCalledWith(false)
})

it('HIST-02 starts a fresh chat', async () => {
  open()
  fireEvent.click(screen.getByRole('button', { name: 'Start Fresh Chat' }))
  expect(onStartFresh).toHaveBeenCalledOnce()
  expect(onOpenChange).toHaveBeenCalledWith(false)
})

it('HIST-06 HIST-29 deletes a row, by keyboard and touch too', async () => {
  open()
  const button = await screen.findByRole('button', { name: 'Delete Paris' })
  expect(button.className).toMatch(/focus-visible:opacity-100.*pointer-coarse:opacity-100/)
  fireEvent.click(button)
  await waitFor(() =>
    expect(showToast).toHaveBeenCalledWith('success', 'Chat deleted!', { description: '“Paris”' }),
  )
  expect(callApi).toHaveBeenCalledWith('sessions.delete', { params: { sessionId: 'b' } })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete Paris' })).toBeNull())
  expect(onStartFresh).not.toHaveBeenCalled()
})

it('DEC-007 deleting the open conversation leads to a fresh chat', async () => {
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Rome' }))
  await waitFor(() => expect(onStartFresh).toHaveBeenCalledOnce())
})

it('HIST-28 puts the row back when it cannot be deleted', async () => {
  deletion = () => Promise.reject(new NetworkError(false))
  open()
  await screen.findByRole('button', { name: 'Delete Rome' })
  // nor can the list be read again
  vi.mocked(callApi).mockRejectedValue(new NetworkError(false))
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Rome' }))
  await waitFor(() =>
    expect(showToast).toHaveBeenCalledWith('error', "Hmm, couldn't delete that", expect.anything()),
  )
  expect(await screen.findByRole('button', { name: 'Delete Rome' })).toBeTruthy()
  expect(onStartFresh).not.toHaveBeenCalled()
})

it('offers to try again when the list cannot be read', async () => {
  vi.mocked(callApi).mockRejectedValueOnce(new NetworkError(false))
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('button', { name: /^Rome/ })).toBeTruthy()
})
