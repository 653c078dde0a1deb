import type { Integration } from '#shared/contracts/integrations.ts'
import { displayStatus, healthStatus, needsAttention } from '#shared/token-status.ts'
import { expiryText } from '#shared/token-expiry.ts'
import type { CredentialRow } from './credential-repository.ts'
import type { IntegrationRow } from './integration-repository.ts'

/** DATA-24, DATA-28: what the page sees of an integration; undefined for a row that lacks what every row has (INT-59). */
export function integrationView(
  sub: string,
  row: IntegrationRow,
  credential: CredentialRow | undefined,
  now: Date,
): Integration | undefined {
  const { mcp_name, connected_at, status } = row
  if (mcp_name === undefined || connected_at === undefined) return undefined
  const expiresAt = (status === 'connected' && credential?.expires_at) || null
  const state = { status, tokenStatus: row.token_status, expiresAt }
  return {
    id: row.mcp_id,
    user_id: sub,
    mcp_id: row.mcp_id,
    mcp_name,
    status,
    token_status: row.token_status,
    connected_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    settings: { environment: row.environment },
    credential_id: credential ? row.mcp_id : null,
    credential: credential
      ? {
          status: credential.status,
          expires_at: credential.expires_at ?? null,
          needs_refresh: row.token_status === 'needs_refresh',
        }
      : null,
    auth_type: row.auth_type,
    provider: row.provider,
    expires_at: expiresAt,
    display_status: displayStatus(state, now),
    needsAttention: needsAttention(state, now),
    expiryDisplay: expiryText(expiresAt, now) ?? null,
    health_status: healthStatus(row.token_status),
    refreshable: credential?.refreshable ?? false,
    open_url: row.open_url,
  }
}
