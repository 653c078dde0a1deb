import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { caller } from './caller.ts'
import type { LocalStack } from './local-stack.ts'
import type { StackUser } from './stack-user.ts'

/** A browser without pages: it keeps cookies for each origin, and follows no redirect by itself. */
export class CookieJar {
  readonly #cookies = new Map<string, Map<string, string>>()

  async fetch(address: string | URL, form?: Record<string, string>): Promise<Response> {
    const { origin } = new URL(address)
    const cookies = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, cookies)
    const body = form && new URLSearchParams(form)
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const response = await fetch(address, {
      redirect: 'manual',
      headers,
      ...(body && { method: 'POST', body }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  /** @returns where a request leads; @throws Error with the answer when it leads nowhere */
  async follow(address: string | URL, form?: Record<string, string>): Promise<URL> {
    const response = await this.fetch(address, form)
    const location = response.headers.get('location')
    if (location === null)
      throw new Error(`${response.status} of ${String(address)}: ${await response.text()}`)
    return new URL(location, address)
  }
}

/** What somebody does on the page of an identity provider. */
export interface ProviderForm {
  email?: string
  name?: string
  /** separated by commas */
  groups?: string
  unverified?: 'on'
  decision?: 'allow' | 'cancel'
}

interface HostedPages {
  /** origin of Cognito's hosted sign-in pages */
  oauthOrigin: string
  clientId: string
  /** where the site receives the result */
  returnUrl: string
  /** the provider's name in the pool */
  provider: string
  /** further parameters, such as `scope` or `prompt` */
  query?: Record<string, string>
}

/** A sign-in at the hosted pages, with its proof key. */
export interface HostedSignIn {
  /** the site's address with a code or an error */
  to: URL
  verifier: string
}

/** Signs in at the hosted pages as the page does, over the provider's page, without a browser. */
export async function signInHosted(
  { oauthOrigin, clientId, returnUrl, provider, query: others }: HostedPages,
  form: ProviderForm,
  jar: CookieJar = new CookieJar(),
): Promise<HostedSignIn> {
  const verifier = randomBytes(48).toString('base64url')
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: returnUrl,
    identity_provider: provider,
    state: 'any',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...others,
  })
  let at = await jar.follow(new URL(`/oauth2/authorize?${query.toString()}`, oauthOrigin))
  // an OpenID provider leads from its authorization endpoint to its page
  if (!at.pathname.startsWith('/google/')) at = await jar.follow(at)
  at = await jar.follow(at, { decision: 'allow', name: 'Gil', ...form })
  const site = new URL(returnUrl)
  for (let steps = 0; at.origin !== site.origin; steps += 1) {
    if (steps > 5) throw new Error(`the sign-in does not come back: ${at.href}`)
    at = await jar.follow(at)
  }
  return { to: at, verifier }
}

export interface HostedTokens {
  access_token: string
  id_token: string
  refresh_token: string
}

/** @throws Error with the site's address when the sign-in failed */
export async function exchangeHostedCode(
  { oauthOrigin, clientId, returnUrl }: Omit<HostedPages, 'provider'>,
  { to, verifier }: HostedSignIn,
): Promise<HostedTokens> {
  const code = to.searchParams.get('code')
  if (code === null) throw new Error(`no code: ${to.href}`)
  const response = await fetch(new URL('/oauth2/token', oauthOrigin), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: returnUrl,
      code,
      code_verifier: verifier,
    }),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as HostedTokens
}

type Stack = Pick<LocalStack, 'origin' | 'endpoints'>

async function readHostedPages({ origin, endpoints }: Stack, provider: string): Promise<HostedPages> {
  const { cognito } = await endpoints()
  const config = (await (await fetch(`${origin}/config.json`)).json()) as { userPoolClientId: string }
  return {
    oauthOrigin: cognito,
    clientId: config.userPoolClientId,
    returnUrl: `${origin}/auth`,
    provider,
  }
}

/** Signs in at a provider of a product. @returns the site's address with a code or an error */
export const returnFromProvider = async (stack: Stack, provider: string, form: ProviderForm): Promise<URL> =>
  (await signInHosted(await readHostedPages(stack, provider), form)).to

/** A user of an identity provider, signed in. @throws Error with the site's address when the sign-in failed */
export async function signInAtProvider(
  stack: Stack,
  provider: string,
  form: ProviderForm,
): Promise<Omit<StackUser, 'password'>> {
  const pages = await readHostedPages(stack, provider)
  const tokens = await exchangeHostedCode(pages, await signInHosted(pages, form))
  const { sub = '', email, name } = decodeJwt<{ email: string; name: string }>(tokens.id_token)
  return {
    email,
    name,
    sub,
    accessToken: tokens.access_token,
    idToken: tokens.id_token,
    refreshToken: tokens.refresh_token,
    ...caller(stack.origin, tokens.access_token),
  }
}
