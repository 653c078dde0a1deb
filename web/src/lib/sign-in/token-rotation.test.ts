import { AdminDisableUserCommand, RevokeTokenCommand } from '@aws-sdk/client-cognito-identity-provider'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { startTestPool, type TestPool } from '../../../../test/support/cognito-pool.ts'

/** The page's tokens at the emulated user pool, whose refresh tokens rotate. */

let pool: TestPool
beforeAll(async () => {
  pool = await startTestPool()
})
afterAll(() => pool.remove())

const send = fetch
/** How many refreshes have reached the user pool. */
let refreshes = 0
/** How many of the next responses are lost on their way. */
let lostResponses = 0

beforeEach(() => {
  localStorage.clear()
  refreshes = 0
  lostResponses = 0
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url === '/config.json')
      return Response.json({
        region: 'eu-central-1',
        userPoolId: pool.userPoolId,
        userPoolClientId: pool.clientId,
        userPoolEndpoint: pool.url,
        assistantName: 'Juno',
        brandName: 'Juno',
        signUp: 'open',
        demo: { model: false, providers: false },
        version: '1',
      })
    refreshes += 1
    // jsdom's signals are not those of Node's fetch
    const response = await send(url, { ...init, signal: null })
    if (lostResponses === 0) return response
    lostResponses -= 1
    throw new TypeError('Failed to fetch')
  })
})

/** Loads the page's modules as another tab does, which shares the storage and the locks. */
async function openTab() {
  vi.resetModules()
  const [tokens, { storeTokens }, { readTokens }, { onAuthEvent }] = await Promise.all([
    import('../api/auth-tokens.ts'),
    import('./store-tokens.ts'),
    import('../api/stored-tokens.ts'),
    import('../api/auth-events.ts'),
  ])
  return { ...tokens, storeTokens, readTokens, onAuthEvent }
}

/** A tab of a user who has just signed in. */
async function openSignedIn() {
  const { email, password } = await pool.newUser()
  const { access, id, refresh } = (await pool.signIn({ email, password })).tokens
  const tab = await openTab()
  await tab.storeTokens({ accessToken: access, idToken: id, refreshToken: refresh })
  return { tab, email, first: { access, refresh } }
}

/** Makes the stored tokens expire. */
function expire(): void {
  const key = Object.keys(localStorage).find((name) => name.endsWith('.clockDrift'))
  localStorage.setItem(key ?? '', '86400000')
}

it('refreshes expired tokens with each time a new refresh token, and learns the clock of the user pool', async () => {
  const { tab, first } = await openSignedIn()
  const accessTokens = [await tab.getAccessToken()]
  const refreshTokens = [first.refresh]
  for (let round = 0; round < 2; round += 1) {
    expire()
    accessTokens.push(await tab.getAccessToken())
    refreshTokens.push(tab.readTokens()?.refreshToken ?? '')
  }
  expect(accessTokens[0]).toBe(first.access)
  expect([new Set(accessTokens).size, new Set(refreshTokens).size, refreshes]).toEqual([3, 3, 2])
  expect(Math.abs(tab.readTokens()?.clockDrift ?? NaN)).toBeLessThan(2_000)
})

it('two tabs and all their calls share one refresh', async () => {
  const { tab, first } = await openSignedIn()
  const other = await openTab()
  const tokens = await Promise.all([
    tab.replaceAccessToken(first.access),
    tab.replaceAccessToken(first.access),
    // `refreshTokens` replaces whatever is stored when it looks
    ...Array.from({ length: 2 }, () => other.replaceAccessToken(first.access)),
  ])
  expect(new Set([...tokens, first.access]).size).toBe(2)
  expect(refreshes).toBe(1)
})

it('LIB-06 sends a refresh again whose response was lost, and keeps the tokens if all of them are', async () => {
  const { tab } = await openSignedIn()
  expire()
  lostResponses = 1
  await tab.getAccessToken()
  expire()
  lostResponses = 3
  const before = tab.readTokens()
  await expect(tab.getAccessToken()).rejects.toMatchObject({ name: 'NetworkError' })
  expect(tab.readTokens()).toEqual(before)
  expect(await tab.loadSignedInUser()).toMatchObject({ fullName: 'Ann' })
})

it.each<[string, string, (user: { email: string; refresh: string }) => Promise<unknown>]>([
  [
    'expired',
    'Refresh Token has been revoked',
    ({ refresh }) => pool.client.send(new RevokeTokenCommand({ ClientId: pool.clientId, Token: refresh })),
  ],
  [
    'disabled',
    'User is disabled.',
    ({ email }) =>
      pool.client.send(new AdminDisableUserCommand({ UserPoolId: pool.userPoolId, Username: email })),
  ],
])('AUTH-14 all calls learn that the session has ended: %s, %s', async (event, message, end) => {
  const { tab, email, first } = await openSignedIn()
  await end({ email, refresh: first.refresh })
  expire()
  const events: string[] = []
  tab.onAuthEvent((each) => events.push(each))
  const results = await Promise.allSettled([tab.getAccessToken(), tab.getAccessToken()])
  const refused = { status: 'rejected', reason: { name: 'NotSignedInError', cause: { message } } }
  expect(results).toMatchObject([refused, refused])
  expect([events, refreshes, tab.readTokens()]).toEqual([[event], 1, undefined])
  expect(await tab.loadSignedInUser()).toBeNull()
})

it('a new sign-in leaves nothing of the one before', async () => {
  const { first } = await openSignedIn()
  await openSignedIn()
  expect(Object.values(localStorage)).not.toContain(first.refresh)
  expect(localStorage).toHaveLength(5)
})

it('a tab whose storage is full keeps the tokens that it was given', async () => {
  const { tab, first } = await openSignedIn()
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const token = await tab.replaceAccessToken(first.access)
  expect(token).not.toBe(first.access)
  expect(await tab.getAccessToken()).toBe(token)
  // until another tab has others, or has signed out
  const [key = ''] = Object.keys(localStorage).filter((name) => name.endsWith('.refreshToken'))
  localStorage.removeItem(key)
  dispatchEvent(new StorageEvent('storage', { key }))
  await expect(tab.getAccessToken()).rejects.toThrow('nobody is signed in')
})
