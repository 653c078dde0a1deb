import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ApprovalRequest, TaskCheck } from '#shared/contracts/runs.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { aQuestion } from '../../../../../test/support/chat-server.ts'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import type { Conversation } from '../state/conversation.ts'
import { createPendingReply, updateReply } from '../state/pending-reply.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { ApprovalCards } from './approval-cards.tsx'

const decide = vi.fn<Conversation['decide']>()
const checkTask = vi.fn<(sessionId: string, runId: string, callId: string) => Promise<TaskCheck>>()
let visibility: DocumentVisibilityState = 'visible'
// the card's code is loaded once
beforeEach(async () => {
  await import('./task-card.tsx')
  vi.useFakeTimers({ now: new Date(2026, 10, 22, 14, 5) })
  decide.mockReset().mockResolvedValue(undefined)
  checkTask.mockReset().mockImplementation(async () => aCheck({ message: 'Counting' }))
  fakeApi({
    'runs.checkTask': ({ params, body }) => checkTask(params.sessionId, body.runId, body.callId),
  })
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const minute = 60_000
const aCheck = (task: Partial<TaskCheck['task']> = {}, is_ready = false): TaskCheck => ({
  is_ready,
  task: { started_at: new Date(2026, 10, 22, 14, 5).toISOString(), poll_after_ms: 5_000, ...task },
})
const aTask = (about: Partial<ApprovalRequest> = {}) =>
  aQuestion({
    kind: 'task',
    title: 'Build report',
    integration: 'Reports',
    arguments: {},
    asked_at: new Date().toISOString(),
    task: aCheck({ message: 'Collecting\u202e the bookings' }).task,
    ...about,
  })

let isSaved = true
async function show(...questions: ApprovalRequest[]) {
  const pending = updateReply(createPendingReply('m1', undefined), { runId: 'run', approvals: questions })
  const conversation = fakeConversation({ isSaved, pending }, { decide })
  render(<ApprovalCards conversation={conversation} approvals={questions} assistantName="Juno" />)
  await pass(0)
}
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
const card = () => within(screen.getByRole('group', { name: 'Reports is working on “Build report”' }))
const setVisibility = async (value: DocumentVisibilityState) => {
  visibility = value
  document.dispatchEvent(new Event('visibilitychange'))
  await pass(0)
}

it('shows server, tool, what the server says and how long it takes, without taking the focus', async () => {
  await show(
    aTask({
      task: {
        ...aCheck().task,
        message: 'Collecting\u202e',
        expires_at: new Date(2026, 10, 22, 15, 5).toISOString(),
      },
    }),
  )
  expect(card().getByText('Collecting[U+202E]')).toBeTruthy()
  expect(card().getByText(/Started at 14:05 \(less than a minute ago\)/)).toBeTruthy()
  expect(card().getByText(/The result is available until 15:05/)).toBeTruthy()
  expect(document.activeElement).toBe(document.body)
  await pass(3 * minute)
  expect(card().getByText(/\(3 minutes ago\)/)).toBeTruthy()
  // only what the server says is announced, once for each change
  const [live] = screen.getAllByText('Counting').map((node) => node.closest('[aria-live=polite]'))
  expect(live?.textContent).toBe('Reports says: Counting')
})

it('asks as often as the server says, not on a hidden page, and at once when it is shown again', async () => {
  await show(aTask())
  expect(checkTask).not.toHaveBeenCalled()
  await pass(4_999)
  expect(checkTask).not.toHaveBeenCalled()
  await pass(1)
  expect(checkTask.mock.calls).toEqual([['s1', 'run', 'c1']])
  await pass(5_000)
  expect(checkTask).toHaveBeenCalledTimes(2)
  await setVisibility('hidden')
  await pass(minute)
  expect(checkTask).toHaveBeenCalledTimes(2)
  await setVisibility('visible')
  expect(checkTask).toHaveBeenCalledTimes(3)
})

it('asks at once where the page is opened later, and seldom where it stands open', async () => {
  checkTask.mockImplementation(async () => aCheck({ poll_after_ms: 0 }))
  await show(aTask({ asked_at: new Date(Date.now() - minute).toISOString() }))
  expect(checkTask).toHaveBeenCalledTimes(1)
  await pass(10_000)
  expect(checkTask).toHaveBeenCalledTimes(6)
  await pass(60 * minute)
  checkTask.mockClear()
  await pass(10 * minute)
  expect(checkTask.mock.calls.length).toBeLessThanOrEqual(10)
})

it('lets the reply go on when the task is over, and again if that fails', async () => {
  checkTask.mockImplementation(async () => aCheck({}, true))
  decide.mockResolvedValueOnce('Too many replies at once.')
  await show(aTask())
  await pass(5_000)
  expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: true }]])
  expect(card().getByText('Too many replies at once.')).toBeTruthy()
  await pass(5_000)
  expect(decide).toHaveBeenCalledTimes(2)
})

it('keeps polling after a failed request', async () => {
  checkTask.mockRejectedValueOnce(new Error('no network'))
  await show(aTask())
  await pass(10_000)
  expect(checkTask).toHaveBeenCalledTimes(2)
  expect(card().getByText('Counting')).toBeTruthy()
})

it('DEC-192 sends its decision where the reply waits no longer, so that the conversation shows what became of it', async () => {
  checkTask.mockRejectedValue(new ApiError({ status: 404, code: 'run_not_found', userMessage: 'gone' }))
  await show(aTask())
  await pass(5_000)
  expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: true }]])
})

it('says that a temporary chat needs its page', async () => {
  isSaved = false
  await show(aTask())
  isSaved = true
  expect(card().getByText(/Keep this page open/)).toBeTruthy()
  expect(card().queryByText(/You can close this page/)).toBeNull()
})

it('is cancelled by a button, and not asked for meanwhile', async () => {
  decide.mockReturnValue(new Promise(() => undefined))
  await show(aTask())
  fireEvent.click(card().getByRole('button', { name: 'Cancel' }))
  await pass(minute)
  expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: false }]])
  expect(checkTask).not.toHaveBeenCalled()
})

it('does not override the decision that is being sent when it ends meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<TaskCheck>()
  checkTask.mockReturnValueOnce(promise)
  decide.mockReturnValue(new Promise(() => undefined))
  await show(aTask(), aQuestion({ call_id: 'c2' }))
  await pass(5_000)
  fireEvent.click(screen.getByRole('button', { name: 'Deny' }))
  resolve(aCheck({}, true))
  await pass(0)
  expect(decide.mock.calls).toEqual([[{ callId: 'c2', approved: false }]])
})

it('leaves the focus to a question beside it, and says what became of it', async () => {
  await show(aTask(), aQuestion({ call_id: 'c2' }), aTask({ call_id: 'c3', decision: 'approved' }))
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Send an e-mail with Gmail?' }))
  expect(screen.getByText('Finished: Build report')).toBeTruthy()
})
