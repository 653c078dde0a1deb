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
  changes: Partial<ChatMessage> = {},
) => ({
  ...aChatMessage({ id, role, content }),
  ...changes,
})

/** @returns how many errors React has logged since the last call */
const takeErrorCount = () => vi.spyOn(console, 'error').mock.calls.splice(0).length
const noop = () => undefined

afterEach(() => {
  vi.restoreAllMocks()
})

it('a message that fails to render is shown as plain text, and the others as usual', async () => {
  // a real response has this field: the page cannot render a message without it
  const brokenFields = { tool_calls: undefined } as unknown as Partial<ChatMessage>
  const messages = [
    message('m1', 'user', 'A question'),
    message('m2', 'assistant', 'A **broken** reply', brokenFields),
    message('m3', 'user', 'Another question'),
  ]
  render(
    <MessageList
      conversation={fakeConversation({ messages })}
      assistantName="Ada"
      scroller={{ current: null }}
      draftKey="u/c1:tab"
      onResend={() => false}
      onOpenImage={noop}
      onSend={() => false}
      onSignIn={noop}
    />,
    { wrapper: PageProviders },
  )
  expect(screen.getByText('A **broken** reply')).toBeDefined()
  expect(screen.getByText(/this message is shown as plain text/)).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Copy details' })).toBeDefined()
  // a search can lead to it
  expect(document.querySelector('[data-message="m2"]')?.textContent).toContain('A **broken** reply')
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

it.each(['on request', 'when its text changes'])(
  'a message that failed to render is rendered again %s',
  (how) => {
    const conversation = fakeConversation()
    let isBroken = true
    const Breaking = () => {
      if (isBroken) throw new Error('broken')
      return <p>Whole</p>
    }
    const createMessage = (content: string) => (
      <MessageBoundary
        conversation={conversation}
        message={message('m', 'user', content)}
        assistantName="Ada"
      >
        <Breaking />
      </MessageBoundary>
    )
    const { rerender } = render(createMessage('One'))
    expect(screen.getByText('One')).toBeDefined()
    expect(takeErrorCount()).toBe(1)
    isBroken = false
    // with the same text it is not rendered again
    rerender(createMessage('One'))
    expect(screen.getByText('One')).toBeDefined()
    if (how === 'on request') fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    else rerender(createMessage('Two'))
    expect(screen.getByText('Whole')).toBeDefined()
  },
)
