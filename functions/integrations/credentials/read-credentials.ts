import { sayTool } from '#shared/sentences/tools.ts'
import { wait } from '../../platform/clock.ts'
import { OAuthError, RefreshImpossible, SignInServerBusy, UnexpectedTokenResponse } from '../store/errors.ts'
import { markInvalid, refresh, type RefreshDeps } from './refresh.ts'
import type { TokenSet } from './tokens.ts'
import { unsealTokens } from './seal-tokens.ts'
import type { Credentials } from '../vault/vault.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { ReconnectRequired } from '../../providers/reconnect-required.ts'
import { isRefreshDue } from '../store/token-status.ts'

/** Whoever needs new tokens waits this long for a busy authorization server, which leaves a call most of its time. */
const maxWaitSeconds = 5

/** Credentials of a connection: OAuth tokens or the user's own credentials. */
export type ConnectionCredentials = { version: string } & (
  | { tokens: TokenSet }
  | { credentials: Credentials }
)

/**
 * Reads the credentials of a connection for each use. Refreshes tokens before they expire and after they were rejected, one refresh at a
 * time.
 * @returns a function; its parameter is the version of the credentials that were just rejected
 */
export function credentialsReader(
  deps: RefreshDeps,
  sub: string,
  integration: { readonly mcpId: string; readonly name: string },
): (rejectedVersion?: string) => Promise<ConnectionCredentials> {
  const { mcpId } = integration

  /** @param mayWait whether to ask once more when a busy server says that it takes only a moment */
  async function refreshTokens(usedVersion: string, mayWait: boolean): Promise<void> {
    try {
      await refresh(deps, sub, mcpId, usedVersion)
    } catch (error) {
      const seconds = error instanceof SignInServerBusy ? error.retryAfterSeconds : undefined
      if (mayWait && seconds !== undefined && seconds <= maxWaitSeconds) {
        // a timer may end a moment early
        await wait(seconds * 1_000 + 50)
        return refreshTokens(usedVersion, false)
      }
      const isRefused = error instanceof UnexpectedTokenResponse && error.isRefusal
      if (isRefused || error instanceof RefreshImpossible || error instanceof OAuthError)
        throw new ReconnectRequired(integration, { cause: error })
      throw new ProviderError(
        seconds
          ? sayTool('refresh_failed.wait', { name: integration.name, seconds })
          : sayTool('refresh_failed', { name: integration.name }),
        undefined,
        { cause: error },
      )
    }
  }

  /** @throws ReconnectRequired, ProviderError */
  return async (rejectedVersion) => {
    let credential = await deps.credentials.find(sub, mcpId)
    if (!credential || credential.status !== 'active') throw new ReconnectRequired(integration)
    const isRejected = credential.version === rejectedVersion
    if (isRejected && !credential.refreshable)
      throw new ReconnectRequired(integration, { remember: () => markInvalid(deps, sub, mcpId) })
    if (credential.sealed !== undefined) {
      // another request may have refreshed them in the meantime
      if (isRejected || isRefreshDue(credential, Date.now())) {
        // tokens that were not rejected may still work until they expire, or without a known expiry
        const { access_expires_at: expiresAt } = credential
        const mayStillWork = !isRejected && !(Date.parse(expiresAt ?? '') <= Date.now())
        await refreshTokens(credential.version, !mayStillWork).catch((error: unknown) => {
          if (!mayStillWork) throw error
        })
        credential = await deps.credentials.find(sub, mcpId)
      }
      if (credential?.status !== 'active') throw new ReconnectRequired(integration)
      const tokens = await unsealTokens(deps.sealer, { sub, mcpId }, credential)
      return { version: credential.version, tokens }
    }
    if (credential.secret_name === undefined) throw new ReconnectRequired(integration)
    return { version: credential.version, credentials: await deps.vault.read(sub, credential.secret_name) }
  }
}
