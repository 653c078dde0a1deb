import type { TokenStatus } from '#shared/contracts/integrations.ts'
import { currentTokenStatus } from '#shared/token-status.ts'
import type { CredentialRow } from './credential-repository.ts'
import type { IntegrationRow } from './integration-repository.ts'
import { isDue } from './refresh.ts'

/**
 * The token status of a connection. Whether it needs a refresh or has expired follows from the credential and the clock
 * alone; nothing stores these two, so they are never out of date.
 * @returns `invalid` where a renewal was refused, `expired` where the end is past, `needs_refresh` where the end is near or a
 *   renewal is pending, otherwise what the row says
 */
export function deriveTokenStatus(
  { status, token_status }: Pick<IntegrationRow, 'status' | 'token_status'>,
  credential: CredentialRow | undefined,
  now: Date,
): TokenStatus {
  if (status !== 'connected' || !credential) return token_status
  if (token_status === 'invalid' || token_status === 'inactive') return token_status
  if (credential.status !== 'active') return credential.status
  const stored = token_status === 'unknown' ? 'unknown' : 'active'
  const expiresAt = credential.expires_at ?? null
  const current = currentTokenStatus({ status, tokenStatus: stored, expiresAt }, now)
  return current === stored && isDue(credential, now.getTime()) ? 'needs_refresh' : current
}
