import { beforeEach, expect, it, vi } from 'vitest'
import { defaultModel } from '#shared/models.ts'
import { followModels } from './followed-models.ts'
import type { ServerModels } from './server-models.ts'

const minute = 60_000
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  return () => vi.useRealTimers()
})

const lists = (...ids: string[]): ServerModels => ({
  ids,
  chatModels: ids.map((id) => ({ id })),
  shutdownDates: new Map(),
})
const follow = () => {
  const fetchModels = vi.fn<() => Promise<ServerModels | undefined>>()
  const read = followModels(fetchModels)
  return { fetchModels, readIds: async () => (await read()).map(({ id }) => id), read }
}

it('asks once for all who wait, and again after ten minutes, without making anybody wait', async () => {
  const { fetchModels, readIds, read } = follow()
  fetchModels.mockResolvedValue(lists('a', 'b'))
  expect(await Promise.all([readIds(), readIds()])).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
  const before = await read()
  expect(fetchModels).toHaveBeenCalledTimes(1)
  vi.setSystemTime(10 * minute)
  expect(await read()).toBe(before)
  // the same list is the same array
  await vi.waitFor(async () => expect(fetchModels).toHaveBeenCalledTimes(2))
  expect(await read()).toBe(before)
  fetchModels.mockResolvedValue(lists('c'))
  vi.setSystemTime(21 * minute)
  await readIds()
  await vi.waitFor(async () => expect(await readIds()).toEqual(['c']))
})

it('offers 50 at most', async () => {
  const { fetchModels, readIds } = follow()
  fetchModels.mockResolvedValue(lists(...Array.from({ length: 300 }, (_, index) => `m${index}`)))
  expect(await readIds()).toHaveLength(50)
})

it.each([
  ['has no list', async () => undefined],
  ['lists nothing', async () => lists()],
  ['does not answer', () => Promise.reject(new Error('no answer'))],
])('is the default model while the server %s, and the list once there is one', async (_, answer) => {
  const { fetchModels, readIds } = follow()
  fetchModels.mockImplementation(answer)
  expect(await readIds()).toEqual([defaultModel.id])
  expect(await readIds()).toEqual([defaultModel.id])
  expect(fetchModels).toHaveBeenCalledTimes(1)
  fetchModels.mockResolvedValue(lists('a'))
  vi.setSystemTime(10 * minute)
  expect(await readIds()).toEqual(['a'])
})

it('keeps the last list while the server does not answer', async () => {
  const { fetchModels, readIds } = follow()
  fetchModels.mockResolvedValueOnce(lists('a')).mockRejectedValue(new Error('no answer'))
  await readIds()
  vi.setSystemTime(20 * minute)
  await readIds()
  await vi.waitFor(() => expect(fetchModels).toHaveBeenCalledTimes(2))
  expect(await readIds()).toEqual(['a'])
})
