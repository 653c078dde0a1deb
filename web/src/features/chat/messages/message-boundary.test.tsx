import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { createStore } from '../../../lib/create-store.ts'
import { shown, type ChatMessage } from '../state/chat-message.ts'
import type { ChatState } from '../state/chat-state.ts'
import type { Conversation } from '../state/conversation.ts'
import { MessageBoundary } from './message-boundary.tsx'
import { MessageList } from './message-list.tsx'
import { idle } from '../state/pending-reply.ts'

const message = (
  id: string,
  role: 'user' | 'assistant',
  content: string,
  more: Partial<ChatMessage> = {},
) => ({
  ...shown({
    id,
    session_id: 's1',
    role,
    content,
    attachments: [],
    tool_calls: [],
    created_at: '2026-11-21T12:00:00.000Z',
  }),
  ...more,
})

function conversationWith(messages: readonly ChatMessage[], streamingText = '') {
  const state = {
    messages,
    streamingText,
    pending: idle,
    isLoading: false,
    error: null,
    earlier: null,
    run: null,
  }
  const store = createStore(state as unknown as ChatState)
  return { conversation: store as unknown as Conversation, setState: store.setState }
}

/** How many errors React has written to the console since. */
const takeErrorCount = () => vi.spyOn(console, 'error').mock.calls.splice(0).length
const nothing = () => undefined

/** What the page has around a list of messages. */
const Page = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>
    <MemoryRouter>{children}</MemoryRouter>
  </QueryClientProvider>
)

afterEach(() => {
  vi.restoreAllMocks()
})

it('a message that breaks is shown as plain text, and the others as they are', async () => {
  // no service answers so: a part of the message that the page cannot do without is missing
  const broken = { tool_calls: undefined } as unknown as Partial<ChatMessage>
  const { conversation } = conversationWith([
    message('m1', 'user', 'A question'),
    message('m2', 'assistant', 'A **broken** reply', broken),
    message('m3', 'user', 'Another question'),
  ])
  render(
    <MessageList
      conversation={conversation}
      assistantName="Ada"
      scroller={{ current: null }}
      editingId={undefined}
      onEdit={nothing}
      onResend={() => false}
      onOpenImage={nothing}
      onSend={() => false}
      onSignIn={nothing}
    />,
    { wrapper: Page },
  )
  expect(screen.getByText('A **broken** reply')).toBeDefined()
  expect(screen.getByText(/this message is shown as plain text/)).toBeDefined()
  expect(screen.getByText('A question')).toBeDefined()
  expect(screen.getByText('Another question')).toBeDefined()
  expect(takeErrorCount()).toBe(1)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(screen.getByText('A **broken** reply')).toBeDefined()
  expect(takeErrorCount()).toBe(1)
})

it('a reply that breaks while it is written goes on as plain text, reported once', () => {
  const { conversation, setState } = conversationWith([], 'First')
  const Breaking = (): never => {
    throw new Error('broken')
  }
  render(
    <MessageBoundary conversation={conversation} message={undefined} assistantName="Ada">
      <Breaking />
    </MessageBoundary>,
  )
  expect(screen.getByText('First')).toBeDefined()
  act(() => setState({ streamingText: 'First words' } as ChatState))
  expect(screen.getByText('First words')).toBeDefined()
  expect(takeErrorCount()).toBe(1)
})

it('a broken message is rendered again when asked, and when its text changes', () => {
  const { conversation } = conversationWith([])
  let isBroken = true
  const Breaking = () => {
    if (isBroken) throw new Error('broken')
    return <p>Whole</p>
  }
  const show = (content: string) => (
    <MessageBoundary conversation={conversation} message={message('m', 'user', content)} assistantName="Ada">
      <Breaking />
    </MessageBoundary>
  )
  const { rerender } = render(show('One'))
  expect(screen.getByText('One')).toBeDefined()
  expect(takeErrorCount()).toBe(1)
  isBroken = false
  // read again, and still the same
  rerender(show('One'))
  expect(screen.getByText('One')).toBeDefined()
  rerender(show('Two'))
  expect(screen.getByText('Whole')).toBeDefined()
})
