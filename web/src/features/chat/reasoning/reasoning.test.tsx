import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '#shared/chat-events.ts'
import {
  aChatMessage,
  emptyLocalConversation,
  fakeConversation,
} from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { transition } from '../state/conversation-machine.ts'
import { deriveConversationState } from '../state/conversation-state.ts'
import type { ConversationParts } from '../state/conversation-parts.ts'
import { createPendingReply, getActiveReply, idleReply, updateReply } from '../state/pending-reply.ts'
import { applyEvent } from '../state/reply-events.ts'
import { ReplyRow } from '../messages/reply-row.tsx'
import { ReasoningLine } from './reasoning-line.tsx'
import { SourceList } from './source-list.tsx'

const userMessage = aChatMessage({ id: 'm1', role: 'user', content: 'Where?' })
const usage = { inputTokens: 3, cachedInputTokens: 1, outputTokens: 2, reasoningTokens: 1, images: 0 }

/** A conversation after these events. */
function applyEvents(...events: ChatEvent[]): ConversationParts {
  const [initialChat] = transition(
    { stored: undefined, local: emptyLocalConversation() },
    { type: 'sent', message: { ...userMessage, unacknowledged: true } },
  )
  return events.reduce((chat, event) => applyEvent(chat, event, 0), initialChat)
}

const deriveState = (chat: ConversationParts) => deriveConversationState(chat, 'loading')

const reasoningEvents: ChatEvent[] = [
  { type: 'start', messageId: 'r1', messageMetadata: { runId: 'run' } },
  { type: 'start-step' },
  { type: 'reasoning-start', id: '0' },
  { type: 'reasoning-delta', id: '0', delta: 'First' },
  { type: 'reasoning-delta', id: '0', delta: ' this.' },
  { type: 'reasoning-end', id: '0', providerMetadata: { juno: { durationMs: 1_000 } } },
  { type: 'reasoning-start', id: '1' },
  { type: 'reasoning-delta', id: '1', delta: 'Then that.' },
]

describe('events', () => {
  it('of reasoning are joined, with their durations, and stay with the message after a stop', () => {
    const reply = getActiveReply(applyEvents(...reasoningEvents).local.pending)
    expect(reply).toMatchObject({
      phase: 'open',
      reasoning: { text: 'First this.\n\nThen that.', durationMs: 1_000, isActive: true },
    })
    const stoppedChat = applyEvents(
      ...reasoningEvents,
      { type: 'reasoning-end', id: '1', providerMetadata: { juno: { durationMs: 500 } } },
      { type: 'text-delta', id: 't', delta: 'Here' },
      { type: 'source-url', sourceId: 'source-1', url: 'https://a.example/', title: 'A' },
      { type: 'message-metadata', messageMetadata: { usage } },
      { type: 'abort' },
    )
    expect(deriveState(stoppedChat).messages.at(-1)).toMatchObject({
      content: 'Here',
      reasoning: { durationMs: 1_500, isActive: false },
      sources: [{ url: 'https://a.example/', title: 'A' }],
      usage,
    })
  })

  it('at the end include what was sent before this stream', () => {
    const reasoning = { text: 'All of it', durationMs: 9_000 }
    const sources = [{ url: 'https://a.example/' }]
    const result = { content: 'Here', toolCalls: [], success: true, error: null, reasoning, sources }
    const chat = applyEvents(
      { type: 'text-delta', id: 't', delta: 'Here' },
      { type: 'message-metadata', messageMetadata: { usage } },
      { type: 'finish', messageMetadata: result },
    )
    expect(deriveState(chat).messages.at(-1)).toMatchObject({ reasoning, sources, usage })
  })

  it('show a call while its arguments stream, then with its arguments', () => {
    const juno = { kind: 'other', title: 'Send', integration: 'Mail' } as const
    const call = { toolCallId: 'c', toolName: 'send' }
    const inputEvents: ChatEvent[] = [
      { type: 'tool-input-start', ...call, title: 'Send', providerMetadata: { juno } },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"to":' },
    ]
    const getToolCalls = (chat: ConversationParts) => getActiveReply(chat.local.pending)?.toolCalls
    expect(getToolCalls(applyEvents(...inputEvents))).toEqual([
      { id: 'c', name: 'send', input: {}, status: 'writing', activity: juno },
    ])
    const chatWithInput = applyEvents(...inputEvents, {
      type: 'tool-input-available',
      ...call,
      input: { to: 'ann' },
      providerMetadata: { juno },
    })
    expect(getToolCalls(chatWithInput)).toMatchObject([{ id: 'c', input: { to: 'ann' }, status: 'running' }])
  })
})

describe('the line of reasoning', () => {
  it.each([
    [0, 'Thoughts'],
    [200, 'Thought for 1 s'],
    [11_600, 'Thought for 12 s'],
    [65_000, 'Thought for 1 min 5 s'],
  ])('after %s ms says "%s"', (durationMs, label) => {
    render(<ReasoningLine reasoning={{ text: 'x', durationMs }} />)
    expect(screen.getByRole('button').textContent).toBe(label)
  })

  it('expands to plain text, not markup, and announces nothing', () => {
    render(
      <ReasoningLine
        reasoning={{ text: '**Plan**\n<img src=x onerror=alert(1)>', durationMs: 0, isActive: true }}
      />,
    )
    const button = screen.getByRole('button', { name: 'Thinking…', expanded: false })
    fireEvent.click(button)
    expect(screen.getByRole('button', { expanded: true }).getAttribute('aria-controls')).toBe(
      screen.getByText('Plan').closest('[id]')?.id,
    )
    expect(screen.getByText('Plan').tagName).toBe('STRONG')
    expect(document.querySelector('img')).toBeNull()
    expect(document.querySelector('[role=status], [aria-live]')).toBeNull()
  })

  it('stays open when the reply ends', async () => {
    const reasoning = { text: 'A thought', durationMs: 2_000, isActive: false }
    const pending = updateReply(createPendingReply('m1', undefined), { text: 'Here', reasoning })
    const conversation = fakeConversation({ pending, streamingText: 'Here' })
    const rowProps = {
      conversation,
      assistantName: 'Ada',
      deferLayout: false,
      isLast: true,
      onResend: () => false,
      onOpenImage: () => undefined,
    }
    const { rerender } = render(<ReplyRow {...rowProps} message={undefined} />, { wrapper: PageProviders })
    fireEvent.click(await screen.findByRole('button', { name: 'Thought for 2 s' }))
    const text = screen.getByText('A thought')
    act(() => {
      conversation.setState({ pending: idleReply, streamingText: '' })
      const message = { ...userMessage, id: 'r1', role: 'assistant' as const, content: 'Here', reasoning }
      rerender(<ReplyRow {...rowProps} message={message} />)
    })
    expect(screen.getByRole('button', { name: 'Copy reply' })).toBeTruthy()
    expect(screen.getByText('A thought')).toBe(text)
  })

  it('replaces the thinking indicator while the model reasons', async () => {
    const renderRow = (isActive: boolean) => {
      const reasoning = { text: 'Hm', durationMs: 2_000, isActive }
      const pending = updateReply(createPendingReply('m1', undefined), { reasoning })
      const { unmount } = render(
        <ReplyRow
          conversation={fakeConversation({ pending })}
          assistantName="Ada"
          deferLayout={false}
          isLast
          onResend={() => false}
          onOpenImage={() => undefined}
          message={undefined}
        />,
      )
      return unmount
    }
    const unmount = renderRow(true)
    await screen.findByRole('button', { name: 'Thinking…' })
    expect(screen.queryByText('Ada is thinking...')).toBeNull()
    unmount()
    renderRow(false)
    await screen.findByRole('button', { name: 'Thought for 2 s' })
    expect(screen.getByText('Ada is thinking...')).toBeTruthy()
  })
})

it('sources are numbered links to web pages, without referrer and opener', () => {
  render(
    <SourceList
      sources={[
        { url: 'https://a.example/x?y=1', title: 'A page' },
        { url: 'javascript:alert(1)', title: 'Bad' },
        { url: 'http://b.example/' },
      ]}
    />,
  )
  const links = screen.getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['[1] A page', 'https://a.example/x?y=1'],
    ['[3] b.example', 'http://b.example/'],
  ])
  for (const link of links)
    expect([link.getAttribute('rel'), link.getAttribute('target')]).toEqual(['noopener noreferrer', '_blank'])
  // the model chooses the title, but not the host
  expect(screen.getByText('a.example')).toBeTruthy()
})
