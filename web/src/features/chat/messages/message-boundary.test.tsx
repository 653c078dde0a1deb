import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import type { ChatMessage } from '../state/chat-message.ts'
import { MessageBoundary } from './message-boundary.tsx'
import { MessageList } from './message-list.tsx'

const message = (
  id: string,
  role: 'user' | 'assistant',
  content: string,
  more: Partial<ChatMessage> = {},
) => ({
  ...aChatMessage({ id, role, content }),
  ...more,
})

/** How many errors React has written to the console since. */
const takeErrorCount = () => vi.spyOn(console, 'error').mock.calls.splice(0).length
const nothing = () => undefined

afterEach(() => {
  vi.restoreAllMocks()
})

it('a message that fails to render is shown as plain text, the others normally', async () => {
  // no service answers so: a part of the message that the page cannot do without is missing
  const broken = { tool_calls: undefined } as unknown as Partial<ChatMessage>
  const messages = [
    message('m1', 'user', 'A question'),
    message('m2', 'assistant', 'A **broken** reply', broken),
    message('m3', 'user', 'Another question'),
  ]
  render(
    <MessageList
      conversation={fakeConversation({ messages })}
      assistantName="Ada"
      scroller={{ current: null }}
      editingId={undefined}
      onEdit={nothing}
      onResend={() => false}
      onOpenImage={nothing}
      onSend={() => false}
      onSignIn={nothing}
    />,
    { wrapper: PageProviders },
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

it('a reply that fails to render while streaming continues as plain text, and is reported once', () => {
  const conversation = fakeConversation({ streamingText: 'First' })
  const Breaking = (): never => {
    throw new Error('broken')
  }
  render(
    <MessageBoundary conversation={conversation} message={undefined} assistantName="Ada">
      <Breaking />
    </MessageBoundary>,
  )
  expect(screen.getByText('First')).toBeDefined()
  act(() => conversation.setState({ streamingText: 'First words' }))
  expect(screen.getByText('First words')).toBeDefined()
  expect(takeErrorCount()).toBe(1)
})

it('a message that failed to render is rendered again on request and when its text changes', () => {
  const conversation = fakeConversation()
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
