import { expect, it, vi } from 'vitest'
import { mapAtOnce } from './create-backup.ts'

it('an error is thrown only when everything that has begun has ended', async () => {
  const slow = Promise.withResolvers<string>()
  const ended = vi.fn<(error: unknown) => void>()
  const map = vi.fn<(one: string) => Promise<string>>((one) =>
    one === 'broken' ? Promise.reject(new Error('cut')) : slow.promise,
  )
  const mapping = mapAtOnce(['broken', 'slow', 'later'], 2, map).catch(ended)
  await new Promise(setImmediate)
  expect(ended).not.toHaveBeenCalled()
  slow.resolve('done')
  await mapping
  expect(ended.mock.calls).toEqual([[new Error('cut')]])
  expect(map.mock.calls.map(([one]) => one)).toEqual(['broken', 'slow'])
})
