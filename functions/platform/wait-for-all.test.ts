import { expect, it } from 'vitest'
import { waitForAll } from './wait-for-all.ts'

it('returns the results in the order of the list', async () => {
  const later = new Promise<string>((resolve) => setImmediate(resolve, 'later'))
  expect(await waitForAll([later, 7, Promise.resolve(undefined)])).toEqual(['later', 7, undefined])
})

it('fails when all have settled, with the first failure in the list, whichever came first', async () => {
  const { promise: slow, reject } = Promise.withResolvers<never>()
  let failure: unknown
  const all = waitForAll([slow, Promise.reject(new Error('quick'))]).catch((error: unknown) => {
    failure = error
  })
  await new Promise(setImmediate)
  expect(failure).toBeUndefined()
  reject(new Error('slow'))
  await all
  expect(failure).toEqual(new Error('slow'))
})
