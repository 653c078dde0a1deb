import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import type { SearchResponse, SearchRequest, SearchWorker } from './search-service.ts'
import { createSearchService } from './search-service.ts'

const requests: SearchRequest[] = []
let worker: EventTarget
const respond = (data: SearchResponse) => worker.dispatchEvent(new MessageEvent('message', { data }))
const terminate = vi.fn<() => void>()
const createTestService = () =>
  createSearchService(() => {
    worker = new EventTarget()
    return {
      postMessage: (message) => void requests.push(message),
      addEventListener: worker.addEventListener.bind(worker) as SearchWorker['addEventListener'],
      terminate,
    }
  })
const createPart = (as_of: string, next: string | null) => ({
  sessions: null,
  changed: null,
  messages: [],
  next,
  as_of,
})
const firstRead = '2026-11-20T09:00:00Z'
const neverAborted = new AbortController().signal

beforeEach(() => {
  requests.length = 0
  terminate.mockReset()
})

it('loads all parts, and next time only what has changed since the first part', async () => {
  const service = createTestService()
  const parts = [createPart(firstRead, 'page-2'), createPart('2026-11-20T09:00:01Z', null)]
  const api = fakeApi({ 'sessions.corpus': () => parts.shift() ?? createPart('2026-11-20T09:05:00Z', null) })
  await service.refresh(neverAborted)
  await service.refresh(neverAborted)
  expect(api.requestsTo('sessions.corpus').map(({ query }) => query)).toEqual([
    {},
    { cursor: 'page-2' },
    { since: firstRead },
  ])
  expect(requests.map(({ type }) => type)).toEqual(['ingest', 'ingest', 'ingest'])
})

it('returns hits only for the latest query', async () => {
  const service = createTestService()
  const first = service.search('a', 30)
  const second = service.search('ab', 30)
  const hit = {
    sessionId: 's',
    title: 'T',
    updatedAt: '',
    archived: false,
    titleHighlights: [],
    isInTitle: true,
  }
  const results = { hits: [hit], total: 1 }
  respond({ requestId: 1, results })
  respond({ requestId: 2, results })
  expect(await first).toBeUndefined()
  expect(await second).toEqual(results)
})

it('rejects when the worker fails, and starts another worker, which loads everything again', async () => {
  const service = createTestService()
  const api = fakeApi({ 'sessions.corpus': () => createPart(firstRead, null) })
  await service.refresh(neverAborted)
  const pendingSearch = service.search('a', 30)
  worker.dispatchEvent(new Event('error'))
  await expect(pendingSearch).rejects.toThrow('does not run')
  await expect(service.search('b', 30)).rejects.toThrow('does not run')
  await service.refresh(neverAborted)
  expect(terminate).toHaveBeenCalledOnce()
  expect(api.requestsTo('sessions.corpus').map(({ query }) => query)).toEqual([{}, {}])
  const secondSearch = service.search('b', 30)
  respond({ requestId: 2, results: { hits: [], total: 0 } })
  expect(await secondSearch).toEqual({ hits: [], total: 0 })
})

it('rejects a refresh when the worker fails meanwhile', async () => {
  const service = createTestService()
  fakeApi({ 'sessions.corpus': () => createPart(firstRead, null) })
  const loading = service.refresh(neverAborted)
  worker.dispatchEvent(new Event('error'))
  await expect(loading).rejects.toThrow('does not run')
})

it('resolves pending searches without a result when it is closed', async () => {
  const service = createTestService()
  const pendingSearch = service.search('a', 30)
  service.close()
  expect(await pendingSearch).toBeUndefined()
  expect(terminate).toHaveBeenCalledOnce()
})
