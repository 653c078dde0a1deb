import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestPool, type TestPool } from '../support/cognito-pool.ts'

const site = 'http://localhost:4000'
let pool: TestPool
beforeAll(async () => {
  pool = await startTestPool({ siteOrigins: [site] })
})
afterAll(() => pool.remove())

const call = (operation: string, body: string, headers: Record<string, string> = {}) =>
  fetch(pool.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      ...headers,
    },
    body,
  })

it('answers a preflight with the requested headers, except for signed calls', async () => {
  const requestedHeaders = 'content-type,x-amz-target,x-amz-user-agent,amz-sdk-request,cache-control'
  const preflight = (headers: string, origin = site) =>
    fetch(pool.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': headers,
      },
    })
  const response = await preflight(requestedHeaders)
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe(site)
  expect(response.headers.get('access-control-allow-headers')).toBe(requestedHeaders)
  const otherOriginResponse = await preflight(requestedHeaders, 'https://evil.example')
  expect(otherOriginResponse.headers.get('access-control-allow-origin')).toBeNull()
  expect((await preflight('authorization')).headers.get('access-control-allow-headers')).toBe('')
})

it('names an error in header and body, both readable by a page', async () => {
  const response = await call(
    'InitiateAuth',
    JSON.stringify({ ClientId: 'other', AuthFlow: 'USER_SRP_AUTH' }),
    { origin: site },
  )
  expect(response.status).toBe(400)
  expect(response.headers.get('x-amzn-ErrorType')).toBe('ResourceNotFoundException:')
  expect(response.headers.get('x-amzn-ErrorMessage')).toBe('User pool client other does not exist.')
  expect(response.headers.get('access-control-expose-headers')).toContain('x-amzn-ErrorType')
  expect(response.headers.get('access-control-allow-origin')).toBe(site)
  expect(await response.json()).toEqual({
    __type: 'ResourceNotFoundException',
    message: 'User pool client other does not exist.',
  })
})

it('returns an empty object for a success without data', async () => {
  const response = await call('RevokeToken', JSON.stringify({ ClientId: pool.clientId, Token: 'unknown' }))
  expect([response.status, await response.text()]).toEqual([200, '{}'])
})

it.each([
  ['no JSON', 'SignUp', '{', 'SerializationException'],
  ['an empty body', 'SignUp', '', 'SerializationException'],
  ['a number for a text', 'SignUp', '{"ClientId":1}', 'SerializationException'],
  ['null', 'SignUp', 'null', 'SerializationException'],
  ['a missing member', 'SignUp', '{}', 'InvalidParameterException'],
  ['an unknown operation', 'CreateUserPool', '{}', 'UnknownOperationException'],
  ['a name of the prototype', 'constructor', '{}', 'UnknownOperationException'],
  ['an unsigned call of a signed operation', 'ListUsers', '{}', 'MissingAuthenticationTokenException'],
])('refuses %s', async (_, operation, body, name) => {
  const response = await call(operation, body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ __type: name })
})

it('refuses a body over 1 MB with 413', async () => {
  const response = await call('SignUp', JSON.stringify({ ClientId: 'x'.repeat(1_000_000) }))
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ __type: 'SerializationException' })
})

it('publishes two keys and nothing private', async () => {
  const { keys } = (await (await fetch(pool.jwksUri)).json()) as { keys: Record<string, string>[] }
  expect(keys).toHaveLength(2)
  for (const key of keys) expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  expect((await fetch(`${pool.url}/other/.well-known/jwks.json`)).status).toBe(404)
})
