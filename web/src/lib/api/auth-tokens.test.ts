import { beforeEach, expect, it, vi } from 'vitest'

const config = {
  region: 'eu-central-1',
  userPoolId: 'eu-central-1_Ab',
  userPoolClientId: 'client',
  userPoolEndpoint: 'http://pool.test/',
  assistantName: 'Juno',
  brandName: 'Juno',
  signUp: 'open',
  demo: { model: false, providers: false },
  version: '1',
}
const prefix = 'CognitoIdentityServiceProvider.client'
const jwt = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.x`

function storeSession(expiresInSeconds: number) {
  const exp = Math.floor(Date.now() / 1000) + expiresInSeconds
  localStorage.setItem(`${prefix}.LastAuthUser`, 'u1')
  localStorage.setItem(`${prefix}.u1.accessToken`, jwt({ sub: 'u1', exp }))
  localStorage.setItem(`${prefix}.u1.idToken`, jwt({ sub: 'u1', exp, email: 'mika@x.example', name: 'Mika' }))
  localStorage.setItem(`${prefix}.u1.refreshToken`, 'refresh-1')
  localStorage.setItem(`${prefix}.u1.clockDrift`, '0')
}

/** Fakes config.json, and the user pool by the name of the operation. */
function fakeServices(
  pool: Record<string, () => Response>,
  configuration: () => Response = () => Response.json(config),
) {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (url: string | URL, init?: RequestInit) => {
    if (String(url) === '/config.json') return configuration()
    const target = new Headers(init?.headers).get('x-amz-target')?.split('.')[1] ?? 'unknown'
    calls.push(target)
    const respond = pool[target]
    if (!respond) throw new TypeError('Failed to fetch')
    return respond()
  })
  return calls
}

const createRevokedResponse = () =>
  Response.json(
    { __type: 'NotAuthorizedException', message: 'Refresh Token has been revoked' },
    { status: 400 },
  )

type RequestLock = (name: string, work: () => Promise<unknown>) => Promise<unknown>
let lockedNames: string[] = []

beforeEach(() => {
  vi.resetModules()
  lockedNames = []
  const request = navigator.locks.request.bind(navigator.locks) as RequestLock
  vi.spyOn(navigator.locks, 'request').mockImplementation((async (
    name: string,
    work: () => Promise<unknown>,
  ) => {
    lockedNames.push(name)
    return request(name, work)
  }) as typeof navigator.locks.request)
})

const load = async () => ({
  ...(await import('./auth-tokens.ts')),
  ...(await import('../sign-in/store-tokens.ts')),
})

it('DATA-07 DATA-08 DEC-132 reads the signed-in user from the stored tokens, without a request', async () => {
  storeSession(900)
  const calls = fakeServices({})
  const { loadSignedInUser, getAccessToken } = await load()
  expect(await loadSignedInUser()).toEqual({ sub: 'u1', email: 'mika@x.example', fullName: 'Mika' })
  expect(await getAccessToken()).toBe(localStorage.getItem(`${prefix}.u1.accessToken`))
  expect(calls).toEqual([])
})

it('AUTH-13 nobody is signed in without tokens', async () => {
  fakeServices({})
  const { loadSignedInUser, getAccessToken } = await load()
  expect(await loadSignedInUser()).toBeNull()
  const error: unknown = await getAccessToken().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'NotSignedInError' })
  expect(error).not.toHaveProperty('cause')
})

it('LIB-05 a rejected refresh ends the session, under the lock, and the error has the cause', async () => {
  storeSession(-60)
  const calls = fakeServices({ GetTokensFromRefreshToken: createRevokedResponse })
  const { getAccessToken, hasStoredTokens } = await load()
  await expect(getAccessToken()).rejects.toMatchObject({
    name: 'NotSignedInError',
    cause: { name: 'NotAuthorizedException' },
  })
  expect(calls).toEqual(['GetTokensFromRefreshToken'])
  expect(new Set(lockedNames)).toEqual(new Set(['auth-tokens']))
  expect(await hasStoredTokens()).toBe(false)
})

const createTriggerError = (reason: string) => () =>
  Response.json(
    {
      __type: 'UserLambdaValidationException',
      message: `PreTokenGeneration failed with error ${reason}.`,
    },
    { status: 400 },
  )

it('DEC-191 ends the session of an account that may no longer sign in, and stores the reason', async () => {
  storeSession(-60)
  const reason = 'Please sign in with Okta instead [code=use_provider provider=Okta]'
  const calls = fakeServices({ GetTokensFromRefreshToken: createTriggerError(reason) })
  const { getAccessToken, hasStoredTokens, loadSignedInUser } = await load()
  await expect(getAccessToken()).rejects.toMatchObject({ name: 'NotSignedInError' })
  expect(await hasStoredTokens()).toBe(false)
  expect(await loadSignedInUser()).toBeNull()
  expect(calls).toEqual(['GetTokensFromRefreshToken'])
  expect(sessionStorage.getItem('juno.account-refused')).toBe(
    `PreTokenGeneration failed with error ${reason}.`,
  )
})

it('DEC-191 keeps the session if the trigger fails for another reason', async () => {
  storeSession(-60)
  fakeServices({ GetTokensFromRefreshToken: createTriggerError('This account cannot sign in here') })
  const { getAccessToken, hasStoredTokens } = await load()
  await expect(getAccessToken()).rejects.toMatchObject({ name: 'NetworkError' })
  expect(await hasStoredTokens()).toBe(true)
})

it('DEC-108 reads the stored user without a configuration, and requests fail with a ConfigError', async () => {
  storeSession(900)
  fakeServices({}, () => new Response('', { status: 404 }))
  const { loadSignedInUser, getAccessToken, clearTokens } = await load()
  expect(await loadSignedInUser()).toMatchObject({ sub: 'u1' })
  await expect(getAccessToken()).rejects.toMatchObject({ name: 'ConfigError' })
  localStorage.setItem(`${prefix}.u1.idToken`, 'no token')
  expect(await loadSignedInUser()).toBeNull()
  await clearTokens()
  expect(localStorage).toHaveLength(0)
})

it('AUTH-15 signing out removes the tokens under the lock and returns the refresh token to revoke', async () => {
  storeSession(900)
  localStorage.setItem('juno.theme', 'dark')
  fakeServices({})
  const { clearTokens } = await load()
  expect(await clearTokens()).toBe('refresh-1')
  expect(lockedNames).toEqual(['auth-tokens'])
  expect(Object.keys(localStorage)).toEqual(['juno.theme'])
})

it('MENU-09 revoking rejects when the service fails or cannot be reached', async () => {
  const pool: Record<string, () => Response> = { RevokeToken: () => new Response('{}') }
  fakeServices(pool)
  const { revokeRefreshToken } = await load()
  await expect(revokeRefreshToken('refresh-1')).resolves.toBeUndefined()
  pool['RevokeToken'] = () => new Response('{}', { status: 500 })
  await expect(revokeRefreshToken('refresh-1')).rejects.toMatchObject({ name: 'ApiError', status: 500 })
  delete pool['RevokeToken']
  await expect(revokeRefreshToken('refresh-1')).rejects.toMatchObject({ name: 'NetworkError' })
})
