import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cacheFirstPage, readCachedFirstPage } from './catalogue-cache.ts'
import { anEntry } from '../../../../../test/support/connections.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

const page = { items: [anEntry()], total: 1, hasMore: false, page: 1 }
const dayMs = 86_400_000

it('REG-41 DATA-36 DEC-131 keeps the last catalogue for a week, then deletes it', () => {
  cacheFirstPage(page)
  vi.setSystemTime(Date.now() + 7 * dayMs - 1)
  expect(readCachedFirstPage()).toEqual(page)
  vi.setSystemTime(Date.now() + 1)
  expect(readCachedFirstPage()).toBeUndefined()
  expect(localStorage).toHaveLength(0)
})

it.each([
  '{',
  'null',
  '{"version":1,"page":{}}',
  '{"version":2,"expires_at":"soon","page":{}}',
  '{"version":2,"expires_at":9e15,"page":null}',
  '{"version":2,"expires_at":9e15,"page":{}}',
])('REG-41 deletes an invalid stored value: %s', (text) => {
  localStorage.setItem('catalogue', text)
  expect(readCachedFirstPage()).toBeUndefined()
})

it.each([1, 3, '2', undefined])('REG-41 deletes an entry of another version (%s)', (version) => {
  cacheFirstPage(page)
  const entry = JSON.parse(localStorage.getItem('catalogue') ?? '') as object
  localStorage.setItem('catalogue', JSON.stringify({ ...entry, version }))
  expect(readCachedFirstPage()).toBeUndefined()
  expect(localStorage).toHaveLength(0)
})
