import type { Connection } from '#shared/contracts/integrations.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import { displayStatus, describeExpiry, healthStatus, needsAttention } from '#shared/token-status.ts'
import type { CredentialRow } from './store/credential-repository.ts'
import type { ConnectionRow } from './store/connection-repository.ts'
import { deriveTokenStatus } from './store/token-status.ts'

/**
 * Converts a row to the API's view of a connection.
 * @param reconnectReason why the user has to reconnect although the credential is valid
 * @param isRejected whether its server did not accept it when its tools were listed last
 * @returns undefined for an incomplete row
 */
export function toConnectionView(
  sub: string,
  row: ConnectionRow,
  credential: CredentialRow | undefined,
  now: Date,
  reconnectReason?: ReconnectReason,
  isRejected = false,
): Connection | undefined {
  const { mcp_name, connected_at, status } = row
  if (mcp_name === undefined || connected_at === undefined) return undefined
  const expiresAt = (status === 'connected' && credential?.expires_at) || null
  const tokenStatus =
    reconnectReason || (isRejected && status === 'connected')
      ? 'invalid'
      : deriveTokenStatus(row, credential, now)
  const state = { status, tokenStatus, expiresAt }
  return {
    id: row.mcp_id,
    user_id: sub,
    mcp_id: row.mcp_id,
    mcp_name,
    status,
    token_status: tokenStatus,
    connected_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    settings: { environment: row.environment },
    credential_id: credential ? row.mcp_id : null,
    credential: credential
      ? {
          status: tokenStatus === 'expired' ? 'expired' : credential.status,
          expires_at: credential.expires_at ?? null,
          needs_refresh: tokenStatus === 'needs_refresh',
        }
      : null,
    auth_type: row.auth_type,
    provider: row.provider,
    expires_at: expiresAt,
    display_status: displayStatus(state, now),
    needsAttention: needsAttention(state, now),
    expiryDisplay: describeExpiry(expiresAt, now)?.text ?? null,
    health_status: healthStatus(tokenStatus),
    refreshable: credential?.refreshable ?? false,
    open_url: row.open_url,
    ...(row.namespace !== undefined && { namespace: row.namespace }),
    ...(reconnectReason && { reconnect: reconnectReason }),
  }
}
