import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { MemoryRouter } from '../../../../../test/support/memory-router.tsx'
import { expect, it, vi } from 'vitest'
import type { Feedback } from '#shared/contracts/messages.ts'
import { fakeApi, type RouteHandlers } from '../../../../../test/support/fake-api.ts'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { emptyConversation, withMessage, type StoredConversation } from '../state/stored-conversation.ts'
import { ReplyRating } from './reply-rating.tsx'

vi.mock(import('../../../components/ui/toast.ts'), { spy: true })

const usage = {
  inputTokens: 1,
  cachedInputTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
  images: 0,
  model: 'gpt-5',
}
// one that has just ended knows no conversation
const reply = aChatMessage({ id: crypto.randomUUID(), session_id: '', usage })

type Rate = NonNullable<RouteHandlers['sessions.rate']>

/** Shows the rating of the reply as the query cache has it. */
function open(sessionsRate: Rate, feedback?: Feedback) {
  const api = fakeApi({ 'sessions.rate': sessionsRate })
  const conversation = fakeConversation()
  const client = new QueryClient()
  const stored = { ...emptyConversation, messages: [{ ...reply, ...(feedback && { feedback }) }] }
  client.setQueryData(conversation.query.queryKey, stored)
  function Row() {
    const { data } = useQuery<StoredConversation>({
      queryKey: conversation.query.queryKey,
      enabled: false,
      queryFn: () => stored,
    })
    const [message = reply] = data?.messages ?? []
    return <ReplyRating conversation={conversation} message={message} />
  }
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Row />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return {
    readStored: () =>
      client.getQueryData<StoredConversation>(conversation.query.queryKey)?.messages[0]?.feedback?.rating,
    listSent: () =>
      api.requestsTo('sessions.rate').map(({ params, body }) => {
        expect(params).toEqual({ sessionId: conversation.id, messageId: reply.id })
        return body?.feedback
      }),
  }
}

const refused = (userMessage: string) => new ApiError({ status: 409, code: 'reply_not_rated', userMessage })
const accept: Rate = ({ body: { feedback } }) => ({
  success: true,
  feedback: feedback && {
    rating: feedback.rating,
    ...(feedback.text && { text: feedback.text.trim() }),
    ...(feedback.named && { named: true as const }),
  },
})
const press = (name: string, detail = 1) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name }), { detail }))
const readPressed = () =>
  ['Good reply', 'Bad reply'].map((name) => screen.getByRole('button', { name }).ariaPressed === 'true')

it('a thumb is set, changed and taken back; the second click of a double click does nothing', async () => {
  const { listSent, readStored } = open(accept)
  expect(readPressed()).toEqual([false, false])
  await press('Good reply')
  await press('Good reply', 2)
  await waitFor(() => expect(readStored()).toBe('up'))
  expect(readPressed()).toEqual([true, false])
  // quietly: only the bad one asks
  expect(screen.queryByRole('dialog')).toBeNull()
  await press('Bad reply')
  expect(await screen.findByLabelText('What was wrong? (optional)')).toBeTruthy()
  await waitFor(() => expect(readStored()).toBe('down'))
  await press('Bad reply')
  await waitFor(() => expect(readPressed()).toEqual([false, false]))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(listSent()).toEqual([{ rating: 'up' }, { rating: 'down' }, null])
})

it('a text is sent with the tick only, and stays after a failure', async () => {
  let fails = true
  const { listSent } = open((request) => {
    if (request.body.feedback?.text && fails) throw refused('The table is down.')
    return accept(request)
  })
  await press('Bad reply')
  const field = await screen.findByLabelText<HTMLTextAreaElement>('What was wrong? (optional)')
  fireEvent.change(field, { target: { value: 'Rome is in Italy' } })
  await press('Send')
  expect(screen.getByText('Without the tick below the text is not sent.')).toBeTruthy()
  expect(listSent()).toHaveLength(1)
  fireEvent.click(screen.getByLabelText('Administrators may read this text'))
  fireEvent.click(screen.getByLabelText('Show my e-mail address with it'))
  await press('Send')
  expect(await screen.findByText('The table is down.')).toBeTruthy()
  // closed and opened again
  await press('Close')
  await press('Say why')
  expect(screen.getByLabelText<HTMLTextAreaElement>(/What was wrong/).value).toBe('Rome is in Italy')
  fails = false
  await press('Send')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(listSent().at(-1)).toEqual({ rating: 'down', text: 'Rome is in Italy', readable: true, named: true })
  // the other thumb begins without what was said of this one
  await press('Good reply')
  await press('Say why')
  expect((await screen.findByLabelText<HTMLTextAreaElement>('What was good? (optional)')).value).toBe('')
})

it('a rating that is not saved goes back, and says why', async () => {
  open(() => {
    throw refused('It failed.')
  })
  await press('Bad reply')
  expect(showToast).toHaveBeenCalledWith('error', 'The rating was not saved', {
    error: expect.objectContaining({ userMessage: 'It failed.' }) as unknown,
  })
  expect(readPressed()).toEqual([false, false])
})

it('a stored rating is shown; offline it cannot be changed', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { listSent } = open(accept, { rating: 'down', text: 'Wrong' })
  expect(readPressed()).toEqual([false, true])
  await press('Good reply')
  expect(listSent()).toEqual([])
})

it.each([
  ['a temporary chat', reply, true],
  ['another product', aChatMessage({ id: 'imported' }), false],
  ['a failure', { ...reply, ended: 'failed' as const }, false],
])('nothing is rated of %s', (_, message, isTemporary) => {
  render(<ReplyRating conversation={fakeConversation({ isTemporary })} message={message} />)
  expect(screen.queryByRole('button')).toBeNull()
})

it('a continued reply keeps its rating', () => {
  const rated = withMessage(emptyConversation, { ...reply, feedback: { rating: 'up' } })
  expect(withMessage(rated, { ...reply, content: 'More' }).messages).toEqual([
    { ...reply, content: 'More', feedback: { rating: 'up' } },
  ])
})

it('the last of two quick presses counts', async () => {
  const { listSent, readStored } = open(accept)
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Good reply' }), { detail: 1 })
    fireEvent.click(screen.getByRole('button', { name: 'Bad reply' }), { detail: 1 })
  })
  await waitFor(() => expect(readStored()).toBe('down'))
  expect(listSent()).toEqual([{ rating: 'up' }, { rating: 'down' }])
})
