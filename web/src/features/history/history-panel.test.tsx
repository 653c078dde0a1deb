import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Session } from '#shared/contracts/sessions.ts'
import { showToast } from '../../components/ui/toast.ts'
import { NetworkError } from '../../lib/api-errors.ts'
import { callApi, readyCall } from '../../lib/call-api.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { HistoryPanel } from './history-panel.tsx'

vi.mock('../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: () => undefined,
}))
vi.mock('../../lib/save-file.ts', () => ({ saveBlob: vi.fn<typeof saveBlob>() }))
vi.mock('../../lib/call-api.ts', () => ({
  callApi: vi.fn<typeof callApi>(),
  readyCall: vi.fn<typeof readyCall>(),
}))

const onOpenChange = vi.fn<(open: boolean) => void>()
const onSelect = vi.fn<(id: string) => void>()
const onStartFresh = vi.fn<() => void>()
const onSearch = vi.fn<() => void>()
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
  for (const mock of [onOpenChange, onSelect, onStartFresh, vi.mocked(showToast), vi.mocked(saveBlob)])
    mock.mockReset()
  sessions = [session('a', 'Rome', 2), session('b', 'Paris', 1)]
  deletion = async () => ({ success: true })
  vi.mocked(readyCall).mockReset().mockRejectedValue(new NetworkError(false))
  vi.mocked(callApi)
    .mockReset()
    .mockImplementation((async (
      name: string,
      input: { params?: { sessionId: string }; body?: { title: string }; query?: { after?: string } },
    ) => {
      if (name === 'sessions.list') return { sessions }
      if (name === 'sessions.rename')
        return { success: true, session: { ...session('a', input.body?.title ?? '', 2) } }
      if (name === 'sessions.export') {
        const first = input.query?.after === undefined
        return {
          file_name: 'rome.json',
          type: 'application/json',
          content: first ? 'part 1, ' : 'part 2',
          next: first ? '000001#2' : null,
        }
      }
      const answer = await deletion()
      sessions = sessions.filter(({ id }) => id !== input.params?.sessionId)
      return answer
    }) as unknown as typeof callApi)
})

let client: QueryClient
const panel = (currentSessionId: string | null) => (
  <QueryClientProvider client={client}>
    <HistoryPanel {...{ open: true, onOpenChange, currentSessionId, onSelect, onStartFresh, onSearch }} />
  </QueryClientProvider>
)
function open(currentSessionId: string | null = 'a') {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return render(panel(currentSessionId))
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

/** What the toast with this title was shown with, newest first. */
const toast = (title: string) => vi.mocked(showToast).mock.calls.findLast(([, shown]) => shown === title)?.[2]
const calls = (route: string) => vi.mocked(callApi).mock.calls.filter(([name]) => name === route)
const removeRome = async () => fireEvent.click(await screen.findByRole('button', { name: 'Delete Rome' }))

it('HIST-06 HIST-29 DEC-047 a row goes at once, by keyboard and touch too, and the server hears of it when the toast closes', async () => {
  open('a')
  const button = await screen.findByRole('button', { name: 'Delete Paris' })
  expect(button.className).toMatch(/focus-visible:opacity-100.*pointer-coarse:opacity-100/)
  fireEvent.click(button)
  expect(screen.queryByRole('button', { name: 'Delete Paris' })).toBeNull()
  expect(screen.getByText('1 conversation saved')).toBeTruthy()
  expect(showToast).toHaveBeenCalledWith(
    'success',
    'Chat deleted!',
    expect.objectContaining({ description: '“Paris”' }),
  )
  expect(calls('sessions.delete')).toEqual([])
  await act(async () => toast('Chat deleted!')?.onClose?.())
  expect(calls('sessions.delete')).toEqual([
    ['sessions.delete', { params: { sessionId: 'b' } }, { keepalive: true }],
  ])
  expect(screen.queryByRole('button', { name: 'Delete Paris' })).toBeNull()
  expect(onStartFresh).not.toHaveBeenCalled()
})

it('a deletion that is taken back never reaches the server, and the open conversation is open again', async () => {
  const view = open('a')
  await removeRome()
  expect(onStartFresh).toHaveBeenCalledOnce()
  view.rerender(panel(null))
  await act(async () => toast('Chat deleted!')?.action?.onClick())
  expect(screen.getByRole('button', { name: 'Delete Rome' })).toBeTruthy()
  expect(onSelect).toHaveBeenCalledWith('a')
  await act(async () => toast('Chat deleted!')?.onClose?.())
  expect(calls('sessions.delete')).toEqual([])
})

it('Ctrl Z inside the panel takes the last deletion back', async () => {
  open('b')
  await removeRome()
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'z', ctrlKey: true })
  expect(screen.getByRole('button', { name: 'Delete Rome' })).toBeTruthy()
})

it('a page that is hidden carries its deletions out, without waiting for anything', async () => {
  const made = vi.fn<() => Promise<Response>>(async () => new Response('{}'))
  vi.mocked(readyCall).mockResolvedValue(made)
  open('b')
  await removeRome()
  await act(async () => undefined)
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(made).toHaveBeenCalledOnce()
  await act(async () => undefined)
  expect(calls('sessions.delete')).toEqual([])
})

it('DEC-007 deleting the open conversation leads to a fresh chat', async () => {
  open('a')
  await removeRome()
  expect(onStartFresh).toHaveBeenCalledOnce()
})

it('HIST-28 puts the row back when it cannot be deleted', async () => {
  deletion = () => Promise.reject(new NetworkError(false))
  open('b')
  await removeRome()
  await act(async () => toast('Chat deleted!')?.onClose?.())
  expect(showToast).toHaveBeenCalledWith('error', "Hmm, couldn't delete that", expect.anything())
  expect(await screen.findByRole('button', { name: 'Delete Rome' })).toBeTruthy()
})

async function more(item: string) {
  fireEvent.pointerDown(await screen.findByRole('button', { name: 'More for Rome' }), {
    button: 0,
    ctrlKey: false,
  })
  fireEvent.click(await screen.findByRole('menuitem', { name: item }))
}

it('DEC-114 renames in the row: Enter keeps, Escape does not', async () => {
  open()
  await more('Rename')
  const field = await screen.findByLabelText('Title of the conversation')
  fireEvent.change(field, { target: { value: ' Rome in May ' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(calls('sessions.rename')).toEqual([
    ['sessions.rename', { params: { sessionId: 'a' }, body: { title: 'Rome in May' } }],
  ])
  expect(await screen.findByRole('button', { name: /^Rome in May/ })).toBeTruthy()
})

it('a title that is given up stays, and the panel stays open', async () => {
  open()
  await more('Rename')
  const field = await screen.findByLabelText('Title of the conversation')
  fireEvent.change(field, { target: { value: 'Else' } })
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(calls('sessions.rename')).toEqual([])
  expect(onOpenChange).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: /^Rome/ })).toBeTruthy()
})

it('exports a conversation in all its parts', async () => {
  open()
  await more('Export as JSON')
  await waitFor(() => expect(saveBlob).toHaveBeenCalledOnce())
  const [blob, name] = vi.mocked(saveBlob).mock.calls[0] ?? []
  expect([await blob?.text(), name]).toEqual(['part 1, part 2', 'rome.json'])
})

it('offers to try again when the list cannot be read', async () => {
  vi.mocked(callApi).mockRejectedValueOnce(new NetworkError(false))
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('button', { name: /^Rome/ })).toBeTruthy()
})
