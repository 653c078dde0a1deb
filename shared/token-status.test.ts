import { expect, it } from 'vitest'
import { displayStatus, healthStatus, needsAttention, parseTokenStatus } from '#shared/token-status.ts'

const now = new Date('2026-11-20T10:00:00Z')
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString()

it('DATA-25 DATA-26 reads any other token status as unknown', () => {
  for (const status of ['active', 'expired', 'needs_refresh', 'invalid', 'inactive', 'unknown'])
    expect(parseTokenStatus(status)).toBe(status)
  for (const status of ['ACTIVE', '', null, undefined, 7, 'toString'])
    expect(parseTokenStatus(status)).toBe('unknown')
})

it('INT-50 the displayed status is connected, stale or disconnected', () => {
  const token = { status: 'connected', tokenStatus: 'active', expiresAt: inMinutes(60) } as const
  expect(displayStatus(token, now)).toBe('connected')
  expect(displayStatus({ ...token, expiresAt: inMinutes(3) }, now)).toBe('stale')
  expect(displayStatus({ ...token, tokenStatus: 'expired' }, now)).toBe('stale')
  expect(displayStatus({ ...token, status: 'disconnected' }, now)).toBe('disconnected')
  expect(displayStatus({ ...token, expiresAt: null }, now)).toBe('connected')
})

it('INT-51 INT-52 a connection needs attention if its token is invalid, expired or about to expire, unless it is disconnected', () => {
  const token = { status: 'connected', tokenStatus: 'active', expiresAt: null } as const
  expect(needsAttention(token, now)).toBe(false)
  for (const tokenStatus of ['expired', 'invalid', 'needs_refresh'] as const)
    expect(needsAttention({ ...token, tokenStatus }, now)).toBe(true)
  for (const tokenStatus of ['unknown', 'inactive'] as const)
    expect(needsAttention({ ...token, tokenStatus }, now)).toBe(false)
  expect(needsAttention({ ...token, expiresAt: inMinutes(10) }, now)).toBe(true)
  expect(needsAttention({ ...token, expiresAt: inMinutes(11) }, now)).toBe(false)
  expect(needsAttention({ ...token, status: 'disconnected', tokenStatus: 'needs_refresh' }, now)).toBe(false)
})

it('INT-66 DEC-054 the health status is healthy when the token is active or unknown', () => {
  expect(['active', 'unknown'].map((status) => healthStatus(parseTokenStatus(status)))).toEqual([
    'healthy',
    'healthy',
  ])
  expect(healthStatus('inactive')).toBe('attention')
})
