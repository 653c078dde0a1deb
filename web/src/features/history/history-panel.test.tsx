import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RouteQuery, RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { RouteName } from '#shared/routes.ts'
import type { Session } from '#shared/contracts/messages.ts'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { conversationKey } from '../../lib/conversations/conversation-key.ts'
import { getAccessToken } from '../../lib/api/auth-tokens.ts'
import { readDraft, saveDraft } from '../../lib/input/drafts.ts'
import { downloadBlob } from '../../lib/browser/download.ts'
import { closeUserResources } from '../../lib/actions/user-resources.ts'
import { HistoryPanel } from './history-panel.tsx'
import { removeInputs } from '../../lib/input/inputs.ts'

vi.mock('../../components/ui/toast.ts', () => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: () => undefined,
}))
vi.mock('../../lib/browser/download.ts', () => ({ downloadBlob: vi.fn<typeof downloadBlob>() }))

const onOpenChange = vi.fn<(open: boolean) => void>()
const onSelect = vi.fn<(id: string) => void>()
const onNewChat = vi.fn<() => void>()
const onSearch = vi.fn<() => void>()
let sessions: Session[]
let deleteSession: () => Promise<{ success: true }>
let listSessions: (query: RouteQuery<'sessions.list'>) => Promise<RouteResponse<'sessions.list'>>
let update: () => Promise<void>
let readForExport: () => Promise<void>
let api: ReturnType<typeof fakeApi>

const session = (id: string, title: string, count: number): Session => ({
  id,
  user_id: 'u',
  title,
  created_at: '',
  updated_at: new Date().toISOString(),
  message_count: count,
})

beforeEach(() => {
  for (const mock of [
    onOpenChange,
    onToggleDock,
    onSelect,
    onNewChat,
    vi.mocked(showToast),
    vi.mocked(downloadBlob),
  ])
    mock.mockReset()
  sessions = [session('a', 'Rome', 2), session('b', 'Paris', 1)]
  deleteSession = async () => ({ success: true })
  update = async () => undefined
  readForExport = async () => undefined
  listSessions = async ({ view }) => {
    const viewedSessions = sessions.filter(({ archived = false }) => archived === (view === 'archived'))
    return {
      sessions: viewedSessions.toSorted((a, b) => Number(b.pinned ?? false) - Number(a.pinned ?? false)),
    }
  }
  api = fakeApi({
    'sessions.list': ({ query }) => listSessions(query),
    'sessions.update': async ({ params, body }) => {
      await update()
      const updated = sessions.find(({ id }) => id === params.sessionId)
      if (!updated) throw new Error('no such conversation')
      Object.assign(updated, body)
      return { success: true, session: { ...updated } }
    },
    'sessions.export': async ({ query }) => {
      await readForExport()
      const isFirst = query.after === undefined
      return {
        success: true,
        file_name: 'rome.json',
        type: 'application/json',
        content: isFirst ? 'part 1, ' : 'part 2',
        next: isFirst ? '000001#2' : null,
      }
    },
    'runs.stop': () => ({
      success: true,
      run: { run_id: 'run', status: 'stopped', message_id: 'm', reply_id: 'r' },
    }),
    'sessions.delete': async ({ params }) => {
      const response = await deleteSession()
      sessions = sessions.filter(({ id }) => id !== params.sessionId)
      return response
    },
  })
})

let client: QueryClient
afterEach(() => closeUserResources(client))
const onToggleDock = vi.fn<() => void>()
const createPanel = (currentSessionId: string | null, props: { isDocked?: boolean; open?: boolean } = {}) => (
  <QueryClientProvider client={client}>
    <HistoryPanel
      {...{
        open: true,
        isDocked: false,
        onToggleDock,
        onOpenChange,
        currentId: currentSessionId,
        onSelect,
        onNewChat: onNewChat,
        onSearch,
        renderPages: () => null,
        renderMoveDialog: () => null,
        renderPrintDialog: () => null,
        onExportWord: () => undefined,
      }}
      {...props}
    />
  </QueryClientProvider>
)
function open(currentSessionId: string | null = 'a', props: Parameters<typeof createPanel>[1] = {}) {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return render(createPanel(currentSessionId, props))
}

it('HIST-01 HIST-03 has the title Your Conversations, and groups conversations by day', async () => {
  open()
  const panel = within(await screen.findByRole('dialog', { name: 'Your Conversations' }))
  expect(panel.getByRole('heading', { name: 'Your Conversations' })).toBeTruthy()
  const list = within(await panel.findByRole('list', { name: 'Today' }))
  expect(list.getAllByRole('button', { name: /^(Rome|Paris)/ })).toHaveLength(2)
})

it('HIST-04 shows the number of messages of each conversation', async () => {
  open()
  const list = within(await screen.findByRole('list', { name: 'Today' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Rome2 messages · \d\d:\d\d$/),
    expect.stringMatching(/^Paris1 message · \d\d:\d\d$/),
  ])
})

it('HIST-07 DEC-044 shows the number of conversations, with a singular for one', async () => {
  const { unmount } = open()
  expect(await screen.findByText('2 conversations saved')).toBeTruthy()
  unmount()
  sessions = [session('a', 'Rome', 2)]
  open()
  expect(await screen.findByText('1 conversation saved')).toBeTruthy()
})

it('HIST-08 HIST-09 says that there are no conversations', async () => {
  sessions = []
  open()
  expect(await screen.findByText('No conversations yet')).toBeTruthy()
  expect(screen.getByText('Start chatting to see them here!')).toBeTruthy()
})

it('HIST-10 HIST-11 selects another conversation and closes the panel; the open conversation does nothing', async () => {
  open()
  fireEvent.click(await screen.findByRole('button', { name: /^Rome/ }))
  expect([onSelect.mock.calls, onOpenChange.mock.calls]).toEqual([[], []])
  fireEvent.click(screen.getByRole('button', { name: /^Paris/ }))
  expect(onSelect).toHaveBeenCalledWith('b')
  expect(onOpenChange).toHaveBeenCalledWith(false)
})

it('HIST-02 starts a new chat', async () => {
  open()
  fireEvent.click(screen.getByRole('button', { name: 'Start Fresh Chat' }))
  expect(onNewChat).toHaveBeenCalledOnce()
  expect(onOpenChange).toHaveBeenCalledWith(false)
})

/** The options of the latest toast with this title. */
const findToast = (title: string) =>
  vi.mocked(showToast).mock.calls.findLast(([, shownTitle]) => shownTitle === title)?.[2]
const getToastTitles = () => vi.mocked(showToast).mock.calls.map(([, title]) => title)
const listRequests = (route: RouteName) => api.requestsTo(route)
const clickDeleteRome = async () =>
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Rome' }))

it('DEC-047 the delete button is visible on hover, on keyboard focus and on touch screens', async () => {
  open('a')
  const button = await screen.findByRole('button', { name: 'Delete Paris' })
  const className = button.parentElement?.className
  expect(className).toMatch(/group-focus-within\/row:opacity-100.*pointer-coarse:opacity-100/)
  expect(className).toContain('group-hover/row:opacity-100')
})

it('HIST-06 HIST-29 DEC-135 removes a row at once, and requests the deletion when the toast closes', async () => {
  open('a')
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Paris' }))
  expect(screen.queryByRole('button', { name: 'Delete Paris' })).toBeNull()
  expect(screen.getByText('1 conversation saved')).toBeTruthy()
  expect(showToast).toHaveBeenCalledWith(
    'info',
    'Chat removed',
    expect.objectContaining({
      description: '“Paris” will be deleted when this message closes.',
      durationMs: 7_000,
    }),
  )
  expect(listRequests('sessions.delete')).toEqual([])
  const response = Promise.withResolvers<{ success: true }>()
  deleteSession = () => response.promise
  await act(async () => findToast('Chat removed')?.onClose?.())
  await waitFor(() =>
    expect(listRequests('sessions.delete')).toEqual([{ params: { sessionId: 'b' }, keepalive: true }]),
  )
  expect(getToastTitles()).toEqual(['Chat removed'])
  response.resolve({ success: true })
  await waitFor(() => expect(getToastTitles()).toEqual(['Chat removed', 'Chat deleted!']))
  expect(screen.queryByRole('button', { name: 'Delete Paris' })).toBeNull()
  expect(onNewChat).not.toHaveBeenCalled()
})

it('moves the focus to the next row, or to the last one, so that several can be deleted by keyboard', async () => {
  sessions = [session('a', 'Rome', 2), session('b', 'Paris', 1), session('c', 'Oslo', 1)]
  open('x')
  const focusAndClick = async (name: string) => {
    const button = await screen.findByRole('button', { name })
    button.focus()
    fireEvent.click(button)
  }
  await focusAndClick('Delete Paris')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Oslo' }))
  await focusAndClick('Delete Oslo')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Rome' }))
  await focusAndClick('Delete Rome')
  expect(await screen.findByText('No conversations yet')).toBeTruthy()
})

it('stops a reply that waits for a task of a server before it deletes the conversation', async () => {
  open('b')
  const approvalRequest = { kind: 'task' }
  client.setQueryData(conversationKey('a'), { run: { status: 'waiting', questions: [approvalRequest] } })
  await clickDeleteRome()
  await act(async () => findToast('Chat removed')?.onClose?.())
  await waitFor(() => expect(listRequests('sessions.delete')).toHaveLength(1))
  expect(listRequests('runs.stop')).toEqual([{ params: { sessionId: 'a' }, body: {}, keepalive: true }])
})

it('does not request a deletion that is undone, and opens the conversation again', async () => {
  open('a')
  await clickDeleteRome()
  expect(onNewChat).toHaveBeenCalledOnce()
  await act(async () => findToast('Chat removed')?.action?.onClick())
  expect(screen.getByRole('button', { name: 'Delete Rome' })).toBeTruthy()
  expect(onSelect).toHaveBeenCalledWith('a')
  await act(async () => findToast('Chat removed')?.onClose?.())
  expect(listRequests('sessions.delete')).toEqual([])
  expect(getToastTitles()).toEqual(['Chat removed'])
})

it('an undo does not take a user away who has gone on', async () => {
  open('a')
  await clickDeleteRome()
  fireEvent.input(document.body)
  await act(async () => findToast('Chat removed')?.action?.onClick())
  expect(screen.getByRole('button', { name: 'Delete Rome' })).toBeTruthy()
  expect(onSelect).not.toHaveBeenCalled()
})

const listStoredDrafts = () => {
  // texts are written soon, and when the page may go
  document.dispatchEvent(new Event('visibilitychange'))
  return Object.keys(localStorage).filter((key) => key.startsWith('draft:'))
}

it('deletes the draft with its conversation, and restores it with an undo', async () => {
  removeInputs()
  saveDraft('u/a', 'text', 'unsent')
  saveDraft('u/b', 'text', 'of another conversation')
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Rome' }))
  expect(listStoredDrafts()).toEqual(['draft:u/b'])
  const { action } = vi.mocked(showToast).mock.calls.at(-1)?.[2] ?? {}
  act(() => action?.onClick())
  expect(readDraft('u/a')).toBe('unsent')
  expect(listStoredDrafts().toSorted()).toEqual(['draft:u/a', 'draft:u/b'])

  fireEvent.click(await screen.findByRole('button', { name: 'Delete Rome' }))
  const { onClose } = vi.mocked(showToast).mock.calls.at(-1)?.[2] ?? {}
  await act(async () => onClose?.())
  await waitFor(() => expect(listRequests('sessions.delete')).toHaveLength(1))
  await waitFor(() => expect(readDraft('u/a')).toBe(''))
  expect(listStoredDrafts()).toEqual(['draft:u/b'])
})

it('keeps the draft of a conversation that could not be deleted', async () => {
  removeInputs()
  saveDraft('u/a', 'text', 'unsent')
  deleteSession = () => Promise.reject(new NetworkError())
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Rome' }))
  const { onClose } = vi.mocked(showToast).mock.calls.at(-1)?.[2] ?? {}
  await act(async () => onClose?.())
  await waitFor(() => expect(getToastTitles()).toContain("Hmm, couldn't delete that"))
  expect(localStorage.getItem('draft:u/a')).toBe('unsent')
})

it('Ctrl+Z inside the panel undoes the last deletion', async () => {
  open('b')
  await clickDeleteRome()
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'z', ctrlKey: true })
  expect(screen.getByRole('button', { name: 'Delete Rome' })).toBeTruthy()
})

it('hides a conversation whose deletion the page before has requested without a response, and requests it again', async () => {
  const never = Promise.withResolvers<never>()
  deleteSession = () => never.promise
  const view = open('b')
  await clickDeleteRome()
  await getAccessToken()
  dispatchEvent(new Event('pagehide'))
  await waitFor(() => expect(listRequests('sessions.delete')).toHaveLength(1))
  // as the browser does when the page goes
  never.reject(new NetworkError())
  await act(async () => view.unmount())
  expect(getToastTitles()).toEqual(['Chat removed'])

  dispatchEvent(new Event('pageshow'))
  const response = Promise.withResolvers<{ success: true }>()
  deleteSession = () => response.promise
  open('b')
  expect(await screen.findByRole('button', { name: 'Delete Paris' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Delete Rome' })).toBeNull()
  response.reject(new ApiError({ status: 404, code: 'session_not_found', userMessage: '' }))
  await waitFor(() => expect(sessionStorage.getItem('requested-deletions')).toBe('[]'))
  expect(getToastTitles()).toEqual(['Chat removed'])
})

it('requests pending deletions immediately when the page is hidden', async () => {
  open('b')
  await clickDeleteRome()
  // the token that the panel requested has arrived
  await getAccessToken()
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(listRequests('sessions.delete')).toEqual([{ params: { sessionId: 'a' }, keepalive: true }])
  await waitFor(() => expect(getToastTitles()).toContain('Chat deleted!'))
  expect(listRequests('sessions.delete')).toHaveLength(1)
})

it('DEC-007 starts a new chat when the open conversation is deleted', async () => {
  const view = open('a')
  await clickDeleteRome()
  expect(onNewChat).toHaveBeenCalledOnce()
  // it can still be undone while another page is shown
  view.unmount()
  expect(listRequests('sessions.delete')).toEqual([])
  // but not once the user signs out
  closeUserResources(client)
  await waitFor(() => expect(getToastTitles()).toContain('Chat deleted!'))
})

it('HIST-28 DEC-135 restores the row when the deletion fails, and never says that it was deleted', async () => {
  deleteSession = () => Promise.reject(new NetworkError())
  open('b')
  await clickDeleteRome()
  await act(async () => findToast('Chat removed')?.onClose?.())
  await waitFor(() =>
    expect(showToast).toHaveBeenCalledWith('error', "Hmm, couldn't delete that", {
      description: 'Please try again.',
      cause: expect.anything() as unknown,
    }),
  )
  expect(getToastTitles()).toEqual(['Chat removed', "Hmm, couldn't delete that"])
  expect(await screen.findByRole('button', { name: 'Delete Rome' })).toBeTruthy()
})

async function chooseMenuItem(item: string, title = 'Rome') {
  fireEvent.pointerDown(await screen.findByRole('button', { name: `More for ${title}` }), {
    button: 0,
    ctrlKey: false,
  })
  fireEvent.click(await screen.findByRole('menuitem', { name: item }))
}

it('DEC-114 renames a conversation in its row; Enter saves', async () => {
  open()
  await chooseMenuItem('Rename')
  const field = await screen.findByLabelText('Title of the conversation')
  fireEvent.change(field, { target: { value: ' Rome in May ' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() =>
    expect(listRequests('sessions.update')).toEqual([
      { params: { sessionId: 'a' }, body: { title: 'Rome in May' } },
    ]),
  )
  expect(await screen.findByRole('button', { name: /^Rome in May/ })).toBeTruthy()
})

it('Escape cancels renaming: the title is unchanged, and the panel stays open', async () => {
  open()
  await chooseMenuItem('Rename')
  const field = await screen.findByLabelText('Title of the conversation')
  fireEvent.change(field, { target: { value: 'Else' } })
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(listRequests('sessions.update')).toEqual([])
  expect(onOpenChange).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: /^Rome/ })).toBeTruthy()
})

it('exports all parts of a conversation', async () => {
  open()
  await chooseMenuItem('Export…')
  fireEvent.click(screen.getByRole('menuitem', { name: 'Export as JSON' }))
  await waitFor(() => expect(downloadBlob).toHaveBeenCalledOnce())
  const [blob, name] = vi.mocked(downloadBlob).mock.calls[0] ?? []
  expect([await blob?.text(), name]).toEqual(['part 1, part 2', 'rome.json'])
})

it('says why an export has failed', async () => {
  const userMessage = 'This conversation does not exist any more.'
  readForExport = () => Promise.reject(new ApiError({ status: 404, code: 'session_not_found', userMessage }))
  open()
  await chooseMenuItem('Export…')
  fireEvent.click(screen.getByRole('menuitem', { name: 'Export as JSON' }))
  await waitFor(() =>
    expect(showToast).toHaveBeenCalledWith('error', 'Export failed', {
      description: userMessage,
      cause: expect.anything() as unknown,
    }),
  )
})

it('lists the chats whose first message was not sent, until it is', async () => {
  const unsent = (id: string, ...messages: { content: string; after?: string }[]) =>
    saveDraft(`u1/${id}`, 'unacknowledged', messages)
  unsent('new', { content: 'Plan a week in Naples' })
  unsent('a', { content: 'To a listed chat' })
  unsent('later', { content: 'To a chat further down', after: 'm1' })
  open(null)
  await screen.findByRole('list', { name: 'Today' })
  const list = screen.getByRole('list', { name: 'Not sent' })
  expect(list.textContent).toBe('Plan a week in Naples')
  fireEvent.click(within(list).getByRole('button'))
  expect(onSelect).toHaveBeenCalledWith('new')
  act(() => unsent('new'))
  expect(screen.queryByRole('list', { name: 'Not sent' })).toBeNull()
  removeInputs()
})

it('offers to retry when the list could not be loaded', async () => {
  listSessions = async () => {
    throw new NetworkError()
  }
  open()
  expect(screen.getByRole('progressbar', { name: 'Loading conversations' })).toBeTruthy()
  const retryButton = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByText('The service could not be reached', { exact: false })).toBeTruthy()
  listSessions = async () => ({ sessions })
  fireEvent.click(retryButton)
  expect(await screen.findByRole('button', { name: /^Rome/ })).toBeTruthy()
})

/** @returns scrolls to the end of the list. A busy browser reports earlier positions in the same call, so this does too. */
function mockScrollToEnd() {
  const observers = new Set<() => void>()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      private readonly report: () => void
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        this.report = () => callback([{ isIntersecting: false }, { isIntersecting: true }])
      }
      observe = () => void observers.add(this.report)
      disconnect = () => void observers.delete(this.report)
    },
  )
  return () => act(async () => [...observers].forEach((report) => report()))
}

it('HIST-07 DEC-164 loads more conversations when the user scrolls to the end, and offers Retry if that fails', async () => {
  const scrollToEnd = mockScrollToEnd()
  let isFailing = true
  listSessions = async ({ cursor }) => {
    if (cursor === undefined) return { sessions: [session('a', 'Rome', 2)], total: 2, next: 'page-2' }
    if (isFailing) throw new NetworkError()
    return { sessions: [session('b', 'Paris', 1)], total: 2 }
  }
  open()
  expect(await screen.findByText('2 conversations saved')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Paris/ })).toBeNull()
  await scrollToEnd()
  isFailing = false
  const retry = await screen.findByRole('button', { name: 'Try again' })
  retry.focus()
  fireEvent.click(retry)
  expect(await screen.findByRole('button', { name: /^Paris/ })).toBeTruthy()
  // the button is gone: the next row follows the one that has the focus
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Rome/ }))
  expect(screen.getByText('2 conversations saved')).toBeTruthy()
  expect(screen.queryByText('Loading more conversations')).toBeNull()
})

it('says that there are more than the loaded conversations while the service has not counted them', async () => {
  const scrollToEnd = mockScrollToEnd()
  listSessions = async ({ cursor }) =>
    cursor === undefined
      ? { sessions: [session('a', 'Rome', 2)], next: 'page-2' }
      : { sessions: [session('b', 'Paris', 1)] }
  open()
  expect(await screen.findByText('More than 1 conversation saved')).toBeTruthy()
  await scrollToEnd()
  expect(await screen.findByText('2 conversations saved')).toBeTruthy()
})

it('loads more conversations when all loaded ones are deleted', async () => {
  mockScrollToEnd()
  listSessions = async () => ({ sessions: [session('a', 'Rome', 2)], total: 2, next: 'page-2' })
  open('b')
  await clickDeleteRome()
  expect(screen.getByText('1 conversation saved')).toBeTruthy()
  expect(screen.getByText('Loading more conversations')).toBeTruthy()
})

const getTitlesIn = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('button', { name: /messages? ·/ })
    .map(({ textContent }) => textContent?.replace(/\d+ message.*$/, ''))

it('DEC-165 pins a conversation to the top, and unpins it', async () => {
  open()
  await screen.findByRole('button', { name: /^Paris/ })
  await chooseMenuItem('Pin', 'Paris')
  await waitFor(() => expect(getTitlesIn('Pinned')).toEqual(['Paris']))
  expect(getTitlesIn('Today')).toEqual(['Rome'])
  await waitFor(() =>
    expect(listRequests('sessions.update')).toEqual([{ params: { sessionId: 'b' }, body: { pinned: true } }]),
  )
  await chooseMenuItem('Unpin', 'Paris')
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Pinned' })).toBeNull())
  expect(getTitlesIn('Today').toSorted()).toEqual(['Paris', 'Rome'])
})

it('gives the focus of an archived conversation to the next one, or to the one before', async () => {
  sessions = [session('a', 'Rome', 2), session('b', 'Paris', 1), session('c', 'Oslo', 3)]
  open('x')
  await screen.findByRole('button', { name: /^Paris/ })
  await chooseMenuItem('Archive')
  await waitFor(() => expect(document.activeElement?.ariaLabel).toBe('More for Paris'))
  await chooseMenuItem('Archive', 'Oslo')
  await waitFor(() => expect(document.activeElement?.ariaLabel).toBe('More for Paris'))
})

it('DEC-166 archives the open conversation and starts a new chat; Undo in the toast opens it again', async () => {
  const view = open('a')
  await chooseMenuItem('Archive')
  expect(onNewChat).toHaveBeenCalledOnce()
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Rome/ })).toBeNull())
  expect(await screen.findByText('1 conversation saved')).toBeTruthy()
  view.rerender(createPanel(null))
  await act(async () => findToast('Chat archived')?.action?.onClick())
  expect(await screen.findByRole('button', { name: /^Rome/ })).toBeTruthy()
  expect(onSelect).toHaveBeenCalledWith('a')
  await waitFor(() =>
    expect(listRequests('sessions.update').map(({ body }) => body)).toEqual([
      { archived: true },
      { archived: false },
    ]),
  )
})

it('DEC-166 the archive is a separate view, in which conversations can be restored or deleted', async () => {
  sessions = [{ ...session('a', 'Rome', 2), archived: true, pinned: true }, session('b', 'Paris', 1)]
  open('b')
  await screen.findByRole('button', { name: /^Paris/ })
  fireEvent.click(screen.getByRole('button', { name: 'Archived' }))
  expect(await screen.findByText('1 conversation archived')).toBeTruthy()
  expect(getTitlesIn('Today')).toEqual(['Rome'])
  expect(screen.queryByRole('button', { name: /^Paris/ })).toBeNull()
  expect(screen.getByRole('button', { name: 'Delete Rome' })).toBeTruthy()
  await chooseMenuItem('Restore')
  expect(await screen.findByText('Nothing archived')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Back to the conversations' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Archived' }))
  await waitFor(() => expect(getTitlesIn('Pinned')).toEqual(['Rome']))
})

it('lists a conversation again, and shows an error, when archiving fails', async () => {
  update = () => Promise.reject(new NetworkError())
  open('b')
  await chooseMenuItem('Archive')
  await waitFor(() => expect(getToastTitles()).toContain('The conversation could not be changed'))
  expect(await screen.findByRole('button', { name: /^Rome/ })).toBeTruthy()
})

it('DEC-167 can be pinned beside the chat if there is room', async () => {
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Keep open beside the chat' }))
  expect(onToggleDock).toHaveBeenCalledOnce()
})

it('DEC-167 beside the chat it is not a dialog, stays open when a conversation is selected, and can be unpinned', async () => {
  open('a', { isDocked: true, open: false })
  expect(await screen.findByRole('complementary', { name: 'Your Conversations' })).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Keep open beside the chat' })).toBeNull()
  fireEvent.click(await screen.findByRole('button', { name: /^Paris/ }))
  expect(onSelect).toHaveBeenCalledWith('b')
  fireEvent.keyDown(screen.getByRole('complementary'), { key: 'Escape' })
  expect([onOpenChange.mock.calls, onToggleDock.mock.calls]).toEqual([[], []])
  fireEvent.click(screen.getByRole('button', { name: 'Open over the chat instead' }))
  expect(onToggleDock).toHaveBeenCalledOnce()
})
