import { describe, expect, it } from 'vitest'
import type { TokenStatus } from '#shared/contracts/integrations.ts'
import {
  cardStatus,
  dotTone,
  isStale,
  requiresAttention,
  statusWords,
  type Standing,
} from './connection-status.ts'

const now = new Date('2026-11-20T12:00:00Z')
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString()
const row = (over: Partial<Standing> = {}): Standing => ({
  status: 'connected',
  token_status: 'active',
  expires_at: null,
  needsAttention: false,
  ...over,
})

describe('how a connection stands', () => {
  it.each([
    [row(), false],
    [row({ expires_at: inMinutes(6) }), false],
    [row({ expires_at: inMinutes(5) }), true],
    [row({ expires_at: inMinutes(-60) }), true],
    [row({ token_status: 'expired' }), true],
    [row({ token_status: 'needs_refresh' }), true],
    [row({ status: 'disconnected', token_status: 'inactive' }), false],
    [row({ status: 'disconnected', expires_at: inMinutes(-60) }), false],
    [row({ token_status: 'invalid', expires_at: inMinutes(-60) }), false],
  ])('INT-50 DEC-063 needs an update: %o is %s', (standing, expected) => {
    expect(isStale(standing, now)).toBe(expected)
  })

  it.each([
    [row(), false],
    [row({ needsAttention: true }), true],
    [row({ token_status: 'expired' }), true],
    [row({ token_status: 'invalid' }), true],
    [row({ token_status: 'needs_refresh' }), true],
    [row({ status: 'disconnected', token_status: 'needs_refresh' }), false],
    [row({ expires_at: inMinutes(10) }), true],
    [row({ expires_at: inMinutes(11) }), false],
  ])('INT-51 INT-52 INT-58 needs attention: %o is %s', (standing, expected) => {
    expect(requiresAttention(standing, now)).toBe(expected)
  })

  it.each<[TokenStatus, string, string]>([
    ['active', 'ok', 'Connected'],
    ['unknown', 'ok', 'Connected'],
    ['needs_refresh', 'warn', 'Needs Refresh'],
    ['expired', 'bad', 'Token Expired'],
    ['invalid', 'bad', 'Needs Reconnect'],
    ['inactive', 'ok', 'Connected'],
  ])('TOP-09 TOP-13 DEC-053 of a token %s: %s, %s', (status, tone, words) => {
    const standing = row({ token_status: status })
    expect([dotTone(standing, now), statusWords(standing, now)]).toEqual([tone, words])
  })

  it.each([
    [11, 'ok', 'Connected'],
    [5, 'warn', 'Needs Refresh'],
    [0, 'bad', 'Token Expired'],
    [-60, 'bad', 'Token Expired'],
  ])('TOP-09 TOP-13 DEC-125 %i minutes before its end: %s, %s, as on its card', (minutes, tone, words) => {
    const standing = row({ expires_at: inMinutes(minutes) })
    expect([dotTone(standing, now), statusWords(standing, now)]).toEqual([tone, words])
    expect(cardStatus(standing, now).tone).toBe(tone)
  })

  it.each([
    [undefined, 'off', 'Not connected'],
    [row(), 'ok', 'Connected'],
    [row({ expires_at: inMinutes(60 * 21) }), 'ok', 'Connected · Expires in 21h'],
    [row({ expires_at: inMinutes(3) }), 'warn', 'Needs update · Expires in 3m'],
    [row({ expires_at: inMinutes(-1) }), 'bad', 'Needs update · Expired'],
    [row({ token_status: 'needs_refresh' }), 'warn', 'Needs update'],
    [row({ token_status: 'invalid' }), 'bad', 'Needs Reconnect'],
  ])('INT-17 INT-55 DEC-051 on its card: %o is %s, %s', (standing, tone, text) => {
    expect(cardStatus(standing, now)).toEqual({ tone, text })
  })
})
