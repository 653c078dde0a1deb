import { createHash } from 'node:crypto'
import { signInErrorPage, signInPage } from '../../sign-in-page.ts'
import { isEmail } from './attributes.ts'
import {
  htmlResponse,
  type HostedResponse,
  type HostedRequest,
  newRandomToken,
  redirectTo,
} from './hosted-response.ts'
import { FederationError, type IdentityProvider } from './identity-provider.ts'
import type { Pool } from './pool.ts'

/** Google's sign-in page, here on the pool's own origin. */
export const googlePath = '/google/o/oauth2/v2/auth'

/** Google as identity provider of the pool. */
export const googleProvider: IdentityProvider = {
  name: 'Google',
  type: 'Google',
  attributeMapping: { email: 'email', email_verified: 'email_verified', name: 'name' },
  createSignInUrl({ redirectUri, state, prompt, loginHint }) {
    const query = new URLSearchParams({
      client_id: 'local',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: redirectUri,
      state,
      ...(prompt !== null && { prompt }),
      ...(loginHint !== null && { login_hint: loginHint }),
    })
    return `${googlePath}?${query.toString()}`
  },
  async redeem({ hosted }, code) {
    const profile = hosted.googleCodes.find(code)
    if (typeof profile === 'string') throw new FederationError('invalid_request', 'bad id_token')
    hosted.googleCodes.spend(code)
    const { email, emailVerified, name } = profile
    return { sub: createGoogleId(email), email, email_verified: emailVerified, name }
  },
}

/** Google's page: who signs in, and whether they allow it. */
export function respondGoogle(pool: Pool, { method, url, form }: HostedRequest): HostedResponse {
  const state = url.searchParams.get('state') ?? ''
  const redirectUri = url.searchParams.get('redirect_uri') ?? ''
  const request = pool.hosted.requests.find(state)
  if (typeof request === 'string' || new URL(redirectUri, url).origin !== url.origin)
    return htmlResponse(400, signInErrorPage('This sign-in is over. Please begin again.'))
  if (method === 'GET')
    return htmlResponse(
      200,
      signInPage({
        provider: 'Google',
        email: url.searchParams.get('login_hint') ?? 'alex@gmail.example',
        name: 'Alex Example',
      }),
    )
  const redirectBack = (result: Record<string, string>) =>
    redirectTo(`${redirectUri}?${new URLSearchParams(result).toString()}`)
  if (form.get('decision') !== 'allow') return redirectBack({ error: 'access_denied', state })
  const email = form.get('email')?.trim() ?? ''
  if (!isEmail(email)) return htmlResponse(400, signInErrorPage('Couldn’t find your Google Account.'))
  const code = newRandomToken()
  const name = form.get('name')?.trim() || email
  pool.hosted.googleCodes.add(code, { email, emailVerified: !form.has('unverified'), name })
  return redirectBack({ code, state })
}

/** As long as Google's own ids, and derived from the address. */
const createGoogleId = (email: string): string =>
  `1${BigInt(`0x${createHash('sha256').update(email.trim().toLowerCase()).digest('hex')}`)
    .toString()
    .slice(-20)}`
