import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { WaitingCall, WaitingList } from '#shared/contracts/waiting.ts'
import { anApprovalRequest } from '../../../../../test/support/chat-server.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { unlockCards } from '../../../../../test/support/unlock-cards.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { createActions } from '../../../lib/actions/actions.ts'
import { announcementStore } from '../../../lib/browser/announce.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { conversationListKey } from '../../../lib/conversations/conversation-list.ts'
import { writeInput } from '../../../lib/input/inputs.ts'
import { createRunningActions, decisionKey, deletionKey } from '../../../lib/actions/running-actions.ts'
import { getUserResource } from '../../../lib/actions/user-resources.ts'
import { getInputKey } from '../approvals/card-input-key.ts'
import { sendDecision } from './send-decision.ts'
import { WaitingPage } from './waiting-page.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
vi.mock('./send-decision.ts', async (original) => ({
  ...(await original<object>()),
  sendDecision: vi.fn<typeof sendDecision>(),
}))
const send = vi.mocked(sendDecision)
beforeEach(() => {
  vi.mocked(showToast).mockReset()
  send.mockReset().mockResolvedValue({ ended: Promise.resolve() })
})

const aCall = (
  id: string,
  changes: Partial<WaitingCall> = {},
  request: Partial<WaitingCall['request']> = {},
) => ({
  session_id: `s-${id}`,
  title: `Chat ${id}`,
  run_id: `r-${id}`,
  ...changes,
  request: anApprovalRequest({
    call_id: id,
    asked_at: new Date().toISOString(),
    arguments: { to: `${id}@example.org`, subject: `Subject ${id}`, body: `Body ${id}` },
    ...request,
  }),
})

/** The page with what waits at the service. */
function renderWaiting(...calls: WaitingCall[]) {
  const state: WaitingList = { waiting: calls, total: calls.length, is_scheduled: false }
  fakeApi({ 'waiting.list': () => structuredClone(state) })
  const { client, unmount } = renderPage(<WaitingPage />, '/waiting')
  const remove = (id: string) => {
    state.waiting = state.waiting.filter(({ request }) => request.call_id !== id)
    state.total = state.waiting.length
  }
  return { client, unmount, remove }
}
const findRow = (to: string) =>
  screen.findByRole('listitem', { name: `E-mail to ${to}@example.org` }).then((row) => within(row))
const press = async (row: Awaited<ReturnType<typeof findRow>>, name: string) => {
  unlockCards()
  await act(async () => fireEvent.click(row.getByRole('button', { name })))
}

it('shows chats before schedules, and opens the first; none is always allowed', async () => {
  renderWaiting(
    aCall('c1', { schedule_id: 'monday' }, { lapses_at: new Date(Date.now() + 60_000).toISOString() }),
    aCall('c2'),
  )
  expect((await findRow('c2')).getByText('Body c2')).toBeTruthy()
  const scheduled = await findRow('c1')
  expect(scheduled.queryByText('Body c1')).toBeNull()
  expect(scheduled.getByText(/^until /)).toBeTruthy()
  await press(scheduled, 'Show what will happen')
  expect(scheduled.getByText('Body c1')).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'From chats 1',
    'From schedules 1',
  ])
  expect(screen.queryByRole('button', { name: 'Always allow' })).toBeNull()
  expect(document.title).toMatch(/^Waiting for you/)
})

it('only what is shown in full can be approved: a closed row is reviewed first, and its details get the focus', async () => {
  renderWaiting(
    aCall('c1'),
    aCall('c2', {}, { untrusted: [{ kind: 'assistant', names: ['Bot of Bea'] }] }),
    aCall('c3'),
  )
  await findRow('c1')
  const closed = await findRow('c3')
  expect(closed.queryByRole('button', { name: 'Approve' })).toBeNull()
  expect(closed.getByRole('button', { name: 'Deny' })).toBeTruthy()
  await press(closed, 'Review')
  expect(document.activeElement?.textContent).toContain('Body c3')
  expect(closed.queryByRole('button', { name: 'Review' })).toBeNull()
  await press(closed, 'Approve')
  expect(send).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ run_id: 'r-c3' }),
    expect.objectContaining({ approved: true }),
  )
  // what somebody else's text may have led to is open, and says so
  const untrusted = await findRow('c2')
  expect(untrusted.getByText(/Bot of Bea/)).toBeTruthy()
  expect(untrusted.getByRole('button', { name: 'Approve' })).toBeTruthy()
})

it('a decision is sent once, and its row goes', async () => {
  let finish: (value: { ended: Promise<void> }) => void = () => undefined
  send.mockReturnValueOnce(new Promise((resolve) => (finish = resolve)))
  const { remove } = renderWaiting(aCall('c1'), aCall('c2'))
  const row = await findRow('c1')
  await press(row, 'Approve')
  expect(row.getByRole('button', { name: 'Deny' })).toHaveProperty('disabled', true)
  await press(row, 'Approving…')
  expect(send).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ run_id: 'r-c1' }),
    expect.objectContaining({ approved: true }),
  )
  remove('c1')
  await act(async () => finish({ ended: Promise.resolve() }))
  expect(screen.queryByText('Body c1')).toBeNull()
  expect(await findRow('c2')).toBeTruthy()
  expect(announcementStore.getState().text).toBe('Approved: E-mail to c1@example.org')
  expect(showToast).not.toHaveBeenCalled()
})

it('a decision that is on its way in its chat is shown, and there is no second one', async () => {
  const { client } = renderWaiting(aCall('c1'), aCall('c2'))
  const row = await findRow('c1')
  const { setActivity } = getUserResource(client, createRunningActions)
  act(() => setActivity(decisionKey('r-c1', 'c1'), 'always'))
  expect(row.getByRole('button', { name: 'Deny' })).toHaveProperty('disabled', true)
  await press(row, 'Approving…')
  expect(send).not.toHaveBeenCalled()
  act(() => setActivity(decisionKey('r-c1', 'c1'), undefined))
  await press(row, 'Approve')
  expect(send).toHaveBeenCalledOnce()
})

it.each([
  [404, 'run_not_found'],
  [409, 'run_changed'],
])('a decision that comes too late (%i) says so, and the row goes', async (status, code) => {
  send.mockRejectedValueOnce(new ApiError({ status, code, userMessage: '' }))
  const { remove } = renderWaiting(aCall('c1'))
  const row = await findRow('c1')
  remove('c1')
  await press(row, 'Deny')
  expect(showToast).toHaveBeenCalledWith('info', 'That no longer waits', expect.anything())
  expect(await screen.findByText(/^Nothing waits\./)).toBeTruthy()
})

it('a call that has lapsed is not shown, and not approved', async () => {
  const lapses = (ms: number) => ({ lapses_at: new Date(Date.now() + ms).toISOString() })
  renderWaiting(
    aCall(
      'c1',
      { schedule_id: 'monday' },
      { asked_at: new Date(Date.now() - 10_000).toISOString(), ...lapses(-1) },
    ),
    aCall('c2', { schedule_id: 'monday' }, lapses(60_000)),
  )
  const row = await findRow('c2')
  expect(screen.queryByText('Chat c1')).toBeNull()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  try {
    await press(row, 'Approve')
  } finally {
    vi.useRealTimers()
  }
  expect(send).not.toHaveBeenCalled()
  expect(showToast).toHaveBeenCalledWith('info', 'That no longer waits', expect.anything())
})

it('a decision that was not sent stays, with the reason', async () => {
  send.mockRejectedValueOnce(new Error('no connection'))
  renderWaiting(aCall('c1'))
  const row = await findRow('c1')
  await press(row, 'Approve')
  expect(row.getByRole('alert').textContent).toBe('Your answer may not have arrived. Please try again.')
  await press(row, 'Approve')
  expect(send).toHaveBeenCalledTimes(2)
})

it.each([
  [
    'comes too late',
    new ApiError({ status: 409, code: 'run_changed', userMessage: '' }),
    'That no longer waits',
  ],
  ['may be lost', new Error('no connection'), 'Your answer may not have arrived'],
])('a user who has left the page learns once that their decision %s', async (_name, failure, title) => {
  const sending = Promise.withResolvers<{ ended: Promise<void> }>()
  send.mockReturnValueOnce(sending.promise)
  const { unmount } = renderWaiting(aCall('c1'))
  await press(await findRow('c1'), 'Approve')
  unmount()
  await act(async () => sending.reject(failure))
  expect(vi.mocked(showToast).mock.calls.map(([, shown]) => shown)).toEqual([title])
})

it('says since when a call waits, after a day by the calendar', async () => {
  // less than two days ago, and yet not yesterday; an approval would have lapsed
  const askedAt = new Date()
  askedAt.setDate(askedAt.getDate() - 2)
  askedAt.setHours(23, 59)
  renderWaiting(aCall('c1', {}, { kind: 'elicitation', asked_at: askedAt.toISOString() }))
  expect(await screen.findByText('2 days ago')).toBeTruthy()
})

it('what is not decided by a press leads to its chat', async () => {
  renderWaiting(aCall('c1', {}, { kind: 'reconnect' }))
  const row = within(await screen.findByRole('listitem', { name: 'Gmail has to be connected again' }))
  expect(row.queryByRole('button')).toBeNull()
  expect(row.getByRole('link', { name: 'Open in the chat' }).getAttribute('href')).toBe('/?c=s-c1')
})

it('a call that was edited in its chat is not approved here as it was before', async () => {
  const call = aCall('c1')
  const { to, subject, body } = call.request.arguments
  const asked = { to, subject, body }
  const key = getInputKey('s-c1', call.request)
  renderWaiting(call, aCall('c2'))
  const row = await findRow('c1')
  expect(row.getByRole('button', { name: 'Approve' })).toBeTruthy()
  act(() => writeInput(key, { value: { ...asked, body: 'Edited' }, base: asked }))
  expect(row.queryByRole('button')).toBeNull()
  expect(row.queryByText('Body c1')).toBeNull()
  expect(row.getByText('You have edited this in its chat. Decide it there.')).toBeTruthy()
  expect(row.getByRole('link', { name: 'Open in the chat' }).getAttribute('href')).toBe('/?c=s-c1')
  // as it was again
  act(() => writeInput(key, { value: asked, base: asked }))
  expect(row.getByRole('button', { name: 'Approve' })).toBeTruthy()
  act(() => writeInput(key, undefined))
})

it('a decision shows the conversation as its reply leaves it in the lists', async () => {
  let end: () => void = () => undefined
  send.mockResolvedValueOnce({ ended: new Promise((resolve) => (end = resolve)) })
  const { client } = renderWaiting(aCall('c1'))
  client.setQueryData(conversationListKey('active'), { sessions: [], total: 0 })
  const isOutdated = () => client.getQueryState(conversationListKey('active'))?.isInvalidated
  await press(await findRow('c1'), 'Approve')
  expect(isOutdated()).toBe(false)
  await act(async () => end())
  expect(isOutdated()).toBe(true)
})

it('a server’s request says what it asks for, and a call to be made again what it sends', async () => {
  const message = 'When would you like to eat,\u202e and with how many people?'
  renderWaiting(
    aCall('c1', {}, { kind: 'reconnect' }),
    aCall('c2', {}, { kind: 'elicitation', elicitations: [{ mode: 'form', key: 'k', message, fields: [] }] }),
  )
  const asked = within(await screen.findByRole('listitem', { name: 'Gmail asks you for something' }))
  expect(
    asked.getByText(/^When would you like to eat,.+ and with how many people\?$/).textContent,
  ).not.toContain('\u202e')
  const again = within(screen.getByRole('listitem', { name: 'Gmail has to be connected again' }))
  expect(again.getByText('Subject c1')).toBeTruthy()
})

it('a schedule that text of others may have asked for is approved here only beside the warning', async () => {
  const schedule = {
    prompt: 'Read my unread mail',
    rule: { kind: 'weekly', days: ['mo'], time: '08:00' },
    time_zone: 'Europe/Vienna',
    run_without_asking: [],
    notify: [],
  }
  renderWaiting(
    aCall(
      'c1',
      {},
      {
        tool: 'create_schedule',
        title: 'Create schedule',
        integration: null,
        mcp_id: null,
        arguments: schedule,
        untrusted: [{ kind: 'server', names: ['Shop'] }],
      },
    ),
  )
  const row = within(await screen.findByRole('listitem', { name: 'Create schedule' }))
  await row.findByText(/has read text here that is not yours.*“Shop”.*Check that you have asked for this\./)
  expect(row.getByText(/It runs in a conversation of its own/)).toBeTruthy()
  expect(row.getByRole('button', { name: 'Approve' })).toBeTruthy()
})

it('while the head of a row is out of view, its buttons repeat what they decide; a row without them repeats nothing', async () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        this.observe = () => callback([{ isIntersecting: false } as IntersectionObserverEntry], this as never)
      }
      observe: () => void
      disconnect = () => undefined
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const schedule = { tool: 'create_schedule', title: 'Create schedule', integration: null, mcp_id: null }
  const elicitations = [{ mode: 'form' as const, key: 'k', message: 'When?', fields: [] }]
  renderWaiting(
    aCall('c1'),
    aCall('c2', {}, { destructive: true }),
    aCall('c3', {}, { ...schedule, untrusted: [{ kind: 'server', names: ['Shop'] }] }),
    aCall('c4', {}, { kind: 'elicitation', elicitations }),
  )
  await findRow('c1')
  const listRepeated = (name: string) =>
    within(screen.getByRole('listitem', { name }))
      .queryAllByText(name)
      .flatMap(({ localName, parentElement }) => (localName === 'p' ? parentElement?.localName : []))
  for (const name of ['E-mail to c1@example.org', 'E-mail to c2@example.org', 'Create schedule'])
    expect(listRepeated(name)).toEqual(['footer'])
  expect(listRepeated('Gmail asks you for something')).toEqual([])
})

it('a call of a conversation that is being deleted is not shown, until that is undone', async () => {
  const { client } = renderWaiting(aCall('c1'), aCall('c2'))
  await findRow('c1')
  const actions = getUserResource(client, createActions)
  const deletion = actions.postpone(deletionKey('s-c1'), {
    run: async () => undefined,
    undo: () => undefined,
  })
  await act(async () => undefined)
  expect(screen.queryByText('Chat c1')).toBeNull()
  expect(await findRow('c2')).toBeTruthy()
  act(() => deletion.undo())
  expect(await findRow('c1')).toBeTruthy()
})

it('what could not be loaded can be tried again', async () => {
  let isDown = true
  fakeApi({
    'waiting.list': () => {
      if (isDown) throw new ApiError({ status: 400, code: 'x', userMessage: 'Out of order.' })
      return { waiting: [], total: 0, is_scheduled: false }
    },
  })
  renderPage(<WaitingPage />, '/waiting')
  expect((await screen.findByRole('alert')).textContent).toContain('What waits for you could not be loaded.')
  isDown = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/^Nothing waits\./)).toBeTruthy()
})
