import { describe, expect, it } from 'vitest'
import type { TokenStatus } from '#shared/contracts/integrations.ts'
import {
  getCardStatus,
  getStatusVariant,
  isStale,
  requiresAttention,
  getStatusLabel,
  type ConnectionState,
} from './connection-status.ts'

const now = new Date('2026-11-20T12:00:00Z')
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString()
const createState = (changes: Partial<ConnectionState> = {}): ConnectionState => ({
  status: 'connected',
  token_status: 'active',
  expires_at: null,
  needsAttention: false,
  ...changes,
})

describe('the status of a connection', () => {
  it.each([
    [createState(), false],
    [createState({ expires_at: inMinutes(6) }), false],
    [createState({ expires_at: inMinutes(5) }), true],
    [createState({ expires_at: inMinutes(-60) }), true],
    [createState({ token_status: 'expired' }), true],
    [createState({ token_status: 'needs_refresh' }), true],
    [createState({ status: 'disconnected', token_status: 'inactive' }), false],
    [createState({ status: 'disconnected', expires_at: inMinutes(-60) }), false],
    [createState({ token_status: 'invalid', expires_at: inMinutes(-60) }), false],
  ])('INT-50 DEC-063 needs an update: %o is %s', (connection, expected) => {
    expect(isStale(connection, now)).toBe(expected)
  })

  it.each([
    [createState(), false],
    [createState({ needsAttention: true }), true],
    [createState({ token_status: 'expired' }), true],
    [createState({ token_status: 'invalid' }), true],
    [createState({ token_status: 'needs_refresh' }), true],
    [createState({ status: 'disconnected', token_status: 'needs_refresh' }), false],
    [createState({ expires_at: inMinutes(10) }), true],
    [createState({ expires_at: inMinutes(11) }), false],
  ])('INT-51 INT-52 INT-58 needs attention: %o is %s', (connection, expected) => {
    expect(requiresAttention(connection, now)).toBe(expected)
  })

  it.each<[TokenStatus, string, string]>([
    ['active', 'ok', 'Connected'],
    ['unknown', 'ok', 'Connected'],
    ['needs_refresh', 'warn', 'Needs Refresh'],
    ['expired', 'bad', 'Token Expired'],
    ['invalid', 'bad', 'Needs Reconnect'],
    ['inactive', 'ok', 'Connected'],
  ])('TOP-09 TOP-13 DEC-053 for the token status %s: %s, %s', (status, variant, label) => {
    const connection = createState({ token_status: status })
    expect([getStatusVariant(connection, now), getStatusLabel(connection, now)]).toEqual([variant, label])
  })

  it.each([
    [11, 'ok', 'Connected'],
    [5, 'warn', 'Needs Refresh'],
    [0, 'bad', 'Token Expired'],
    [-60, 'bad', 'Token Expired'],
  ])(
    'TOP-09 TOP-13 DEC-125 %i minutes before it expires: %s, %s, with the same colour on its card',
    (minutes, variant, label) => {
      const connection = createState({ expires_at: inMinutes(minutes) })
      expect([getStatusVariant(connection, now), getStatusLabel(connection, now)]).toEqual([variant, label])
      expect(getCardStatus(connection, now).variant).toBe(variant)
    },
  )

  it.each([
    [undefined, 'off', 'Not connected'],
    [createState(), 'ok', 'Connected'],
    [createState({ expires_at: inMinutes(60 * 21) }), 'ok', 'Connected · Expires in 21h'],
    [createState({ expires_at: inMinutes(3) }), 'warn', 'Needs update · Expires in 3m'],
    [createState({ expires_at: inMinutes(-1) }), 'bad', 'Needs update · Expired'],
    [createState({ token_status: 'needs_refresh' }), 'warn', 'Needs update'],
    [createState({ token_status: 'invalid' }), 'bad', 'Needs Reconnect'],
  ])('INT-17 INT-55 DEC-051 on the card: %o is %s, %s', (connection, variant, text) => {
    expect(getCardStatus(connection, now)).toEqual({ variant, text })
  })
})
