import { QueryClient, QueryClientProvider, skipToken, useQuery } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Rating } from '#shared/contracts/messages.ts'
import { type RouteHandlers, fakeApi } from '../../../../../test/support/fake-api.ts'
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

function createStoredConversation(rating?: Rating): StoredConversation {
  const message = (id: string) => aChatMessage({ id, ...(rating && { rating }) })
  return { ...emptyConversation, messages: [message('r1'), message('r2')] }
}

function Reply() {
  const { data } = useQuery<StoredConversation>({ queryKey, queryFn: skipToken })
  const message = data?.messages[0]
  return message && <ReplyRating conversation={conversation} message={message} />
}

function renderRating(handler: NonNullable<RouteHandlers['messages.rate']>, rating?: Rating) {
  const api = fakeApi({ 'messages.rate': handler })
  const client = new QueryClient()
  client.setQueryData(queryKey, createStoredConversation(rating))
  render(
    <QueryClientProvider client={client}>
      <Reply />
    </QueryClientProvider>,
  )
  return {
    client,
    listSent: () => api.requestsTo('messages.rate').map(({ body }) => body?.rating),
    listStored: () =>
      client.getQueryData<StoredConversation>(queryKey)?.messages.map(({ rating: stored }) => stored),
  }
}

const getUpButton = () => screen.getByRole('button', { name: 'Good reply' })
const getDownButton = () => screen.getByRole('button', { name: 'Bad reply' })
const listPressed = () =>
  [getUpButton(), getDownButton()].map((button) => button.getAttribute('aria-pressed'))
const respond = () => ({ success: true as const })

it('DEC-175 shows a rating at once and stores it, and another press changes or removes it', async () => {
  const { listSent, listStored } = renderRating(respond)
  expect(listPressed()).toEqual(['false', 'false'])
  fireEvent.click(getUpButton())
  await waitFor(() => expect(listPressed()).toEqual(['true', 'false']))
  await waitFor(() => expect(listSent()).toEqual(['up']))
  fireEvent.click(getDownButton())
  await waitFor(() => expect(listPressed()).toEqual(['false', 'true']))
  await waitFor(() => expect(listSent()).toEqual(['up', 'down']))
  fireEvent.click(getDownButton())
  await waitFor(() => expect(listPressed()).toEqual(['false', 'false']))
  await waitFor(() => expect(listSent()).toEqual(['up', 'down', null]))
  // the other reply never had one
  expect(listStored()).toEqual([undefined, undefined])
})

it('a rating that could not be stored is reverted, with the reason', async () => {
  const { promise, reject } = Promise.withResolvers<{ success: true }>()
  const { listSent } = renderRating(() => promise, 'down')
  fireEvent.click(getUpButton())
  await waitFor(() => expect(listPressed()).toEqual(['true', 'false']))
  reject(new ApiError({ status: 429, code: 'rate_limited', userMessage: 'Too many requests.' }))
  await waitFor(() => expect(listPressed()).toEqual(['false', 'true']))
  expect(listSent()).toEqual(['up'])
  expect(vi.mocked(showToast).mock.calls).toEqual([
    ['error', 'Your rating could not be saved', { description: 'Too many requests.' }],
  ])
})

it('sends presses one after another, and the last one wins over older data that was read meanwhile', async () => {
  const responses: ((response: { success: true }) => void)[] = []
  const { client, listSent, listStored } = renderRating(
    () => new Promise((resolve) => responses.push(resolve)),
  )
  fireEvent.click(getUpButton())
  await waitFor(() => expect(listSent()).toEqual(['up']))
  fireEvent.click(getDownButton())
  await waitFor(() => expect(listPressed()).toEqual(['false', 'true']))
  expect(listSent()).toEqual(['up'])
  responses[0]?.(respond())
  await waitFor(() => expect(listSent()).toEqual(['up', 'down']))
  expect(listPressed()).toEqual(['false', 'true'])
  // the response to an earlier read
  client.setQueryData(queryKey, createStoredConversation())
  responses[1]?.(respond())
  await waitFor(() => expect(listStored()).toEqual(['down', undefined]))
})
