import { storeTokens, type TokenResponse } from '../../lib/auth-tokens.ts'
import { getRedirectUri, type HostedUiConfig } from './hosted-ui.ts'
import * as errorTexts from './error-texts.ts'

/** The parameters that the hosted UI returns. */
export interface HostedCallback {
  code: string
  state: string
}

/** A sign-in with Google failed; `userMessage` says why. */
export class HostedSignInError extends Error {
  override readonly name = 'HostedSignInError'
  readonly userMessage: string

  constructor(userMessage: string, options?: ErrorOptions) {
    super(userMessage, options)
    this.userMessage = userMessage
  }
}

const storageKey = 'juno.hosted-sign-in'
const scope = 'openid email profile aws.cognito.signin.user.admin'
const timeoutMs = 10_000

/**
 * Stores a PKCE verifier and returns the URL of Cognito's hosted sign-in with Google, which asks for
 * consent. The refresh token is Cognito's own.
 */
export async function createHostedSignInUrl({
  oauthDomain,
  userPoolClientId,
}: HostedUiConfig): Promise<string> {
  const [verifier, state] = [createRandomText(), createRandomText()]
  sessionStorage.setItem(storageKey, JSON.stringify({ verifier, state }))
  const query = new URLSearchParams({
    client_id: userPoolClientId,
    response_type: 'code',
    scope,
    redirect_uri: getRedirectUri(),
    identity_provider: 'Google',
    prompt: 'consent',
    state,
    code_challenge: await createCodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return `${oauthDomain}/oauth2/authorize?${query}`
}

/**
 * Exchanges the code for tokens. The stored verifier is used once, and checked first: a response that this
 * browser did not request has no effect.
 * @throws HostedSignInError
 */
export async function completeHostedSignIn(
  pool: HostedUiConfig,
  { code, state }: HostedCallback,
): Promise<void> {
  const pending = takePendingSignIn()
  if (pending?.state !== state) throw new HostedSignInError(errorTexts.googleExpired)
  let response: Response
  try {
    response = await fetch(`${pool.oauthDomain}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: pool.userPoolClientId,
        redirect_uri: getRedirectUri(),
        code,
        code_verifier: pending.verifier,
      }),
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    throw new HostedSignInError(errorTexts.unreachable, { cause: error })
  }
  if (!response.ok) throw new HostedSignInError(errorTexts.googleExpired)
  await storeTokens((await response.json()) as TokenResponse)
}

/** Discards a pending sign-in that returned an error. */
export const discardHostedSignIn = (): void => sessionStorage.removeItem(storageKey)

function takePendingSignIn(): { verifier: string; state: string } | undefined {
  const stored = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  return stored === null ? undefined : (JSON.parse(stored) as { verifier: string; state: string })
}

const createRandomText = (): string => encodeBase64Url(crypto.getRandomValues(new Uint8Array(48)))

const createCodeChallenge = async (verifier: string): Promise<string> =>
  encodeBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))

const encodeBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
