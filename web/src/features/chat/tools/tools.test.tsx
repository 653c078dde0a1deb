import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { toolsAfter, toolsToShow, type ShownTool } from './live-tool-calls.ts'
import { activityOf, thinkingType } from './thinking-type.ts'
import { ToolCalls, ToolLines } from './tool-call-list.tsx'
import { readable, summaryOf } from './tool-summary.ts'

const call = (result: ToolCall['result'], rest: Partial<ToolCall> = {}): ToolCall => ({
  tool: 'gmail_get_emails',
  action: 'Read e-mails',
  integration: 'Gmail',
  parameters: { query: 'newer_than:14d', maxResults: 3 },
  result,
  ...rest,
})
const emails = {
  success: true,
  data: {
    emails: [
      { id: 'x1', subject: 'Prices', from: 'Altura' },
      { id: 'x2', subject: 'Note', from: 'Depot' },
    ],
  },
}

it('CHAT-14 a call is one line, green when it succeeded and red otherwise, opening to arguments and result', async () => {
  render(
    <ToolCalls
      calls={[
        call(emails),
        call(
          { success: false, error: 'refused, no access\ndetails' },
          { tool: 'hubspot_get_contacts', action: 'Read contacts', integration: 'HubSpot' },
        ),
      ]}
    />,
  )
  const [good, bad] = screen.getAllByRole('button')
  expect([good?.textContent, good?.className]).toEqual([
    'Gmail · Read e-mails · 2 results',
    expect.stringContaining('success'),
  ])
  expect([bad?.textContent, bad?.className]).toEqual([
    'HubSpot · Read contacts · refused, no access',
    expect.stringContaining('danger'),
  ])
  expect(screen.getByLabelText('Succeeded')).toBeTruthy()
  expect(screen.getByLabelText('Failed')).toBeTruthy()
  fireEvent.click(good!)
  expect(await screen.findByText('Arguments')).toBeTruthy()
  expect(screen.getByText('newer_than:14d')).toBeTruthy()
  expect(screen.getByText('Prices')).toBeTruthy()
  expect(screen.queryByText('x1')).toBeNull()
  fireEvent.click(bad!)
  expect(await screen.findByText('Error')).toBeTruthy()
})

it.each(['The user denied this call.', 'The user did not connect it again.'])(
  'DEC-173 a call that the user did not want is no failure: %s',
  (error) => {
    const denied = call({ success: false, error })
    const { rerender } = render(<ToolCalls calls={[denied]} />)
    expect(screen.getByLabelText('Denied')).toBeTruthy()
    expect(screen.queryByLabelText('Failed')).toBeNull()
    expect(screen.getByRole('button').className).not.toMatch(/danger|success/)
    rerender(<ToolCalls calls={[denied, call(emails), call(emails), call(emails)]} />)
    const line = screen.getByRole('button')
    expect(line.textContent).toBe('Used 4 tools, 1 denied')
    expect(line.className).toContain('success')
    rerender(<ToolCalls calls={[denied, call(emails), call(emails), call({ success: false, error: 'x' })]} />)
    expect(screen.getByRole('button').textContent).toBe('Used 4 tools, 1 failed, 1 denied')
  },
)

it('CHAT-14 several calls fold into one line, red when one of them failed', () => {
  const calls = [1, 2, 3, 4].map((number) => call(number === 4 ? { success: false } : emails))
  render(<ToolCalls calls={calls} />)
  const group = screen.getByRole('button', { name: 'Used 4 tools, 1 failed' })
  expect(group.className).toContain('danger')
  fireEvent.click(group)
  expect(screen.getAllByRole('button')).toHaveLength(5)
})

it('CAP-02 a call that runs has a line too, named after its integration and title', () => {
  const activity = { kind: 'other', title: 'Read e-mails', integration: 'Gmail' } as const
  render(
    <ToolLines
      tools={[
        { id: '1', name: 'web_search', input: {}, status: 'running' },
        { id: '2', name: 'gmail_get_emails', input: {}, status: 'running', activity },
      ]}
    />,
  )
  expect(screen.getByText('Gmail · Read e-mails')).toBeTruthy()
  expect(screen.getByText('Web search')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

it('follows calls from their start to their end', () => {
  let tools: readonly ShownTool[] = []
  const start = (toolCallId: string) => {
    tools = toolsAfter(tools, {
      type: 'tool-input-available',
      toolCallId,
      toolName: `t${toolCallId}`,
      input: { a: 1 },
    })
  }
  for (const id of ['1', '2', '3', '4']) start(id)
  tools = toolsAfter(tools, { type: 'tool-output-available', toolCallId: '1', output: [1] })
  tools = toolsAfter(tools, { type: 'tool-output-error', toolCallId: '2', errorText: 'no' })
  tools = toolsAfter(tools, { type: 'tool-output-denied', toolCallId: '3' })
  tools = toolsAfter(tools, { type: 'tool-output-available', toolCallId: 'unknown', output: 1 })
  expect(toolsToShow(tools)).toEqual([
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
  ['send_email', 'other'],
])('CHAT-24 DEC-113 %s shows as %s', (name, type) => {
  expect(activityOf(name)).toBe(type)
})

it('CHAT-24 DEC-042 the type follows what the page knows', () => {
  const tool = (status: ShownTool['status']): ShownTool => ({
    id: '1',
    name: 'web_search',
    input: {},
    status,
  })
  const document = { name: 'a.pdf', type: '' }
  const film = { name: 'a.mp4', type: '' }
  expect(thinkingType([tool('running')], [document])).toBe('research')
  const declared = { ...tool('running'), activity: { kind: 'video_generation' } as const }
  expect(thinkingType([declared], [])).toBe('video_generation')
  expect(thinkingType([tool('done')], [film, document])).toBe('document_analysis')
  expect(thinkingType([], [film])).toBe('file_upload')
  expect(thinkingType([], [])).toBe('chat')
})

it('names services readably', () => {
  expect([readable('google-drive'), readable('gmail'), readable('HubSpot')]).toEqual([
    'Google drive',
    'Gmail',
    'HubSpot',
  ])
  const own = { tool: 'list_all', action: 'list_all', parameters: {} }
  expect(summaryOf({ ...own, result: { success: true, data: { url: 'x' } } })).toEqual({
    service: '',
    action: 'List all',
    outcome: '',
  })
  expect(summaryOf(call({ success: true, data: [1] })).outcome).toBe('1 result')
})

it('CHAT-14 does not show what looks like a secret', async () => {
  const secret = { api_key: 'abc123', note: 'Bearer abcdefghijklmnopqrstuvwxyz' }
  render(<ToolCalls calls={[call({ success: true, data: secret }, { parameters: { password: 'p4ss' } })]} />)
  fireEvent.click(screen.getByRole('button'))
  await screen.findByText('Result')
  expect(document.body.textContent).not.toMatch(/abc123|abcdefghijkl|p4ss/)
})
