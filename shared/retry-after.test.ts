import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-25T12:00:00Z') }))
afterEach(() => void vi.useRealTimers())

it.each([
  ['7', 7],
  [' 7 ', 7],
  ['0', 0],
  ['1.5', 2],
  ['86400', 86_400],
  // seconds since 1970, as some servers send by mistake
  ['1764072000', 86_400],
  ['Wed, 25 Nov 2026 12:00:20 GMT', 20],
  ['Wednesday, 25-Nov-26 12:00:20 GMT', 20],
  ['2026-11-25T12:00:20.5Z', 21],
  ['Wed, 25 Nov 2026 11:59:59 GMT', 0],
  ['Fri, 25 Dec 2026 12:00:00 GMT', 86_400],
  ['-1', undefined],
  ['soon', undefined],
  ['about 7', undefined],
  ['7 apples', undefined],
  ['0x10', undefined],
  ['1e3', undefined],
  ['99:99:99', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('Retry-After %j means %s seconds', (header, seconds) => {
  expect(parseRetryAfter(header)).toBe(seconds)
})
