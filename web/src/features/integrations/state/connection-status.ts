import type { Integration } from '#shared/contracts/integrations.ts'
import { currentTokenStatus, displayStatus, expiryText, needsAttention } from '#shared/token-status.ts'
import type { StatusVariant } from '../components/status-icon.tsx'
import * as texts from '../texts.ts'

/** The input of the status rules, which are evaluated again as time passes. */
export type ConnectionState = Pick<Integration, 'status' | 'token_status' | 'expires_at' | 'needsAttention'>

const toTokenState = (row: Omit<ConnectionState, 'needsAttention'>) => ({
  status: row.status,
  tokenStatus: row.token_status,
  expiresAt: row.expires_at,
})

/** Whether refreshing the token would help: it has expired, or is marked as needing a refresh. */
export function isStale(row: ConnectionState, now: Date): boolean {
  if (row.status !== 'connected' || row.token_status === 'invalid') return false
  return row.token_status === 'needs_refresh' || displayStatus(toTokenState(row), now) === 'stale'
}

/** Whether the user should look at the connection. */
export function requiresAttention(row: ConnectionState, now: Date): boolean {
  return row.needsAttention || needsAttention(toTokenState(row), now)
}

type Connection = Pick<Integration, 'status' | 'token_status' | 'expires_at' | 'reconnect'>

/** The status of a connection: `bad` if it does not work until the user acts, `warn` if that is near. */
export function getStatusVariant(row: Connection, now: Date): StatusVariant {
  const status = currentTokenStatus(toTokenState(row), now)
  if (row.reconnect || status === 'expired' || status === 'invalid') return 'bad'
  return status === 'needs_refresh' ? 'warn' : 'ok'
}

/** The status as text. */
export function getStatusLabel(row: Connection, now: Date) {
  const status = currentTokenStatus(toTokenState(row), now)
  if (row.reconnect || status === 'invalid') return texts.needsReconnect
  if (status === 'expired') return texts.tokenExpired
  return status === 'needs_refresh' ? texts.needsRefresh : texts.connected
}

/** The status on a card. */
export function getCardStatus(
  row: ConnectionState | undefined,
  now: Date,
): { variant: StatusVariant; text: string } {
  if (!row || row.status !== 'connected') return { variant: 'off', text: texts.notConnected }
  if (row.token_status === 'invalid')
    return { variant: getStatusVariant(row, now), text: getStatusLabel(row, now) }
  const expiry = expiryText(row.expires_at, now)
  const label = isStale(row, now) ? texts.needsUpdate : texts.connected
  const text = expiry === undefined ? label : `${label} · ${expiry}`
  return { variant: getStatusVariant(row, now), text }
}
