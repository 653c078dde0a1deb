import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { anApprovalRequest } from '../../../../../test/support/chat-server.ts'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { unlockCards } from '../../../../../test/support/unlock-cards.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { ToolsContext, type ToolsQuery } from '../../../lib/conversations/tool-picker-context.ts'
import type { Conversation } from '../state/conversation.ts'
import { ApprovalCards } from './approval-cards.tsx'

const decide = vi.fn<Conversation['decide']>()
let conversation: ReturnType<typeof fakeConversation>
beforeEach(() => {
  decide.mockReset()
  conversation = fakeConversation({}, { decide })
})

const creation = {
  prompt: 'Read my unread mail',
  rule: { kind: 'weekly', days: ['mo', 'th'], time: '08:00' },
  time_zone: 'Europe/Vienna',
  run_without_asking: [
    { name: 'create_draft', title: 'Create a draft', integration: 'Gmail', fingerprint: 'f'.repeat(32) },
  ],
  notify: ['push'],
  max_cost_per_run: 0.02,
}
const { prompt, rule, time_zone } = creation
const before = { prompt, rule, time_zone, writes: 'ask', notify: ['push'], is_paused: false }
const change = { id: 'a', version: 2, before }

async function renderCard(
  args: ApprovalRequest['arguments'],
  more: Partial<ApprovalRequest> = {},
  tools: ToolsQuery | null = null,
) {
  const approval = anApprovalRequest({
    tool: 'before' in args ? 'change_schedule' : 'create_schedule',
    title: 'Create schedule',
    integration: null,
    mcp_id: null,
    arguments: args,
    ...more,
  })
  render(
    <ToolsContext value={tools}>
      <ApprovalCards conversation={conversation} approvals={[approval]} assistantName="Juno" />
    </ToolsContext>,
    { wrapper: PageProviders },
  )
  return screen.findByRole('group', { name: /\?$/ })
}
const press = (name: string) => {
  unlockCards()
  return act(async () => fireEvent.click(screen.getByRole('button', { name })))
}
/** Times of newer locale data have a narrow space. */
const read = (card: HTMLElement) => card.textContent.replaceAll('\u202f', ' ')
const buttons = (card: HTMLElement) =>
  within(card)
    .getAllByRole('button')
    .map(({ textContent }) => textContent)

it('reads like the schedule: when, what, which tools run unasked and what it may cost, without Always allow', async () => {
  const card = await renderCard(creation)
  expect(read(card)).toContain('Create this schedule?')
  expect(read(card)).toContain('Every Monday and Thursday at 8:00 AM (Europe/Vienna)')
  expect(read(card)).toMatch(/Next: (?:Mon|Thu), \w{3} \d+, 8:00 AM · .* · .*8:00 AM/)
  expect(read(card)).toContain('Read my unread mail')
  expect(read(card)).toMatch(/Without asking:Create a draft, Gmail create_draft/)
  expect(read(card)).toContain('At most about $0.18 a month: 9 runs of up to 50,000 tokens each')
  expect(buttons(card)).toEqual(['Approve', 'Deny', 'Edit'])
  await press('Approve')
  await press('Deny')
  expect(decide.mock.calls).toEqual([[{ callId: 'c1', approved: true }], [{ callId: 'c1', approved: false }]])
})

it.each([
  ['once', { kind: 'once', at: '2999-12-01T08:00' }, 'One run of up to 50,000 tokens'],
  ['every hour', { kind: 'hourly', minute: 5 }, '731 runs a month'],
  ['every day', { kind: 'daily', time: '08:00' }, '30 runs a month'],
  ['every month', { kind: 'monthly', day: 'last', time: '08:00' }, '1 run a month'],
])('says how often it runs, where no price is known: %s', async (_, other, expected) => {
  const { max_cost_per_run: __, ...args } = creation
  const card = await renderCard({ ...args, rule: other, run_without_asking: [] })
  expect(read(card)).toContain(expected)
  expect(read(card)).toContain('Asks you each time before it writes')
})

it('sends text and time as they were edited, and nothing that is incomplete', async () => {
  const card = await renderCard(creation)
  await press('Edit')
  const text = within(card).getByLabelText('Does')
  expect(document.activeElement).toBe(text)
  fireEvent.change(text, { target: { value: '' } })
  expect(within(card).getByRole('button', { name: 'Approve' })).toHaveProperty('disabled', true)
  fireEvent.change(text, { target: { value: 'Read the news' } })
  fireEvent.change(within(card).getByLabelText('Time'), { target: { value: '09:30' } })
  expect(read(card)).toContain('Every Monday and Thursday at 9:30 AM')
  await press('Approve')
  expect(decide).toHaveBeenCalledWith({
    callId: 'c1',
    approved: true,
    arguments: { ...creation, prompt: 'Read the news', rule: { ...rule, time: '09:30' } },
  })
})

it('edits all that the page of schedules edits: day, zone, tools and channels', async () => {
  const tools = {
    data: [
      {
        id: 'gmail',
        name: 'Gmail',
        capabilities: [
          { tool: 'create_draft', name: 'Create a draft', writes: true },
          { tool: 'send_email', name: 'Send an e-mail', writes: true },
        ],
      } as unknown as IntegrationTools,
    ],
    error: null,
    refetch: async () => undefined,
  }
  const card = await renderCard(creation, {}, tools)
  await press('Edit')
  const field = (label: string) => within(card).getByLabelText(label)
  fireEvent.change(field('Time zone'), { target: { value: 'Asia/Tokyo' } })
  fireEvent.click(field('Thursday'))
  expect(read(card)).toContain('Every Monday at 8:00 AM (Asia/Tokyo)')
  fireEvent.click(within(card).getByRole('checkbox', { name: /Send an e-mail/ }))
  expect(read(card)).toContain('Send an e-mail, Gmail send_email')
  unlockCards()
  fireEvent.click(within(card).getByRole('switch', { name: 'By e-mail' }))
  expect(read(card)).toContain('by notification and by e-mail')
  await press('Approve')
  expect(decide).toHaveBeenCalledWith({
    callId: 'c1',
    approved: true,
    arguments: {
      ...creation,
      rule: { ...rule, days: ['mo'] },
      time_zone: 'Asia/Tokyo',
      run_without_asking: [
        ...creation.run_without_asking,
        { name: 'send_email', title: 'Send an e-mail', integration: 'Gmail' },
      ],
      notify: ['push', 'mail'],
    },
  })
})

it('a change that is edited names what differs from it, and one that is taken back is approved as it was asked', async () => {
  const asked = { ...change, rule: { kind: 'daily', time: '07:00' } }
  const card = await renderCard(asked)
  await press('Edit')
  const text = within(card).getByLabelText('Does')
  fireEvent.change(text, { target: { value: 'Read the news' } })
  fireEvent.change(text, { target: { value: 'Read my unread mail' } })
  await press('Approve')
  expect(decide).toHaveBeenLastCalledWith({ callId: 'c1', approved: true })
  fireEvent.change(text, { target: { value: 'Read the news' } })
  await press('Approve')
  expect(decide).toHaveBeenLastCalledWith({
    callId: 'c1',
    approved: true,
    arguments: { ...asked, prompt: 'Read the news' },
  })
})

it('names whose text was read, and shows what is hidden in it', async () => {
  const card = await renderCard(
    { ...creation, prompt: 'Read my mail\u202e' },
    { untrusted: [{ kind: 'file', names: ['letter.txt'] }] },
  )
  expect(read(card)).toContain('Juno has read text here that is not yours: files (“letter.txt”).')
  expect(read(card)).toContain('Read my mail[U+202E]')
})

it.each([
  [
    'changed',
    { rule: { kind: 'daily', time: '07:00' } },
    'Change this schedule?',
    ['Approve', 'Deny', 'Edit'],
  ],
  ['deleted', { delete: true }, 'Delete this schedule?', ['Approve', 'Deny']],
  ['paused', { paused: true }, 'Pause this schedule?', ['Approve', 'Deny']],
  ['continued', { paused: false }, 'Continue this schedule?', ['Approve', 'Deny']],
  [
    'paused and changed',
    { paused: true, notify: ['mail'] },
    'Change this schedule?',
    ['Approve', 'Deny', 'Edit'],
  ],
])('a schedule that is %s is shown as it is and as it will be', async (_, more, title, expected) => {
  const card = await renderCard({ ...change, ...more })
  expect(read(card)).toContain(title)
  expect(read(card)).toContain('Read my unread mail')
  expect(buttons(card)).toEqual(expected)
  const isNewTime = 'rule' in more
  expect(/Every day at 7:00 AM.*Until now: Every Monday and Thursday at 8:00 AM/.test(read(card))).toBe(
    isNewTime,
  )
})

it.each([
  ['has more than the card shows', { ...creation, secret: 'x' }],
  ['has an argument that every object inherits', { ...creation, hasOwnProperty: 'id' }],
  ['has a rule of a later release', { ...creation, rule: { kind: 'yearly' } }],
  ['has a zone of a later release', { ...creation, time_zone: 'Mars/Olympus' }],
  ['has a channel of a later release', { ...creation, notify: ['carrier pigeon'] }],
])('what %s is shown as it is', async (_, args) => {
  const card = await renderCard(args)
  expect(read(card)).toContain('Create schedule?')
  expect(within(card).getByText(/This is exactly what will be sent/)).toBeTruthy()
})

it('a tool of a server that has the same name has the card of tools', async () => {
  const card = await renderCard(creation, { integration: 'Eve', mcp_id: 'eve' })
  expect(buttons(card)).toContain('Always allow')
})
