import { beforeEach, expect, it, vi } from 'vitest'
import { discardHostedSignIn, completeHostedSignIn, createHostedSignInUrl } from './google-sign-in.ts'
import { hasHostedUi, buildHostedSignOutUrl, type HostedUiConfig } from './hosted-ui.ts'

const session = vi.hoisted(() => ({ storeTokens: vi.fn<(tokens: object) => Promise<void>>() }))
vi.mock('../../lib/auth-tokens.ts', () => session)

const pool = { oauthDomain: 'http://127.0.0.1:9', userPoolClientId: 'client' } as HostedUiConfig
const fetched = vi.fn<typeof fetch>()
const tokens = { access_token: 'a', id_token: 'i', refresh_token: 'r' }

beforeEach(() => {
  sessionStorage.clear()
  session.storeTokens.mockReset()
  fetched.mockReset().mockImplementation(async () => Response.json(tokens))
  vi.stubGlobal('fetch', fetched)
})

const begin = async () => new URL(await createHostedSignInUrl(pool)).searchParams
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

it('AUTH-19 exchanges the code with the verifier of its challenge, once', async () => {
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

it('forgets what was started once it has failed', async () => {
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
