import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import type { Session } from '#shared/contracts/messages.ts'
import { fakeApi, type RouteHandlers } from '../../../../test/support/fake-api.ts'
import { assistantsQuery } from './assistant-queries.ts'
import { createConversationCache } from './conversation-cache.ts'
import { conversationKey } from './conversation-key.ts'
import { conversationTitlesQuery, loadMoreConversations, conversationsQuery } from './conversation-list.ts'
import { createQueryClient } from '../actions/query-client.ts'

const session = (id: string, updated_at: string, message_count = 1): Session => ({
  id,
  user_id: 'u',
  title: id,
  created_at: '',
  updated_at,
  message_count,
})

function createClientWithList(...sessions: Session[]) {
  const client = new QueryClient()
  client.setQueryData(conversationsQuery('active').queryKey, { sessions, total: sessions.length })
  return { client, ...readList(client) }
}

function readList(client: QueryClient) {
  const getList = () => client.getQueryData(conversationsQuery('active').queryKey)
  return { getList, getIds: () => getList()?.sessions.map(({ id }) => id) }
}

it('HIST-24 sorts a changed conversation by its time', () => {
  const { client, getIds } = createClientWithList(
    session('a', '2026-11-20T09:00:00Z'),
    session('b', '2026-11-20T08:00:00Z'),
  )
  createConversationCache(client).upsert(session('b', '2026-11-20T10:00:00Z'))
  expect(getIds()).toEqual(['b', 'a'])
})

it('an assistant that a reply has told to be gone leaves the list of assistants', () => {
  const { client } = createClientWithList()
  const { queryKey } = assistantsQuery
  const travel = {
    id: 'a',
    name: 'Travel rules',
    description: '',
    starters: [],
    version: 1,
    published_at: '2026-11-09T10:00:00Z',
    mine: false,
    publisher: { name: 'Mika' },
    tools: [],
  }
  client.setQueryData(queryKey, { assistants: [travel], publishing: { allowed: true, groups: [] } })
  const isAskedAgain = () => client.getQueryState(queryKey)?.isInvalidated
  const assistant = { id: 'a', name: 'Travel rules', version: 1 }
  createConversationCache(client).upsert({ ...session('s', '2026-11-20T10:00:00Z'), assistant })
  expect(isAskedAgain()).toBe(false)
  createConversationCache(client).upsert({
    ...session('s', '2026-11-20T11:00:00Z'),
    assistant: { ...assistant, gone: true },
  })
  expect(isAskedAgain()).toBe(true)
})

it('HIST-23 does not list a conversation without messages', () => {
  const { client, getIds } = createClientWithList(session('a', '2026-11-20T09:00:00Z'))
  createConversationCache(client).upsert(session('b', '2026-11-20T10:00:00Z', 0))
  expect(getIds()).toEqual(['a'])
})

it('removes a conversation, and does not create a list that was not loaded', () => {
  const { client, getIds } = createClientWithList(session('a', ''), session('b', ''))
  createConversationCache(client).remove('a')
  expect(getIds()).toEqual(['b'])
  const emptyClient = new QueryClient()
  createConversationCache(emptyClient).upsert(session('a', ''))
  createConversationCache(emptyClient).remove('a')
  expect(emptyClient.getQueryData(conversationsQuery('active').queryKey)).toBeUndefined()
})

/** Fakes the API with this many conversations, newest first, in pages. */
function fakeConversations(count: number) {
  const conversations = Array.from({ length: count }, (_, index) =>
    session(`s${index}`, new Date(Date.parse('2026-11-20T09:00:00Z') - index * 1000).toISOString()),
  )
  const api = fakeApi({
    'sessions.list': ({ query: { limit = conversations.length, cursor } }) => {
      const from = cursor === undefined ? 0 : conversations.findIndex(({ id }) => id === cursor) + 1
      const page = conversations.slice(from, from + limit)
      const isEnd = from + limit >= conversations.length
      return { sessions: page, total: conversations.length, ...(!isEnd && { next: page.at(-1)?.id }) }
    },
  })
  return { conversations, getLimits: () => api.requestsTo('sessions.list').map(({ query }) => query?.limit) }
}

it('loads a long list in pages, and a refetch loads as many conversations again', async () => {
  const { conversations, getLimits } = fakeConversations(1_250)
  const client = new QueryClient()
  const { getList, getIds } = readList(client)
  await client.fetchQuery(conversationsQuery('active'))
  expect(getList()).toMatchObject({ total: 1_250, next: 's99' })
  for (let page = 2; page <= 6; page += 1) await loadMoreConversations(client, 'active')
  expect(getIds()).toEqual(conversations.slice(0, 600).map(({ id }) => id))
  conversations.splice(3, 1)
  await client.fetchQuery(conversationsQuery('active'))
  expect(getLimits().slice(6)).toEqual([500, 100])
  expect(getIds()).toEqual(conversations.slice(0, 600).map(({ id }) => id))
  expect(getList()?.total).toBe(1_249)
  while (getList()?.next !== undefined) await loadMoreConversations(client, 'active')
  expect(getIds()).toEqual(conversations.map(({ id }) => id))
})

it('keeps the total correct when the list changes, including conversations that are not loaded', async () => {
  const { conversations } = fakeConversations(150)
  const client = new QueryClient()
  const { getList, getIds } = readList(client)
  await client.fetchQuery(conversationsQuery('active'))
  createConversationCache(client).remove('s4')
  expect(getList()?.total).toBe(149)
  createConversationCache(client).retitle('s5', 'Mine')
  expect(getList()?.sessions.find(({ id }) => id === 's5')?.title).toBe('Mine')
  createConversationCache(client).upsert(session('s6', '2026-11-21T09:00:00Z'))
  expect([getIds()?.[0], getList()?.total]).toEqual(['s6', 149])
  expect(client.getQueryState(conversationsQuery('active').queryKey)?.isInvalidated).toBe(false)
  // this one is not loaded, or new: only the API knows
  createConversationCache(client).upsert(session('s140', '2026-11-21T10:00:00Z'))
  expect(getIds()?.[0]).toBe('s140')
  expect(client.getQueryState(conversationsQuery('active').queryKey)?.isInvalidated).toBe(true)
  conversations.splice(4, 1)
  await client.fetchQuery(conversationsQuery('active'))
  expect(getList()?.total).toBe(149)
})

it('knows no total of many conversations until all are loaded, whatever changes', async () => {
  const all = Array.from({ length: 120 }, (_, index) => session(`s${index}`, '2026-11-20T10:00:00Z'))
  fakeApi({
    'sessions.list': ({ query: { cursor } }) =>
      cursor === undefined ? { sessions: all.slice(0, 100), next: 's99' } : { sessions: all.slice(100) },
  })
  const client = new QueryClient()
  const { getList } = readList(client)
  await client.fetchQuery(conversationsQuery('active'))
  createConversationCache(client).remove('s4')
  createConversationCache(client).upsert(session('s6', '2026-11-21T09:00:00Z'))
  expect(getList()).toMatchObject({ total: undefined, next: 's99' })
  expect(client.getQueryState(conversationsQuery('active').queryKey)?.isInvalidated).toBe(false)
  await loadMoreConversations(client, 'active')
  expect(getList()?.total).toBe(119)
})

it('does not append a page that was requested before the list was loaded again', async () => {
  fakeConversations(300)
  const client = new QueryClient()
  const { getIds, getList } = readList(client)
  await client.fetchQuery(conversationsQuery('active'))
  const more = loadMoreConversations(client, 'active')
  client.setQueryData(conversationsQuery('active').queryKey, { sessions: [session('new', '')], total: 1 })
  await more
  expect([getIds(), getList()?.total]).toEqual([['new'], 1])
})

it('lists a conversation once that moves to a later page while the list is loaded', async () => {
  const pages = [
    { sessions: [session('pinned', ''), session('a', '')], next: 'p2' },
    { sessions: [session('pinned', ''), session('b', '')] },
  ]
  fakeApi({ 'sessions.list': () => pages.shift() ?? { sessions: [] } })
  const client = new QueryClient()
  const query = conversationsQuery('active')
  client.setQueryData(query.queryKey, { sessions: ['1', '2', '3'].map((id) => session(id, '')), total: 3 })
  const list = await client.fetchQuery(query)
  expect([list.sessions.map(({ id }) => id), list.total]).toEqual([['pinned', 'a', 'b'], 3])
})

it('a list that is on the screen is loaded again when all are removed', async () => {
  const client = createQueryClient()
  const observer = new QueryObserver(client, conversationsQuery('active'))
  const api = fakeApi({ 'sessions.list': () => ({ sessions: [session('a', '')] }) })
  const unsubscribe = observer.subscribe(() => undefined)
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.sessions).toHaveLength(1))
  createConversationCache(client).clear()
  expect(observer.getCurrentResult().data).toBeUndefined()
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.sessions).toHaveLength(1))
  expect(api.requestsTo('sessions.list')).toHaveLength(2)
  unsubscribe()
})

it('moves a conversation between the list and the archive, and lists pinned ones first', () => {
  const [a, b] = [session('a', '2026-11-20T09:00:00Z'), session('b', '2026-11-20T08:00:00Z')]
  const { client, getIds, getList } = createClientWithList(a, b)
  const archive = conversationsQuery('archived').queryKey
  client.setQueryData(archive, { sessions: [], total: 0 })
  const getArchive = () => client.getQueryData(archive)
  createConversationCache(client).upsert({ ...b, pinned: true })
  expect(getIds()).toEqual(['b', 'a'])
  createConversationCache(client).upsert({ ...b, pinned: true, archived: true })
  expect([getIds(), getList()?.total]).toEqual([['a'], 1])
  expect(getArchive()).toMatchObject({ sessions: [{ id: 'b' }], total: 1 })
  createConversationCache(client).upsert({ ...a, archived: true })
  // the archive is sorted only by time
  expect(getArchive()?.sessions.map(({ id }) => id)).toEqual(['a', 'b'])
  createConversationCache(client).upsert(b)
  expect([getIds(), getList()?.total, getArchive()?.total]).toEqual([['b'], 1, 1])
})

describe.each(['the first list', 'a later list'])('a change while %s is fetched is not lost', (list) => {
  const [a, b] = [session('a', '2026-11-20T09:00:00Z'), session('b', '2026-11-20T08:00:00Z')]
  const renamedConversation = { ...a, title: 'Mine' }

  it.each<{ name: string; change: (client: QueryClient) => void; before: Session[]; after: Session[] }>([
    {
      name: 'added',
      change: (client) => createConversationCache(client).upsert(a),
      before: [b],
      after: [a, b],
    },
    {
      name: 'renamed',
      change: (client) => createConversationCache(client).retitle('a', 'Mine'),
      before: [a, b],
      after: [renamedConversation, b],
    },
    {
      name: 'removed',
      change: (client) => createConversationCache(client).remove('a'),
      before: [a, b],
      after: [b],
    },
  ])('$name', async ({ change, before, after }) => {
    const client = createQueryClient()
    const query = conversationsQuery('active')
    if (list === 'a later list')
      client.setQueryData(query.queryKey, { sessions: before, total: before.length })
    const olderList = Promise.withResolvers<{ sessions: Session[] }>()
    const handlers: RouteHandlers = { 'sessions.list': () => olderList.promise }
    const api = fakeApi(handlers)
    const observer = new QueryObserver(client, query)
    const unsubscribe = observer.subscribe(() => undefined)
    await vi.waitFor(() => expect(api.requestsTo('sessions.list')).toHaveLength(1))
    handlers['sessions.list'] = () => ({ sessions: after })
    change(client)
    olderList.resolve({ sessions: before })
    await vi.waitFor(() => expect(client.isFetching()).toBe(0))
    expect(observer.getCurrentResult().data?.sessions).toEqual(after)
    expect(api.requestsTo('sessions.list')).toHaveLength(2)
    unsubscribe()
  })
})

describe('every cache has the title', () => {
  const setUp = () => {
    const { client, getList } = createClientWithList(session('a', '', 2))
    client.setQueryData(conversationKey('a'), { title: 'a', messages: [] })
    client.setQueryData(conversationTitlesQuery.queryKey, new Map([['a', 'a']]))
    const getTitles = () => [
      getList()?.sessions[0]?.title,
      client.getQueryData<{ title: string }>(conversationKey('a'))?.title,
      client.getQueryData(conversationTitlesQuery.queryKey)?.get('a'),
    ]
    return { cache: createConversationCache(client), client, getTitles }
  }

  it('that was given', () => {
    const { cache, getTitles } = setUp()
    cache.retitle('a', 'Rome')
    expect(getTitles()).toEqual(['Rome', 'Rome', 'Rome'])
  })

  it('that was given last: the failure of an earlier renaming does not bring back what was before', () => {
    const { cache, getTitles } = setUp()
    cache.retitle('a', 'Rome')
    cache.retitle('a', 'Paris')
    cache.retitle('a', 'a', 'Rome')
    expect(getTitles()).toEqual(['Paris', 'Paris', 'Paris'])
    cache.retitle('a', 'a', 'Paris')
    expect(getTitles()).toEqual(['a', 'a', 'a'])
  })

  it('until the conversation is removed', () => {
    const { cache, client, getTitles } = setUp()
    cache.remove('a')
    expect(getTitles()).toEqual([undefined, undefined, undefined])
    expect(client.getQueryData(conversationTitlesQuery.queryKey)?.size).toBe(0)
  })
})

it('a conversation that is moved is known in its project', () => {
  const { client, getList } = createClientWithList(session('a', '', 2))
  client.setQueryData(conversationKey('a'), { title: 'a', projectId: null })
  createConversationCache(client).move({ ...session('a', '', 2), project_id: 'p' })
  expect(client.getQueryData(conversationKey('a'))).toEqual({ title: 'a', projectId: 'p' })
  expect(getList()?.sessions[0]?.project_id).toBe('p')
})
