import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import type { Conversation } from '../state/conversation.ts'
import { ReconnectContext, type ReconnectProps } from './reconnect-context.ts'
import { anApprovalRequest } from '../../../../../test/support/chat-server.ts'
import { aWaitingReply, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { unlockCards } from '../../../../../test/support/unlock-cards.ts'
import { createRunningActions, decisionKey } from '../../../lib/actions/running-actions.ts'
import { noteServerTime } from '../../../lib/browser/server-clock.ts'
import { getUserResource } from '../../../lib/actions/user-resources.ts'
import { ApprovalCards } from './approval-cards.tsx'

const decide = vi.fn<Conversation['decide']>()
let conversation: ReturnType<typeof fakeConversation>
let client: QueryClient
beforeEach(() => {
  decide.mockReset()
  client = new QueryClient()
  conversation = fakeConversation({}, { decide })
})

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
)
const renderCards = (...approvals: ApprovalRequest[]) =>
  render(<ApprovalCards conversation={conversation} approvals={approvals} assistantName="Juno" />, {
    wrapper,
  })
const press = (name: string) => {
  unlockCards()
  return act(async () => fireEvent.click(screen.getByRole('button', { name })))
}

it('shows an e-mail as it will be sent, focuses the card, and sends each decision', async () => {
  renderCards(anApprovalRequest())
  const card = screen.getByRole('group', { name: 'Send an e-mail with Gmail?' })
  expect(document.activeElement).toBe(card)
  expect(within(card).getByRole('list', { name: 'Recipients' }).textContent).toBe('ann@example.org')
  await press('Approve')
  await press('Deny')
  await press('Always allow')
  expect(decide.mock.calls).toEqual([
    [{ callId: 'c1', approved: true }],
    [{ callId: 'c1', approved: false }],
    [{ callId: 'c1', approved: true, always: true }],
  ])
})

it('a call of a schedule is not always allowed: what it may do is in the schedule', () => {
  renderCards(anApprovalRequest({ lapses_at: new Date(Date.now() + 72 * 3_600_000).toISOString() }))
  expect(screen.getByRole('button', { name: 'Approve' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Always allow' })).toBeNull()
})

it.each(['https://', ''])(
  'a page shows its host and all of its address, and what of it stands in the chat, and its host can be allowed: %s',
  async (scheme) => {
    conversation = fakeConversation(
      { messages: [{ id: 'm1', role: 'user', content: 'We are customer roastery-1842.' }] as never },
      { decide },
    )
    const url = `${scheme}index.example:8443/diesel/2027?customer=Roastery-1842&carrier=elbe`
    renderCards(
      anApprovalRequest({ tool: 'read_page', title: 'Read a page', integration: null, arguments: { url } }),
    )
    const card = within(await screen.findByRole('group', { name: 'Open this page?' }))
    expect(card.getByText('index.example:8443')).toBeTruthy()
    expect(card.getByText(url)).toBeTruthy()
    expect(card.getByText('Also in your chat: “Roastery-1842”')).toBeTruthy()
    expect(card.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Approve',
      'Deny',
      'Always for this host',
    ])
    await press('Always for this host')
    expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: true, always: true }]])
  },
)

it('a memory change can be approved or denied, but not always allowed', () => {
  const text = 'Lives in Oslo'
  renderCards(
    anApprovalRequest({ tool: 'remember', title: 'Remember', integration: null, arguments: { text } }),
  )
  const card = within(screen.getByRole('group', { name: 'Remember?' }))
  expect(card.getByText(/^Juno changes its memory only when you approve it/)).toBeTruthy()
  expect(card.getByText(text)).toBeTruthy()
  expect(card.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Approve', 'Deny'])
})

it('a memory change names the text because of which it is asked for', () => {
  renderCards(
    anApprovalRequest({
      tool: 'remember',
      title: 'Remember',
      integration: null,
      arguments: { text: 'Lives in Oslo' },
      untrusted: [
        { kind: 'file', names: ['a.pdf', 'b\u202e.pdf'] },
        { kind: 'tool', names: ['Gmail'] },
        { kind: 'web', names: [] },
        { kind: 'server', names: ['Weather'] },
        { kind: 'summary', names: [] },
      ],
    }),
  )
  expect(screen.getByRole('group', { name: 'Remember?' }).textContent).toContain(
    'Juno has read text here that is not yours: files (“a.pdf”, “b[U+202E].pdf”); results of “Gmail”; web pages; what servers call themselves and their tools (“Weather”); earlier messages, which may quote others. So Juno changes its memory only when you approve it.',
  )
})

it('sends the edited e-mail', async () => {
  const mail = { to: 'ann@example.org', subject: 'Lunch', body: 'At noon?' }
  renderCards(anApprovalRequest({ arguments: mail }))
  await press('Edit')
  expect(document.activeElement).toBe(screen.getByLabelText('Message'))
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: 'At one?' } })
  await press('Approve')
  expect(decide).toHaveBeenCalledWith({
    callId: 'c1',
    approved: true,
    arguments: { ...mail, body: 'At one?' },
  })
})

it('keeps an edited e-mail while another page is shown', async () => {
  const approval = anApprovalRequest({
    arguments: { to: 'ann@example.org', subject: 'Lunch', body: 'At noon?' },
  })
  renderCards(approval)
  await press('Edit')
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: 'At one?' } })
  cleanup()
  renderCards(approval)
  expect(screen.getByText('At one?')).toBeTruthy()
})

it('a call that looks like an e-mail cannot carry arguments that are not shown (H3)', async () => {
  const bcc = 'mallory@evil.example'
  const attach = 'https://evil.example/?k=all-my-secrets'
  renderCards(
    anApprovalRequest({
      arguments: { to: 'ann@example.org', subject: 'Lunch', body: 'At noon?', bcc, attach },
    }),
  )
  const card = screen.getByRole('group', { name: /\?$/ })
  for (const text of ['to', 'ann@example.org', 'bcc', bcc, 'attach', attach, 'Lunch', 'At noon?'])
    expect(within(card).getByText(text)).toBeTruthy()
  expect(within(card).queryByRole('textbox')).toBeNull()
  expect(within(card).getByText(/This is exactly what will be sent/)).toBeTruthy()
})

it("shows the server's description of its tool, and a warning that it may delete things", () => {
  const description = 'Deletes a note\u202e for good'
  renderCards(
    anApprovalRequest({ integration: 'Notes', arguments: { id: 7 }, description, destructive: true }),
  )
  const card = screen.getByRole('group', { name: /\?$/ })
  expect(card.textContent).toContain('Notes describes this tool as: “Deletes a note[U+202E] for good”')
  expect(within(card).getByRole('alert').textContent).toBe(
    'Notes says that this tool may delete or overwrite things.',
  )
})

it('shows neither a description nor a warning when the server gives none', () => {
  renderCards(anApprovalRequest({ integration: 'Notes', arguments: { id: 7 } }))
  expect(screen.queryByText(/describes this tool as/)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})

describe('recipients', () => {
  const listRecipients = () =>
    within(screen.getByRole('list', { name: 'Recipients' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  const renderCardFor = (to: string) =>
    renderCards(anApprovalRequest({ arguments: { to, subject: 'Lunch', body: 'At noon?' } }))

  it('shows a recipient behind three hundred spaces on its own line, and counts it (H3)', () => {
    renderCardFor(`ann@corp.example,${' '.repeat(300)}mallory@evil.example`)
    expect(listRecipients()).toEqual(['ann@corp.example', 'mallory@evil.example'])
    expect(screen.getByText('Goes to 2 recipients:')).toBeTruthy()
  })

  it('shows a name that looks like an address after the address (H3)', () => {
    renderCardFor('"ann@corp.example" <mallory@evil.example>, "Ann\u202e" <ann@corp.example>')
    expect(listRecipients()).toEqual([
      'mallory@evil.example (ann@corp.example)',
      'ann@corp.example (Ann[U+202E])',
    ])
  })

  it('updates the list while the user edits them, also when each is on its own line', async () => {
    renderCardFor('ann@corp.example')
    await press('Edit')
    const field = screen.getByLabelText('To')
    fireEvent.change(field, { target: { value: 'ann@corp.example\nBen <ben@corp.example>' } })
    expect(listRecipients()).toEqual(['ann@corp.example', 'ben@corp.example (Ben)'])
    fireEvent.change(field, { target: { value: 'ann@corp.example, be' } })
    expect(screen.getByText('"be" is no e-mail address.')).toBeTruthy()
    expect(screen.queryByRole('list', { name: 'Recipients' })).toBeNull()
    fireEvent.change(field, { target: { value: ' ' } })
    expect(screen.getByRole('button', { name: 'Approve' })).toHaveProperty('disabled', true)
  })

  it('shows recipients that cannot be parsed as plain arguments, without the e-mail form', () => {
    renderCardFor('ann@corp.example; mallory@evil.example')
    expect(screen.getByText('ann@corp.example; mallory@evil.example')).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBeNull()
  })
})

it('shows invisible characters in the fields of an e-mail, and removes them on request (H3)', async () => {
  const body = 'At noon\u200b?\u{e0041} 👩‍👩‍👧'
  renderCards(anApprovalRequest({ arguments: { to: 'ann@example.org', subject: 'Lunch\u3164', body } }))
  expect(screen.getByText('Lunch[U+3164]')).toBeTruthy()
  expect(screen.getByText('At noon[U+200B]?[U+E0041] 👩‍👩‍👧')).toBeTruthy()
  await press('Remove invisible characters')
  expect(screen.queryByRole('alert')).toBeNull()
  await press('Approve')
  expect(decide).toHaveBeenCalledWith({
    callId: 'c1',
    approved: true,
    arguments: { to: 'ann@example.org', subject: 'Lunch', body: 'At noon? 👩‍👩‍👧' },
  })
})

it('recipients that are pasted after an empty line begin with the first', async () => {
  renderCards(anApprovalRequest({ arguments: { to: 'ann@example.org', subject: 'Lunch', body: 'At noon?' } }))
  await press('Edit')
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '\nben@example.org' } })
  expect(screen.getByLabelText<HTMLTextAreaElement>('To').value).toBe('ben@example.org')
})

it('the fields of an e-mail stay while its user removes the invisible characters in them', () => {
  renderCards(
    anApprovalRequest({ arguments: { to: 'ann@example.org', subject: 'Lunch\u3164', body: 'At noon?' } }),
  )
  const field = screen.getByLabelText('Subject')
  fireEvent.change(field, { target: { value: 'Lunch' } })
  expect(field.isConnected).toBe(true)
})

it('shows the arguments of any other call in full, and reveals hidden characters', () => {
  const name = 'invoice\u202efdp.exe'
  const toolArguments = { name, note: 'x'.repeat(5_000), 'no\u200bte': '', by: null }
  renderCards(anApprovalRequest({ title: 'Delete a file', arguments: toolArguments }))
  expect(screen.getByText('invoice[U+202E]fdp.exe')).toBeTruthy()
  expect(screen.getByText('no[U+200B]te')).toBeTruthy()
  expect(screen.getByText('""')).toBeTruthy()
  expect(screen.getByText('null')).toBeTruthy()
  expect(screen.getByText('x'.repeat(5_000))).toBeTruthy()
})

it('says that a call has no arguments', () => {
  renderCards(anApprovalRequest({ title: 'Refresh', arguments: {} }))
  expect(
    within(screen.getByRole('group', { name: 'Refresh with Gmail?' })).getByText(
      'Only the call, without arguments',
    ),
  ).toBeTruthy()
})

it.each([
  ['Approving…', { approved: true }],
  ['Approving…', { approved: true, always: true }],
  ['Denying…', { approved: false }],
])('shows “%s” of a decision on its way to whoever comes, and offers no other', (label, decision) => {
  const asked = anApprovalRequest({ call_id: 'c2', title: 'Create a file', arguments: {} })
  const approvals = [anApprovalRequest(), asked]
  const deciding = { callId: 'c2', askedAt: asked.asked_at, ...decision }
  conversation.setState({ pending: aWaitingReply(approvals, { deciding }) })
  renderCards(...approvals)
  unlockCards()
  const busy = screen.getByRole('button', { name: label })
  expect(busy.getAttribute('aria-busy')).toBe('true')
  expect(busy.closest('section')).toBe(screen.getByRole('group', { name: 'Create a file with Gmail?' }))
  const others = screen.getAllByRole('button').filter((button) => button !== busy)
  expect(others.map((button) => button.matches(':disabled'))).toEqual(others.map(() => true))
})

it.each([
  ['Approving…', 'approved'],
  ['Denying…', 'denied'],
])(
  'shows “%s” of a decision that was made on the page of all that waits, and offers no other',
  (label, activity) => {
    const approvals = [anApprovalRequest(), anApprovalRequest({ call_id: 'c2', title: 'Create a file' })]
    conversation.setState({ pending: aWaitingReply(approvals) })
    const { setActivity } = getUserResource(client, createRunningActions)
    setActivity(decisionKey('run', 'c1'), activity)
    renderCards(...approvals)
    unlockCards()
    const card = within(screen.getByRole('group', { name: 'Send an e-mail with Gmail?' }))
    expect(card.getByRole('button', { name: label }).getAttribute('aria-busy')).toBe('true')
    expect(card.queryByRole('button', { name: label === 'Approving…' ? 'Approve' : 'Deny' })).toBeNull()
    const isPressable = (button: HTMLElement) => !button.matches(':disabled,[aria-busy]')
    expect(card.getAllByRole('button').filter(isPressable)).toEqual([])
    act(() => setActivity(decisionKey('run', 'c1'), undefined))
    expect(card.getByRole('button', { name: 'Approve' })).toHaveProperty('disabled', false)
  },
)

it('offers no decision while the reply is being stopped', () => {
  const approvals = [anApprovalRequest()]
  conversation.setState({ pending: { ...aWaitingReply(approvals), phase: 'stopping', visibleText: '' } })
  renderCards(...approvals)
  for (const button of screen.getAllByRole('button')) expect(button).toHaveProperty('disabled', true)
})

it('an integration that was connected again, or not, was neither approved nor denied', () => {
  const reconnect = { kind: 'reconnect', mcp_id: 'gmail', integration: 'Gmail' } as const
  renderCards(
    anApprovalRequest({ ...reconnect, decision: 'approved' }),
    anApprovalRequest({ ...reconnect, call_id: 'c2', decision: 'denied' }),
    anApprovalRequest({ call_id: 'c3' }),
  )
  expect(screen.getByText('Connected again: Gmail')).toBeTruthy()
  expect(screen.getByText('Not connected: Gmail')).toBeTruthy()
})

it('shows the decision while another request is open', () => {
  renderCards(
    anApprovalRequest({ decision: 'denied' }),
    anApprovalRequest({ call_id: 'c2', title: 'Create a file' }),
  )
  expect(screen.getByText('Denied: Send an e-mail')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Create a file with Gmail?' }))
})

it.each([
  [{ kind: 'connection', message: 'Lost.' }, 'Your answer may not have arrived. Please try again.'],
  [{ kind: 'service', message: 'Service error: x' }, 'Service error: x'],
] as const)('says why a decision failed, and can be decided again: %j', async (failure, shown) => {
  const approvals = [anApprovalRequest()]
  conversation.setState({
    pending: aWaitingReply(approvals, { failedDecision: { callId: 'c1', failure } }),
  })
  renderCards(...approvals)
  expect(screen.getByRole('alert').textContent).toBe(shown)
  await press('Approve')
  expect(decide).toHaveBeenCalledOnce()
})

it('a request of a kind that this version does not know is no approval card', async () => {
  const onError = vi.spyOn(console, 'error').mockReturnValue(undefined)
  renderCards(anApprovalRequest({ kind: 'payment' as never }))
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  expect(screen.getByText(/cannot show/)).toBeTruthy()
  expect(onError).not.toHaveBeenCalled()
  await press('Continue without it')
  expect(decide).toHaveBeenCalledExactlyOnceWith({ callId: 'c1', approved: false })
})

it('after a day, a request can only be dismissed', async () => {
  renderCards(anApprovalRequest({ asked_at: new Date(Date.now() - 25 * 3_600_000).toISOString() }))
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  await press('Continue without it')
  expect(decide).toHaveBeenCalledWith({ callId: 'c1', approved: false })
})

it('Escape in a field leaves the field, and does not stop the reply', async () => {
  const onKeyDown = vi.fn<() => void>()
  document.addEventListener('keydown', onKeyDown)
  renderCards(anApprovalRequest())
  await press('Edit')
  const field = screen.getByLabelText('Subject')
  field.focus()
  fireEvent.keyDown(field, { key: 'Escape' })
  document.removeEventListener('keydown', onKeyDown)
  expect(onKeyDown).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(screen.getByRole('group', { name: /\?$/ }))
})

it('a subject stays on one line: Enter adds nothing, and pasted lines are joined', async () => {
  renderCards(anApprovalRequest())
  await press('Edit')
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
  renderCards(anApprovalRequest())
  expect(document.activeElement).toBe(field)
  field.remove()
})

it('asks to reconnect, and approves the call once that is done', async () => {
  const onRender = vi.fn<(props: ReconnectProps) => void>()
  render(
    <ReconnectContext
      value={(props) => {
        onRender(props)
        return <button onClick={props.onConnected}>Reconnect</button>
      }}
    >
      <ApprovalCards
        conversation={conversation}
        approvals={[anApprovalRequest({ kind: 'reconnect', asked_at: '2126-11-20T09:00:00Z' })]}
        assistantName="Juno"
      />
    </ReconnectContext>,
    { wrapper },
  )
  expect(screen.getByRole('group', { name: 'Gmail has to be connected again' })).toBeTruthy()
  expect(onRender.mock.lastCall?.[0]).toMatchObject({ mcpId: 'gmail', since: '2126-11-20T09:00:00Z' })
  await press('Reconnect')
  await press('Not now')
  expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: true }], [{ callId: 'c1', approved: false }]])
})

it('names the publisher of a server from the catalogue (M5)', () => {
  renderCards(
    anApprovalRequest({
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
  renderCards(anApprovalRequest({ kind: 'reconnect', integration: 'Notebook', reconnect }))
  expect(
    screen.getByText(
      'Notebook has moved to mcp.new.example. Connect again to use it there. Once it is connected again, this reply continues.',
    ),
  ).toBeTruthy()
})

it('does not tell how to go on with an integration that cannot be connected from the card', () => {
  const reconnect = { kind: 'moved', host: 'mcp.new.example' } as const
  renderCards(anApprovalRequest({ kind: 'reconnect', integration: 'Notebook', reconnect, mcp_id: null }))
  expect(
    screen.getByText('Notebook has moved to mcp.new.example. Connect again to use it there.'),
  ).toBeTruthy()
})

it.each([
  ['a request that was asked now is open, though the clock of the device is two days ahead', 0, 'Approve'],
  [
    'a request of last month has expired, though the clock of the device is behind',
    -30,
    'Continue without it',
  ],
])('%s', (_name, askedDays, button) => {
  const dayMs = 86_400_000
  const serverTime = Date.parse('2026-11-26T12:00:00Z')
  vi.useFakeTimers({ now: serverTime + (askedDays === 0 ? 2 : -30) * dayMs })
  onTestFinished(() => {
    noteServerTime(new Headers({ date: new Date().toUTCString() }))
    vi.useRealTimers()
  })
  noteServerTime(new Headers({ date: new Date(serverTime).toUTCString() }))
  renderCards(anApprovalRequest({ asked_at: new Date(serverTime + askedDays * dayMs).toISOString() }))
  expect(screen.getByRole('button', { name: button })).toBeTruthy()
})
