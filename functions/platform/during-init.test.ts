import { afterEach, expect, it, vi } from 'vitest'
import { startDuringInit } from './during-init.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('starts the work while Lambda loads the function, and ignores its failure', async () => {
  vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'on-demand')
  const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('not there'))
  startDuringInit(work)
  await new Promise(setImmediate)
  expect(work).toHaveBeenCalledTimes(1)
})

it('does nothing elsewhere', () => {
  const work = vi.fn<() => Promise<void>>()
  startDuringInit(work)
  expect(work).not.toHaveBeenCalled()
})
