import { beforeEach, expect, it, vi } from 'vitest'
import { callApi } from '../../lib/call-api.ts'
import type { FromWorker, ToWorker } from './search-messages.ts'
import { createSearchService } from './search-service.ts'

vi.mock('../../lib/call-api.ts', () => ({ callApi: vi.fn<typeof callApi>() }))

const told: ToWorker[] = []
let answer: (message: FromWorker) => void
const terminate = vi.fn<() => void>()
const service = () =>
  createSearchService(() => ({
    postMessage: (message) => void told.push(message),
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
const never = new AbortController().signal

beforeEach(() => {
  told.length = 0
  vi.mocked(callApi).mockReset()
})

it('reads every part, and the next time only what has changed since the first of them', async () => {
  const made = service()
  vi.mocked(callApi)
    .mockResolvedValueOnce(part('t1', 'page-2'))
    .mockResolvedValueOnce(part('t2', null))
    .mockResolvedValue(part('t3', null))
  await made.refresh(never)
  await made.refresh(never)
  expect(vi.mocked(callApi).mock.calls.map(([, input]) => input.query)).toEqual([
    { since: undefined, cursor: undefined },
    { since: undefined, cursor: 'page-2' },
    { since: 't1', cursor: undefined },
  ])
  expect(told.map(({ type }) => type)).toEqual(['take', 'take', 'take'])
})

it('answers the newest question only', async () => {
  const made = service()
  const first = made.search('a')
  const second = made.search('ab')
  const hits = [{ sessionId: 's', title: 'T', updatedAt: '', titleMarks: [] }]
  answer({ number: 1, hits })
  answer({ number: 2, hits })
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
