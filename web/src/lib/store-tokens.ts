import { t } from '@lingui/core/macro'
import { cognitoUserPoolsTokenProvider as provider } from '@aws-amplify/auth/cognito'
import { decodeJWT } from '@aws-amplify/core'
import { ApiError, ConfigError, hasErrorName, NetworkError } from './api-errors.ts'
import { announceSignOut } from './auth-events.ts'
import { configureAuth, listTokenKeys, withTokenLock } from './configure-auth.ts'
import { removeStored } from './storage.ts'

/** The user has signed out by then and only waits for the message. */
const revokeTimeoutMs = 5_000

/**
 * Removes the tokens from this browser, in all tabs, without telling the service.
 * @param isByUser the user signs out: the other tabs are told
 * @returns the refresh token that is still to be revoked, if there was one
 */
export async function clearTokens({ isByUser = false } = {}): Promise<string | undefined> {
  const announce = () => isByUser && announceSignOut()
  try {
    await configureAuth()
    return await withTokenLock(async () => {
      const tokens = await provider.authTokenStore.loadTokens()
      announce()
      await provider.authTokenStore.clearTokens()
      return tokens?.refreshToken
    })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    announce()
    // without a configuration Amplify does not know its own keys
    for (const key of listTokenKeys()) removeStored('local', key)
    return undefined
  }
}

/** The token endpoint's response to an authorization code. */
export interface TokenResponse {
  access_token: string
  id_token: string
  refresh_token: string
}

/** Stores the tokens of a hosted sign-in as if Amplify had signed in itself. @throws ConfigError, or an Error for tokens that it cannot read */
export async function storeTokens(tokens: TokenResponse): Promise<void> {
  await configureAuth()
  const accessToken = decodeJWT(tokens.access_token)
  const { username } = accessToken.payload
  if (typeof username !== 'string') throw new Error('the access token names no user')
  await withTokenLock(() =>
    provider.tokenOrchestrator.setTokens({
      tokens: {
        accessToken,
        idToken: decodeJWT(tokens.id_token),
        refreshToken: tokens.refresh_token,
        username,
        clockDrift: (accessToken.payload.iat ?? 0) * 1000 - Date.now(),
      },
    }),
  )
}

/**
 * Revokes a refresh token. A request of our own, because Amplify's sign-out hides whether the service agreed; `keepalive` lets it outlive
 * the page.
 * @throws NetworkError when there was no response, ApiError when the service refused, ConfigError
 */
export async function revokeRefreshToken(refreshToken: string): Promise<void> {
  const { region, userPoolClientId, userPoolEndpoint } = await configureAuth()
  let response
  try {
    response = await fetch(userPoolEndpoint ?? `https://cognito-idp.${region}.amazonaws.com/`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityProviderService.RevokeToken',
      },
      body: JSON.stringify({ ClientId: userPoolClientId, Token: refreshToken }),
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
