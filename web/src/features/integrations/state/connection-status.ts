import type { Integration } from '#shared/contracts/integrations.ts'
import { currentTokenStatus, displayStatus, expiryText, needsAttention } from '#shared/token-status.ts'
import type { StatusTone } from '../components/status-icon.tsx'

/** What the rules look at; the clock has moved on since the list was read, so they are applied again. */
export type Standing = Pick<Integration, 'status' | 'token_status' | 'expires_at' | 'needsAttention'>

const stateOf = (row: Omit<Standing, 'needsAttention'>) => ({
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

type Connection = Pick<Integration, 'status' | 'token_status' | 'expires_at' | 'reconnect'>

/** The tone of a connection wherever it is shown: red where nothing works until the person acts, yellow where that is near. */
export function dotTone(row: Connection, now: Date): StatusTone {
  const status = currentTokenStatus(stateOf(row), now)
  if (row.reconnect || status === 'expired' || status === 'invalid') return 'bad'
  return status === 'needs_refresh' ? 'warn' : 'ok'
}

/** What a badge and its popover call that. */
export function statusWords(row: Connection, now: Date) {
  const status = currentTokenStatus(stateOf(row), now)
  if (row.reconnect || status === 'invalid') return 'Needs Reconnect'
  if (status === 'expired') return 'Token Expired'
  return status === 'needs_refresh' ? 'Needs Refresh' : 'Connected'
}

/** INT-17: how a card stands, in shape, colour and words. */
export function cardStatus(row: Standing | undefined, now: Date): { tone: StatusTone; text: string } {
  if (!row || row.status !== 'connected') return { tone: 'off', text: 'Not connected' }
  if (row.token_status === 'invalid') return { tone: dotTone(row, now), text: statusWords(row, now) }
  const expiry = expiryText(row.expires_at, now)
  const words = isStale(row, now) ? 'Needs update' : 'Connected'
  const text = expiry === undefined ? words : `${words} · ${expiry}`
  return { tone: dotTone(row, now), text }
}
