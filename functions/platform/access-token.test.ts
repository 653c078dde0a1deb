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
let jwksUri: string

beforeAll(async () => {
  const pair = await generateKeyPair('RS256')
  key = pair.privateKey
  foreignKey = (await generateKeyPair('RS256')).privateKey
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  server = createServer((_, response) => {
    keyRequests += 1
    response.end(JSON.stringify({ keys: [jwk] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`
})
afterAll(() => server.close())

const claims = {
  sub: 'ann',
  token_use: 'access',
  client_id: 'client',
  scope: 'openid aws.cognito.signin.user.admin',
  iss: issuer,
}

async function token(changes: Record<string, unknown> = {}, signer = key, lifetime = '5m') {
  const jwt = new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'RS256', kid: 'k1' })
  return jwt.setIssuedAt().setExpirationTime(lifetime).sign(signer)
}

const verify = (authorization: string | undefined, uri = jwksUri) =>
  tokenVerifier({ issuer, jwksUri: uri, clientId: async () => 'client' })(authorization)

it('CHAT-52 gives the user of an access token', async () => {
  const signedIn = await token({ username: 'Google_1', auth_time: 1_700_000_000 })
  await expect(verify(`Bearer ${signedIn}`)).resolves.toEqual({
    sub: 'ann',
    username: 'Google_1',
    issuedAt: expect.any(Number),
    signedInAt: 1_700_000_000,
  })
})

it('takes a token that names no account as one of the sub, signed in long ago', async () => {
  await expect(verify(`Bearer ${await token()}`)).resolves.toMatchObject({ username: 'ann', signedInAt: 0 })
})

it.each([undefined, '', 'Basic YTpi', 'Bearer', 'Bearer a b'])(
  'asks for a sign-in with %j',
  async (header) => {
    await expect(verify(header)).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })
  },
)

it.each([
  ['a forged one', () => token({}, foreignKey)],
  ['an expired one', () => token({}, key, '-1s')],
  ['one of another pool', () => token({ iss: `${issuer}x` })],
  ['an ID token', () => token({ token_use: 'id', aud: 'client' })],
  ['one of another client', () => token({ client_id: 'other' })],
  ['one without the scope', () => token({ scope: 'openid' })],
  ['an unsigned one', async () => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`],
  ['garbage', async () => 'abc.def.ghi'],
])('refuses %s', async (_, make) => {
  await expect(verify(`Bearer ${await make()}`)).rejects.toMatchObject({ code: 'invalid_token', status: 401 })
})

it('LIB-04 keeps the signing keys for 10 minutes', async () => {
  const verifier = tokenVerifier({ issuer, jwksUri, clientId: async () => 'client' })
  const begin = Date.now()
  const requestsAfter = async (elapsedMs: number) => {
    vi.setSystemTime(begin + elapsedMs)
    keyRequests = 0
    await verifier(`Bearer ${await token()}`)
    return keyRequests
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    expect(await requestsAfter(0)).toBe(1)
    expect(await requestsAfter(599_000)).toBe(0)
    expect(await requestsAfter(601_000)).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

it('tells a lack of signing keys from a bad token', async () => {
  const authorization = `Bearer ${await token()}`
  await expect(verify(authorization, 'http://127.0.0.1:9/none')).rejects.toMatchObject({ status: 503 })
})
