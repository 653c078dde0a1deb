import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import type { SearchResponse, SearchRequest } from './search-service.ts'
import { createSearchService } from './search-service.ts'

const requests: SearchRequest[] = []
let answer: (message: SearchResponse) => void
const terminate = vi.fn<() => void>()
const service = () =>
  createSearchService(() => ({
    postMessage: (message) => void requests.push(message),
    addEventListener: (_type, listener) => {
      answer = (data) => listener(new MessageEvent('message', { data }))
    },
    terminate,
  }))
const part = (as_of: string, next: string | null) => ({
  sessions: null,
  changed: null,
  messages: [],
  next,
  as_of,
})
const firstRead = '2026-11-20T09:00:00Z'
const never = new AbortController().signal

beforeEach(() => {
  requests.length = 0
})

it('reads every part, and the next time only what has changed since the first of them', async () => {
  const made = service()
  const parts = [part(firstRead, 'page-2'), part('2026-11-20T09:00:01Z', null)]
  const api = fakeApi({ 'sessions.corpus': () => parts.shift() ?? part('2026-11-20T09:05:00Z', null) })
  await made.refresh(never)
  await made.refresh(never)
  expect(api.requestsTo('sessions.corpus').map(({ query }) => query)).toEqual([
    {},
    { cursor: 'page-2' },
    { since: firstRead },
  ])
  expect(requests.map(({ type }) => type)).toEqual(['take', 'take', 'take'])
})

it('answers the newest question only', async () => {
  const made = service()
  const first = made.search('a')
  const second = made.search('ab')
  const hits = [{ sessionId: 's', title: 'T', updatedAt: '', archived: false, titleHighlights: [] }]
  answer({ requestId: 1, hits })
  answer({ requestId: 2, hits })
  expect(await first).toBeUndefined()
  expect(await second).toEqual(hits)
})

it('leaves nobody waiting when it is closed', async () => {
  const made = service()
  const open = made.search('a')
  made.close()
  expect(await open).toBeUndefined()
  expect(terminate).toHaveBeenCalledOnce()
})
