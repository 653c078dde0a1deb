import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import type { Session } from '#shared/contracts/messages.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { conversationKey } from './conversation-key.ts'
import { conversationsQuery } from './conversation-list.ts'
import { followTitle } from './follow-title.ts'

afterEach(() => vi.useRealTimers())

const session: Session = {
  id: 'a',
  user_id: 'u',
  title: 'When does the last ferry...',
  created_at: '',
  updated_at: '',
  message_count: 2,
}

/** Follows a title that the service has from its second answer on. */
async function follow(change: (client: QueryClient) => void = () => undefined) {
  vi.useFakeTimers()
  const client = new QueryClient()
  client.setQueryData(conversationKey('a'), { title: session.title })
  client.setQueryData(conversationsQuery('active').queryKey, { sessions: [session], total: 1 })
  let count = 0
  const api = fakeApi({
    'sessions.list': () => {
      count += 1
      return { sessions: [{ ...session, title: count < 2 ? session.title : 'Last ferry' }], total: 1 }
    },
  })
  const following = followTitle(client, session)
  await vi.advanceTimersByTimeAsync(1_000)
  change(client)
  await vi.advanceTimersByTimeAsync(60_000)
  await following
  return {
    requests: api.requestsTo('sessions.list').length,
    titles: [
      client.getQueryData<{ title: string }>(conversationKey('a'))?.title,
      client.getQueryData(conversationsQuery('active').queryKey)?.sessions[0]?.title,
    ],
  }
}

it('shows the title in the conversation and in the list as soon as it is stored', async () => {
  expect(await follow()).toEqual({ requests: 2, titles: ['Last ferry', 'Last ferry'] })
})

it.each([
  [
    'the user names it',
    (client: QueryClient) => void client.setQueryData(conversationKey('a'), { title: 'Mine' }),
  ],
  ['it is deleted', (client: QueryClient) => client.removeQueries({ queryKey: conversationKey('a') })],
])('stops when %s', async (_, change) => {
  expect(await follow(change)).toMatchObject({ requests: 0 })
})
