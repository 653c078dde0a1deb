import { expect, it, vi } from 'vitest'
import { RunChanged } from './errors.ts'
import { retryIfRunChanged } from './retry-if-run-changed.ts'

const toRunChanged = () => new RunChanged('somebody was faster')

it('what collides with another request is tried again, three times at most', async () => {
  const attempt = vi.fn<() => Promise<string>>(async () => 'done')
  expect(await retryIfRunChanged(attempt)).toBe('done')
  expect(attempt).toHaveBeenCalledTimes(1)
  attempt.mockRejectedValueOnce(toRunChanged()).mockRejectedValueOnce(toRunChanged())
  expect(await retryIfRunChanged(attempt)).toBe('done')
  expect(attempt).toHaveBeenCalledTimes(4)
  attempt.mockRejectedValue(toRunChanged())
  await expect(retryIfRunChanged(attempt)).rejects.toBeInstanceOf(RunChanged)
  expect(attempt).toHaveBeenCalledTimes(7)
})

it('what fails for another reason is not tried again', async () => {
  const down = new Error('the table is down')
  const attempt = vi.fn<() => Promise<string>>().mockRejectedValue(down)
  await expect(retryIfRunChanged(attempt)).rejects.toBe(down)
  expect(attempt).toHaveBeenCalledTimes(1)
})
