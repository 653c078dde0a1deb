import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import type { SearchResponse, SearchRequest, SearchWorker } from './search-service.ts'
import { createSearchService } from './search-service.ts'

const requests: SearchRequest[] = []
let worker: EventTarget
const answer = (data: SearchResponse) => worker.dispatchEvent(new MessageEvent('message', { data }))
const terminate = vi.fn<() => void>()
const service = () =>
  createSearchService(() => {
    worker = new EventTarget()
    return {
      postMessage: (message) => void requests.push(message),
      addEventListener: worker.addEventListener.bind(worker) as SearchWorker['addEventListener'],
      terminate,
    }
  })
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
  terminate.mockReset()
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

it('answers only the latest query', async () => {
  const made = service()
  const first = made.search('a')
  const second = made.search('ab')
  const hits = [{ sessionId: 's', title: 'T', updatedAt: '', archived: false, titleHighlights: [] }]
  answer({ requestId: 1, hits })
  answer({ requestId: 2, hits })
  expect(await first).toBeUndefined()
  expect(await second).toEqual(hits)
})

it('says so when the worker does not run, and starts another one, which reads everything again', async () => {
  const made = service()
  const api = fakeApi({ 'sessions.corpus': () => part(firstRead, null) })
  await made.refresh(never)
  const open = made.search('a')
  worker.dispatchEvent(new Event('error'))
  await expect(open).rejects.toThrow('does not run')
  await expect(made.search('b')).rejects.toThrow('does not run')
  await made.refresh(never)
  expect(terminate).toHaveBeenCalledOnce()
  expect(api.requestsTo('sessions.corpus').map(({ query }) => query)).toEqual([{}, {}])
  const again = made.search('b')
  answer({ requestId: 2, hits: [] })
  expect(await again).toEqual([])
})

it('has not loaded when the worker fails meanwhile', async () => {
  const made = service()
  fakeApi({ 'sessions.corpus': () => part(firstRead, null) })
  const loading = made.refresh(never)
  worker.dispatchEvent(new Event('error'))
  await expect(loading).rejects.toThrow('does not run')
})

it('resolves pending searches without a result when it is closed', async () => {
  const made = service()
  const open = made.search('a')
  made.close()
  expect(await open).toBeUndefined()
  expect(terminate).toHaveBeenCalledOnce()
})
