import { expect, it } from 'vitest'
import {
  assumedExpiryMs,
  displayStatus,
  expiryMs,
  expiryText,
  healthStatus,
  isExpired,
  needsAttention,
  readTokenStatus,
} from '#shared/token-status.ts'

const now = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000

it('DATA-25 DATA-26 reads any other token status as unknown', () => {
  for (const status of ['active', 'expired', 'needs_refresh', 'invalid', 'inactive', 'unknown'])
    expect(readTokenStatus(status)).toBe(status)
  for (const status of ['ACTIVE', '', null, undefined, 7, 'toString'])
    expect(readTokenStatus(status)).toBe('unknown')
})

it('INT-57 takes an ISO string, seconds below 1e10, or milliseconds', () => {
  expect(expiryMs('2026-11-20T10:00:00Z')).toBe(now)
  expect(expiryMs(now / 1_000)).toBe(now)
  expect(expiryMs(now)).toBe(now)
  expect(expiryMs(9_999_999_999)).toBe(9_999_999_999_000)
  expect(expiryMs(1e10)).toBe(1e10)
  for (const none of ['soon', '', null, undefined, Number.NaN, 0, -1, {}])
    expect(expiryMs(none)).toBeUndefined()
})

it('INT-56 LIM-18 assumes 24 hours where nothing is known', () => {
  expect(assumedExpiryMs('2026-11-20T10:00:00Z')).toBe(now + 86_400_000)
  expect(assumedExpiryMs('2026-11-20T10:00:00Z', 60)).toBe(now + minute)
  expect(assumedExpiryMs('never')).toBeUndefined()
})

it('INT-58 LIM-18 counts as expired within the margin, 5 minutes by default', () => {
  expect(isExpired(now + 5 * minute, now)).toBe(true)
  expect(isExpired(now + 5 * minute + 1, now)).toBe(false)
  expect(isExpired(now + 9 * minute, now, 10 * minute)).toBe(true)
  expect(isExpired(undefined, now)).toBe(false)
})

it.each([
  [-1, 'Expired'],
  [0, 'Expired'],
  [30_000, 'Expires in 0m'],
  [3 * minute, 'Expires in 3m'],
  [59 * minute, 'Expires in 59m'],
  [60 * minute, 'Expires in 1h'],
  [23 * 60 * minute + 59 * minute, 'Expires in 23h'],
  [24 * 60 * minute, 'Expires in 1d 0h'],
  [49 * 60 * minute, 'Expires in 2d 1h'],
])('INT-55 DEC-051 %i ms before the end: %s', (left, text) => {
  expect(expiryText(now + left, now)).toBe(text)
})

it('INT-50 connected, stale or disconnected', () => {
  const token = { status: 'connected', tokenStatus: 'active', expiresAtMs: now + 60 * minute } as const
  expect(displayStatus(token, now)).toBe('connected')
  expect(displayStatus({ ...token, expiresAtMs: now + 3 * minute }, now)).toBe('stale')
  expect(displayStatus({ ...token, tokenStatus: 'expired' }, now)).toBe('stale')
  expect(displayStatus({ ...token, status: 'disconnected' }, now)).toBe('disconnected')
  expect(displayStatus({ ...token, expiresAtMs: undefined }, now)).toBe('connected')
})

it('INT-51 INT-52 needs attention', () => {
  const token = { status: 'connected', tokenStatus: 'active', expiresAtMs: undefined } as const
  expect(needsAttention(token, now)).toBe(false)
  for (const tokenStatus of ['expired', 'invalid', 'needs_refresh'] as const)
    expect(needsAttention({ ...token, tokenStatus }, now)).toBe(true)
  for (const tokenStatus of ['unknown', 'inactive'] as const)
    expect(needsAttention({ ...token, tokenStatus }, now)).toBe(false)
  expect(needsAttention({ ...token, expiresAtMs: now + 10 * minute }, now)).toBe(true)
  expect(needsAttention({ ...token, expiresAtMs: now + 11 * minute }, now)).toBe(false)
  expect(needsAttention({ ...token, status: 'disconnected', tokenStatus: 'needs_refresh' }, now)).toBe(false)
})

it('INT-66 DEC-054 is healthy when active or unknown', () => {
  expect(['active', 'unknown'].map((status) => healthStatus(readTokenStatus(status)))).toEqual([
    'healthy',
    'healthy',
  ])
  expect(healthStatus('inactive')).toBe('attention')
})
