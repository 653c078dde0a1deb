import { t } from '@lingui/core/macro'
import type { Connection } from '#shared/contracts/integrations.ts'
import { currentTokenStatus, displayStatus, describeExpiry, needsAttention } from '#shared/token-status.ts'
import type { StatusVariant } from '../../../components/ui/status-icon.tsx'
import { translateSentence } from '../../../lib/text/translate.ts'

/** The name of a connection: an integration may be connected twice, once with its sandbox. */
export const getConnectionName = ({
  mcp_name: name,
  settings,
}: Pick<Connection, 'mcp_name' | 'settings'>): string =>
  settings.environment === 'sandbox' ? t`${name} Sandbox` : name

/** What the status of a connection is derived from. Call the functions below again as time passes. */
export type ConnectionState = Pick<Connection, 'status' | 'token_status' | 'expires_at' | 'needsAttention'>

const toTokenState = (connection: Omit<ConnectionState, 'needsAttention'>) => ({
  status: connection.status,
  tokenStatus: connection.token_status,
  expiresAt: connection.expires_at,
})

/** Whether refreshing the token would help: it has expired, or is marked as needing a refresh. */
export function isStale(connection: ConnectionState, now: Date): boolean {
  if (connection.status !== 'connected' || connection.token_status === 'invalid') return false
  return (
    connection.token_status === 'needs_refresh' || displayStatus(toTokenState(connection), now) === 'stale'
  )
}

/** Whether the user should look at the connection. */
export function requiresAttention(connection: ConnectionState, now: Date): boolean {
  return connection.needsAttention || needsAttention(toTokenState(connection), now)
}

type StatusInput = Pick<Connection, 'status' | 'token_status' | 'expires_at' | 'reconnect'>

/** The status of a connection: `bad` if it does not work until the user acts, `warn` if that is near. */
export function getStatusVariant(connection: StatusInput, now: Date): StatusVariant {
  const status = currentTokenStatus(toTokenState(connection), now)
  if (connection.reconnect || status === 'expired' || status === 'invalid') return 'bad'
  return status === 'needs_refresh' ? 'warn' : 'ok'
}

/** The status as text. */
export function getStatusLabel(connection: StatusInput, now: Date) {
  const status = currentTokenStatus(toTokenState(connection), now)
  if (connection.reconnect || status === 'invalid') return t`Needs Reconnect`
  if (status === 'expired') return t`Token Expired`
  return status === 'needs_refresh' ? t`Needs Refresh` : t`Connected`
}

/** 'Expires in 4h', 'Expired'; undefined for a token without an expiry. */
export function formatExpiry(expiresAt: Connection['expires_at'], now: Date): string | undefined {
  const text = describeExpiry(expiresAt, now)
  return text === undefined ? undefined : translateSentence(text)
}

/** The status on a card, with the time until the access token expires, if it does. */
export function getCardStatus(
  connection: ConnectionState | undefined,
  now: Date,
): { variant: StatusVariant; text: string } {
  if (!connection || connection.status !== 'connected') return { variant: 'off', text: t`Not connected` }
  if (connection.token_status === 'invalid')
    return { variant: getStatusVariant(connection, now), text: getStatusLabel(connection, now) }
  const expiry = formatExpiry(connection.expires_at, now)
  const label = isStale(connection, now) ? t`Needs update` : t`Connected`
  const text = expiry === undefined ? label : `${label} · ${expiry}`
  return { variant: getStatusVariant(connection, now), text }
}
