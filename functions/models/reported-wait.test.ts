import { expect, it } from 'vitest'
import { limitCpuTime } from '../../test/support/fuzz.ts'
import { readWait, readWaitFields, readWaitHeaders } from './reported-wait.ts'

it.each([
  [{ 'retry-after': '7', 'retry-after-ms': '100' }, '7'],
  [{ 'retry-after-ms': '90100' }, '91'],
  [{ ratelimit: '"api";r=0;t=55' }, '55'],
  [{ ratelimit: '"api"; r=0; t=55' }, '55'],
  [{ ratelimit: '"api";r=3;t=55' }, null],
  [{ 'retry-after-ms': 'soon' }, null],
  [{}, null],
])('the headers %j name the wait %s', (headers, wait) => {
  expect(readWaitHeaders(new Headers(headers))).toBe(wait)
})

it.each<[object, string | undefined]>([
  [{ metadata: { headers: { 'Retry-After': '7', 'X-RateLimit-Reset': '99' } } }, '7'],
  [{ metadata: { headers: { 'X-RateLimit-Reset': 42 } } }, '42'],
  [{ metadata: { headers: { 'X-RateLimit-Reset': '1000000001' } } }, '0'],
  [{ metadata: { headers: { 'X-RateLimit-Reset': '1000000000001' } } }, '0'],
  [{ metadata: { headers: { 'X-RateLimit-Reset': 'soon' } } }, undefined],
  [{ details: [null, { '@type': 'Help' }, { retryDelay: '34.5s' }] }, '34.5'],
  [{ details: [{ retryDelay: 34 }] }, undefined],
  [{ metadata: null, details: 'none' }, undefined],
])('the fields %j name the wait %s', (fields, wait) => {
  expect(readWaitFields(fields as Record<string, unknown>)).toBe(wait)
})

it.each<[string, number | undefined]>([
  ['Please wait, then try again in 2 s', 2],
  ['Rate limit of 50 per 86400s exceeded', undefined],
  ['Try again in 5 months', undefined],
  ['Try again in 0s', undefined],
  ['Please wait.', undefined],
])('of the words %j the wait is %s', (message, seconds) => {
  expect(readWait({ message })).toBe(seconds)
  expect(readWait({ message, retryAfter: '9' })).toBe(9)
})

it('takes a time that grows with the text', () => {
  for (const words of ['wait for ', 'wait 1s ', '1m1s', 'try again in 1m'])
    expect(() => limitCpuTime(() => readWait({ message: words.repeat(10_000) }), 1_000)).not.toThrow()
})
