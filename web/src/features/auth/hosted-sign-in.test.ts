import { beforeEach, expect, it, vi } from 'vitest'
import {
  discardHostedSignIn,
  completeHostedSignIn,
  createHostedSignInUrl,
  type HostedSignInOptions,
} from './hosted-sign-in.ts'
import { hasHostedUi, buildHostedSignOutUrl, type HostedUiConfig } from './hosted-ui.ts'
import { google } from '../../lib/sign-in/identity-providers.ts'

const session = vi.hoisted(() => ({
  storeTokens: vi.fn<(tokens: object) => Promise<void>>(),
  revokeRefreshToken: vi.fn<(token: string) => Promise<void>>(async () => undefined),
}))
vi.mock('../../lib/sign-in/store-tokens.ts', () => session)

const config = { oauthDomain: 'http://127.0.0.1:9', userPoolClientId: 'client' } as HostedUiConfig
const okta = { name: 'Okta', label: 'Work account', domains: [] }
const fetchMock = vi.fn<typeof fetch>()
const idToken = (claims: object) => `e30.${btoa(JSON.stringify({ exp: 1, iat: 1, ...claims }))}.s`
const tokens = { access_token: 'a', id_token: idToken({ sub: 'u1' }), refresh_token: 'r' }
const storedTokens = { accessToken: 'a', idToken: tokens.id_token, refreshToken: 'r' }

beforeEach(() => {
  sessionStorage.clear()
  session.storeTokens.mockReset()
  fetchMock.mockReset().mockImplementation(async () => Response.json(tokens))
  vi.stubGlobal('fetch', fetchMock)
})

const startSignIn = async () => new URL(await createHostedSignInUrl(config, google, {})).searchParams
const expiredMessage = 'This sign-in with Google took too long or was started elsewhere. Please try again.'

const base64Url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(
    /[+/=]/g,
    (sign) => ({ '+': '-', '/': '_' })[sign] ?? '',
  )

it('AUTH-19 DEC-116 requests a code with PKCE and consent, with new values each time', async () => {
  const [firstQuery, secondQuery] = [await startSignIn(), await startSignIn()]
  expect(Object.fromEntries(firstQuery)).toMatchObject({
    response_type: 'code',
    redirect_uri: `${location.origin}/auth`,
    identity_provider: 'Google',
    prompt: 'consent',
    code_challenge_method: 'S256',
  })
  for (const name of ['state', 'code_challenge']) expect(firstQuery.get(name)).not.toBe(secondQuery.get(name))
})

it('AUTH-19 exchanges the code once, with its verifier', async () => {
  const query = await startSignIn()
  const callback = { code: 'c', state: query.get('state') ?? '' }
  await completeHostedSignIn(config, callback)
  const [url, init] = fetchMock.mock.calls[0] ?? []
  const form = init?.body as URLSearchParams
  expect(url).toBe('http://127.0.0.1:9/oauth2/token')
  const hash = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(form.get('code_verifier') ?? ''),
  )
  expect(base64Url(hash)).toBe(query.get('code_challenge'))
  expect(session.storeTokens).toHaveBeenCalledWith(storedTokens)
  await expect(completeHostedSignIn(config, callback)).rejects.toMatchObject({ userMessage: expiredMessage })
  expect(fetchMock).toHaveBeenCalledTimes(1)
})

it('AUTH-29 does not exchange a code that was returned with another state', async () => {
  await startSignIn()
  await expect(completeHostedSignIn(config, { code: 'c', state: 'x' })).rejects.toMatchObject({
    userMessage: expiredMessage,
  })
  expect(fetchMock).not.toHaveBeenCalled()
})

it('AUTH-29 a response that this browser did not request leaves the sign-in that it did request', async () => {
  const query = await startSignIn()
  await expect(completeHostedSignIn(config, { code: 'c', state: 'x' })).rejects.toThrow('took too long')
  await completeHostedSignIn(config, { code: 'c', state: query.get('state') ?? '' })
  expect(session.storeTokens).toHaveBeenCalledWith(storedTokens)
})

it.each([
  [429, { error: 'too_many_requests' }],
  [500, undefined],
  [400, { error: 'invalid_client' }],
  [400, { error: 'invalid_grant', error_description: 'PreTokenGeneration failed with error down.' }],
])('does not blame the time for a failure of the token endpoint: %d %o', async (status, body) => {
  const state = (await startSignIn()).get('state') ?? ''
  fetchMock.mockResolvedValueOnce(body ? Response.json(body, { status }) : new Response('', { status }))
  await expect(completeHostedSignIn(config, { code: 'c', state })).rejects.toMatchObject({
    userMessage: 'Something went wrong. Please try again.',
  })
})

it('AUTH-29 reports that the exchange was rejected or got no response', async () => {
  fetchMock.mockResolvedValueOnce(Response.json({ error: 'invalid_grant' }, { status: 400 }))
  const rejectedExchange = completeHostedSignIn(config, {
    code: 'c',
    state: (await startSignIn()).get('state') ?? '',
  })
  await expect(rejectedExchange).rejects.toMatchObject({ userMessage: expiredMessage })
  fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const failedExchange = completeHostedSignIn(config, {
    code: 'c',
    state: (await startSignIn()).get('state') ?? '',
  })
  await expect(failedExchange).rejects.toMatchObject({
    userMessage: 'The sign-in service could not be reached. Check your connection and try again.',
  })
  expect(session.storeTokens).not.toHaveBeenCalled()
})

it('reports a connection that is lost within the tokens', async () => {
  const query = await startSignIn()
  const lostBody = new ReadableStream({ start: (controller) => controller.error(new TypeError('lost')) })
  fetchMock.mockResolvedValue(new Response(lostBody))
  await expect(
    completeHostedSignIn(config, { code: 'c', state: query.get('state') ?? '' }),
  ).rejects.toMatchObject({
    userMessage: 'The sign-in service could not be reached. Check your connection and try again.',
  })
})

it('discards a failed sign-in', async () => {
  const state = (await startSignIn()).get('state') ?? ''
  discardHostedSignIn()
  await expect(completeHostedSignIn(config, { code: 'c', state })).rejects.toMatchObject({
    userMessage: expiredMessage,
  })
})

it('builds the sign-out URL of the hosted pages, and detects whether they are set up', () => {
  expect(buildHostedSignOutUrl(config)).toBe(
    `http://127.0.0.1:9/logout?client_id=client&logout_uri=${encodeURIComponent(`${location.origin}/auth`)}`,
  )
  expect([hasHostedUi(config), hasHostedUi({ ...config, oauthDomain: '' })]).toEqual([true, false])
})

it('DEC-191 requests only the identity from an operator’s provider, with the entered address as a hint, and a new sign-in on demand', async () => {
  const startWith = async (options: HostedSignInOptions) =>
    Object.fromEntries(new URL(await createHostedSignInUrl(config, okta, options)).searchParams)
  const firstQuery = await startWith({ loginHint: 'ann@corp.example' })
  expect(firstQuery).toMatchObject({
    identity_provider: 'Okta',
    scope: 'openid email profile',
    login_hint: 'ann@corp.example',
  })
  expect(firstQuery).not.toHaveProperty('prompt')
  const secondQuery = await startWith({ requiredSub: 'u1', returnPath: '/settings' })
  expect(secondQuery).toMatchObject({ prompt: 'login' })
  expect(await completeHostedSignIn(config, { code: 'c', state: secondQuery['state'] ?? '' })).toEqual({
    returnPath: '/settings',
    isNewAccount: false,
  })
})

it.each([
  [[], undefined, 'This sign-in with Google took too long'],
  [[okta], false, 'This sign-in with Work account took too long'],
  [[okta], undefined, 'This sign-in took too long'],
  [[], false, 'This sign-in took too long'],
])(
  'DEC-191 names the only provider of the site if the tab has not stored where the user was: %o, Google %o',
  async (identityProviders, googleSignIn, message) => {
    const site = { ...config, identityProviders, ...(googleSignIn === false && { googleSignIn }) }
    await expect(completeHostedSignIn(site, { code: 'c', state: 'x' })).rejects.toThrow(message)
  },
)

it('DEC-191 says why an account is rejected, and has the provider ask for credentials at the next sign-in', async () => {
  const startWithOkta = async () => new URL(await createHostedSignInUrl(config, okta, {})).searchParams
  const completeWithError = async (error_description: string) => {
    fetchMock.mockResolvedValueOnce(
      Response.json({ error: 'invalid_grant', error_description }, { status: 400 }),
    )
    const state = (await startWithOkta()).get('state') ?? ''
    return completeHostedSignIn(config, { code: 'c', state }).catch((error: unknown) => error)
  }
  await completeWithError('PreTokenGeneration failed with error the table is down.')
  expect((await startWithOkta()).get('prompt')).toBeNull()
  const reason = 'No [code=provider_off]'
  expect(await completeWithError(`PreTokenGeneration failed with error ${reason}.`)).toMatchObject({
    userMessage: 'Sign-in with this provider is switched off here. Ask the person who runs the site.',
  })
  const secondQuery = await startWithOkta()
  expect(secondQuery.get('prompt')).toBe('login')
  await completeHostedSignIn(config, { code: 'c', state: secondQuery.get('state') ?? '' })
  expect((await startWithOkta()).get('prompt')).toBeNull()
})

it('DEC-191 does not replace the session when the user signs in again with another account', async () => {
  const okta = { name: 'Okta', label: 'Okta' }
  const url = new URL(await createHostedSignInUrl(config, okta, { requiredSub: 'u1' }))
  fetchMock.mockResolvedValueOnce(Response.json({ ...tokens, id_token: idToken({ sub: 'u2' }) }))
  await expect(
    completeHostedSignIn(config, { code: 'c', state: url.searchParams.get('state') ?? '' }),
  ).rejects.toMatchObject({ userMessage: expect.stringMatching(/^You signed in with another account/) })
  expect(session.storeTokens).not.toHaveBeenCalled()
  expect(session.revokeRefreshToken).toHaveBeenCalledWith('r')
})

it.each([
  ['the account was just created', 1_700_000_000_500, true],
  ['the account is some days old', 1_699_700_000_000, false],
  ['the token does not contain the date', undefined, false],
])('detects a first sign-in: %s', async (_, dateCreated, isNewAccount) => {
  const identities = dateCreated === undefined ? undefined : [{ dateCreated: String(dateCreated) }]
  const id_token = idToken({ sub: 'u1', auth_time: 1_700_000_001, identities })
  fetchMock.mockResolvedValueOnce(Response.json({ ...tokens, id_token }))
  const state = (await startSignIn()).get('state') ?? ''
  expect(await completeHostedSignIn(config, { code: 'c', state })).toMatchObject({ isNewAccount })
})
