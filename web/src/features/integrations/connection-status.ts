import type { Integration, TokenStatus } from '#shared/contracts/integrations.ts'
import { expiryText } from '#shared/token-expiry.ts'
import { displayStatus, needsAttention } from '#shared/token-status.ts'
import type { StatusTone } from './status-glyph.tsx'

/** What the rules look at; the clock has moved on since the list was read, so they are applied again. */
export type Standing = Pick<Integration, 'status' | 'token_status' | 'expires_at' | 'needsAttention'>

const stateOf = (row: Standing) => ({
  status: row.status,
  tokenStatus: row.token_status,
  expiresAt: row.expires_at,
})

/** INT-50, DEC-063: what refreshing can repair: an expired connection, and one whose credential asks for it. */
export function isStale(row: Standing, now: Date): boolean {
  if (row.status !== 'connected' || row.token_status === 'invalid') return false
  return row.token_status === 'needs_refresh' || displayStatus(stateOf(row), now) === 'stale'
}

/** INT-51, INT-52, INT-58 */
export function requiresAttention(row: Standing, now: Date): boolean {
  return row.needsAttention || needsAttention(stateOf(row), now)
}

/** TOP-09, DEC-053: expired red, needs_refresh yellow, otherwise green. */
export function dotTone(tokenStatus: TokenStatus): StatusTone {
  if (tokenStatus === 'expired') return 'bad'
  return tokenStatus === 'needs_refresh' ? 'warn' : 'ok'
}

/** TOP-13, DEC-053 */
export function statusWords(tokenStatus: TokenStatus): 'Connected' | 'Needs Refresh' | 'Token Expired' {
  if (tokenStatus === 'expired') return 'Token Expired'
  return tokenStatus === 'needs_refresh' ? 'Needs Refresh' : 'Connected'
}

/** INT-17: how a card stands, in shape, colour and words. */
export function cardStatus(row: Standing | undefined, now: Date): { tone: StatusTone; text: string } {
  if (!row || row.status !== 'connected') return { tone: 'off', text: 'Not connected' }
  if (row.token_status === 'invalid') return { tone: 'bad', text: 'Requires attention' }
  const expiry = expiryText(row.expires_at, now)
  const words = isStale(row, now) ? 'Needs update' : 'Connected'
  const text = expiry === undefined ? words : `${words} · ${expiry}`
  return { tone: words === 'Connected' ? 'ok' : 'warn', text }
}
