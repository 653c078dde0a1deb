import { expect, it } from 'vitest'
import { createBoundedCache } from './bounded-cache.ts'

it('drops the value that was set first, and none if a key is set again', () => {
  const cache = createBoundedCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('b', 3)
  expect([cache.get('a'), cache.get('b')]).toEqual([1, 3])
  cache.set('c', 4)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 3, 4])
})
