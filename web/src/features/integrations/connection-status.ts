import type { Integration, TokenStatus } from '#shared/contracts/integrations.ts'
import { attentionMarginMs, expiryText, isExpired } from '#shared/token-expiry.ts'
import type { StatusTone } from './status-glyph.tsx'

/** What the rules look at; the clock has moved on since the list was read, so they are applied again. */
export type Standing = Pick<Integration, 'status' | 'token_status' | 'expires_at' | 'needsAttention'>

/** INT-50: stale is what the reader can repair by refreshing. */
export function displayStatus(row: Standing, now: Date): 'connected' | 'stale' | 'disconnected' {
  if (row.status !== 'connected') return 'disconnected'
  return row.token_status === 'expired' ||
    row.token_status === 'needs_refresh' ||
    isExpired(row.expires_at, now)
    ? 'stale'
    : 'connected'
}

/** INT-51, INT-52, INT-58 */
export function needsAttention(row: Standing, now: Date): boolean {
  if (row.needsAttention || row.token_status === 'expired' || row.token_status === 'invalid') return true
  if (row.status !== 'connected') return false
  return row.token_status === 'needs_refresh' || isExpired(row.expires_at, now, attentionMarginMs)
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

/** INT-66, DEC-054: healthy when the token is active or unknown. */
export function isHealthy(tokenStatus: TokenStatus): boolean {
  return tokenStatus === 'active' || tokenStatus === 'unknown'
}

/** INT-17: how a card stands, in shape, colour and words. */
export function cardStatus(row: Standing | undefined, now: Date): { tone: StatusTone; text: string } {
  if (!row || row.status !== 'connected') return { tone: 'off', text: 'Not connected' }
  if (row.token_status === 'invalid') return { tone: 'bad', text: 'Requires attention' }
  const expiry = expiryText(row.expires_at, now)
  const words = displayStatus(row, now) === 'stale' ? 'Needs update' : 'Connected'
  const text = expiry === undefined ? words : `${words} · ${expiry}`
  return { tone: words === 'Connected' ? 'ok' : 'warn', text }
}
