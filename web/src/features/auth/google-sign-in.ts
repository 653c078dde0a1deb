import { adoptSession, type HostedTokens } from '../../lib/auth-tokens.ts'
import { authSentences } from './auth-errors.ts'
import { returnAddress, type HostedPool } from './hosted-ui.ts'

/** What comes back from the hosted sign-in when all went well. */
export interface HostedAnswer {
  code: string
  state: string
}

/** A sign-in with Google that did not come to its end; the sentence says why. */
export class HostedSignInError extends Error {
  override readonly name = 'HostedSignInError'
  readonly sentence: string

  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.sentence = sentence
  }
}

const storageKey = 'juno.hosted-sign-in'
const scope = 'openid email profile aws.cognito.signin.user.admin'
const timeoutMs = 10_000

/**
 * Where the browser goes to sign in with Google (AUTH-19): Cognito's hosted pages, a code bound to this browser by PKCE, and
 * Google's consent (DEC-116). Access while one is away is Cognito's own refresh token.
 */
export async function hostedSignInAddress({ oauthDomain, userPoolClientId }: HostedPool): Promise<string> {
  const [verifier, state] = [randomText(), randomText()]
  sessionStorage.setItem(storageKey, JSON.stringify({ verifier, state }))
  const query = new URLSearchParams({
    client_id: userPoolClientId,
    response_type: 'code',
    scope,
    redirect_uri: returnAddress(),
    identity_provider: 'Google',
    prompt: 'consent',
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  })
  return `${oauthDomain}/oauth2/authorize?${query}`
}

/**
 * Exchanges the code for a session of this browser. The stored half is used once, and looked at first: an answer that this
 * browser did not ask for ends nothing and begins nothing.
 * @throws HostedSignInError
 */
export async function finishHostedSignIn(pool: HostedPool, { code, state }: HostedAnswer): Promise<void> {
  const begun = takeBegun()
  if (begun?.state !== state) throw new HostedSignInError(authSentences.googleOver)
  let response: Response
  try {
    response = await fetch(`${pool.oauthDomain}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: pool.userPoolClientId,
        redirect_uri: returnAddress(),
        code,
        code_verifier: begun.verifier,
      }),
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    throw new HostedSignInError(authSentences.noAnswer, { cause: error })
  }
  if (!response.ok) throw new HostedSignInError(authSentences.googleOver)
  await adoptSession((await response.json()) as HostedTokens)
}

/** Forgets a sign-in that was begun: it has come back with an error. */
export const dropHostedSignIn = (): void => sessionStorage.removeItem(storageKey)

function takeBegun(): { verifier: string; state: string } | undefined {
  const stored = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  return stored === null ? undefined : (JSON.parse(stored) as { verifier: string; state: string })
}

const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(48)))

const challengeOf = async (verifier: string): Promise<string> =>
  base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
