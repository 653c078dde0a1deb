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

/** Answers config.json, and the user pool by the operation's name. */
function serve(
  pool: Record<string, () => Response>,
  configuration: () => Response = () => Response.json(config),
) {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (url: string | URL, init?: RequestInit) => {
    if (String(url) === '/config.json') return configuration()
    const target = new Headers(init?.headers).get('x-amz-target')?.split('.')[1] ?? 'unknown'
    calls.push(target)
    const answer = pool[target]
    if (!answer) throw new TypeError('Failed to fetch')
    return answer()
  })
  return calls
}

const refusal = () =>
  Response.json(
    { __type: 'NotAuthorizedException', message: 'Refresh Token has been revoked' },
    { status: 400 },
  )

let locked: string[] = []

beforeEach(() => {
  vi.resetModules()
  locked = []
  Object.defineProperty(navigator, 'locks', {
    configurable: true,
    value: {
      request: async (name: string, work: () => Promise<unknown>) => {
        locked.push(name)
        return work()
      },
    },
  })
})

const load = () => import('./auth-tokens.ts')

it('DATA-07 DATA-08 DEC-132 reads who is signed in from the stored tokens, without asking the service', async () => {
  storeSession(900)
  const calls = serve({})
  const { loadSignedInUser, getAccessToken: accessToken } = await load()
  expect(await loadSignedInUser()).toEqual({ sub: 'u1', email: 'mika@x.example', fullName: 'Mika' })
  expect(await accessToken()).toBe(localStorage.getItem(`${prefix}.u1.accessToken`))
  expect(calls).toEqual([])
})

it('AUTH-13 nobody is signed in without tokens', async () => {
  serve({})
  const { loadSignedInUser, getAccessToken: accessToken } = await load()
  expect(await loadSignedInUser()).toBeNull()
  const error: unknown = await accessToken().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'NotSignedInError' })
  expect(error).not.toHaveProperty('cause')
})

it('LIB-05 a refused refresh ends the session, under the lock, and the error says that there was one', async () => {
  storeSession(-60)
  const calls = serve({ GetTokensFromRefreshToken: refusal })
  const { getAccessToken: accessToken, hasStoredTokens } = await load()
  await expect(accessToken()).rejects.toMatchObject({
    name: 'NotSignedInError',
    cause: { name: 'NotAuthorizedException' },
  })
  expect(calls).toEqual(['GetTokensFromRefreshToken'])
  expect(new Set(locked)).toEqual(new Set(['auth-tokens']))
  expect(await hasStoredTokens()).toBe(false)
})

const triggerError = (reason: string) => () =>
  Response.json(
    {
      __type: 'UserLambdaValidationException',
      message: `PreTokenGeneration failed with error ${reason}.`,
    },
    { status: 400 },
  )

it('DEC-191 an account that may not sign in any more loses its session, once, with the reason', async () => {
  storeSession(-60)
  const reason = 'This account cannot sign in here. Please sign in with Okta instead'
  const calls = serve({ GetTokensFromRefreshToken: triggerError(reason) })
  const { getAccessToken: accessToken, hasStoredTokens, loadSignedInUser } = await load()
  await expect(accessToken()).rejects.toMatchObject({ name: 'NotSignedInError' })
  expect(await hasStoredTokens()).toBe(false)
  expect(await loadSignedInUser()).toBeNull()
  expect(calls).toEqual(['GetTokensFromRefreshToken'])
  expect(sessionStorage.getItem('juno.account-refused')).toBe(
    `PreTokenGeneration failed with error ${reason}.`,
  )
})

it('DEC-191 a trigger that fails otherwise leaves the session as it is', async () => {
  storeSession(-60)
  serve({ GetTokensFromRefreshToken: triggerError('the table is down') })
  const { getAccessToken: accessToken, hasStoredTokens } = await load()
  await expect(accessToken()).rejects.toMatchObject({ name: 'NetworkError' })
  expect(await hasStoredTokens()).toBe(true)
})

it('DEC-108 without a configuration the stored identity still opens the page, and calls say what is missing', async () => {
  storeSession(900)
  serve({}, () => new Response('', { status: 404 }))
  const { loadSignedInUser, getAccessToken: accessToken, clearTokens } = await load()
  expect(await loadSignedInUser()).toMatchObject({ sub: 'u1' })
  await expect(accessToken()).rejects.toMatchObject({ name: 'ConfigError' })
  await clearTokens()
  expect(localStorage).toHaveLength(0)
})

it('AUTH-15 signing out forgets the tokens under the lock and gives back the one to revoke', async () => {
  storeSession(900)
  localStorage.setItem('juno.theme', 'dark')
  serve({})
  const { clearTokens } = await load()
  expect(await clearTokens()).toBe('refresh-1')
  expect(locked).toEqual(['auth-tokens'])
  expect(Object.keys(localStorage)).toEqual(['juno.theme'])
})

it('MENU-09 revoking tells when the service refuses or cannot be reached', async () => {
  const pool: Record<string, () => Response> = { RevokeToken: () => new Response('{}') }
  serve(pool)
  const { revokeRefreshToken } = await load()
  await expect(revokeRefreshToken('refresh-1')).resolves.toBeUndefined()
  pool['RevokeToken'] = () => new Response('{}', { status: 500 })
  await expect(revokeRefreshToken('refresh-1')).rejects.toMatchObject({ name: 'ApiError', status: 500 })
  delete pool['RevokeToken']
  await expect(revokeRefreshToken('refresh-1')).rejects.toMatchObject({ name: 'NetworkError' })
})
