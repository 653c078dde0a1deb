import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { describe, expect, it, vi } from 'vitest'
import { shown } from './chat-message.ts'
import { EmptyState } from './empty-state.tsx'
import { ErrorBlock } from './error-block.tsx'
import { MessageRow } from './message-row.tsx'
import { ThinkingIndicator } from './thinking-indicator.tsx'

const message = (role: 'user' | 'assistant', content: string) =>
  shown({
    id: 'm',
    session_id: 's',
    role,
    content,
    attachments: [],
    tool_calls: [],
    created_at: '2026-11-20T09:05:00',
  })
const row = { assistantName: 'Ada', far: false, latest: true }

describe('the empty state', () => {
  it('CHAT-02 CHAT-04 CHAT-09 greets', () => {
    render(<EmptyState assistantName="Ada" connectedIntegrations={undefined} onPrompt={() => {}} />)
    expect(screen.getByRole('heading', { name: "Hi, I'm Ada" })).toBeTruthy()
    expect(screen.getByText('Your AI assistant with powerful capabilities')).toBeTruthy()
    expect(screen.getByText('Start by typing a message or choosing a quick action above')).toBeTruthy()
  })

  it.each([
    [1, 'Your AI assistant with 1 connected integration'],
    [2, 'Your AI assistant with 2 connected integrations'],
    [0, 'Your AI assistant with powerful capabilities'],
    [undefined, 'Your AI assistant with powerful capabilities'],
  ])('CHAT-03 CHAT-04 DEC-044 says with %s connected: %s', (connected, line) => {
    render(
      <MemoryRouter>
        <EmptyState assistantName="Ada" connectedIntegrations={connected} onPrompt={() => {}} />
      </MemoryRouter>,
    )
    expect(screen.getByText(line)).toBeTruthy()
    expect(screen.queryAllByRole('link', { name: 'connect a tool' })).toHaveLength(connected === 0 ? 1 : 0)
  })

  it('CHAT-05 CHAT-06 CHAT-07 CHAT-08 offers three prompts that are sent', () => {
    const onPrompt = vi.fn<(text: string) => void>()
    render(<EmptyState assistantName="Ada" connectedIntegrations={undefined} onPrompt={onPrompt} />)
    for (const button of screen.getAllByRole('button')) fireEvent.click(button)
    expect(onPrompt.mock.calls).toEqual([
      ['What can you help me with?'],
      ['Show my recent emails'],
      ['What integrations do I have?'],
    ])
  })
})

describe('a message', () => {
  it('CHAT-10 CHAT-17 CHAT-18 CHAT-19 shows text, bold, lines and time', () => {
    render(<MessageRow {...row} message={message('user', 'One **two**\n2 ** 3')} />)
    expect(screen.getByText('two').tagName).toBe('STRONG')
    expect(screen.getByText(/2 \*\* 3/).className).toContain('whitespace-pre-wrap')
    expect(screen.getByText('09:05').tagName).toBe('TIME')
  })

  it('CHAT-20 DEC-013 shows nothing once it was acted upon', () => {
    const acted = { ...message('assistant', 'Done'), actionResult: { ok: true } }
    expect(render(<MessageRow {...row} message={acted} />).container.innerHTML).toBe('')
  })

  it('copies itself', async () => {
    const writeText = vi.fn<Clipboard['writeText']>(async () => {})
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    render(<MessageRow {...row} message={message('user', '**as typed**')} />)
    fireEvent.click(screen.getByRole('button', { name: 'Copy message' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
    expect(writeText).toHaveBeenCalledWith('**as typed**')
  })

  it('offers a retry for what was not answered, and to go on with what is not complete', async () => {
    const onRetry = vi.fn<() => void>()
    const onContinue = vi.fn<() => void>()
    render(<MessageRow {...row} message={message('user', 'Hi')} onRetry={onRetry} />)
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(onRetry).toHaveBeenCalledOnce()
    const half = { ...message('assistant', 'Half'), ended: 'incomplete' as const }
    render(<MessageRow {...row} message={half} onContinue={onContinue} />)
    fireEvent.click(await screen.findByRole('button', { name: 'Continue' }))
    expect(onContinue).toHaveBeenCalledOnce()
  })
})

describe('the thinking indicator', () => {
  it('CHAT-11 CHAT-21 CHAT-22 DEC-042 says who thinks, with an icon of its own for each type', () => {
    const icons = (['chat', 'research', 'document_analysis', 'other'] as const).map((type) => {
      const view = render(<ThinkingIndicator assistantName="Ada" type={type} />)
      expect(screen.getByText('Ada is thinking...')).toBeTruthy()
      const { innerHTML } = view.container.querySelector('svg') ?? { innerHTML: '' }
      view.unmount()
      return innerHTML
    })
    expect(new Set(icons).size).toBe(4)
  })

  it('CHAT-23 shows progress only where there is a value', () => {
    const view = render(<ThinkingIndicator assistantName="Ada" type="file_upload" progress={0.4} />)
    expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(0.4)
    view.rerender(<ThinkingIndicator assistantName="Ada" type="file_upload" />)
    expect(screen.queryByRole('progressbar')).toBeNull()
  })
})

describe('the error block', () => {
  const error = {
    id: 'e',
    kind: 'service' as const,
    sentence: 'Service error: x',
    at: Date.parse('2026-11-20T10:04:00'),
  }

  it('CHAT-12 CHAT-27 CHAT-28 is titled Error, with message and time', () => {
    render(<ErrorBlock error={error} onSignIn={() => {}} />)
    const block = screen.getByRole('alert')
    expect(block.textContent).toBe('Error10:04Service error: x')
    expect(block.className).toContain('bg-danger-soft')
  })

  it('offers what can be done', () => {
    const onRetry = vi.fn<() => void>()
    const onSignIn = vi.fn<() => void>()
    render(<ErrorBlock error={{ ...error, kind: 'authentication' }} onRetry={onRetry} onSignIn={onSignIn} />)
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    fireEvent.click(screen.getByRole('button', { name: 'Sign in again' }))
    expect([onRetry, onSignIn].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  })
})

describe('the waiting view', () => {
  it('CHAT-25 CHAT-26 names the document that is read', () => {
    render(<ThinkingIndicator assistantName="Ada" type="document_analysis" document="Plan.docx" />)
    expect(screen.getByText('Analyzing document...')).toBeTruthy()
    expect(screen.getByRole('status').textContent).toContain('Reading and analyzing "Plan.docx"...')
    expect(screen.queryByText('Ada is thinking...')).toBeNull()
  })
})

describe('actions of a message', () => {
  const onResend = vi.fn<(id: string, text: string) => boolean>(() => true)
  const onEdit = vi.fn<(id: string | undefined) => void>()

  it('the last reply can be asked for again', () => {
    const asked = { ...message('user', 'Hi'), id: 'q' }
    render(
      <MessageRow {...row} message={message('assistant', 'Hello')} onResend={onResend} regenerates={asked} />,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Regenerate' }))
    expect(onResend).toHaveBeenCalledWith('q', 'Hi')
  })

  it('a message of the user’s is edited in its place: Enter sends, Escape gives up', async () => {
    const props = { ...row, message: message('user', 'Hi'), onEdit, onResend }
    const view = render(<MessageRow {...props} />)
    fireEvent.click(screen.getByRole('button', { name: 'Edit message' }))
    expect(onEdit).toHaveBeenCalledWith('m')
    view.rerender(<MessageRow {...props} editing />)
    const field = await screen.findByLabelText('Edit your message')
    fireEvent.keyDown(field, { key: 'Escape' })
    expect(onEdit).toHaveBeenLastCalledWith(undefined)
    fireEvent.change(field, { target: { value: 'Hi there' } })
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(onResend).toHaveBeenLastCalledWith('m', 'Hi there')
  })
})
