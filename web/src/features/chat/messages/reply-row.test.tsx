import { act, render, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { createPendingReply, idleReply, updateReply } from '../state/pending-reply.ts'
import { ReplyRow } from './reply-row.tsx'

const content = 'Two things:\n\n- one\n- **two**'
const storedReply = aChatMessage({ content })

/** A conversation whose reply to m1 is being written. */
function createStreamingConversation() {
  const pending = updateReply(createPendingReply('m1', undefined), { text: content })
  const conversation = fakeConversation({ pending, streamingText: content })
  return { conversation, endReply: () => conversation.setState({ pending: idleReply, streamingText: '' }) }
}

it('a reply keeps its DOM nodes when it ends', async () => {
  const { conversation, endReply } = createStreamingConversation()
  const rowProps = {
    conversation,
    assistantName: 'Ada',
    deferLayout: false,
    isLast: true,
    onOpenImage: () => undefined,
  }
  const { rerender } = render(<ReplyRow {...rowProps} message={undefined} />, { wrapper: PageProviders })
  // the renderer of markdown is loaded when it is needed; until then the text has no lists
  const boldText = await waitFor(() => {
    const node = screen.getByText('two')
    expect(node.closest('li')).not.toBeNull()
    return node
  })
  expect(boldText.tagName).toBe('STRONG')
  expect(screen.queryByRole('button', { name: 'Copy reply' })).toBeNull()
  act(() => {
    endReply()
    rerender(<ReplyRow {...rowProps} message={storedReply} />)
  })
  expect(screen.getByRole('button', { name: 'Copy reply' })).toBeTruthy()
  expect(screen.getByText('two')).toBe(boldText)
})

it('DEC-176 a reply shows its tokens and their cost', async () => {
  const usage = {
    inputTokens: 1_200,
    cachedInputTokens: 0,
    outputTokens: 56,
    reasoningTokens: 20,
    images: 0,
    model: 'thinker',
    cost: 0.00001,
    estimated: true,
  }
  render(
    <ReplyRow
      conversation={createStreamingConversation().conversation}
      assistantName="Ada"
      deferLayout={false}
      isLast
      onOpenImage={() => undefined}
      message={{ ...storedReply, usage }}
    />,
    { wrapper: PageProviders },
  )
  act(() => screen.getByRole('button', { name: 'Usage of this reply' }).click())
  const dialog = within(await screen.findByRole('dialog', { name: 'Usage of this reply' }))
  const lines = dialog.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(lines).toEqual(['thinker', '1,200', '56', '20', 'less than $0.0001'])
  expect(dialog.getByText(/so they are an estimate/)).toBeTruthy()
})

it.each([true, false])('DEC-175 only a reply of a saved chat can be rated (temporary: %s)', (isTemporary) => {
  render(
    <ReplyRow
      conversation={fakeConversation({ isTemporary })}
      assistantName="Ada"
      deferLayout={false}
      isLast
      onOpenImage={() => undefined}
      message={storedReply}
    />,
    { wrapper: PageProviders },
  )
  expect(screen.getByRole('button', { name: 'Copy reply' })).toBeTruthy()
  expect(screen.queryAllByRole('button', { name: 'Good reply' })).toHaveLength(isTemporary ? 0 : 1)
})
