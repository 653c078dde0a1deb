import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import type { Conversation } from '../state/conversation.ts'
import { ReconnectContext, type ReconnectProps } from './reconnect-context.ts'
import { aQuestion } from '../../../../../test/support/chat-server.ts'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { ApprovalCards } from './approval-cards.tsx'

const decide = vi.fn<Conversation['decide']>()
let conversation: Conversation
beforeEach(() => {
  decide.mockReset().mockResolvedValue(undefined)
  conversation = fakeConversation({}, { decide })
})

const show = (...questions: ApprovalRequest[]) =>
  render(<ApprovalCards conversation={conversation} approvals={questions} assistantName="Juno" />)
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

it('shows an e-mail as it will be sent, has the focus, and takes each answer', async () => {
  show(aQuestion())
  const card = screen.getByRole('group', { name: 'Send an e-mail with Gmail?' })
  expect(document.activeElement).toBe(card)
  expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe('ann@example.org')
  await press('Approve')
  await press('Deny')
  await press('Always allow')
  expect(decide.mock.calls).toEqual([
    [{ callId: 'c1', approved: true }],
    [{ callId: 'c1', approved: false }],
    [{ callId: 'c1', approved: true, always: true }],
  ])
})

it('a change of the memory is approved once, never for always', () => {
  const text = 'Lives in Oslo'
  show(aQuestion({ tool: 'remember', title: 'Remember', integration: null, arguments: { text } }))
  const card = within(screen.getByRole('group', { name: 'Remember?' }))
  expect(card.getByText(/So Juno changes its memory only when you approve it/)).toBeTruthy()
  expect(card.getByText(text)).toBeTruthy()
  expect(card.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Approve', 'Deny'])
})

it('sends the edited e-mail', async () => {
  const given = { to: 'ann@example.org', subject: 'Lunch', body: 'At noon?' }
  show(aQuestion({ arguments: given }))
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: 'At one?' } })
  await press('Approve')
  expect(decide).toHaveBeenCalledWith({
    callId: 'c1',
    approved: true,
    arguments: { ...given, body: 'At one?' },
  })
})

it('keeps an edited e-mail while another page is shown', () => {
  const question = aQuestion({ arguments: { to: 'ann@example.org', subject: 'Lunch', body: 'At noon?' } })
  show(question)
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: 'At one?' } })
  cleanup()
  show(question)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('At one?')
})

it('a call that looks like an e-mail cannot carry arguments that are not shown (H3)', async () => {
  const bcc = 'mallory@evil.example'
  const attach = 'https://evil.example/?k=all-my-secrets'
  show(aQuestion({ arguments: { to: 'ann@example.org', subject: 'Lunch', body: 'At noon?', bcc, attach } }))
  const card = screen.getByRole('group')
  for (const text of ['to', 'ann@example.org', 'bcc', bcc, 'attach', attach, 'Lunch', 'At noon?'])
    expect(within(card).getByText(text)).toBeTruthy()
  expect(within(card).queryByRole('textbox')).toBeNull()
  expect(within(card).getByText(/This is exactly what will be sent/)).toBeTruthy()
})

it("shows the server's description of its tool, and that it may delete things", () => {
  const description = 'Deletes a note\u202e for good'
  show(aQuestion({ integration: 'Notes', arguments: { id: 7 }, description, destructive: true }))
  const card = screen.getByRole('group')
  expect(card.textContent).toContain('Notes describes this tool as: “Deletes a note[U+202E] for good”')
  expect(within(card).getByRole('alert').textContent).toBe(
    'Notes says that this tool may delete or overwrite things.',
  )
})

it('says nothing about a tool whose server says nothing', () => {
  show(aQuestion({ integration: 'Notes', arguments: { id: 7 } }))
  expect(screen.queryByText(/describes this tool as/)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})

describe('recipients', () => {
  const lines = () =>
    within(screen.getByRole('list', { name: 'Recipients' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  const showTo = (to: string) => show(aQuestion({ arguments: { to, subject: 'Lunch', body: 'At noon?' } }))

  it('one behind three hundred blanks stands on a line of its own, and is counted (H3)', () => {
    showTo(`ann@corp.example,${' '.repeat(300)}mallory@evil.example`)
    expect(lines()).toEqual(['ann@corp.example', 'mallory@evil.example'])
    expect(screen.getByText('Goes to 2 recipients:')).toBeTruthy()
  })

  it('a name that pretends to be an address stands after the address (H3)', () => {
    showTo('"ann@corp.example" <mallory@evil.example>, "Ann\u202e" <ann@corp.example>')
    expect(lines()).toEqual(['mallory@evil.example (ann@corp.example)', 'ann@corp.example (Ann[U+202E])'])
  })

  it('are listed as they are changed, one to a line typed too', async () => {
    showTo('ann@corp.example')
    const field = screen.getByLabelText('To')
    fireEvent.change(field, { target: { value: 'ann@corp.example\nBen <ben@corp.example>' } })
    expect(lines()).toEqual(['ann@corp.example', 'ben@corp.example (Ben)'])
    fireEvent.change(field, { target: { value: 'ann@corp.example, be' } })
    expect(screen.getByText('"be" is no e-mail address.')).toBeTruthy()
    expect(screen.queryByRole('list', { name: 'Recipients' })).toBeNull()
    fireEvent.change(field, { target: { value: ' ' } })
    expect(screen.getByRole('button', { name: 'Approve' })).toHaveProperty('disabled', true)
  })

  it('that cannot be listed are shown as they are, without the form of an e-mail', () => {
    showTo('ann@corp.example; mallory@evil.example')
    expect(screen.getByText('ann@corp.example; mallory@evil.example')).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBeNull()
  })
})

it('characters that cannot be seen are shown in the fields of an e-mail, and can be removed (H3)', async () => {
  const body = 'At noon\u200b?\u{e0041} 👩‍👩‍👧'
  show(aQuestion({ arguments: { to: 'ann@example.org', subject: 'Lunch\u3164', body } }))
  expect(screen.getByText('Lunch[U+3164]')).toBeTruthy()
  expect(screen.getByText('At noon[U+200B]?[U+E0041] 👩‍👩‍👧')).toBeTruthy()
  for (const remove of screen.getAllByRole('button', { name: 'Remove them' })) fireEvent.click(remove)
  expect(screen.queryByRole('alert')).toBeNull()
  await press('Approve')
  expect(decide).toHaveBeenCalledWith({
    callId: 'c1',
    approved: true,
    arguments: { to: 'ann@example.org', subject: 'Lunch', body: 'At noon? 👩‍👩‍👧' },
  })
})

it('shows the arguments of any other call whole, and characters that would hide something', () => {
  const name = 'invoice\u202efdp.exe'
  const given = { name, note: 'x'.repeat(5_000), 'no\u200bte': '', by: null }
  show(aQuestion({ title: 'Delete a file', arguments: given }))
  expect(screen.getByText('invoice[U+202E]fdp.exe')).toBeTruthy()
  expect(screen.getByText('no[U+200B]te')).toBeTruthy()
  expect(screen.getByText('""')).toBeTruthy()
  expect(screen.getByText('null')).toBeTruthy()
  expect(screen.getByText('x'.repeat(5_000))).toBeTruthy()
})

it('answers several requests one at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  decide.mockReturnValue(promise)
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

it('shows the decision while another request is open', () => {
  show(aQuestion({ decision: 'denied' }), aQuestion({ call_id: 'c2', title: 'Create a file' }))
  expect(screen.getByText('Denied: Send an e-mail')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Create a file with Gmail?' }))
})

it('says why an answer was rejected, and can be answered again', async () => {
  decide.mockResolvedValueOnce('Your answer was not sent. Please try again.')
  show(aQuestion())
  await press('Approve')
  expect(screen.getByText('Your answer was not sent. Please try again.')).toBeTruthy()
  await press('Approve')
  expect(decide).toHaveBeenCalledTimes(2)
  expect(screen.queryByText(/was not sent/)).toBeNull()
})

it('after a day, a request can only be dismissed', async () => {
  show(aQuestion({ asked_at: new Date(Date.now() - 25 * 3_600_000).toISOString() }))
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  await press('Continue without it')
  expect(decide).toHaveBeenCalledWith({ callId: 'c1', approved: false })
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

it('a subject stays one line: Enter adds nothing, and what is pasted is joined', () => {
  show(aQuestion())
  const field = screen.getByLabelText<HTMLTextAreaElement>('Subject')
  expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(false)
  fireEvent.change(field, { target: { value: 'Lunch\nat noon' } })
  expect(field.value).toBe('Lunch at noon')
  expect(fireEvent.keyDown(screen.getByLabelText('Message'), { key: 'Enter' })).toBe(true)
})

it('does not take the focus while the user is typing', () => {
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
      <ApprovalCards
        conversation={conversation}
        approvals={[aQuestion({ kind: 'reconnect', asked_at: '2126-11-20T09:00:00Z' })]}
        assistantName="Juno"
      />
    </ReconnectContext>,
  )
  expect(screen.getByRole('group', { name: 'Gmail has to be connected again' })).toBeTruthy()
  expect(seen.mock.lastCall?.[0]).toMatchObject({ mcpId: 'gmail', since: '2126-11-20T09:00:00Z' })
  await press('Reconnect')
  await press('Not now')
  expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: true }], [{ callId: 'c1', approved: false }]])
})

it('says whose server it is where that comes from the catalogue (M5)', () => {
  show(
    aQuestion({
      title: 'Save a note',
      integration: 'Zendesk',
      mcp_id: 'mcp-io-github-mallory-x-1a2b3c4d',
      namespace: 'io.github.mallory',
      arguments: { text: 'x' },
    }),
  )
  expect(screen.getByRole('group', { name: 'Save a note with Zendesk · io.github.mallory?' })).toBeTruthy()
})

it('says where an integration has moved to (H4)', () => {
  const reconnect = { kind: 'moved', host: 'mcp.new.example' } as const
  show(aQuestion({ kind: 'reconnect', integration: 'Notebook', reconnect }))
  expect(
    screen.getByText(
      'Notebook has moved to mcp.new.example. Connect again to use it there. Once it is connected again, this reply continues.',
    ),
  ).toBeTruthy()
})
