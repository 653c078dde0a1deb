import { cognitoUserPoolsTokenProvider as provider } from '@aws-amplify/auth/cognito'
import { Amplify, ConsoleLogger, decodeJWT, fetchAuthSession, type JWT } from '@aws-amplify/core'
import { ApiError, ConfigError, hasErrorName, NetworkError, NotSignedInError } from './api-errors.ts'
import { loadConfig, type AppConfig } from './config.ts'
import { readStored, removeStored, storedKeys } from './storage.ts'

/** Who is signed in, as the ID token says. */
export interface SignedInUser {
  sub: string
  email: string
  /** empty when the account has none */
  fullName: string
  /** comes from Google: no password and no second step here (DEC-022, DEC-115) */
  federated?: true
}

/**
 * Runs something that writes or clears the tokens while no other tab does. Never call signIn, getCurrentUser or
 * fetchAuthSession inside: they take the same lock and would wait for ever.
 */
export function withTokenLock<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request('auth-tokens', work)
}

async function loadStoredAccessToken(): Promise<string> {
  return String((await provider.authTokenStore.loadTokens())?.accessToken ?? '')
}

let areTokensHidden = false

/**
 * Lets somebody who is signed in sign in once more: the library's first question is whether there is a session, and it asks before it
 * gives control back, so nobody else hears the answer.
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
 * Tokens for Amplify, one refresh at a time over all tabs: with rotating refresh tokens two at once would end the session.
 * A forced refresh that waited while another tab did it takes the other's result.
 */
const tokenProvider = {
  async getTokens(options: { forceRefresh?: boolean } = {}) {
    if (areTokensHidden) return null
    const before = await loadStoredAccessToken()
    return withTokenLock(async () => {
      const forceRefresh = options.forceRefresh === true && (await loadStoredAccessToken()) === before
      return provider.getTokens({ ...options, forceRefresh })
    })
  },
}

let configuring: Promise<AppConfig> | undefined

/**
 * Makes the sign-in library ready; once, then at no cost. After a failure the next call tries again.
 * @throws ConfigError
 */
export function configureAuth(): Promise<AppConfig> {
  configuring ??= loadConfig().then(configure, (error: unknown) => {
    configuring = undefined
    throw error
  })
  return configuring
}

function configure(config: AppConfig): AppConfig {
  // Amplify warns on each load about a user pool address of one's own
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
 * Whoever is signed in according to the stored tokens, refreshed when they have expired; null for nobody.
 * Without a configuration the stored identity still counts, so that the page can open and say what is wrong (DEC-108).
 */
export async function loadSignedInUser(): Promise<SignedInUser | null> {
  try {
    await configureAuth()
    const { tokens } = await fetchAuthSession()
    return tokens?.idToken ? toSignedInUser(tokens.idToken) : null
  } catch (error) {
    // offline or without configuration: who signed in here before still is, until the service says otherwise
    return isTransient(error) ? readStoredUser() : null
  }
}

/**
 * A valid access token.
 * @throws NoSessionError when nobody is signed in any more, NetworkError when the refresh got no answer, ConfigError
 */
export function accessToken(): Promise<string> {
  return fetchAccessToken(false)
}

/**
 * A token to use instead of one that was refused: what another tab stored meanwhile, else a fresh one.
 * @throws as `accessToken`
 */
export async function replaceAccessToken(refused: string): Promise<string> {
  const stored = await loadStoredAccessToken()
  return fetchAccessToken(stored === refused)
}

let pageOwner: string | undefined

/**
 * Makes this page the user's: until it is loaded again no call of it goes out with anybody else's token, whatever was left running.
 * @returns whether it is theirs; false when it has been somebody else's
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

/** The library answers a refused refresh with no tokens instead of its error: the cause says what it swallowed. */
function createRefusedError(): NotSignedInError {
  const refused = Object.assign(new Error('the refresh was refused'), { name: 'NotAuthorizedException' })
  return new NotSignedInError('the session has ended', { cause: refused })
}

/** Whether tokens are stored, valid or not. */
export async function hasStoredTokens(): Promise<boolean> {
  return (await provider.authTokenStore.loadTokens()) !== null
}

/** Milliseconds until the stored access token expires by the service's clock; undefined when nobody is signed in. */
export async function getTokenLifetimeMs(): Promise<number | undefined> {
  const tokens = await provider.authTokenStore.loadTokens()
  const expiresAtSeconds = tokens?.accessToken.payload.exp
  if (tokens === null || expiresAtSeconds === undefined) return undefined
  return expiresAtSeconds * 1000 - (Date.now() + tokens.clockDrift)
}

/**
 * Renews the tokens now.
 * @returns false when the service gave no answer, so that it may be tried again; true when it answered, also with a refusal
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
 * Forgets the session in this browser, all tabs included, without telling the service.
 * @returns the refresh token that is still to be revoked, if there was a session
 */
export async function clearTokens(): Promise<string | undefined> {
  try {
    await configureAuth()
    return await withTokenLock(async () => {
      const tokens = await provider.authTokenStore.loadTokens()
      await provider.authTokenStore.clearTokens()
      return tokens?.refreshToken
    })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // without a configuration the library does not know its own keys
    for (const key of listTokenKeys()) removeStored('local', key)
    return undefined
  }
}

/** What the hosted sign-in answers to a code. */
export interface TokenResponse {
  access_token: string
  id_token: string
  refresh_token: string
}

/** Makes the tokens of a hosted sign-in the session of this browser, as if the library had signed in itself. @throws ConfigError */
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
 * Tells the service that a session is over, so that its tokens cannot be renewed. A request of our own: the library's
 * sign-out hides whether the service agreed (MENU-09). It outlives the page.
 * @throws NetworkError when no answer came, ApiError when the service refused, ConfigError
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
      userMessage: 'You are signed out in this browser, but the sign-in service did not confirm it.',
    })
}

const revokeTimeoutMs = 5_000
const keyPrefix = 'CognitoIdentityServiceProvider.'

const listTokenKeys = () => storedKeys('local', keyPrefix)

function readStoredUser(): SignedInUser | null {
  const last = listTokenKeys().find((key) => key.endsWith('.LastAuthUser'))
  if (last === undefined) return null
  const client = last.slice(0, -'.LastAuthUser'.length)
  const idToken = readStored('local', `${client}.${readStored('local', last) ?? ''}.idToken`)
  return idToken === null ? null : toSignedInUser(decodeJWT(idToken))
}

function toSignedInUser({ payload }: JWT): SignedInUser {
  const text = (claim: unknown) => (typeof claim === 'string' ? claim : '')
  return {
    sub: text(payload.sub),
    email: text(payload['email']),
    fullName: text(payload['name']),
    ...(payload['identities'] !== undefined && { federated: true }),
  }
}

const rejectionNames =
  /^(NotAuthorized|TokenRevoked|UserNotFound|PasswordResetRequired|UserNotConfirmed|RefreshTokenReuse)/

/** Whether a refresh failed for a reason that says nothing about the session: the tokens are kept (LIB-06). */
function isTransient(error: unknown): boolean {
  return !(error instanceof Error && rejectionNames.test(error.name))
}
