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
  const { loadSignedInUser: readSession, accessToken } = await load()
  expect(await readSession()).toEqual({ sub: 'u1', email: 'mika@x.example', fullName: 'Mika' })
  expect(await accessToken()).toBe(localStorage.getItem(`${prefix}.u1.accessToken`))
  expect(calls).toEqual([])
})

it('AUTH-13 nobody is signed in without tokens', async () => {
  serve({})
  const { loadSignedInUser: readSession, accessToken } = await load()
  expect(await readSession()).toBeNull()
  const error: unknown = await accessToken().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'NoSessionError' })
  expect(error).not.toHaveProperty('cause')
})

it('LIB-05 a refused refresh ends the session, under the lock, and the error says that there was one', async () => {
  storeSession(-60)
  const calls = serve({ GetTokensFromRefreshToken: refusal })
  const { accessToken, hasStoredTokens: hasStoredSession } = await load()
  await expect(accessToken()).rejects.toMatchObject({
    name: 'NoSessionError',
    cause: { name: 'NotAuthorizedException' },
  })
  expect(calls).toEqual(['GetTokensFromRefreshToken'])
  expect(new Set(locked)).toEqual(new Set(['auth-tokens']))
  expect(await hasStoredSession()).toBe(false)
})

it('DEC-108 without a configuration the stored identity still opens the page, and calls say what is missing', async () => {
  storeSession(900)
  serve({}, () => new Response('', { status: 404 }))
  const { loadSignedInUser: readSession, accessToken, clearTokens: endLocalSession } = await load()
  expect(await readSession()).toMatchObject({ sub: 'u1' })
  await expect(accessToken()).rejects.toMatchObject({ name: 'ConfigError' })
  await endLocalSession()
  expect(localStorage).toHaveLength(0)
})

it('AUTH-15 signing out forgets the tokens under the lock and gives back the one to revoke', async () => {
  storeSession(900)
  localStorage.setItem('juno.theme', 'dark')
  serve({})
  const { clearTokens: endLocalSession } = await load()
  expect(await endLocalSession()).toBe('refresh-1')
  expect(locked).toEqual(['auth-tokens'])
  expect(Object.keys(localStorage)).toEqual(['juno.theme'])
})

it('MENU-09 revoking tells when the service refuses or cannot be reached', async () => {
  const pool: Record<string, () => Response> = { RevokeToken: () => new Response('{}') }
  serve(pool)
  const { revokeRefreshToken: revokeSession } = await load()
  await expect(revokeSession('refresh-1')).resolves.toBeUndefined()
  pool['RevokeToken'] = () => new Response('{}', { status: 500 })
  await expect(revokeSession('refresh-1')).rejects.toMatchObject({ name: 'ApiError', status: 500 })
  delete pool['RevokeToken']
  await expect(revokeSession('refresh-1')).rejects.toMatchObject({ name: 'NetworkError' })
})
