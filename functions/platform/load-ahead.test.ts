import { expect, it } from 'vitest'
import { loadAhead } from './load-ahead.ts'

it('loads a few items at a time, and yields them in order', async () => {
  const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<string>())
  const started: number[] = []
  const iteration = loadAhead([0, 1, 2, 3], 2, (item) => {
    started.push(item)
    return (gates[item] as (typeof gates)[number]).promise
  })
  const first = iteration.next()
  expect(started).toEqual([0, 1])
  gates[1]?.resolve('b')
  gates[0]?.resolve('a')
  expect((await first).value).toEqual([0, 'a'])
  expect((await iteration.next()).value).toEqual([1, 'b'])
  expect(started).toEqual([0, 1, 2])
  gates[2]?.reject(new Error('no'))
  gates[3]?.resolve('d')
  await expect(iteration.next()).rejects.toThrow('no')
})

it('ends when its loads have settled, also if nobody takes the rest', async () => {
  const last = Promise.withResolvers<void>()
  const iteration = loadAhead(['a', 'b'], 2, (item) => (item === 'a' ? Promise.resolve() : last.promise))
  await iteration.next()
  let isEnded = false
  const ending = iteration.return(undefined).then(() => (isEnded = true))
  await Promise.resolve()
  expect(isEnded).toBe(false)
  last.resolve()
  await ending
})
