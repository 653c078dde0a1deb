import { beforeEach, expect, it, vi } from 'vitest'
import {
  discardHostedSignIn,
  completeHostedSignIn,
  createHostedSignInUrl,
  type HostedSignInOptions,
} from './hosted-sign-in.ts'
import { hasHostedUi, buildHostedSignOutUrl, type HostedUiConfig } from './hosted-ui.ts'
import { google } from '../../lib/identity-providers.ts'

const session = vi.hoisted(() => ({
  storeTokens: vi.fn<(tokens: object) => Promise<void>>(),
  revokeRefreshToken: vi.fn<(token: string) => Promise<void>>(async () => undefined),
}))
vi.mock('../../lib/auth-tokens.ts', () => session)

const pool = { oauthDomain: 'http://127.0.0.1:9', userPoolClientId: 'client' } as HostedUiConfig
const fetched = vi.fn<typeof fetch>()
const idToken = (claims: object) => `e30.${btoa(JSON.stringify({ exp: 1, iat: 1, ...claims }))}.s`
const tokens = { access_token: 'a', id_token: idToken({ sub: 'u1' }), refresh_token: 'r' }

beforeEach(() => {
  sessionStorage.clear()
  session.storeTokens.mockReset()
  fetched.mockReset().mockImplementation(async () => Response.json(tokens))
  vi.stubGlobal('fetch', fetched)
})

const begin = async () => new URL(await createHostedSignInUrl(pool, google)).searchParams
const over = 'This sign-in with Google took too long or was started elsewhere. Please try again.'

const base64Url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(
    /[+/=]/g,
    (sign) => ({ '+': '-', '/': '_' })[sign] ?? '',
  )

it('AUTH-19 DEC-116 asks for a code with PKCE and for consent, again each time', async () => {
  const [one, two] = [await begin(), await begin()]
  expect(Object.fromEntries(one)).toMatchObject({
    response_type: 'code',
    redirect_uri: `${location.origin}/auth`,
    identity_provider: 'Google',
    prompt: 'consent',
    code_challenge_method: 'S256',
  })
  for (const name of ['state', 'code_challenge']) expect(one.get(name)).not.toBe(two.get(name))
})

it('AUTH-19 exchanges the code once, with its verifier', async () => {
  const query = await begin()
  const answer = { code: 'c', state: query.get('state') ?? '' }
  await completeHostedSignIn(pool, answer)
  const [url, init] = fetched.mock.calls[0] ?? []
  const form = init?.body as URLSearchParams
  expect(url).toBe('http://127.0.0.1:9/oauth2/token')
  const hash = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(form.get('code_verifier') ?? ''),
  )
  expect(base64Url(hash)).toBe(query.get('code_challenge'))
  expect(session.storeTokens).toHaveBeenCalledWith(tokens)
  await expect(completeHostedSignIn(pool, answer)).rejects.toMatchObject({ userMessage: over })
  expect(fetched).toHaveBeenCalledTimes(1)
})

it('AUTH-29 an answer with another state is not exchanged', async () => {
  await begin()
  await expect(completeHostedSignIn(pool, { code: 'c', state: 'x' })).rejects.toMatchObject({
    userMessage: over,
  })
  expect(fetched).not.toHaveBeenCalled()
})

it('AUTH-29 says when the exchange is refused or gets no answer', async () => {
  fetched.mockResolvedValueOnce(Response.json({ error: 'invalid_grant' }, { status: 400 }))
  const refused = completeHostedSignIn(pool, { code: 'c', state: (await begin()).get('state') ?? '' })
  await expect(refused).rejects.toMatchObject({ userMessage: over })
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const lost = completeHostedSignIn(pool, { code: 'c', state: (await begin()).get('state') ?? '' })
  await expect(lost).rejects.toMatchObject({
    userMessage: 'The sign-in service could not be reached. Check your connection and try again.',
  })
  expect(session.storeTokens).not.toHaveBeenCalled()
})

it('forgets a sign-in that has failed', async () => {
  const state = (await begin()).get('state') ?? ''
  discardHostedSignIn()
  await expect(completeHostedSignIn(pool, { code: 'c', state })).rejects.toMatchObject({ userMessage: over })
})

it('signs out of the hosted pages too, and knows whether there are any', () => {
  expect(buildHostedSignOutUrl(pool)).toBe(
    `http://127.0.0.1:9/logout?client_id=client&logout_uri=${encodeURIComponent(`${location.origin}/auth`)}`,
  )
  expect([hasHostedUi(pool), hasHostedUi({ ...pool, oauthDomain: '' })]).toEqual([true, false])
})

it('DEC-191 asks an operator’s provider for no more than who it is, with the typed address, and again on demand', async () => {
  const okta = { name: 'Okta', label: 'Work account' }
  const ask = async (options: HostedSignInOptions) =>
    Object.fromEntries(new URL(await createHostedSignInUrl(pool, okta, options)).searchParams)
  const first = await ask({ loginHint: 'ann@corp.example' })
  expect(first).toMatchObject({
    identity_provider: 'Okta',
    scope: 'openid email profile',
    login_hint: 'ann@corp.example',
  })
  expect(first).not.toHaveProperty('prompt')
  const again = await ask({ sameUser: 'u1', returnPath: '/settings' })
  expect(again).toMatchObject({ prompt: 'login' })
  expect(await completeHostedSignIn(pool, { code: 'c', state: again['state'] ?? '' })).toEqual({
    returnPath: '/settings',
    isNewAccount: false,
  })
  await expect(
    completeHostedSignIn({ ...pool, googleSignIn: false }, { code: 'c', state: 'x' }),
  ).rejects.toMatchObject({
    userMessage: 'This sign-in took too long or was started elsewhere. Please try again.',
  })
  await ask({})
  await expect(completeHostedSignIn(pool, { code: 'c', state: 'x' })).rejects.toMatchObject({
    userMessage: 'This sign-in with Work account took too long or was started elsewhere. Please try again.',
  })
})

it('DEC-191 says why an account gets no tokens, and has the provider ask again at the next sign-in', async () => {
  const okta = { name: 'Okta', label: 'Work account' }
  const ask = async () => new URL(await createHostedSignInUrl(pool, okta)).searchParams
  const refuse = async (error_description: string) => {
    fetched.mockResolvedValueOnce(
      Response.json({ error: 'invalid_grant', error_description }, { status: 400 }),
    )
    const state = (await ask()).get('state') ?? ''
    return completeHostedSignIn(pool, { code: 'c', state }).catch((error: unknown) => error)
  }
  expect(await refuse('PreTokenGeneration failed with error the table is down.')).toMatchObject({
    userMessage: 'This sign-in with Work account took too long or was started elsewhere. Please try again.',
  })
  expect((await ask()).get('prompt')).toBeNull()
  const reason = 'This account cannot sign in here. The identity provider of this account is not configured'
  expect(await refuse(`PreTokenGeneration failed with error ${reason}.`)).toMatchObject({
    userMessage: 'Sign-in with this provider is switched off here. Ask the person who runs the site.',
  })
  const again = await ask()
  expect(again.get('prompt')).toBe('login')
  await completeHostedSignIn(pool, { code: 'c', state: again.get('state') ?? '' })
  expect((await ask()).get('prompt')).toBeNull()
})

it('DEC-191 who signs in again with another account does not replace the session', async () => {
  const okta = { name: 'Okta', label: 'Okta' }
  const url = new URL(await createHostedSignInUrl(pool, okta, { sameUser: 'u1' }))
  fetched.mockResolvedValueOnce(Response.json({ ...tokens, id_token: idToken({ sub: 'u2' }) }))
  await expect(
    completeHostedSignIn(pool, { code: 'c', state: url.searchParams.get('state') ?? '' }),
  ).rejects.toMatchObject({ userMessage: expect.stringMatching(/^You signed in with another account/) })
  expect(session.storeTokens).not.toHaveBeenCalled()
  expect(session.revokeRefreshToken).toHaveBeenCalledWith('r')
})

it.each([
  ['the account was created by it', 1_700_000_000_500, true],
  ['the account is some days old', 1_699_700_000_000, false],
  ['the token does not tell', undefined, false],
])('knows a first sign-in: %s', async (_, dateCreated, isNewAccount) => {
  const identities = dateCreated === undefined ? undefined : [{ dateCreated: String(dateCreated) }]
  const id_token = idToken({ sub: 'u1', auth_time: 1_700_000_001, identities })
  fetched.mockResolvedValueOnce(Response.json({ ...tokens, id_token }))
  const state = (await begin()).get('state') ?? ''
  expect(await completeHostedSignIn(pool, { code: 'c', state })).toMatchObject({ isNewAccount })
})
