import { hasRefusal } from '#shared/has-refusal.ts'
import { defaultTimeoutMs } from '../browser/limits.ts'
import { writeStored } from '../browser/storage.ts'
import { hasErrorName, NetworkError, NotSignedInError } from './api-errors.ts'
import { emitAuthEvent, isAccountDisabled } from './auth-events.ts'
import { type AppConfig, loadConfig } from './config.ts'
import { type SignedInUser, toSignedInUser } from './signed-in-user.ts'
import {
  getRemainingMs,
  readTokens,
  refusalKey,
  removeTokens,
  type StoredTokens,
  withTokenLock,
  writeTokens,
} from './stored-tokens.ts'

/** Calls an operation of the user pool that needs nothing but a refresh token. @throws what `fetch` throws */
export const askUserPool = (
  { region, userPoolClientId, userPoolEndpoint }: AppConfig,
  operation: 'GetTokensFromRefreshToken' | 'RevokeToken',
  { input, ...options }: { input: object; signal: AbortSignal; keepalive?: boolean },
): Promise<Response> =>
  fetch(userPoolEndpoint ?? `https://cognito-idp.${region}.amazonaws.com/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify({ ClientId: userPoolClientId, ...input }),
    ...options,
  })

/**
 * The signed-in user according to the stored tokens, which are refreshed if they have expired; null if there is none. Without a configuration or
 * a network the stored ID token still counts, so that the page can open.
 */
export async function loadSignedInUser(): Promise<SignedInUser | null> {
  const tokens = await loadTokens().catch((error: unknown) =>
    // the user stays signed in until the service rejects the tokens
    error instanceof NotSignedInError ? undefined : loadStoredTokens(),
  )
  return tokens ? toSignedInUser(tokens) : null
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

/**
 * Returns a valid access token.
 * @throws NotSignedInError when no user is signed in, NetworkError when the refresh got no response, ConfigError
 */
export const getAccessToken = (): Promise<string> => loadAccessToken()

/**
 * Returns a replacement for a rejected token: the one another tab has stored meanwhile, otherwise a refreshed one.
 * @throws like `getAccessToken`
 */
export const replaceAccessToken = (refusedToken: string): Promise<string> => loadAccessToken(refusedToken)

async function loadAccessToken(refusedToken?: string): Promise<string> {
  const tokens = await loadTokens(refusedToken)
  if (!tokens) throw new NotSignedInError('nobody is signed in')
  if (pageOwner !== undefined && tokens.accessClaims['sub'] !== pageOwner)
    throw new NotSignedInError('another user has signed in')
  return tokens.accessToken
}

/** The stored tokens, valid or not. */
export const loadStoredTokens = async (): Promise<StoredTokens | undefined> =>
  readTokens((await loadConfig().catch(() => undefined))?.userPoolClientId)

/** Whether tokens are stored, valid or not. */
export const hasStoredTokens = async (): Promise<boolean> => (await loadStoredTokens()) !== undefined

/** Milliseconds until the stored tokens expire by the service's clock; undefined when no user is signed in. */
export async function getTokenRemainingMs(): Promise<number | undefined> {
  const tokens = await loadStoredTokens()
  return tokens && getRemainingMs(tokens)
}

/**
 * Refreshes the tokens now.
 * @returns false when that failed and may succeed later; true when the tokens are new, or were rejected for good
 */
export async function refreshTokens(): Promise<boolean> {
  try {
    await loadTokens((await loadStoredTokens())?.accessToken)
    return true
  } catch (error) {
    return error instanceof NotSignedInError
  }
}

/** Tokens that expire sooner are refreshed, so that the service does not get them too late. */
const marginMs = 5_000

/** The refresh of this tab that is under way, and the access token that it replaces: whoever needs it waits for the same one. */
let running: { replaced: string; tokens: Promise<StoredTokens> } | undefined

/**
 * The stored tokens; refreshed if they expire, or if the access token is the refused one.
 * @throws NotSignedInError when the user pool rejects them, NetworkError when it may accept them later, ConfigError
 */
async function loadTokens(refusedToken?: string): Promise<StoredTokens | undefined> {
  const config = await loadConfig()
  const tokens = readTokens(config.userPoolClientId)
  if (!tokens || (tokens.accessToken !== refusedToken && getRemainingMs(tokens) > marginMs)) return tokens
  const replaced = tokens.accessToken
  if (running?.replaced !== replaced) {
    const refresh = withTokenLock(() => replaceTokens(config, replaced))
    running = { replaced, tokens: refresh.finally(() => (running = undefined)) }
  }
  return running.tokens
}

/**
 * Refreshes the tokens once for all tabs, which take turns: refresh tokens rotate, so two refreshes at once would end the sign-in.
 * @param replaced the access token that was stored before the wait
 */
async function replaceTokens(config: AppConfig, replaced: string): Promise<StoredTokens> {
  const tokens = readTokens(config.userPoolClientId)
  if (!tokens) throw createEndedError('another tab has removed the tokens')
  if (tokens.accessToken !== replaced) return tokens
  const newTokens = await requestTokens(config, tokens.refreshToken)
  emitAuthEvent('changed')
  return newTokens
}

const retryDelaysMs = [200, 400] as const

/**
 * Exchanges a refresh token, and stores the result. It may be sent again: for a time the user pool accepts one whose response was lost.
 * @throws like `loadTokens`
 */
async function requestTokens(
  config: AppConfig,
  RefreshToken: string,
  [delay, ...laterDelays]: readonly number[] = retryDelaysMs,
  signal = AbortSignal.timeout(defaultTimeoutMs),
): Promise<StoredTokens> {
  try {
    const response = await askUserPool(config, 'GetTokensFromRefreshToken', {
      input: { RefreshToken },
      signal,
    })
    const body = (await response.json()) as RefreshResponse
    if (!response.ok) throw toPoolError(body)
    const { AccessToken = '', IdToken = '', ...issued } = body.AuthenticationResult ?? {}
    return writeTokens(config.userPoolClientId, {
      accessToken: AccessToken,
      idToken: IdToken,
      refreshToken: issued.RefreshToken ?? RefreshToken,
    })
  } catch (error) {
    if (isRejection(error)) throw endSession(error)
    if (delay === undefined)
      throw new NetworkError({ hasTimedOut: hasErrorName(error, 'TimeoutError'), cause: error })
    await new Promise((resolve) => setTimeout(resolve, delay))
    return requestTokens(config, RefreshToken, laterDelays, signal)
  }
}

/** A response of the user pool: the tokens, or the name of an error, which may have a namespace in front. */
interface RefreshResponse {
  AuthenticationResult?: { AccessToken?: string; IdToken?: string; RefreshToken?: string }
  __type?: string
  message?: string
}

const toPoolError = ({ __type = '', message }: RefreshResponse): Error =>
  Object.assign(new Error(message), { name: __type.slice(__type.indexOf('#') + 1) })

const rejectionNames =
  /^(NotAuthorized|TokenRevoked|UserNotFound|PasswordResetRequired|UserNotConfirmed|RefreshTokenReuse)/

/** Whether an error of the user pool means that the tokens are no longer valid, or that its trigger refuses the account. */
const isRejection = (error: unknown): error is Error =>
  error instanceof Error && (rejectionNames.test(error.name) || hasRefusal(error.message))

/** Ends the session of this browser. @returns the error for who needed the tokens */
function endSession({ message }: Error): NotSignedInError {
  if (hasRefusal(message)) writeStored('session', refusalKey, message)
  removeTokens()
  const ended = createEndedError(message)
  emitAuthEvent(isAccountDisabled(ended.cause) ? 'disabled' : 'expired')
  return ended
}

/** The cause is named after the most common rejection: to the page they are all the same. */
const createEndedError = (message: string) =>
  new NotSignedInError('the session has ended', {
    cause: Object.assign(new Error(message), { name: 'NotAuthorizedException' }),
  })
