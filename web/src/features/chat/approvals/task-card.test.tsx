import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ApprovalRequest, TaskCheck } from '#shared/contracts/runs.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { anApprovalRequest } from '../../../../../test/support/chat-server.ts'
import { aWaitingReply, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import type { ChatFailure } from '../state/chat-failure.ts'
import type { Conversation } from '../state/conversation.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { unlockCards } from '../../../../../test/support/unlock-cards.ts'
import { ApprovalCards } from './approval-cards.tsx'

const decide = vi.fn<Conversation['decide']>()
const checkTask = vi.fn<(sessionId: string, runId: string, callId: string) => Promise<TaskCheck>>()
let visibility: DocumentVisibilityState = 'visible'
// the card's code is loaded once
beforeEach(async () => {
  await import('./task-card.tsx')
  vi.useFakeTimers({ now: new Date(2026, 10, 22, 14, 5) })
  decide.mockReset()
  failure = undefined
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

const minuteMs = 60_000
const aCheck = (task: Partial<TaskCheck['task']> = {}, is_ready = false): TaskCheck => ({
  is_ready,
  task: { started_at: new Date(2026, 10, 22, 14, 5).toISOString(), poll_after_ms: 5_000, ...task },
})
const aTaskRequest = (changes: Partial<ApprovalRequest> = {}) =>
  anApprovalRequest({
    kind: 'task',
    title: 'Build report',
    integration: 'Reports',
    arguments: {},
    asked_at: new Date().toISOString(),
    task: aCheck({ message: 'Collecting\u202e the bookings' }).task,
    ...changes,
  })

let isTemporary = false
let failure: ChatFailure | undefined
async function renderCards(...approvals: ApprovalRequest[]) {
  const pending = aWaitingReply(approvals)
  const conversation = fakeConversation({ isTemporary, pending }, { decide })
  // as the machine does: on its way for good, or failed
  decide.mockImplementation((decision) => {
    const { callId } = decision
    const askedAt = approvals.find(({ call_id }) => call_id === callId)?.asked_at ?? ''
    const outcome = failure ? { failedDecision: { callId, failure } } : { deciding: { ...decision, askedAt } }
    conversation.setState({ pending: aWaitingReply(approvals, outcome) })
  })
  render(<ApprovalCards conversation={conversation} approvals={approvals} assistantName="Juno" />, {
    wrapper: PageProviders,
  })
  await advanceTime(0)
}
const advanceTime = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
const findCard = () => within(screen.getByRole('group', { name: 'Reports is working on “Build report”' }))
const setVisibility = async (value: DocumentVisibilityState) => {
  visibility = value
  document.dispatchEvent(new Event('visibilitychange'))
  await advanceTime(0)
}

it('shows server, tool, message, elapsed time and expiry, without taking the focus', async () => {
  await renderCards(
    aTaskRequest({
      task: {
        ...aCheck().task,
        message: 'Collecting\u202e',
        expires_at: new Date(2026, 10, 22, 15, 5).toISOString(),
      },
    }),
  )
  expect(findCard().getByRole('status').textContent).toBe('Reports says: Collecting[U+202E]')
  expect(findCard().getByText(/Started at 2:05 PM \(less than a minute ago\)/)).toBeTruthy()
  expect(findCard().getByText(/The result is available until 3:05 PM/)).toBeTruthy()
  expect(document.activeElement).toBe(document.body)
  await advanceTime(3 * minuteMs)
  expect(findCard().getByText(/\(3 minutes ago\)/)).toBeTruthy()
  // only what the server says is announced
  expect(findCard().getByRole('status').textContent).toBe('Reports says: Counting')
})

it('polls at the interval that the server asks for, not on a hidden page, and at once when it is shown again', async () => {
  await renderCards(aTaskRequest())
  expect(checkTask).not.toHaveBeenCalled()
  await advanceTime(4_999)
  expect(checkTask).not.toHaveBeenCalled()
  await advanceTime(1)
  expect(checkTask.mock.calls).toEqual([['s1', 'run', 'c1']])
  await advanceTime(5_000)
  expect(checkTask).toHaveBeenCalledTimes(2)
  await setVisibility('hidden')
  await advanceTime(minuteMs)
  expect(checkTask).toHaveBeenCalledTimes(2)
  await setVisibility('visible')
  expect(checkTask).toHaveBeenCalledTimes(3)
})

it('does not poll more often when the page is hidden and shown again and again', async () => {
  checkTask.mockImplementation(async () => aCheck({ poll_after_ms: 0 }))
  await renderCards(aTaskRequest())
  const flicker = async () => {
    for (let count = 0; count < 3; count += 1) {
      await setVisibility('hidden')
      await setVisibility('visible')
    }
  }
  await flicker()
  expect(checkTask).not.toHaveBeenCalled()
  await advanceTime(5_000)
  await flicker()
  expect(checkTask).toHaveBeenCalledTimes(1)
  await advanceTime(2_000)
  expect(checkTask).toHaveBeenCalledTimes(2)
})

it('polls at once when the page is opened later, and less often on a page that stays open', async () => {
  checkTask.mockImplementation(async () => aCheck({ poll_after_ms: 0 }))
  await renderCards(aTaskRequest({ asked_at: new Date(Date.now() - minuteMs).toISOString() }))
  expect(checkTask).toHaveBeenCalledTimes(1)
  await advanceTime(10_000)
  expect(checkTask).toHaveBeenCalledTimes(6)
  await advanceTime(60 * minuteMs)
  checkTask.mockClear()
  await advanceTime(10 * minuteMs)
  expect(checkTask.mock.calls.length).toBeLessThanOrEqual(10)
})

it('continues the reply when the task is done, and tries again if that fails', async () => {
  checkTask.mockImplementation(async () => aCheck({}, true))
  failure = { kind: 'limit', message: 'Too many replies at once.' }
  await renderCards(aTaskRequest())
  await advanceTime(5_000)
  expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: true }]])
  expect(findCard().getByText('Too many replies at once.')).toBeTruthy()
  await advanceTime(5_000)
  expect(decide).toHaveBeenCalledTimes(2)
})

it('keeps polling after a failed request', async () => {
  checkTask.mockRejectedValueOnce(new Error('no network'))
  await renderCards(aTaskRequest())
  await advanceTime(10_000)
  expect(checkTask).toHaveBeenCalledTimes(2)
  expect(findCard().getByText('Counting')).toBeTruthy()
})

it('DEC-192 sends its decision when the reply no longer waits, so that the conversation shows the outcome', async () => {
  checkTask.mockRejectedValue(new ApiError({ status: 404, code: 'run_not_found', userMessage: 'gone' }))
  await renderCards(aTaskRequest())
  await advanceTime(5_000)
  expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: true }]])
})

it('asks the user to keep the page of a temporary chat open', async () => {
  isTemporary = true
  await renderCards(aTaskRequest())
  isTemporary = false
  expect(findCard().getByText(/Keep this page open/)).toBeTruthy()
  expect(findCard().queryByText(/You can close this page/)).toBeNull()
})

it('can be cancelled, and is not polled meanwhile', async () => {
  await renderCards(aTaskRequest())
  unlockCards()
  fireEvent.click(findCard().getByRole('button', { name: 'Cancel' }))
  await advanceTime(minuteMs)
  expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: false }]])
  expect(checkTask).not.toHaveBeenCalled()
})

it('leaves the focus to another approval request, and shows a finished task', async () => {
  await renderCards(
    aTaskRequest(),
    anApprovalRequest({ call_id: 'c2' }),
    aTaskRequest({ call_id: 'c3', decision: 'approved' }),
  )
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Send an e-mail with Gmail?' }))
  expect(screen.getByText('Finished: Build report')).toBeTruthy()
})
