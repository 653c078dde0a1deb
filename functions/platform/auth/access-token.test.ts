import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { tokenVerifier } from './access-token.ts'

const issuer = 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_test'
let key: CryptoKey
let foreignKey: CryptoKey
let server: Server
let keyRequests = 0
let isKeyServerDown = false
let jwksUri: string

beforeAll(async () => {
  const pair = await generateKeyPair('RS256')
  key = pair.privateKey
  foreignKey = (await generateKeyPair('RS256')).privateKey
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  server = createServer((_, response) => {
    keyRequests += 1
    if (isKeyServerDown) response.writeHead(503).end()
    else response.end(JSON.stringify({ keys: [jwk] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`
})
afterAll(() => server.close())

const claims = {
  sub: 'ann',
  token_use: 'access',
  client_id: 'client',
  scope: 'openid juno/api',
  iss: issuer,
}

async function signToken(changes: Record<string, unknown> = {}, signer = key, lifetime = '5m', kid = 'k1') {
  const jwt = new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'RS256', kid })
  return jwt.setIssuedAt().setExpirationTime(lifetime).sign(signer)
}

const verify = (authorization: string | undefined, uri = jwksUri) =>
  tokenVerifier({ issuer, jwksUri: uri, clientId: async () => 'client' })(authorization)

it('CHAT-52 returns the user of an access token', async () => {
  const token = await signToken({
    username: 'Google_1',
    auth_time: 1_700_000_000,
    origin_jti: 'o1',
    scope: 'aws.cognito.signin.user.admin juno/api',
  })
  await expect(verify(`Bearer ${token}`)).resolves.toEqual({
    sub: 'ann',
    username: 'Google_1',
    issuedAt: expect.any(Number),
    signedInAt: 1_700_000_000,
    signInId: 'o1',
    hasSelfServiceScope: true,
    groups: [],
    mustSetUpTwoFactor: false,
  })
})

it('rejects a token with only Cognito’s own scope, as from a pool without the trigger (H5)', async () => {
  const token = await signToken({ scope: 'aws.cognito.signin.user.admin' })
  await expect(verify(`Bearer ${token}`)).rejects.toMatchObject({ code: 'invalid_token' })
})

it('uses the sub and an old sign-in for a token without a user name and times', async () => {
  const user = { username: 'ann', signedInAt: 0, signInId: '', hasSelfServiceScope: false, groups: [] }
  await expect(verify(`Bearer ${await signToken()}`)).resolves.toMatchObject(user)
})

it.each([undefined, '', 'Basic YTpi', 'Bearer', 'Bearer a b'])(
  'requires a sign-in for the header %j',
  async (header) => {
    await expect(verify(header)).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })
  },
)

it.each([
  ['a forged token', () => signToken({}, foreignKey)],
  ['an expired token', () => signToken({}, key, '-1s')],
  ['a token of another pool', () => signToken({ iss: `${issuer}x` })],
  ['an ID token', () => signToken({ token_use: 'id', aud: 'client' })],
  ['a token of another client', () => signToken({ client_id: 'other' })],
  ['a token without the scope', () => signToken({ scope: 'openid' })],
  ['an unsigned token', async () => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`],
  ['garbage', async () => 'abc.def.ghi'],
])('refuses %s', async (_, createToken) => {
  await expect(verify(`Bearer ${await createToken()}`)).rejects.toMatchObject({
    code: 'invalid_token',
    status: 401,
  })
})

it('LIB-04 keeps the signing keys for 10 minutes', async () => {
  const verifier = tokenVerifier({ issuer, jwksUri, clientId: async () => 'client' })
  const begin = Date.now()
  const countRequestsAfter = async (elapsedMs: number) => {
    vi.setSystemTime(begin + elapsedMs)
    keyRequests = 0
    await verifier(`Bearer ${await signToken()}`)
    return keyRequests
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    expect(await countRequestsAfter(0)).toBe(1)
    expect(await countRequestsAfter(599_000)).toBe(0)
    expect(await countRequestsAfter(601_000)).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

it('distinguishes missing signing keys from an invalid token', async () => {
  const authorization = `Bearer ${await signToken()}`
  await expect(verify(authorization, 'http://127.0.0.1:9/none')).rejects.toMatchObject({ status: 503 })
})

it('keeps the last signing keys while their URL is down, and requests them twice a minute', async () => {
  const verifier = tokenVerifier({ issuer, jwksUri, clientId: async () => 'client' })
  const begin = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    await verifier(`Bearer ${await signToken()}`)
    isKeyServerDown = true
    keyRequests = 0
    const verifyAt = async (elapsedMs: number, signed = signToken) => {
      vi.setSystemTime(begin + elapsedMs)
      return verifier(`Bearer ${await signed()}`)
    }
    await expect(verifyAt(601_000)).resolves.toMatchObject({ sub: 'ann' })
    await expect(verifyAt(602_000)).resolves.toMatchObject({ sub: 'ann' })
    expect(keyRequests).toBe(1)
    await expect(verifyAt(632_000)).resolves.toMatchObject({ sub: 'ann' })
    expect(keyRequests).toBe(2)
    // a forged token is still refused; an unknown key may be a new one
    await expect(verifyAt(633_000, () => signToken({}, foreignKey))).rejects.toMatchObject({ status: 401 })
    await expect(verifyAt(634_000, () => signToken({}, key, '5m', 'k2'))).rejects.toMatchObject({
      status: 503,
    })
    isKeyServerDown = false
    await expect(verifyAt(665_000)).resolves.toMatchObject({ sub: 'ann' })
    await expect(verifyAt(666_000, () => signToken({}, key, '5m', 'k2'))).rejects.toMatchObject({
      status: 401,
    })
  } finally {
    isKeyServerDown = false
    vi.useRealTimers()
  }
})
