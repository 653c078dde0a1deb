import { QueryClient, QueryClientProvider, skipToken, useQuery } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Rating } from '#shared/contracts/messages.ts'
import { type Answers, fakeApi } from '../../../../../test/support/fake-api.ts'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { conversationKey } from '../../../lib/conversation-key.ts'
import { ReplyRating } from './reply-rating.tsx'
import { emptyConversation, type StoredConversation } from '../state/stored-conversation.ts'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
beforeEach(() => {
  vi.mocked(showToast).mockReset()
})

const queryKey = conversationKey('s1')
const conversation = fakeConversation()

function storedWith(rating?: Rating): StoredConversation {
  const message = (id: string) => aChatMessage({ id, ...(rating && { rating }) })
  return { ...emptyConversation, messages: [message('r1'), message('r2')] }
}

function Reply() {
  const { data } = useQuery<StoredConversation>({ queryKey, queryFn: skipToken })
  const message = data?.messages[0]
  return message && <ReplyRating conversation={conversation} message={message} />
}

function open(answer: NonNullable<Answers['messages.rate']>, rating?: Rating) {
  const api = fakeApi({ 'messages.rate': answer })
  const client = new QueryClient()
  client.setQueryData(queryKey, storedWith(rating))
  render(
    <QueryClientProvider client={client}>
      <Reply />
    </QueryClientProvider>,
  )
  return {
    client,
    sent: () => api.requestsTo('messages.rate').map(({ body }) => body?.rating),
    ratings: () =>
      client.getQueryData<StoredConversation>(queryKey)?.messages.map(({ rating: stored }) => stored),
  }
}

const up = () => screen.getByRole('button', { name: 'Good reply' })
const down = () => screen.getByRole('button', { name: 'Bad reply' })
const pressed = () => [up(), down()].map((button) => button.getAttribute('aria-pressed'))
const ok = () => ({ success: true as const })

it('DEC-175 a press is shown at once and stored, another one changes it, and the same one takes it back', async () => {
  const { sent, ratings } = open(ok)
  expect(pressed()).toEqual(['false', 'false'])
  fireEvent.click(up())
  await waitFor(() => expect(pressed()).toEqual(['true', 'false']))
  await waitFor(() => expect(sent()).toEqual(['up']))
  fireEvent.click(down())
  await waitFor(() => expect(pressed()).toEqual(['false', 'true']))
  await waitFor(() => expect(sent()).toEqual(['up', 'down']))
  fireEvent.click(down())
  await waitFor(() => expect(pressed()).toEqual(['false', 'false']))
  await waitFor(() => expect(sent()).toEqual(['up', 'down', null]))
  // of this reply alone
  expect(ratings()).toEqual([undefined, undefined])
})

it('a rating that could not be stored is reverted, with the reason', async () => {
  const { promise, reject } = Promise.withResolvers<{ success: true }>()
  const { sent } = open(() => promise, 'down')
  fireEvent.click(up())
  await waitFor(() => expect(pressed()).toEqual(['true', 'false']))
  reject(new ApiError({ status: 429, code: 'rate_limited', userMessage: 'Too many requests.' }))
  await waitFor(() => expect(pressed()).toEqual(['false', 'true']))
  expect(sent()).toEqual(['up'])
  expect(vi.mocked(showToast).mock.calls).toEqual([
    ['error', 'Your rating could not be saved', { description: 'Too many requests.' }],
  ])
})

it('presses are sent one after another, and the last one counts, whatever was read meanwhile', async () => {
  const answers: ((answer: { success: true }) => void)[] = []
  const { client, sent, ratings } = open(() => new Promise((resolve) => answers.push(resolve)))
  fireEvent.click(up())
  await waitFor(() => expect(sent()).toEqual(['up']))
  fireEvent.click(down())
  await waitFor(() => expect(pressed()).toEqual(['false', 'true']))
  expect(sent()).toEqual(['up'])
  answers[0]?.(ok())
  await waitFor(() => expect(sent()).toEqual(['up', 'down']))
  expect(pressed()).toEqual(['false', 'true'])
  // a read that was asked for before
  client.setQueryData(queryKey, storedWith())
  answers[1]?.(ok())
  await waitFor(() => expect(ratings()).toEqual(['down', undefined]))
})
