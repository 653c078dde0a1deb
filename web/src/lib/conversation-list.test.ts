import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { Session } from '#shared/contracts/messages.ts'
import { fakeApi } from '../../../test/support/fake-api.ts'
import {
  removeConversation,
  loadMoreConversations,
  upsertConversation,
  updateConversationTitle,
  conversationsQuery,
} from './conversation-list.ts'

const session = (id: string, updated_at: string, message_count = 1): Session => ({
  id,
  user_id: 'u',
  title: id,
  created_at: '',
  updated_at,
  message_count,
})

function toList(...sessions: Session[]) {
  const client = new QueryClient()
  client.setQueryData(conversationsQuery('active').queryKey, { sessions, total: sessions.length })
  return { client, ...seen(client) }
}

function seen(client: QueryClient) {
  const list = () => client.getQueryData(conversationsQuery('active').queryKey)
  return { list, ids: () => list()?.sessions.map(({ id }) => id) }
}

it('HIST-24 puts a changed conversation where its time belongs', () => {
  const { client, ids } = toList(session('a', '2026-11-20T09:00:00Z'), session('b', '2026-11-20T08:00:00Z'))
  upsertConversation(client, session('b', '2026-11-20T10:00:00Z'))
  expect(ids()).toEqual(['b', 'a'])
})

it('HIST-23 lists none without real content', () => {
  const { client, ids } = toList(session('a', '2026-11-20T09:00:00Z'))
  upsertConversation(client, session('b', '2026-11-20T10:00:00Z', 0))
  expect(ids()).toEqual(['a'])
})

it('forgets a conversation, and never makes up a list that was not read', () => {
  const { client, ids } = toList(session('a', ''), session('b', ''))
  removeConversation(client, 'a')
  expect(ids()).toEqual(['b'])
  const unread = new QueryClient()
  upsertConversation(unread, session('a', ''))
  removeConversation(unread, 'a')
  expect(unread.getQueryData(conversationsQuery('active').queryKey)).toBeUndefined()
})

/** As many conversations at the service, the newest first, which it gives by pages. */
function serve(count: number) {
  const all = Array.from({ length: count }, (_, index) =>
    session(`s${index}`, new Date(Date.parse('2026-11-20T09:00:00Z') - index * 1000).toISOString()),
  )
  const api = fakeApi({
    'sessions.list': ({ query: { limit = all.length, cursor } }) => {
      const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
      const page = all.slice(from, from + limit)
      const isEnd = from + limit >= all.length
      return { sessions: page, total: all.length, ...(!isEnd && { next: page.at(-1)?.id }) }
    },
  })
  return { all, limits: () => api.requestsTo('sessions.list').map(({ query }) => query?.limit) }
}

it('reads a long list by pages, and a refresh reads as far again', async () => {
  const { all, limits } = serve(1_250)
  const client = new QueryClient()
  const { list, ids } = seen(client)
  await client.fetchQuery(conversationsQuery('active'))
  expect(list()).toMatchObject({ total: 1_250, next: 's99' })
  for (let page = 2; page <= 6; page += 1) await loadMoreConversations(client, 'active')
  expect(ids()).toEqual(all.slice(0, 600).map(({ id }) => id))
  all.splice(3, 1)
  await client.fetchQuery(conversationsQuery('active'))
  expect(limits().slice(6)).toEqual([500, 100])
  expect(ids()).toEqual(all.slice(0, 600).map(({ id }) => id))
  expect(list()?.total).toBe(1_249)
  while (list()?.next !== undefined) await loadMoreConversations(client, 'active')
  expect(ids()).toEqual(all.map(({ id }) => id))
})

it('counts what was not read: changes keep the total true', async () => {
  const { all } = serve(150)
  const client = new QueryClient()
  const { list, ids } = seen(client)
  await client.fetchQuery(conversationsQuery('active'))
  removeConversation(client, 's4')
  expect(list()?.total).toBe(149)
  updateConversationTitle(client, 's5', 'Mine')
  expect(list()?.sessions.find(({ id }) => id === 's5')?.title).toBe('Mine')
  upsertConversation(client, session('s6', '2026-11-21T09:00:00Z'))
  expect([ids()?.[0], list()?.total]).toEqual(['s6', 149])
  expect(client.getQueryState(conversationsQuery('active').queryKey)?.isInvalidated).toBe(false)
  // one that stands further down, or is new: the service knows
  upsertConversation(client, session('s140', '2026-11-21T10:00:00Z'))
  expect(ids()?.[0]).toBe('s140')
  expect(client.getQueryState(conversationsQuery('active').queryKey)?.isInvalidated).toBe(true)
  all.splice(4, 1)
  await client.fetchQuery(conversationsQuery('active'))
  expect(list()?.total).toBe(149)
})

it('a page that was on its way when the list was read again is not joined to it', async () => {
  serve(300)
  const client = new QueryClient()
  const { ids, list } = seen(client)
  await client.fetchQuery(conversationsQuery('active'))
  const more = loadMoreConversations(client, 'active')
  client.setQueryData(conversationsQuery('active').queryKey, { sessions: [session('new', '')], total: 1 })
  await more
  expect([ids(), list()?.total]).toEqual([['new'], 1])
})

it('moves a conversation between the list and the archive, and pinned ones to the front of the list', () => {
  const [a, b] = [session('a', '2026-11-20T09:00:00Z'), session('b', '2026-11-20T08:00:00Z')]
  const { client, ids, list } = toList(a, b)
  const archive = conversationsQuery('archived').queryKey
  client.setQueryData(archive, { sessions: [], total: 0 })
  const archived = () => client.getQueryData(archive)
  upsertConversation(client, { ...b, pinned: true })
  expect(ids()).toEqual(['b', 'a'])
  upsertConversation(client, { ...b, pinned: true, archived: true })
  expect([ids(), list()?.total]).toEqual([['a'], 1])
  expect(archived()).toMatchObject({ sessions: [{ id: 'b' }], total: 1 })
  upsertConversation(client, { ...a, archived: true })
  // the archive is in order of time alone
  expect(archived()?.sessions.map(({ id }) => id)).toEqual(['a', 'b'])
  upsertConversation(client, b)
  expect([ids(), list()?.total, archived()?.total]).toEqual([['b'], 1, 1])
})
