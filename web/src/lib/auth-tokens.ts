import { t } from '@lingui/core/macro'
import { cognitoUserPoolsTokenProvider as provider } from '@aws-amplify/auth/cognito'
import { Amplify, ConsoleLogger, decodeJWT, fetchAuthSession, Hub } from '@aws-amplify/core'
import { hasRefusal } from '#shared/has-refusal.ts'
import { twoFactorClaim } from '#shared/two-factor-claim.ts'
import { ApiError, ConfigError, hasErrorName, NetworkError, NotSignedInError } from './api-errors.ts'
import { announceSignOut, emitSignOut, isAccountDisabled, isRejection } from './auth-events.ts'
import { loadConfig, type AppConfig } from './config.ts'
import { toSignedInUser, type SignedInUser } from './signed-in-user.ts'
import { listStoredKeys, readStored, removeStored, writeStored } from './storage.ts'

/**
 * Runs work that writes or clears the tokens while no other tab does. Never call signIn, getCurrentUser or fetchAuthSession inside: they
 * take the same lock and would wait forever.
 */
export function withTokenLock<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request('auth-tokens', work)
}

async function loadStoredAccessToken(): Promise<string> {
  return String((await provider.authTokenStore.loadTokens())?.accessToken ?? '')
}

/** The session storage key of the user pool's message about an account that it refused. */
export const refusalKey = 'juno.account-refused'

let areTokensHidden = false

/**
 * Lets a signed-in user sign in again. Amplify refuses to sign in while it finds tokens; it looks for them synchronously, so no other
 * caller is affected.
 */
export function withHiddenTokens<Result>(signIn: () => Promise<Result>): Promise<Result> {
  areTokensHidden = true
  try {
    return signIn()
  } finally {
    areTokensHidden = false
  }
}

/**
 * Provides tokens to Amplify, with one refresh at a time across all tabs: refresh tokens rotate, so two at
 * once would end the sign-in.
 * A forced refresh that waited for another tab uses that tab's result.
 */
const tokenProvider = {
  async getTokens(options: { forceRefresh?: boolean } = {}) {
    if (areTokensHidden) return null
    const before = await loadStoredAccessToken()
    return withTokenLock(async () => {
      const forceRefresh = options.forceRefresh === true && (await loadStoredAccessToken()) === before
      return provider.getTokens({ ...options, forceRefresh }).catch(endRefusedSession)
    })
  },
}

/** Ends a session whose account the token trigger rejects. Amplify takes that for a temporary failure, and would retry for ever. */
async function endRefusedSession(error: Error): Promise<null> {
  if (!hasRefusal(error.message)) throw error
  // for the sign-in page, which says why
  writeStored('session', refusalKey, error.message)
  await provider.authTokenStore.clearTokens()
  emitSignOut('expired')
  // as Amplify answers for tokens that were refused
  return null
}

let configPromise: Promise<AppConfig> | undefined

/**
 * Loads the configuration and configures Amplify, once. A failure is retried by the next call.
 * @throws ConfigError
 */
export function configureAuth(): Promise<AppConfig> {
  configPromise ??= loadConfig().then(configure, (error: unknown) => {
    configPromise = undefined
    throw error
  })
  return configPromise
}

function configure(config: AppConfig): AppConfig {
  // Amplify warns about a custom user pool endpoint on each load
  ConsoleLogger.LOG_LEVEL = 'ERROR'
  const Auth = {
    Cognito: {
      userPoolId: config.userPoolId,
      userPoolClientId: config.userPoolClientId,
      ...(config.userPoolEndpoint !== undefined && { userPoolEndpoint: config.userPoolEndpoint }),
    },
  }
  provider.setAuthConfig(Auth)
  Amplify.configure({ Auth }, { Auth: { tokenProvider } })
  return config
}

/**
 * The signed-in user according to the stored tokens, which are refreshed if they have expired; null if
 * there is none.
 * Without a configuration or a network the stored ID token still counts, so that the page can open.
 */
export async function loadSignedInUser(): Promise<SignedInUser | null> {
  try {
    await configureAuth()
    const { tokens } = await fetchAuthSession()
    if (!tokens?.idToken) return null
    const mustSetUp = tokens.accessToken.payload[twoFactorClaim] === 'required'
    return { ...toSignedInUser(tokens.idToken), ...(mustSetUp && { mustSetUpTwoFactor: true }) }
  } catch (error) {
    // the user stays signed in until the service rejects the tokens
    return isTransient(error) ? readStoredUser() : null
  }
}

/**
 * Returns a valid access token.
 * @throws NotSignedInError when no user is signed in, NetworkError when the refresh got no response,
 * ConfigError
 */
export function getAccessToken(): Promise<string> {
  return fetchAccessToken(false)
}

/**
 * Returns a replacement for a rejected token: the one another tab has stored meanwhile, otherwise a
 * refreshed one.
 * @throws like `getAccessToken`
 */
export async function replaceAccessToken(refusedToken: string): Promise<string> {
  const storedToken = await loadStoredAccessToken()
  return fetchAccessToken(storedToken === refusedToken)
}

/** `sub` of the user whom this page is bound to. */
let pageOwner: string | undefined

/**
 * Binds this page to a user: until it is reloaded, no call is sent with another user's token, whatever is
 * still running.
 * @returns false when the page is bound to another user already
 */
export function claimPage(sub: string): boolean {
  pageOwner ??= sub
  return pageOwner === sub
}

async function fetchAccessToken(forceRefresh: boolean): Promise<string> {
  await configureAuth()
  const hadTokens = await hasStoredTokens()
  let session
  try {
    session = await fetchAuthSession({ forceRefresh })
  } catch (error) {
    if (isTransient(error)) throw new NetworkError(false, { cause: error })
    throw new NotSignedInError('the session was refused', { cause: error })
  }
  if (!session.tokens) throw hadTokens ? createRefusedError() : new NotSignedInError('nobody is signed in')
  const { accessToken: token } = session.tokens
  if (pageOwner !== undefined && token.payload.sub !== pageOwner)
    throw new NotSignedInError('another user has signed in')
  return token.toString()
}

let isDisabled = false
Hub.listen('auth', ({ payload }) => {
  if (payload.event === 'tokenRefresh_failure') isDisabled = isAccountDisabled(payload.data?.error)
  if (payload.event === 'signedIn' || payload.event === 'tokenRefresh') isDisabled = false
})

/** Amplify returns no tokens when a refresh is rejected, and swallows the error, which only its event has: the cause restores it. */
function createRefusedError(): NotSignedInError {
  const message = isDisabled ? 'User is disabled.' : 'the refresh was refused'
  const refusal = Object.assign(new Error(message), { name: 'NotAuthorizedException' })
  return new NotSignedInError('the session has ended', { cause: refusal })
}

/** Whether tokens are stored, valid or not. */
export async function hasStoredTokens(): Promise<boolean> {
  return (await provider.authTokenStore.loadTokens()) !== null
}

/**
 * Milliseconds until the stored access token expires by the service's clock; undefined when no user is
 * signed in.
 */
export async function getTokenRemainingMs(): Promise<number | undefined> {
  const tokens = await provider.authTokenStore.loadTokens()
  const expiresAtSeconds = tokens?.accessToken.payload.exp
  if (tokens === null || expiresAtSeconds === undefined) return undefined
  return expiresAtSeconds * 1000 - (Date.now() + tokens.clockDrift)
}

/**
 * Refreshes the tokens now.
 * @returns false when the service did not respond, so that a retry makes sense; true when it did, also with
 * a rejection
 */
export async function refreshTokens(): Promise<boolean> {
  try {
    await fetchAuthSession({ forceRefresh: true })
    return true
  } catch (error) {
    return !isTransient(error)
  }
}

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

/** Stores the tokens of a hosted sign-in as if Amplify had signed in itself. @throws ConfigError */
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
    throw new NetworkError(hasErrorName(error, 'TimeoutError'), { cause: error })
  }
  if (!response.ok)
    throw new ApiError({
      status: response.status,
      code: 'revoke_refused',
      userMessage: t`You are signed out in this browser, but the sign-in service did not confirm it.`,
    })
}

const revokeTimeoutMs = 5_000
const keyPrefix = 'CognitoIdentityServiceProvider.'

const listTokenKeys = () => listStoredKeys('local', keyPrefix)

function readStoredUser(): SignedInUser | null {
  const lastUserKey = listTokenKeys().find((key) => key.endsWith('.LastAuthUser'))
  if (lastUserKey === undefined) return null
  const clientPrefix = lastUserKey.slice(0, -'.LastAuthUser'.length)
  const idToken = readStored('local', `${clientPrefix}.${readStored('local', lastUserKey) ?? ''}.idToken`)
  return idToken === null ? null : toSignedInUser(decodeJWT(idToken))
}

/** Whether a refresh failed for another reason than invalid tokens, such as a lost connection. The tokens then stay. */
const isTransient = (error: unknown): boolean => !isRejection(error)
