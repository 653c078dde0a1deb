import { describe, expect, it } from 'vitest'
import { attentionMarginMs, computeExpiry, describeExpiry, parseExpiry, isExpired } from './token-status.ts'

const now = new Date('2026-11-20T12:00:00Z')
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString()

describe('the expiry of a token', () => {
  it.each([
    ['2026-11-20T12:00:00Z', now.getTime()],
    [now.getTime() / 1000, now.getTime()],
    [now.getTime(), now.getTime()],
    [9_999_999_999, 9_999_999_999_000],
    [1e10, 1e10],
    [null, undefined],
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    [Number.NaN, undefined],
  ])('INT-57 reads %s', (expiry, time) => {
    expect(parseExpiry(expiry)).toBe(time)
  })

  it('INT-56 LIM-18 is lastUpdated plus expiresIn, 24 h without one', () => {
    expect(computeExpiry('2026-11-20T12:00:00Z', 3600)).toBe(Date.parse('2026-11-20T13:00:00Z'))
    expect(computeExpiry('2026-11-20T12:00:00Z')).toBe(Date.parse('2026-11-21T12:00:00Z'))
    expect(computeExpiry('never')).toBeUndefined()
  })

  it.each([
    [inMinutes(-1), 'Expired'],
    [inMinutes(0), 'Expired'],
    [inMinutes(0.5), 'Expires in 1m'],
    [inMinutes(3), 'Expires in 3m'],
    [inMinutes(59.9), 'Expires in 59m'],
    [inMinutes(60), 'Expires in 1h'],
    [inMinutes(60 * 24 - 1), 'Expires in 23h'],
    [inMinutes(60 * 24), 'Expires in 1d 0h'],
    [inMinutes(60 * 52.5), 'Expires in 2d 4h'],
    [null, undefined],
  ])('INT-55 DEC-051 says of %s: %s', (expiry, text) => {
    expect(describeExpiry(expiry, now)?.text).toBe(text)
  })

  it.each([
    [inMinutes(5), true, true],
    [inMinutes(5.1), false, true],
    [inMinutes(10), false, true],
    [inMinutes(10.1), false, false],
    [null, false, false],
  ])('INT-58 LIM-18 counts %s as expired: %s, for attention: %s', (expiry, expired, attention) => {
    expect(isExpired(expiry, now)).toBe(expired)
    expect(isExpired(expiry, now, attentionMarginMs)).toBe(attention)
  })
})
