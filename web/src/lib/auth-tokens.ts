import { cognitoUserPoolsTokenProvider as provider } from '@aws-amplify/auth/cognito'
import { decodeJWT, fetchAuthSession, Hub } from '@aws-amplify/core'
import { twoFactorClaim } from '#shared/two-factor-claim.ts'
import { NetworkError, NotSignedInError } from './api-errors.ts'
import { isAccountDisabled, isRejection } from './auth-events.ts'
import { configureAuth, listTokenKeys, loadStoredAccessToken } from './configure-auth.ts'
import { toSignedInUser, type SignedInUser } from './signed-in-user.ts'
import { readStored } from './storage.ts'

/**
 * The signed-in user according to the stored tokens, which are refreshed if they have expired; null if there is none. Without a configuration or
 * a network the stored ID token still counts, so that the page can open.
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
 * @throws NotSignedInError when no user is signed in, NetworkError when the refresh got no response, ConfigError
 */
export function getAccessToken(): Promise<string> {
  return fetchAccessToken({ forceRefresh: false })
}

/**
 * Returns a replacement for a rejected token: the one another tab has stored meanwhile, otherwise a refreshed one.
 * @throws like `getAccessToken`
 */
export async function replaceAccessToken(refusedToken: string): Promise<string> {
  const storedToken = await loadStoredAccessToken()
  return fetchAccessToken({ forceRefresh: storedToken === refusedToken })
}

/** `sub` of the user whom this page is bound to. */
let pageOwner: string | undefined

/**
 * Binds this page to a user: until it is reloaded, no call is sent with another user's token, whatever is still running.
 * @returns false when the page is bound to another user already
 */
export function claimPage(sub: string): boolean {
  pageOwner ??= sub
  return pageOwner === sub
}

async function fetchAccessToken(options: { forceRefresh: boolean }): Promise<string> {
  await configureAuth()
  const hadTokens = await hasStoredTokens()
  let session
  try {
    session = await fetchAuthSession(options)
  } catch (error) {
    if (isTransient(error)) throw new NetworkError({ cause: error })
    throw new NotSignedInError('the session was refused', { cause: error })
  }
  if (!session.tokens) throw hadTokens ? createRefusedError() : new NotSignedInError('nobody is signed in')
  const { accessToken: token } = session.tokens
  if (pageOwner !== undefined && token.payload.sub !== pageOwner)
    throw new NotSignedInError('another user has signed in')
  return token.toString()
}

/** Whether the last refresh was refused because the account is disabled. */
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

/** Milliseconds until the stored access token expires by the service's clock; undefined when no user is signed in. */
export async function getTokenRemainingMs(): Promise<number | undefined> {
  const tokens = await provider.authTokenStore.loadTokens()
  const expiresAtSeconds = tokens?.accessToken.payload.exp
  if (tokens === null || expiresAtSeconds === undefined) return undefined
  return expiresAtSeconds * 1000 - (Date.now() + tokens.clockDrift)
}

/**
 * Refreshes the tokens now.
 * @returns false when that failed and may succeed later; true when the tokens are new, or were rejected for good
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
 * Reads the user from the keys that Amplify writes (`listTokenKeys`), because Amplify itself returns none without a configuration.
 * @returns null if there is none, or its token cannot be read
 */
function readStoredUser(): SignedInUser | null {
  const lastUserKey = listTokenKeys().find((key) => key.endsWith('.LastAuthUser'))
  if (lastUserKey === undefined) return null
  const clientPrefix = lastUserKey.slice(0, -'.LastAuthUser'.length)
  const idToken = readStored('local', `${clientPrefix}.${readStored('local', lastUserKey) ?? ''}.idToken`)
  try {
    return idToken === null ? null : toSignedInUser(decodeJWT(idToken))
  } catch {
    return null
  }
}

/** Whether a refresh failed for another reason than invalid tokens, such as a lost connection or a busy service. The tokens then stay. */
const isTransient = (error: unknown): boolean => !isRejection(error)
