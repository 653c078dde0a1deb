import { act, render, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { PageProviders } from '../../../../../test/support/render-page.tsx'
import { createPendingReply, idleReply, updateReply } from '../state/pending-reply.ts'
import { ReplyRow } from './reply-row.tsx'

const content = 'Two things:\n\n- one\n- **two**'
const storedReply = aChatMessage({ content })
const tokens = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0, images: 0 }

const props = {
  assistantName: 'Ada',
  deferLayout: false,
  isLast: true,
  onResend: () => false,
  onOpenImage: () => undefined,
}

/** A conversation whose reply to m1 is being written. */
function createStreamingConversation() {
  const pending = updateReply(createPendingReply('m1', undefined), { text: content })
  const conversation = fakeConversation({ pending, streamingText: content })
  return { conversation, endReply: () => conversation.setState({ pending: idleReply, streamingText: '' }) }
}

it('a reply keeps its DOM nodes when it ends', async () => {
  const { conversation, endReply } = createStreamingConversation()
  const rowProps = { ...props, conversation }
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

it('a lost connection is said', () => {
  const { conversation } = createStreamingConversation()
  render(<ReplyRow {...props} conversation={conversation} message={undefined} />, {
    wrapper: PageProviders,
  })
  const pending = updateReply(createPendingReply('m1', undefined), { connection: 'lost' })
  act(() => conversation.setState({ pending }))
  expect(screen.getByText('Connection lost. Reconnecting…').role).toBe('status')
})

it('DEC-175 a stored reply offers what acts on it, and its rating', () => {
  render(
    <ReplyRow
      conversation={fakeConversation()}
      assistantName="Ada"
      deferLayout={false}
      isLast
      onResend={() => false}
      onOpenImage={() => undefined}
      message={{ ...storedReply, usage: { ...tokens, model: 'gpt-5' } }}
    />,
    { wrapper: PageProviders },
  )
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Copy reply',
    'Good reply',
    'Bad reply',
    'More for this reply',
  ])
})

it.each(['live', 'stored'])(
  'a %s reply says of which documents the assistant was given a part',
  async (kind) => {
    const partFiles = ['manual.pdf', 'b.txt'].map((name) => ({ id: name, name, given: 24_000, of: 573_000 }))
    const usage = { ...tokens, partFiles }
    const pending = updateReply(createPendingReply('m1', undefined), { text: content, usage })
    const conversation = fakeConversation({ pending, streamingText: content })
    const message = kind === 'stored' ? { ...storedReply, usage } : undefined
    render(<ReplyRow {...props} conversation={conversation} message={message} />, { wrapper: PageProviders })
    const line = await screen.findByText('The assistant can search the rest.', { exact: false })
    expect(line.textContent).toBe(
      'This reply had room for 24,000 of 573,000 characters of manual.pdf. This reply had room for 24,000 of 573,000 characters of b.txt. The assistant can search the rest.',
    )
  },
)

it('a reply says that it has calculated with a table only where a statement ran over it', async () => {
  const partFiles = [{ id: 'f', name: 'sales.csv', given: 0, of: 573_000, rows: 5_000 }]
  const query = (file_id: string) => ({
    tool: 'query_table',
    action: 'query_table',
    parameters: { sql: 'select 1' },
    result: {
      success: true,
      data: {
        columns: ['a'],
        rows: [[1]],
        total_rows: 1,
        sources: [{ table: 't', file: 'sales.csv', file_id }],
      },
    },
  })
  const rowProps = { ...props, conversation: fakeConversation() }
  const reply = (...tool_calls: ReturnType<typeof query>[]) => (
    <ReplyRow {...rowProps} message={{ ...storedReply, tool_calls, usage: { ...tokens, partFiles } }} />
  )
  const { container, rerender } = render(reply(query('f')), { wrapper: PageProviders })
  const sentence = 'The assistant calculates with all 5,000 rows of sales.csv.'
  await waitFor(() => expect(container.textContent).toContain(sentence))
  for (const calls of [[], [query('another')]]) {
    rerender(reply(...calls))
    expect(container.textContent).not.toContain(sentence)
  }
})

it.each(['live', 'stored'])('a notice of a %s reply shows hidden characters of names', (kind) => {
  const notices = [{ code: 'tools_left_out' as const, text: 'Left out: Mail\u202Er.' }]
  const pending = updateReply(createPendingReply('m1', undefined), { notices })
  const message = kind === 'stored' ? { ...storedReply, notices } : undefined
  render(<ReplyRow {...props} conversation={fakeConversation({ pending })} message={message} />, {
    wrapper: PageProviders,
  })
  expect(screen.getByRole('note').textContent).toBe('Left out: Mail[U+202E]r.')
})

it('another version of a reply shows its own tables', async () => {
  const createReply = (id: string, city: string) =>
    aChatMessage({
      id,
      tool_calls: [
        {
          tool: 'query_table',
          action: 'query_table',
          parameters: { sql: 'select city from t' },
          result: {
            success: true,
            data: { columns: ['city'], rows: [[city], ['Graz']], total_rows: 2, sources: [] },
          },
        },
      ],
    })
  const rowProps = { ...props, conversation: fakeConversation() }
  const { rerender } = render(<ReplyRow {...rowProps} message={createReply('r1', 'Rome')} />, {
    wrapper: PageProviders,
  })
  expect(await screen.findByRole('cell', { name: 'Rome' })).toBeTruthy()
  rerender(<ReplyRow {...rowProps} message={createReply('r1b', 'Paris')} />)
  expect(await screen.findByRole('cell', { name: 'Paris' })).toBeTruthy()
  expect(screen.queryByRole('cell', { name: 'Rome' })).toBeNull()
})
