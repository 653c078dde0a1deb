import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import { message as storedMessage } from '#shared/contracts/messages.ts'
import { maxMessageCharacters } from '#shared/limits.ts'
import { fakeConversation } from '../../../../test/support/fake-conversation.ts'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { PageProviders } from '../../../../test/support/render-page.tsx'
import { Toaster } from '../../components/ui/toaster.tsx'
import { editInputKey } from '../../lib/input/drafts.ts'
import { writeInput } from '../../lib/input/inputs.ts'
import { Greeting, QuickPrompts } from './empty-state.tsx'
import { ReplyText } from './markdown/reply-text.tsx'
import { ErrorBlock } from './messages/error-block.tsx'
import type { FinishedReplyProps } from './messages/finished-reply.tsx'
import { preloadMessageParts } from './messages/message-parts.tsx'
import type { MessageRowProps } from './messages/message-row.ts'
import { ReplyRow, ThinkingIndicator } from './messages/reply-row.tsx'
import { UserMessage } from './messages/user-message.tsx'
import { toChatMessage } from './state/chat-message.ts'

const message = (role: 'user' | 'assistant', content: string) =>
  toChatMessage({
    id: 'm',
    session_id: 's',
    role,
    content,
    attachments: [],
    tool_calls: [],
    created_at: '2026-11-20T09:05:00',
  })
// a part that is still loading when its test ends would fail a later test
beforeAll(async () => {
  await preloadMessageParts()
  const { unmount } = render(<ReplyText text="loaded" />)
  await screen.findByText('loaded', { selector: '.prose *' })
  unmount()
})

const rowProps = { deferLayout: false, isLast: true, onResend: () => false, onOpenImage: () => undefined }

const userProps = { isTemporary: false, isReplying: false, isUnanswered: false, hasReply: false }

type RowProps = MessageRowProps &
  Pick<FinishedReplyProps, 'message' | 'messageToResend' | 'onContinue'> & { editInputKey?: string }

/** The row of a message of the user, or of a reply. */
function MessageRow({ editInputKey: inputKey = 'edit', messageToResend, onContinue, ...row }: RowProps) {
  return (
    <PageProviders>
      {row.message.role === 'user' ? (
        <UserMessage {...userProps} {...row} editInputKey={inputKey} />
      ) : (
        <ReplyRow
          conversation={fakeConversation()}
          assistantName="Ada"
          {...row}
          messageToResend={messageToResend}
          onContinue={onContinue}
        />
      )}
    </PageProviders>
  )
}

describe('the empty state', () => {
  it('CHAT-02 CHAT-04 CHAT-09 shows a greeting, the abilities and a hint', () => {
    render(<Greeting assistantName="Ada" connectedCount={undefined} />)
    render(<QuickPrompts hasHint mayUseTools onPrompt={() => {}} />)
    expect(screen.getByRole('heading', { name: "Hi, I'm Ada" })).toBeTruthy()
    expect(screen.getByText('Your AI assistant with powerful capabilities')).toBeTruthy()
    expect(screen.getByText('Start by typing a message or choosing a quick action above')).toBeTruthy()
  })

  it.each([
    [1, 'Your AI assistant with 1 connected integration'],
    [2, 'Your AI assistant with 2 connected integrations'],
    [0, 'Your AI assistant with powerful capabilities'],
    [undefined, 'Your AI assistant with powerful capabilities'],
  ])('CHAT-03 CHAT-04 DEC-044 with %s connected integrations says: %s', (connectedCount, line) => {
    render(
      <MemoryRouter>
        <Greeting assistantName="Ada" connectedCount={connectedCount} />
        <QuickPrompts hasHint mayUseTools onPrompt={() => {}} />
      </MemoryRouter>,
    )
    expect(screen.getByText(line)).toBeTruthy()
  })

  it.each([
    ['CHAT-05', 0, 'What can you help me with?'],
    ['CHAT-06', 1, 'Show my recent emails'],
    ['CHAT-07', 2, 'What integrations do I have?'],
  ])('%s CHAT-08 sends the text of prompt %i: %s', (_, index, text) => {
    const onPrompt = vi.fn<(text: string) => void>()
    render(<QuickPrompts hasHint mayUseTools onPrompt={onPrompt} />)
    const buttons = screen.getAllByRole('button')
    expect(buttons).toHaveLength(3)
    if (buttons[index]) fireEvent.click(buttons[index])
    expect(onPrompt.mock.calls).toEqual([[text]])
  })
})

it('leads nobody to tools who may use none', () => {
  render(<QuickPrompts hasHint mayUseTools={false} onPrompt={() => {}} />)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'What can you help me with?',
  ])
  expect(screen.queryByRole('link')).toBeNull()
})

describe('a message', () => {
  it('CHAT-18 CHAT-19 shows bold text and keeps line breaks', () => {
    render(<MessageRow {...rowProps} message={message('user', 'One **two**\n2 ** 3')} />)
    expect(screen.getByText('two').tagName).toBe('STRONG')
    expect(screen.getByText(/2 \*\* 3/).className).toContain('whitespace-pre-wrap')
  })

  it('CHAT-17 shows its time', () => {
    render(<MessageRow {...rowProps} message={message('assistant', 'Hello')} />)
    expect(screen.getByText('9:05 AM').tagName).toBe('TIME')
    expect(screen.getByText('9:05 AM').getAttribute('datetime')).toContain('2026-11-20')
  })

  it('offers to copy only a message with text', () => {
    const { rerender } = render(<MessageRow {...rowProps} message={message('assistant', 'Hello')} />)
    expect(screen.getByRole('button', { name: 'Copy reply' })).toBeTruthy()
    rerender(<MessageRow {...rowProps} message={message('assistant', '')} />)
    expect(screen.queryByRole('button', { name: 'Copy reply' })).toBeNull()
  })

  it('CHAT-15 shows the attachments of a reply', async () => {
    const table = { id: 'a', name: 'Plan.csv', type: 'text/csv', size: 2_048 }
    const reply = { ...message('assistant', 'Here it is'), attachments: [table] }
    render(
      <QueryClientProvider client={new QueryClient()}>
        <MessageRow {...rowProps} message={reply} />
      </QueryClientProvider>,
    )
    await screen.findByText('Here it is', { selector: '.prose *' })
    const download = await screen.findByRole('button', { name: 'Download Plan.csv' })
    expect(download.closest('.is-reply')).not.toBeNull()
    expect(download.textContent).toContain('2.0 KB')
  })

  it('CHAT-10 DEC-157 names the author; only the user’s message is a bubble', async () => {
    render(<MessageRow {...rowProps} message={message('user', 'Mine')} />)
    render(<MessageRow {...rowProps} message={message('assistant', 'Yours')} />)
    expect(screen.getByRole('heading', { name: 'You' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Ada' })).toBeTruthy()
    expect(screen.getByText('Mine').closest('.bg-accent-soft')).toBeTruthy()
    const reply = await screen.findByText('Yours')
    expect(reply.closest('.is-reply')).toBeTruthy()
    expect(reply.closest('.bg-accent-soft')).toBeNull()
  })

  it('CHAT-17 DEC-158 shows the time of an older message on hover, on focus, and on touch screens', () => {
    const { rerender } = render(<MessageRow {...rowProps} message={message('user', 'Hi')} />)
    const getClasses = () => screen.getByText('9:05 AM').closest('div')?.className ?? ''
    expect(getClasses()).not.toContain('opacity-0')
    rerender(<MessageRow {...rowProps} isLast={false} message={message('user', 'Hi')} />)
    for (const className of ['opacity-0', 'group-hover/turn', 'group-focus-within/turn', 'pointer-coarse'])
      expect(getClasses()).toContain(className)
  })

  it('CHAT-18 DEC-159 leaves asterisks followed by spaces as typed', () => {
    const { container } = render(
      <MessageRow {...rowProps} message={message('user', 'Is 2 ** 3 ** 2 right?')} />,
    )
    expect(screen.getByText('Is 2 ** 3 ** 2 right?')).toBeTruthy()
    expect(container.querySelector('strong')).toBeNull()
  })

  it('shows a notice when a reply could not use tools', () => {
    const reply = { ...message('assistant', 'Hello'), notices: [replyNotices.tools] }
    render(<MessageRow {...rowProps} message={reply} />)
    expect(screen.getByRole('note').textContent).toContain('could not use tools')
    // calls of the same reply may have run before
    for (const { text } of Object.values(replyNotices)) expect(text).not.toMatch(/\bnothing\b|\bno tool/i)
  })

  it('CHAT-20 DEC-013 reads no action result, and shows the message', () => {
    const sent = { ...message('assistant', 'Done'), actionResult: {} }
    expect(storedMessage.parse(sent)).not.toHaveProperty('actionResult')
    render(<MessageRow {...rowProps} message={sent} />)
    expect(screen.getByText('Done')).toBeTruthy()
  })

  it('DEC-161 shows an icon for videos, though no tool of the product makes some', () => {
    const view = render(<ThinkingIndicator assistantName="Ada" activityKind="video_generation" />)
    expect(view.container.querySelector('.lucide-video')).not.toBeNull()
  })

  it('copies its text', async () => {
    const writeText = vi.fn<Clipboard['writeText']>(async () => {})
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    render(<MessageRow {...rowProps} message={message('user', '**as typed**')} />)
    fireEvent.click(screen.getByRole('button', { name: 'Copy message' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
    expect(writeText).toHaveBeenCalledWith('**as typed**')
  })

  it('offers to retry an unanswered message, without its deleted files, and to continue an incomplete reply', async () => {
    const onRetry = vi.fn<() => void>()
    const first = render(<MessageRow {...rowProps} message={message('user', 'Hi')} onRetry={onRetry} />)
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(onRetry).toHaveBeenCalledOnce()
    first.unmount()
    const deletedFile = { id: 'a', name: 'Plan.csv', type: 'text/csv', size: 2_048, isDeleted: true }
    const unacknowledgedMessage = {
      ...message('user', 'Read it'),
      attachments: [deletedFile],
      unacknowledged: true as const,
    }
    const second = render(
      <QueryClientProvider client={new QueryClient()}>
        <MessageRow {...rowProps} message={unacknowledgedMessage} onRetry={onRetry} />
      </QueryClientProvider>,
    )
    expect(screen.getByRole('button', { name: 'Send without deleted files' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
    second.unmount()
  })

  it.each(['incomplete', 'failed'] as const)('a reply that is %s can be continued', async (ended) => {
    const onContinue = vi.fn<() => void>()
    render(
      <MessageRow
        {...rowProps}
        message={{ ...message('assistant', 'Half'), ended }}
        onContinue={onContinue}
      />,
    )
    fireEvent.click(await screen.findByRole('button', { name: 'Continue' }))
    expect(onContinue).toHaveBeenCalledOnce()
  })

  it.each([
    ['length', 'This reply is not complete: it reached its length limit.'],
    ['time', 'This reply is not complete: it took too long.'],
    ['budget', 'This reply is not complete: a usage limit was reached.'],
    ['filter', 'This reply is not complete: the model’s server withheld the rest.'],
    [undefined, 'This reply is not complete.'],
    ['of a later release', 'This reply is not complete.'],
  ])('a reply that is incomplete by %s says so', async (reason, line) => {
    const ended = { ended: 'incomplete' as const, incomplete_reason: reason as 'length' | undefined }
    render(<MessageRow {...rowProps} message={{ ...message('assistant', 'Half'), ...ended }} />)
    expect(await screen.findByText(line)).toBeTruthy()
  })
})

describe('the thinking indicator', () => {
  it.each([
    ['chat', 'message-circle'],
    ['image_generation', 'image'],
    ['video_generation', 'video'],
    ['research', 'search'],
    ['file_upload', 'file-up'],
    ['document_analysis', 'file-text'],
    ['other', 'sparkles'],
  ] as const)('CHAT-21 CHAT-22 DEC-042 %s shows who is thinking, with the icon %s', (type, icon) => {
    const view = render(<ThinkingIndicator assistantName="Ada" activityKind={type} />)
    expect(screen.getByRole('status').textContent).toBe('Ada is thinking...')
    const icons = view.container.querySelectorAll('svg')
    expect(icons).toHaveLength(1)
    // a renamed icon of the library also has the class of its former name
    const [name] = [...(icons[0]?.classList ?? [])].filter((each) => each.startsWith('lucide-'))
    expect(name).toBe(`lucide-${icon}`)
  })

  it('CHAT-23 shows progress only if there is a value', () => {
    const view = render(<ThinkingIndicator assistantName="Ada" activityKind="file_upload" progress={0.4} />)
    expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(0.4)
    view.rerender(<ThinkingIndicator assistantName="Ada" activityKind="file_upload" />)
    expect(screen.queryByRole('progressbar')).toBeNull()
  })
})

describe('the error block', () => {
  const error = {
    id: 'e',
    kind: 'service' as const,
    message: 'Service error: x',
    timestamp: Date.parse('2026-11-20T10:04:00'),
  }

  it('CHAT-12 CHAT-27 CHAT-28 is titled Error, with message and time', () => {
    render(<ErrorBlock error={error} onRetry={undefined} retryLabel={undefined} onSignIn={() => {}} />)
    const block = within(screen.getByRole('group', { name: 'Error' }))
    expect(block.getByText('Error')).toBeTruthy()
    expect(block.getByText('Service error: x')).toBeTruthy()
    expect(block.getByText('10:04 AM').tagName).toBe('TIME')
    expect(screen.getByRole('group', { name: 'Error' }).className).toContain('bg-danger-soft')
  })

  it('offers to retry and to sign in again', () => {
    const onRetry = vi.fn<() => void>()
    const onSignIn = vi.fn<() => void>()
    render(
      <ErrorBlock
        error={{ ...error, kind: 'authentication' }}
        onRetry={onRetry}
        retryLabel={undefined}
        onSignIn={onSignIn}
      />,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    fireEvent.click(screen.getByRole('button', { name: 'Sign in again' }))
    expect([onRetry, onSignIn].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  })
})

describe('the thinking indicator while a document is read', () => {
  it('CHAT-25 CHAT-26 names the document', () => {
    render(
      <ThinkingIndicator assistantName="Ada" activityKind="document_analysis" documentName="Plan.docx" />,
    )
    expect(screen.getByText('Analyzing document...')).toBeTruthy()
    expect(screen.getByRole('status').textContent).toBe(
      'Analyzing document...Reading and analyzing "Plan.docx"...',
    )
    expect(screen.queryByText('Ada is thinking...')).toBeNull()
  })
})

describe('actions of a message', () => {
  const onResend = vi.fn<(id: string, text: string) => boolean>(() => true)

  it('regenerates the last reply', () => {
    const original = { ...message('user', 'Hi'), id: 'q' }
    render(
      <MessageRow
        {...rowProps}
        message={message('assistant', 'Hello')}
        onResend={onResend}
        messageToResend={original}
      />,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Regenerate' }))
    expect(onResend).toHaveBeenCalledWith('q', 'Hi')
  })

  it('edits the user’s message in place: Enter sends, Escape cancels', async () => {
    onResend.mockReturnValue(true)
    const editMessage = editInputKey('u/c1:tab', undefined)
    render(
      <MessageRow
        {...rowProps}
        message={message('user', 'Hi')}
        {...{ editInputKey: editMessage, onResend }}
      />,
    )
    const press = () => fireEvent.click(screen.getByRole('button', { name: 'Edit message' }))
    press()
    fireEvent.keyDown(await screen.findByLabelText('Edit your message'), { key: 'Escape' })
    expect(screen.queryByLabelText('Edit your message')).toBeNull()
    press()
    fireEvent.change(screen.getByLabelText('Edit your message'), { target: { value: 'Hi there' } })
    fireEvent.keyDown(screen.getByLabelText('Edit your message'), { key: 'Enter' })
    expect(onResend).toHaveBeenLastCalledWith('m', 'Hi there', [])
    expect(screen.queryByLabelText('Edit your message')).toBeNull()
  })

  describe('the editor', () => {
    const key = editInputKey('u/c1:tab', undefined)
    const openEditor = async () => {
      onResend.mockClear()
      render(
        <MessageRow {...rowProps} message={message('user', 'Hi')} {...{ editInputKey: key, onResend }} />,
      )
      fireEvent.click(screen.getByRole('button', { name: 'Edit message' }))
      return screen.findByLabelText<HTMLTextAreaElement>('Edit your message')
    }
    afterEach(() => writeInput(key, undefined))

    it('adds a line with Enter where there is only a touch screen, and sends by its button', async () => {
      vi.spyOn(window, 'matchMedia').mockImplementation(
        (query) =>
          Object.assign(new EventTarget(), { matches: query === '(pointer: coarse)' }) as MediaQueryList,
      )
      const field = await openEditor()
      expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(true)
      expect(field.getAttribute('enterkeyhint')).toBe('enter')
      expect(onResend).not.toHaveBeenCalled()
      fireEvent.click(screen.getByRole('button', { name: 'Send' }))
      expect(onResend).toHaveBeenCalledWith('m', 'Hi', [])
    })

    it('says why a message that is too long is not sent, and stays open', async () => {
      render(<Toaster />)
      const field = await openEditor()
      fireEvent.change(field, { target: { value: 'x'.repeat(maxMessageCharacters + 1) } })
      fireEvent.click(screen.getByRole('button', { name: 'Send' }))
      expect(await screen.findByText('This message is too long')).toBeTruthy()
      expect(onResend).not.toHaveBeenCalled()
      expect(field.isConnected).toBe(true)
    })

    it('is as high as its text also in another width, where the style sheet cannot size it', async () => {
      vi.spyOn(CSS, 'supports').mockReturnValue(false)
      const height = vi.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockReturnValue(26)
      const field = await openEditor()
      expect(field.style.height).toBe('26px')
      height.mockReturnValue(400)
      fireEvent(window, new Event('resize'))
      expect([field.style.height, field.style.overflowY]).toEqual(['320px', 'auto'])
    })
  })
})
