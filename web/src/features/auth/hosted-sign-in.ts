import { t } from '@lingui/core/macro'
import { revokeRefreshToken, storeTokens } from '../../lib/sign-in/store-tokens.ts'
import { readClaims, type Claims, type Tokens } from '../../lib/api/stored-tokens.ts'
import { readStored, readStoredJson, removeStored, writeStored } from '../../lib/browser/storage.ts'
import { getRedirectUri, type HostedUiConfig } from './hosted-ui.ts'
import { findOnlyProvider, google } from '../../lib/sign-in/identity-providers.ts'
import { defaultTimeoutMs } from '../../lib/browser/limits.ts'
import { serverNow } from '../../lib/browser/server-clock.ts'
import { describeRefusal } from './auth-errors.ts'
import * as errorTexts from './error-texts.ts'

const describeExpiry = (label: string | undefined) =>
  label === undefined
    ? t`This sign-in took too long or was started elsewhere. Please try again.`
    : t`This sign-in with ${label} took too long or was started elsewhere. Please try again.`

/** The parameters that the hosted UI returns. */
export interface HostedCallback {
  code: string
  state: string
}

/** An identity provider of the user pool; the label is what users call it. */
export interface HostedProvider {
  name: string
  label: string
}

/** Options of a sign-in with an identity provider. */
export interface HostedSignInOptions {
  /** the e-mail address that the provider's form begins with */
  loginHint?: string
  /** `sub` of the user who signs in again: another user is rejected. All providers but Google are told to ask for credentials */
  requiredSub?: string
  /** where the user goes afterwards; `/` if absent */
  returnPath?: string
}

/** What this tab stores while the user is at the provider. */
interface PendingSignIn extends Pick<HostedSignInOptions, 'requiredSub' | 'returnPath'> {
  verifier: string
  state: string
  label: string
}

/** A sign-in with an identity provider failed; `userMessage` says why. */
export class HostedSignInError extends Error {
  override readonly name = 'HostedSignInError'
  readonly userMessage: string
  /** of the token endpoint, or of this page */
  readonly code: string
  readonly atMs = serverNow()

  constructor(userMessage: string, code: string, options?: ErrorOptions) {
    super(userMessage, options)
    this.userMessage = userMessage
    this.code = code
  }
}

const storageKey = 'juno.hosted-sign-in'
/** Set when the account of the last sign-in in this tab was refused. */
const refusedKey = 'juno.hosted-sign-in-refused'
const scope = 'openid email profile'
/** Cognito's own scope; the user pool removes it from the tokens of users of the operator's providers. */
const googleScope = `${scope} aws.cognito.signin.user.admin`
/** An account that is younger than this when its user signs in was created by this sign-in. */
const firstSignInMs = 60_000

/**
 * Stores a PKCE verifier and returns the URL of Cognito's hosted sign-in with an identity provider. Google always asks for consent. Cognito
 * forwards `prompt` and `login_hint` to the provider
 * (https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html).
 * @throws if the session storage is blocked or full
 */
export async function createHostedSignInUrl(
  { oauthDomain, userPoolClientId }: HostedUiConfig,
  { name, label }: HostedProvider,
  { loginHint, requiredSub, returnPath }: HostedSignInOptions,
): Promise<string> {
  const [verifier, state] = [createRandomText(), createRandomText()]
  const isGoogle = name === google.name
  const needsCredentials = requiredSub !== undefined || readStored('session', refusedKey) !== null
  const prompt = isGoogle ? 'consent' : needsCredentials && 'login'
  const pending: PendingSignIn = {
    verifier,
    state,
    label,
    ...(returnPath && { returnPath }),
    ...(requiredSub !== undefined && { requiredSub }),
  }
  // without it the response could not be told from one that this browser did not request
  if (!writeStored('session', storageKey, JSON.stringify(pending)))
    throw new Error('the browser stores nothing for this site')
  const query = new URLSearchParams({
    client_id: userPoolClientId,
    response_type: 'code',
    scope: isGoogle ? googleScope : scope,
    redirect_uri: getRedirectUri(),
    identity_provider: name,
    ...(prompt && { prompt }),
    ...(loginHint && { login_hint: loginHint }),
    state,
    code_challenge: await createCodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return `${oauthDomain}/oauth2/authorize?${query}`
}

/**
 * Completes the sign-in: exchanges the code for tokens, and stores them. The state is compared first: a response that this browser did not
 * request has no effect. The stored verifier is used once.
 * @returns the page that the user had requested, if any, and whether the account is new
 * @throws HostedSignInError; another error for tokens that are not as the token endpoint documents them
 */
export async function completeHostedSignIn(
  config: HostedUiConfig,
  { code, state }: HostedCallback,
): Promise<{ returnPath: string | undefined; isNewAccount: boolean }> {
  const pending = findPendingSignIn()
  if (pending?.state !== state)
    throw new HostedSignInError(describeExpiry(findOnlyProvider(config)?.label), 'unexpected_state')
  discardHostedSignIn()
  const tokens = await requestTokens(config, code, pending)
  const claims = readClaims(tokens.idToken)
  if (pending.requiredSub !== undefined && claims['sub'] !== pending.requiredSub) {
    void revokeRefreshToken(tokens.refreshToken).catch(() => undefined)
    throw new HostedSignInError(
      t`You signed in with another account. Please sign in again with the one that you are using here.`,
      'other_account',
    )
  }
  await storeTokens(tokens)
  return { returnPath: pending.returnPath, isNewAccount: isNewAccount(claims) }
}

/**
 * Exchanges the code at the token endpoint.
 * @throws HostedSignInError
 */
async function requestTokens(
  config: HostedUiConfig,
  code: string,
  { verifier, label }: PendingSignIn,
): Promise<Tokens> {
  const response = await fetch(`${config.oauthDomain}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: config.userPoolClientId,
      redirect_uri: getRedirectUri(),
      code,
      code_verifier: verifier,
    }),
    signal: AbortSignal.timeout(defaultTimeoutMs),
  }).catch(throwUnreachable)
  if (!response.ok) {
    const texts = await readTexts(response)
    const refusal = texts.map(describeRefusal).find((each) => each !== undefined)
    if (refusal) refuseHostedSignIn()
    // a trigger that failed is reported as `invalid_grant`, too, with a description
    const isExpired = texts.includes('invalid_grant') && !texts.some((text) => text.startsWith('Pre'))
    throw new HostedSignInError(
      refusal?.userMessage ?? (isExpired ? describeExpiry(label) : errorTexts.unknownError),
      texts.find((text) => /^\w{1,64}$/.test(text)) ?? String(response.status),
    )
  }
  removeStored('session', refusedKey)
  const body = (await response.json().catch(throwUnreachable)) as Record<
    `${'access' | 'id' | 'refresh'}_token`,
    string
  >
  return { accessToken: body.access_token, idToken: body.id_token, refreshToken: body.refresh_token }
}

function throwUnreachable(cause: unknown): never {
  throw new HostedSignInError(errorTexts.unreachable, 'not_reached', { cause })
}

/** Whether this sign-in created the account. Both times come from the user pool's clock. */
function isNewAccount({ identities, auth_time }: Claims): boolean {
  const [identity] = Array.isArray(identities) ? (identities as ({ dateCreated?: unknown } | null)[]) : []
  return Number(identity?.dateCreated) > Number(auth_time) * 1000 - firstSignInMs
}

/**
 * The texts of an error of the token endpoint. Its documentation does not say in which field the message of a trigger is, so all are read.
 */
async function readTexts(response: Response): Promise<string[]> {
  const body = (await response.json().catch(() => undefined)) as Record<string, unknown> | null | undefined
  return Object.values(body ?? {}).filter((value) => typeof value === 'string')
}

/** Discards the pending sign-in. */
export const discardHostedSignIn = (): void => removeStored('session', storageKey)

/**
 * Discards the pending sign-in of an account that was refused. The next one asks for credentials: the open session at the provider would
 * select the same account again.
 */
export function refuseHostedSignIn(): void {
  discardHostedSignIn()
  writeStored('session', refusedKey, 'true')
}

/** The sign-in that this tab has started, if any. */
export const findPendingSignIn = (): PendingSignIn | undefined =>
  (readStoredJson('session', storageKey) as PendingSignIn | null) ?? undefined

/** 64 characters: a PKCE verifier has 43 to 128 (RFC 7636). */
const createRandomText = (): string => encodeBase64Url(crypto.getRandomValues(new Uint8Array(48)))

const createCodeChallenge = async (verifier: string): Promise<string> =>
  encodeBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))

const encodeBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
