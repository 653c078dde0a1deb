import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ToolCall } from '#shared/contracts/chat.ts'
import type { ChatEvent } from '#shared/chat-events.ts'
import { foldReply } from '#shared/reply/fold-reply.ts'
import { toToolCall } from '#shared/reply/reply-state.ts'
import { emptyReply, isCallEnded, type ReplyCall } from '#shared/reply/reply-state.ts'
import { getActivityKind } from './activity-kind.ts'
import { ToolCallList, LiveToolCallList } from './tool-call-list.tsx'
import { formatToolName, summariseToolCall } from '../calls/tool-summary.ts'

const translations = vi.hoisted(() => new Map<string, string>())
vi.mock('../../../lib/text/translate-name.ts', () => ({
  translateName: (name: string) => translations.get(name) ?? name,
}))
vi.mock('../../../lib/text/translate-sentences.ts', () => ({
  translateSentences: (sentence: string) => translations.get(sentence) ?? sentence,
}))

const applyToolEvent = (toolCalls: readonly ReplyCall[], event: ChatEvent) =>
  foldReply({ ...emptyReply, toolCalls }, event).toolCalls
const toFinishedToolCalls = (calls: readonly ReplyCall[]) =>
  calls.filter(isCallEnded).map((one) => toToolCall(one))

const call = (result: ToolCall['result'], overrides: Partial<ToolCall> = {}): ToolCall => ({
  tool: 'gmail_get_emails',
  action: 'Read e-mails',
  integration: 'Gmail',
  parameters: { query: 'newer_than:14d', maxResults: 3 },
  result,
  ...overrides,
})
const emailsResult = {
  success: true,
  data: {
    emails: [
      { id: 'x1', subject: 'Prices', from: 'Altura' },
      { id: 'x2', subject: 'Note', from: 'Depot' },
    ],
  },
}

it('CHAT-14 a call is one line, green when it succeeded and red otherwise, which expands to arguments and result', async () => {
  render(
    <ToolCallList
      calls={[
        call(emailsResult),
        call(
          { success: false, error: 'refused, no access\ndetails' },
          { tool: 'hubspot_get_contacts', action: 'Read contacts', integration: 'HubSpot' },
        ),
      ]}
    />,
  )
  const [succeededLine, failedLine] = screen.getAllByRole('button')
  expect([succeededLine?.textContent, succeededLine?.className]).toEqual([
    'Gmail · Read e-mails · 2 results',
    expect.stringContaining('success'),
  ])
  expect([failedLine?.textContent, failedLine?.className]).toEqual([
    'HubSpot · Read contacts · refused, no access',
    expect.stringContaining('danger'),
  ])
  expect(screen.getByLabelText('Succeeded')).toBeTruthy()
  expect(screen.getByLabelText('Failed')).toBeTruthy()
  fireEvent.click(succeededLine!)
  expect(await screen.findByText('Arguments')).toBeTruthy()
  expect(screen.getByText('newer_than:14d')).toBeTruthy()
  expect(screen.getByText('Prices')).toBeTruthy()
  expect(screen.queryByText('x1')).toBeNull()
  fireEvent.click(failedLine!)
  expect(await screen.findByText('Error')).toBeTruthy()
})

it('one e-mail is shown with its text, line by line, and its attachments', async () => {
  const mail = {
    id: 'x1',
    subject: 'Prices',
    from: 'Altura',
    snippet: 'Dear all,',
    attachments: [
      { name: 'prices.pdf', type: 'application/pdf', size: 7_300 },
      { name: 'Re: Note', type: 'message/rfc822' },
    ],
    text: 'Dear all,\n\nprices rise\u202e in May.',
  }
  const { rerender } = render(
    <ToolCallList calls={[call({ success: true, data: { emails: [mail], more: false } })]} />,
  )
  expect(screen.getByRole('button').textContent).toBe('Gmail · Read e-mails · 1 result')
  fireEvent.click(screen.getByRole('button'))
  expect((await screen.findByText('text')).nextElementSibling?.textContent).toMatch(
    /^Dear all,\n\nprices rise(?!\u202e).* in May\.$/,
  )
  expect(screen.getByText('attachments').nextElementSibling?.textContent).toBe(
    'name: prices.pdf, type: application/pdf, size: 7300\nname: Re: Note, type: message/rfc822',
  )
  expect(screen.getByText('Altura · Dear all,')).toBeTruthy()
  const short = { ...mail, attachments: [], text: 'Dear all,' }
  rerender(<ToolCallList calls={[call({ success: true, data: { emails: [short] } })]} />)
  expect(screen.queryByText('attachments')).toBeNull()
  expect(screen.queryByText('text')).toBeNull()
  rerender(<ToolCallList calls={[call({ success: true, data: { emails: [mail, mail] } })]} />)
  expect(screen.queryByText('text')).toBeNull()
})

it.each(['The user denied this call.', 'The user did not connect it again.'])(
  'DEC-173 a call that the user declined is not shown as failed: %s',
  (error) => {
    const deniedCall = call({ success: false, error })
    const { rerender } = render(<ToolCallList calls={[deniedCall]} />)
    expect(screen.getByLabelText('Denied')).toBeTruthy()
    expect(screen.queryByLabelText('Failed')).toBeNull()
    expect(screen.getByRole('button').className).not.toMatch(/danger|success/)
    rerender(
      <ToolCallList calls={[deniedCall, call(emailsResult), call(emailsResult), call(emailsResult)]} />,
    )
    const line = screen.getByRole('button')
    expect(line.textContent).toBe('Used 4 tools, 1 denied')
    expect(line.className).toContain('success')
    rerender(
      <ToolCallList
        calls={[deniedCall, call(emailsResult), call(emailsResult), call({ success: false, error: 'x' })]}
      />,
    )
    expect(screen.getByRole('button').textContent).toBe('Used 4 tools, 1 failed, 1 denied')
  },
)

it('the reason of a call without a result is in the language of the page', () => {
  translations.set('The user denied this call.', 'Sie haben diesen Aufruf abgelehnt.')
  const { outcome } = summariseToolCall(call({ success: false, error: 'The user denied this call.' }))
  expect(outcome).toBe('Sie haben diesen Aufruf abgelehnt.')
  translations.clear()
})

it.each([
  ['\r\nNo such file\r\nat line 3', 'No such file'],
  [' \n', 'failed'],
])('the line about a failed call has the first line of its reason: %j', (error, outcome) => {
  expect(summariseToolCall(call({ success: false, error })).outcome).toBe(outcome)
})

it('CHAT-14 more than three calls are collapsed into one line, red when one of them failed', () => {
  const calls = [1, 2, 3, 4].map((number) => call(number === 4 ? { success: false } : emailsResult))
  render(<ToolCallList calls={calls} />)
  const group = screen.getByRole('button', { name: 'Used 4 tools, 1 failed' })
  expect(group.className).toContain('danger')
  fireEvent.click(group)
  expect(screen.getAllByRole('button')).toHaveLength(5)
})

it('CAP-02 a running call has a line too, named after its integration and title', () => {
  const activity = { kind: 'other', title: 'Read e-mails', integration: 'Gmail' } as const
  render(
    <LiveToolCallList
      calls={[
        { id: '1', name: 'web_search', input: {}, status: 'running' },
        { id: '2', name: 'gmail_get_emails', input: {}, status: 'running', activity },
      ]}
    />,
  )
  expect(screen.getByText('Gmail · Read e-mails')).toBeTruthy()
  expect(screen.getByText('Web search')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

it('tracks calls from start to end', () => {
  let calls: readonly ReplyCall[] = []
  const start = (toolCallId: string) => {
    calls = applyToolEvent(calls, {
      type: 'tool-input-available',
      toolCallId,
      toolName: `t${toolCallId}`,
      input: { a: 1 },
    })
  }
  for (const id of ['1', '2', '3', '4']) start(id)
  calls = applyToolEvent(calls, { type: 'tool-output-available', toolCallId: '1', output: [1] })
  calls = applyToolEvent(calls, { type: 'tool-output-error', toolCallId: '2', errorText: 'no' })
  calls = applyToolEvent(calls, { type: 'tool-output-denied', toolCallId: '3' })
  calls = applyToolEvent(calls, { type: 'tool-output-available', toolCallId: 'unknown', output: 1 })
  expect(toFinishedToolCalls(calls)).toMatchObject([
    { tool: 't1', action: 't1', parameters: { a: 1 }, result: { success: true, data: [1] } },
    { tool: 't2', action: 't2', parameters: { a: 1 }, result: { success: false, error: 'no' } },
    {
      tool: 't3',
      action: 't3',
      parameters: { a: 1 },
      result: { success: false, error: 'The user denied this call.' },
    },
  ])
})

it.each([
  ['generate_image', 'image_generation'],
  ['make_video', 'video_generation'],
  ['web_search', 'research'],
  ['read_attachment', 'document_analysis'],
  ['pdf_to_text', 'document_analysis'],
  ['send_email', 'other'],
  ['withdraw_money', 'other'],
  ['create_webhook', 'other'],
])('CHAT-24 DEC-113 a call of %s is shown as %s', (name, kind) => {
  expect(getActivityKind([{ id: '1', name, input: {}, status: 'running' }], [])).toBe(kind)
})

it('shows calls apart that the model gave the same id, one after the other', () => {
  const done: ReplyCall = { id: '1', name: 'send_email', input: {}, status: 'done', output: 'sent' }
  render(<LiveToolCallList calls={[done, { ...done, name: 'web_search', status: 'running' }]} />)
  expect(screen.getByText('Send email')).toBeTruthy()
  expect(screen.getByText('Web search')).toBeTruthy()
})

it('says that a query failed if its error has no text', async () => {
  render(
    <ToolCallList
      calls={[call({ success: false, error: '' }, { tool: 'query_table', integration: undefined as never })]}
    />,
  )
  fireEvent.click(screen.getByRole('button'))
  expect(await screen.findByText('The call failed.')).toBeTruthy()
})

it('CHAT-24 DEC-042 the activity comes from a running tool, else from the attachments', () => {
  const liveCall = (status: ReplyCall['status']): ReplyCall => ({
    id: '1',
    name: 'web_search',
    input: {},
    status,
  })
  const document = { name: 'a.pdf', type: '' }
  const film = { name: 'a.mp4', type: '' }
  expect(getActivityKind([liveCall('running')], [document])).toBe('research')
  const callWithActivity = { ...liveCall('running'), activity: { kind: 'video_generation' } as const }
  expect(getActivityKind([callWithActivity], [])).toBe('video_generation')
  expect(getActivityKind([liveCall('done')], [film, document])).toBe('document_analysis')
  expect(getActivityKind([], [film])).toBe('file_upload')
  expect(getActivityKind([], [])).toBe('chat')
})

it('shows readable names of integrations', () => {
  expect(['google-drive', 'gmail', 'HubSpot'].map((tool) => formatToolName(tool))).toEqual([
    'Google drive',
    'Gmail',
    'HubSpot',
  ])
  const callWithoutIntegration = { tool: 'list_all', action: 'list_all', parameters: {} }
  expect(
    summariseToolCall({ ...callWithoutIntegration, result: { success: true, data: { url: 'x' } } }),
  ).toEqual({
    integrationName: '',
    toolTitle: 'List all',
    outcome: '',
  })
  expect(summariseToolCall(call({ success: true, data: [1] })).outcome).toBe('1 result')
})

it('CHAT-14 hides values that look like secrets', async () => {
  const secret = { api_key: 'abc123', note: 'Bearer abcdefghijklmnopqrstuvwxyz' }
  render(
    <ToolCallList calls={[call({ success: true, data: secret }, { parameters: { password: 'p4ss' } })]} />,
  )
  fireEvent.click(screen.getByRole('button'))
  await screen.findByText('Result')
  expect(document.body.textContent).not.toMatch(/abc123|abcdefghijkl|p4ss/)
})

const people = [
  { name: 'Ann', age: 31, 'e-mail': '=cmd()' },
  { name: 'Bo', active: true },
]

it.each([
  ['a list of flat objects', people],
  ['an object with one such list', { total: 2, people }],
])('DEC-183 %s of an MCP server opens as a table that can be copied', async (_, data) => {
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined)
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  render(<ToolCallList calls={[call({ success: true, data, structured: true, totalRows: 7 })]} />)
  fireEvent.click(screen.getByRole('button'))
  const table = await screen.findByRole('table')
  expect(
    [...table.querySelectorAll('tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
  ).toEqual([
    ['name', 'age', 'e-mail', 'active'],
    ['Ann', '31', '=cmd()', ''],
    ['Bo', '', '', 'true'],
  ])
  expect(screen.getByText('2 of 7 rows')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Copy table as CSV' }))
  await waitFor(() =>
    expect(writeText).toHaveBeenCalledWith("name,age,e-mail,active\r\nAnn,31,'=cmd(),\r\nBo,,,true\r\n"),
  )
  vi.unstubAllGlobals()
})

it('shows the first 200 rows of a long table, and how many there are', async () => {
  const rows = Array.from({ length: 201 }, (_, id) => ({ id }))
  render(<ToolCallList calls={[call({ success: true, data: rows, structured: true })]} />)
  fireEvent.click(screen.getByRole('button'))
  expect((await screen.findByRole('table')).querySelectorAll('tr')).toHaveLength(201)
  expect(screen.getByText('200 of 201 rows')).toBeTruthy()
})

it.each([
  ['nested', { rows: [{ a: { b: 1 } }] }, '"b": 1'],
  ['two lists', { a: [{ x: 1 }], b: [{ y: 2 }] }, '"y": 2'],
  ['a secret', { rows: [{ nested: {} }], api_key: 'abc123' }, '"nested"'],
])('shows structured data that is not a table as JSON: %s', async (_, data, text) => {
  render(<ToolCallList calls={[call({ success: true, data, structured: true })]} />)
  fireEvent.click(screen.getByRole('button'))
  expect(await screen.findByText((content) => content.includes(text))).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
  expect(document.body.textContent).not.toContain('abc123')
})

it('the title of a linked row that has another address stands beside the host of its link', () => {
  const emails = [
    { subject: 'https://bank.example/mails.example', link: 'https://evil.example/1' },
    { subject: 'Prices', link: 'https://mails.example/2' },
  ]
  render(<ToolCallList calls={[call({ success: true, data: { emails } })]} />)
  fireEvent.click(screen.getByRole('button'))
  expect(screen.getAllByRole('link').map(({ parentElement }) => parentElement?.textContent)).toEqual([
    'https://bank.example/mails.exampleevil.example',
    'Prices',
  ])
})

it('DEC-183 shows web links of results below the calls, with their host, and opens them without opener and referrer', () => {
  const links = [
    { url: 'https://charts.example/1', title: 'https://bank.example' },
    { url: 'javascript:alert(1)', title: 'A trap' },
    { url: 'data:text/html,x', title: 'Another' },
  ]
  const notes = ['large.png was left out: it has more than 5 MB.']
  const { unmount } = render(
    <ToolCallList calls={[1, 2, 3, 4].map(() => call({ ...emailsResult, links, notes }))} />,
  )
  expect(screen.getAllByRole('link')).toHaveLength(4)
  const [link] = screen.getAllByRole('link')
  expect([link?.getAttribute('href'), link?.getAttribute('rel'), link?.getAttribute('target')]).toEqual([
    'https://charts.example/1',
    'noopener noreferrer',
    '_blank',
  ])
  expect(link?.parentElement?.textContent).toBe('https://bank.examplecharts.example')
  expect(screen.queryByText('A trap')).toBeNull()
  expect(screen.getAllByText(notes[0]!)).toHaveLength(4)
  unmount()
  const start: ChatEvent = {
    type: 'tool-input-available',
    toolCallId: '1',
    toolName: 't',
    input: {},
  }
  let calls = applyToolEvent([], start)
  calls = applyToolEvent(calls, { type: 'data-result-extras', data: { toolCallId: '1', links } })
  calls = applyToolEvent(calls, { type: 'tool-output-available', toolCallId: '1', output: 1 })
  render(<LiveToolCallList calls={calls} />)
  expect(screen.getAllByRole('link')).toHaveLength(1)
  expect(toFinishedToolCalls(calls)[0]?.result).toEqual({ success: true, data: 1, links })
})

/** A text of a server with a character that reverses the text after it, and a secret. */
const hostile = 'pay \u202eeur 5, password: hunter22'
const harmless = 'pay [U+202E]eur 5, password: ••••••••'

it.each<[string, Partial<ToolCall>]>([
  ['a question of the server', { elicited: [{ message: hostile, action: 'decline' }] }],
  ['an answer of the user', { elicited: [{ message: 'a', action: 'accept', content: { a: hostile } }] }],
  ['the name of the server', { integration: hostile, elicited: [{ message: 'a', action: 'cancel' }] }],
  ['an error', { result: { success: false, error: hostile } }],
  ['an argument', { parameters: { a: hostile } }],
  ['a row of a result', { result: { success: true, data: [{ name: hostile, description: hostile }] } }],
  ['the meta data of a row', { result: { success: true, data: [{ name: 'a', amount: hostile }] } }],
  ['a field beside the rows', { result: { success: true, data: { rows: [], next: hostile } } }],
  ['a field of a table', { result: { success: true, structured: true, data: [{ a: hostile }] } }],
  [
    'a field beside a table',
    { result: { success: true, structured: true, data: { rows: [{ a: 1 }], next: hostile } } },
  ],
  ['a text', { result: { success: true, data: hostile } }],
  ['a note on a result', { result: { success: true, data: 'a', notes: [hostile] } }],
  ['a statement', { tool: 'query_table', integration: undefined, parameters: { sql: hostile } }],
  [
    'an error of a query',
    {
      tool: 'query_table',
      integration: undefined,
      parameters: {},
      result: { success: false, error: hostile },
    },
  ],
])('hidden characters are revealed and secrets masked in %s', async (_, overrides) => {
  const { container } = render(<ToolCallList calls={[call(emailsResult, overrides)]} />)
  expect(container.textContent).not.toMatch(/\u202e|hunter22/)
  fireEvent.click(screen.getAllByRole('button')[0]!)
  await waitFor(() => expect(container.textContent).toContain(harmless))
  expect(container.textContent).not.toMatch(/\u202e|hunter22/)
})

it('a running call reveals hidden characters in the names of its server and tool', () => {
  const activity = { kind: 'other', title: hostile, integration: hostile } as const
  const { container } = render(
    <LiveToolCallList calls={[{ id: '1', name: 'a', input: {}, status: 'running', activity }]} />,
  )
  expect(container.textContent).toContain(`${harmless} · ${harmless}`)
  expect(container.textContent).not.toMatch(/\u202e|hunter22/)
})

it.each([
  ['a list', { total: 7, rows: [{ name: 'a' }], empty: '' }, false],
  ['a table', { total: 7, rows: [{ name: 'a' }], empty: null }, true],
])('the details show the other fields of an object with %s', async (_, data, structured) => {
  const { container } = render(<ToolCallList calls={[call({ success: true, data, structured })]} />)
  fireEvent.click(screen.getByRole('button'))
  expect(await screen.findByText('total')).toBeTruthy()
  expect(screen.getByText('7')).toBeTruthy()
  expect(container.textContent).not.toContain('empty')
})

const page = (result: ToolCall['result'], url = 'https://elbe.example/tariffs?x=1') =>
  call(result, {
    tool: 'read_page',
    action: 'Read a page',
    integration: undefined as never,
    parameters: { url },
  })

it.each([
  [
    { success: true, data: { url: 'https://elbe.example/', words: 2_400 } },
    'Read elbe.example · 12 min of text',
  ],
  [
    { success: true, data: { url: 'https://www.elbe.example/', words: 3, truncated: true } },
    'Read www.elbe.example · 1 min of text, not all of it',
  ],
  [{ success: true, data: { url: 'https://elbe.example/', words: 0 } }, 'Read elbe.example · no text'],
  [
    { success: false, error: 'elbe.example asks for a sign-in (401).' },
    'elbe.example was not read · elbe.example asks for a sign-in (401).',
  ],
])('the line of a page: %j', (result, line) => {
  render(<ToolCallList calls={[page(result)]} />)
  expect(screen.getByRole('button').textContent).toBe(line)
})

it('a page that was read opens to its address, its title and what is kept', async () => {
  const data = { url: 'https://elbe.example/tariffs', title: 'Tariffs', words: 300, note: 'Only a part.' }
  const { container } = render(<ToolCallList calls={[page({ success: true, data })]} />)
  fireEvent.click(screen.getByRole('button'))
  await screen.findByText('https://elbe.example/tariffs')
  for (const text of ['Tariffs', 'The text, with this chat. Deleted with it.', 'Only a part.'])
    expect(container.textContent).toContain(text)
})
