import { t } from '@lingui/core/macro'
import { ApiError, hasErrorName, NetworkError } from '../api/api-errors.ts'
import { announceSignOut, emitAuthEvent } from '../api/auth-events.ts'
import { askUserPool, loadStoredTokens } from '../api/auth-tokens.ts'
import { loadConfig } from '../api/config.ts'
import { removeTokens, type Tokens, withTokenLock, writeTokens } from '../api/stored-tokens.ts'

/** The user has signed out by then and only waits for the message. */
const revokeTimeoutMs = 5_000

/**
 * Removes the tokens from this browser, in all tabs, without telling the service.
 * @param isByUser the user signs out: the other tabs are told
 * @returns the refresh token that is still to be revoked, if there was one
 */
export const clearTokens = ({ isByUser = false } = {}): Promise<string | undefined> =>
  withTokenLock(async () => {
    const tokens = await loadStoredTokens()
    if (isByUser) announceSignOut()
    removeTokens()
    return tokens?.refreshToken
  })

/** Stores the tokens of a new sign-in. @throws ConfigError, or an Error for tokens that cannot be read */
export async function storeTokens(tokens: Tokens): Promise<void> {
  const { userPoolClientId } = await loadConfig()
  await withTokenLock(async () => writeTokens(userPoolClientId, tokens))
  emitAuthEvent('changed')
}

/**
 * Revokes a refresh token; `keepalive` lets the request outlive the page.
 * @throws NetworkError when there was no response, ApiError when the service refused, ConfigError
 */
export async function revokeRefreshToken(refreshToken: string): Promise<void> {
  const config = await loadConfig()
  let response
  try {
    response = await askUserPool(config, 'RevokeToken', {
      input: { Token: refreshToken },
      keepalive: true,
      signal: AbortSignal.timeout(revokeTimeoutMs),
    })
  } catch (error) {
    throw new NetworkError({ hasTimedOut: hasErrorName(error, 'TimeoutError'), cause: error })
  }
  if (!response.ok)
    throw new ApiError({
      status: response.status,
      code: 'revoke_refused',
      userMessage: t`You are signed out in this browser, but the sign-in service did not confirm it.`,
    })
}
