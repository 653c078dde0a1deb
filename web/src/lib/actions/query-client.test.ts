import { afterEach, expect, it, vi } from 'vitest'
import { ApiError, ConfigError, NetworkError, NotSignedInError } from '../api/api-errors.ts'
import { onlineManager, QueryObserver, queryOptions } from '@tanstack/react-query'
import { createQueryClient } from './query-client.ts'
import { updateCached } from '../queries/update-cached.ts'

afterEach(() => {
  vi.useRealTimers()
})

const createApiError = (status: number) => new ApiError({ status, code: 'x', userMessage: 'x' })
const { retry } = createQueryClient().getDefaultOptions().queries ?? {}
const shouldRetry = (failures: number, error: Error) => typeof retry === 'function' && retry(failures, error)

it('LIB-13 keeps unused responses for 5 minutes', () => {
  expect(createQueryClient().getDefaultOptions().queries?.gcTime).toBe(300_000)
})

it('LIB-14 retries three times', () => {
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, new NetworkError()))).toEqual([
    true,
    true,
    true,
    false,
  ])
})

it.each([
  [399, true],
  [400, false],
  [404, false],
  [429, false],
  [499, false],
  [500, true],
  [503, true],
])('LIB-14 retries after status %i: %s', (status, isRetried) => {
  expect(shouldRetry(0, createApiError(status))).toBe(isRetried)
})

it.each([
  ['a lost connection', () => new NetworkError(), [0, 1000, 3000, 7000]],
  ['an error response', () => createApiError(404), [0]],
])('LIB-14 the client retries after %s with these delays', async (_name, makeError, times) => {
  vi.useFakeTimers()
  const startedAt = Date.now()
  const requestTimes: number[] = []
  const queryFn = async () => {
    requestTimes.push(Date.now() - startedAt)
    throw makeError()
  }
  const result = createQueryClient()
    .fetchQuery({ queryKey: ['x'], queryFn })
    .catch(() => 'failed')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await result).toBe('failed')
  expect(requestTimes).toEqual(times)
})

it.each([
  ['nobody is signed in', new NotSignedInError('nobody is signed in')],
  ['the configuration is faulty', new ConfigError('no configuration')],
])('does not retry when %s', (_name, error) => {
  expect(shouldRetry(0, error)).toBe(false)
})

it('sends requests even if the browser is offline: the API may be on this machine', async () => {
  onlineManager.setOnline(false)
  try {
    const client = createQueryClient()
    const query = client.fetchQuery({ queryKey: ['x'], queryFn: async () => 'answer' })
    expect(await query).toBe('answer')
    const mutation = client.getMutationCache().build(client, { mutationFn: async () => 'done' })
    expect(await mutation.execute(undefined)).toBe('done')
  } finally {
    onlineManager.setOnline(true)
  }
})

it.each([undefined, 'the list of before'])(
  'after a change shows nothing that was requested before it, with %s in the cache',
  async (cachedList) => {
    const queryClient = createQueryClient()
    const queryKey = ['list']
    if (cachedList !== undefined) queryClient.setQueryData(queryKey, cachedList)
    const olderList = Promise.withResolvers<string>()
    const queryFn = vi.fn<() => Promise<string>>(() => olderList.promise)
    const observer = new QueryObserver(queryClient, { queryKey, queryFn })
    const shownLists: unknown[] = []
    const unsubscribe = observer.subscribe(({ data }) => shownLists.push(data))
    const firstFetch = queryClient.fetchQuery({ queryKey, queryFn })
    queryFn.mockImplementation(async () => 'the new list')
    const refetch = queryClient.invalidateQueries({ queryKey })
    olderList.resolve('an older list')
    await refetch
    expect(await firstFetch).toBe('the new list')
    expect(observer.getCurrentResult().data).toBe('the new list')
    expect(shownLists).not.toContain('an older list')
    expect(queryFn).toHaveBeenCalledTimes(2)
    unsubscribe()
  },
)

it('changes what is in the cache, whatever an older request answers, and fetches it again', async () => {
  const queryClient = createQueryClient()
  const older = Promise.withResolvers<string[]>()
  const newer = Promise.withResolvers<string[]>()
  const answers = [older.promise, newer.promise]
  const list = queryOptions({ queryKey: ['list'], queryFn: () => answers.shift() ?? [] })
  queryClient.setQueryData(list.queryKey, ['a', 'b'])
  const observer = new QueryObserver(queryClient, list)
  const stop = observer.subscribe(() => undefined)
  await updateCached(queryClient, list, (known) => known.filter((one) => one !== 'b'))
  older.resolve(['a', 'b'])
  await older.promise
  expect(queryClient.getQueryData(list.queryKey)).toEqual(['a'])
  newer.resolve(['a', 'c'])
  await expect.poll(() => queryClient.getQueryData(list.queryKey)).toEqual(['a', 'c'])
  stop()
})

it('leaves a list that was not loaded as it is', async () => {
  const queryClient = createQueryClient()
  const list = queryOptions({ queryKey: ['list'], queryFn: () => ['a'] })
  await updateCached(queryClient, list, () => [])
  expect(queryClient.getQueryData(list.queryKey)).toBeUndefined()
})
