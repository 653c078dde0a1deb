import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { RunQuestion } from '#shared/contracts/sessions.ts'
import type { Conversation } from '../conversation.ts'
import { ReconnectContext, type ReconnectProps } from '../reconnect-context.ts'
import { aQuestion } from '../test-server.ts'
import { QuestionCards } from './question-cards.tsx'

const answer = vi.fn<Conversation['answer']>()
beforeEach(() => answer.mockReset().mockResolvedValue(undefined))

const show = (...questions: RunQuestion[]) =>
  render(
    <QuestionCards
      conversation={{ answer } as unknown as Conversation}
      questions={questions}
      assistantName="Juno"
    />,
  )
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

it('shows an e-mail as it will be sent, has the focus, and takes each answer', async () => {
  show(aQuestion())
  const card = screen.getByRole('group', { name: 'Send an e-mail with Gmail?' })
  expect(document.activeElement).toBe(card)
  expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe('ann@example.org')
  await press('Approve')
  await press('Deny')
  await press('Always allow')
  expect(answer.mock.calls).toEqual([
    [{ callId: 'c1', approved: true }],
    [{ callId: 'c1', approved: false }],
    [{ callId: 'c1', approved: true, always: true }],
  ])
})

it('sends an e-mail along as it was changed, with what else the call was given', async () => {
  const given = { to: 'ann@example.org', subject: 'Lunch', body: 'At noon?', cc: 'ben@example.org' }
  show(aQuestion({ arguments: given }))
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: 'At one?' } })
  await press('Approve')
  expect(answer).toHaveBeenCalledWith({
    callId: 'c1',
    approved: true,
    arguments: { ...given, body: 'At one?' },
  })
})

it('shows the arguments of any other call whole, and characters that would hide something', () => {
  const name = 'invoice\u202efdp.exe'
  show(aQuestion({ title: 'Delete a file', arguments: { name, note: 'x'.repeat(5_000) } }))
  expect(screen.getByText('invoice[U+202E]fdp.exe')).toBeTruthy()
  expect(screen.getByText('x'.repeat(5_000))).toBeTruthy()
})

it('answers one of several at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  answer.mockReturnValue(promise)
  show(aQuestion(), aQuestion({ call_id: 'c2', title: 'Create a file', arguments: {} }))
  const second = within(screen.getByRole('group', { name: 'Create a file with Gmail?' }))
  fireEvent.click(second.getByRole('button', { name: 'Approve' }))
  expect(second.getByRole('button', { name: 'Approve' }).getAttribute('aria-busy')).toBe('true')
  for (const button of within(screen.getByRole('group', { name: 'Send an e-mail with Gmail?' })).getAllByRole(
    'button',
  ))
    expect(button).toHaveProperty('disabled', true)
  await act(async () => resolve(undefined))
})

it('tells what was decided while another question is open', () => {
  show(aQuestion({ decision: 'denied' }), aQuestion({ call_id: 'c2', title: 'Create a file' }))
  expect(screen.getByText('Denied: Send an e-mail')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Create a file with Gmail?' }))
})

it('says why an answer was not taken, and can be answered again', async () => {
  answer.mockResolvedValueOnce('Your answer did not get through. Please try again.')
  show(aQuestion())
  await press('Approve')
  expect(screen.getByText('Your answer did not get through. Please try again.')).toBeTruthy()
  await press('Approve')
  expect(answer).toHaveBeenCalledTimes(2)
  expect(screen.queryByText(/did not get through/)).toBeNull()
})

it('can only be let go of after a day', async () => {
  show(aQuestion({ asked_at: new Date(Date.now() - 25 * 3_600_000).toISOString() }))
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  await press('Go on without it')
  expect(answer).toHaveBeenCalledWith({ callId: 'c1', approved: false })
})

it('Escape in a field leaves the field, and does not stop the reply', () => {
  const onKeyDown = vi.fn<() => void>()
  document.addEventListener('keydown', onKeyDown)
  show(aQuestion())
  const field = screen.getByLabelText('Subject')
  field.focus()
  fireEvent.keyDown(field, { key: 'Escape' })
  document.removeEventListener('keydown', onKeyDown)
  expect(onKeyDown).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(screen.getByRole('group'))
})

it('does not take the focus from who is writing', () => {
  const field = document.body.appendChild(document.createElement('textarea'))
  field.value = 'If they say no'
  field.focus()
  show(aQuestion())
  expect(document.activeElement).toBe(field)
  field.remove()
})

it('asks to connect again, and answers when that is done', async () => {
  const seen = vi.fn<(props: ReconnectProps) => void>()
  render(
    <ReconnectContext
      value={(props) => {
        seen(props)
        return <button onClick={props.onConnected}>Reconnect</button>
      }}
    >
      <QuestionCards
        conversation={{ answer } as unknown as Conversation}
        questions={[aQuestion({ kind: 'reconnect', asked_at: '2126-11-20T09:00:00Z' })]}
        assistantName="Juno"
      />
    </ReconnectContext>,
  )
  expect(screen.getByRole('group', { name: 'Gmail has to be connected again' })).toBeTruthy()
  expect(seen.mock.lastCall?.[0]).toMatchObject({ mcpId: 'gmail', since: '2126-11-20T09:00:00Z' })
  await press('Reconnect')
  await press('Not now')
  expect(answer.mock.calls).toEqual([[{ callId: 'c1', approved: true }], [{ callId: 'c1', approved: false }]])
})
