import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type IntegrationFunctions,
  type IntegrationUser,
  redirectUri,
  registryEntry,
  startIntegrationFunctions,
} from '../../../test/support/integration-functions.ts'
import { type OddServer, scriptOddServer } from '../../../test/support/odd-server.ts'
import type { ScriptedResponse } from '../../../test/support/recording-server.ts'

/** Deviations that servers in use show, through the handlers of the product. */

const names = Array.from({ length: 60 }, (_, index) => `odd-${index}`)
let nextIndex = 0
let harness: IntegrationFunctions
beforeAll(async () => {
  harness = await startIntegrationFunctions({
    registryEntries: ({ url }) =>
      names.map((id) => registryEntry(id, { config: { remote_url: `${url}/${id}/mcp` } })),
  })
})
afterAll(() => harness.close())

/** Connects as the page does: each refusal of the sign-in page is told to the service, which may start again. */
async function connect(user: IntegrationUser, name: string, odd: OddServer, iss?: string) {
  const send = (body: object) => user.call('oauth.handle', { body })
  let response = await send({ action: 'initiate', mcpId: name, redirectUri })
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { authUrl } = response.body
    if (typeof authUrl !== 'string') return { response, attempts: attempt }
    const query = Object.fromEntries(new URL(authUrl).searchParams) as Record<string, string>
    const flow = { state: query['state'], redirect_uri: query['redirect_uri'] }
    const error = odd.authorize?.(query)
    if (error === undefined)
      return {
        response: await send({
          action: 'exchange',
          code: 'the-code',
          ...flow,
          ...(iss !== undefined && { iss }),
        }),
        attempts: attempt + 1,
      }
    response = await send({ action: 'refused', ...flow, error })
  }
  throw new Error('it was refused again and again')
}

const start = (odd: OddServer) => {
  const name = names[nextIndex++] ?? ''
  scriptOddServer(harness.servers, name, odd)
  return { name, user: harness.newUser() }
}

it.each<[string, string, OddServer]>([
  ['deviates in nothing', 'control', {}],
  [
    'writes its issuer with a slash',
    'expo#49054',
    { metadata: (body) => (body['issuer'] = `${String(body['issuer'])}/`) },
  ],
  [
    'names its origin as issuer',
    'atlassian-mcp-server#205',
    { metadata: (body, origin) => (body['issuer'] = origin) },
  ],
  [
    'answers metadata with its page',
    'typescript-sdk#2126',
    { instead: { headers: { 'content-type': 'text/html' }, body: '<!doctype html>' } },
  ],
  ['has a fault at one address of metadata', 'RFC 8414 section 3', { instead: { status: 500, body: {} } }],
  [
    'leaves fields out at one address of metadata',
    'RFC 8414 section 2',
    { instead: { body: { issuer: 'x' } } },
  ],
  [
    'writes null and "" for absent metadata',
    'mcp-auth-proxy#173',
    {
      metadata: (body) =>
        Object.assign(body, { scopes_supported: null, service_documentation: null, revocation_endpoint: '' }),
    },
  ],
  [
    'writes null for absent fields of the resource',
    'mcp-auth-proxy#173',
    { resource: (body) => Object.assign(body, { jwks_uri: null, scopes_supported: null }) },
  ],
  [
    'writes its resource with a slash',
    'fastmcp#1431',
    { resource: (body) => (body['resource'] = `${String(body['resource'])}/`) },
  ],
  [
    'registers with null lists',
    'mcp-auth-proxy#173',
    {
      register: () => ({
        grant_types: null,
        response_types: null,
        token_endpoint_auth_method: '',
        client_secret: null,
      }),
    },
  ],
  [
    'registers no scope',
    'RFC 7591 section 2',
    {
      register: ({ scope }) =>
        scope === undefined ? {} : { status: 400, body: { error: 'invalid_client_metadata' } },
    },
  ],
  [
    'refuses prompt',
    'heroku-mcp-server#226',
    {
      metadata: (body) => (body['scopes_supported'] = ['read', 'offline_access']),
      authorize: ({ prompt }) => (prompt === undefined ? undefined : 'invalid_request'),
    },
  ],
  [
    'refuses resource on its page',
    'csharp-sdk#741',
    { authorize: ({ resource }) => (resource === undefined ? undefined : 'invalid_target') },
  ],
  [
    'refuses resource for tokens',
    'mcp-remote#217',
    {
      token: ({ resource }) =>
        resource === undefined ? undefined : { status: 400, body: { error: 'invalid_target' } },
    },
  ],
  // servers that check their form strictly, and name no parameter
  [
    'refuses resource for tokens with a list of its own',
    'dust#22773',
    {
      token: ({ resource }) =>
        resource === undefined
          ? undefined
          : { status: 422, body: { detail: [{ loc: ['body', 'resource'], type: 'extra_forbidden' }] } },
    },
  ],
  [
    'refuses resource for tokens in words',
    'dust#22773',
    {
      token: ({ resource }) =>
        resource === undefined ? undefined : { status: 400, body: 'Unknown parameter: resource' },
    },
  ],
  [
    'refuses resource for tokens with a code of its own',
    'dust#22773',
    {
      token: ({ resource }) =>
        resource === undefined ? undefined : { status: 400, body: { error: 'bad_request' } },
    },
  ],
  [
    'registers only its own scopes, which its resource does not list',
    'boardoil#11',
    {
      resource: (body) => delete body['scopes_supported'],
      metadata: (body) => (body['scopes_supported'] = ['mcp:read', 'mcp:write']),
      register: ({ scope }) =>
        scope === 'mcp:read mcp:write' ? {} : { status: 400, body: { error: 'invalid_client_metadata' } },
    },
  ],
  [
    'refuses scopes',
    'RFC 6749 section 3.3',
    { authorize: ({ scope }) => (scope === undefined ? undefined : 'invalid_scope') },
  ],
  [
    'refuses resource without naming it',
    'RFC 6749 section 4.1.2.1',
    { authorize: ({ resource }) => (resource === undefined ? undefined : 'invalid_request') },
  ],
  [
    'refuses prompt and resource without naming them',
    'RFC 6749 section 4.1.2.1',
    {
      metadata: (body) => (body['scopes_supported'] = ['read', 'offline_access']),
      authorize: ({ prompt, resource, scope }) =>
        // the one that protects the token goes last, and nothing else
        prompt === undefined && resource === undefined && scope === 'read offline_access'
          ? undefined
          : 'invalid_request',
    },
  ],
  [
    'takes the secret in the header although it names the body',
    'RFC 6749 section 2.3.1',
    {
      metadata: (body) => (body['token_endpoint_auth_methods_supported'] = ['client_secret_post']),
      register: () => ({ client_secret: 'secret', token_endpoint_auth_method: 'client_secret_post' }),
      token: ({ client_secret: secret }) =>
        secret === undefined ? undefined : { status: 401, body: { error: 'invalid_client' } },
    },
  ],
  [
    'takes the secret in the body although it names the header',
    'RFC 6749 section 2.3.1',
    {
      metadata: (body) => (body['token_endpoint_auth_methods_supported'] = ['client_secret_basic']),
      register: () => ({ client_secret: 'secret', token_endpoint_auth_method: 'client_secret_basic' }),
      token: ({ client_secret: secret }) =>
        secret === 'secret' ? undefined : { status: 401, body: { error: 'invalid_client' } },
    },
  ],
  [
    'registers no clients without a secret',
    'RFC 7591 section 2',
    {
      metadata: (body) => (body['token_endpoint_auth_methods_supported'] = ['client_secret_post']),
      register: ({ token_endpoint_auth_method: method }) =>
        method === 'client_secret_post'
          ? { client_secret: 'secret' }
          : { status: 400, body: { error: 'invalid_client_metadata' } },
      token: ({ client_secret: secret }) =>
        secret === 'secret' ? undefined : { status: 401, body: { error: 'invalid_client' } },
    },
  ],
  [
    'has forgotten its client',
    'RFC 6749 section 4.1.2.1',
    { authorize: ({ client_id: id }) => (id === 'client-1' ? 'invalid_client' : undefined) },
  ],
])('a server that %s is connected (%s)', async (_, __, odd) => {
  const { name, user } = start(odd)
  const { response } = await connect(user, name, odd)
  expect(response).toMatchObject({ status: 200, body: { mcpId: name } })
  expect(await user.readConnection(name)).toMatchObject({ status: 'connected', token_status: 'active' })
})

it('what a page has refused is not sent to it again, but another user’s browser has no say in it', async () => {
  const odd: OddServer = {
    metadata: (body) => (body['scopes_supported'] = ['read', 'offline_access']),
    authorize: ({ resource, prompt }) =>
      resource === undefined && prompt === undefined ? undefined : 'invalid_request',
  }
  const { name, user } = start(odd)
  expect((await connect(user, name, odd)).attempts).toBe(3)
  expect((await connect(user, name, odd)).attempts).toBe(1)
  expect((await connect(harness.newUser(), name, odd)).attempts).toBe(3)
})

it('what a server refuses for tokens is not sent to it again, also for others', async () => {
  const requests: (string | undefined)[] = []
  const odd: OddServer = {
    authorize: ({ resource }) => void requests.push(resource),
    token({ resource }) {
      requests.push(resource)
      return resource === undefined ? undefined : { status: 400, body: { error: 'invalid_target' } }
    },
  }
  const { name, user } = start(odd)
  await connect(user, name, odd)
  expect(requests.splice(0)).toEqual([expect.any(String), expect.any(String), undefined])
  await connect(harness.newUser(), name, odd)
  expect(requests).toEqual([undefined, undefined])
})

it('a page that refuses every client ends the sign-in', async () => {
  const odd: OddServer = { authorize: () => 'invalid_client' }
  const { name, user } = start(odd)
  expect((await connect(user, name, odd)).response.body).not.toHaveProperty('authUrl')
})

it.each([
  ['another server', () => 'https://other.example'],
  ['this server with a slash at its end', (issuer: string) => `${issuer}/`],
])('a response with the iss of %s is refused as such, and connects nothing (RFC 9207)', async (_, toIss) => {
  const odd: OddServer = {
    metadata: (body) => (body['authorization_response_iss_parameter_supported'] = true),
  }
  const { name, user } = start(odd)
  const { response } = await connect(user, name, odd, toIss(`${harness.servers.url}/${name}`))
  expect(response).toMatchObject({ status: 400, body: { code: 'issuer_mismatch' } })
  expect(await user.readConnection(name)).toBeUndefined()
})

it('after two sign-ins without a response another client is registered, which all users have', async () => {
  const { name, user } = start({})
  const begin = async (one: IntegrationUser) => {
    const { body } = await one.call('oauth.handle', {
      body: { action: 'initiate', mcpId: name, redirectUri },
    })
    return new URL(String(body['authUrl'])).searchParams.get('client_id')
  }
  expect([await begin(user), await begin(user), await begin(user)]).toEqual([
    'client-1',
    'client-1',
    'client-2',
  ])
  expect(await begin(harness.newUser())).toBe('client-2')
})

it('whether a client is known is not asked where a token of it only lacks a permission', async () => {
  let requests = 0
  const odd: OddServer = {
    token() {
      requests += 1
      return undefined
    },
  }
  const { name, user } = start(odd)
  await connect(user, name, odd)
  requests = 0
  await harness.stores.credentials.requestScopes(user.sub, name, 'write')
  const { body } = await user.call('oauth.handle', {
    body: { action: 'initiate', mcpId: name, redirectUri },
  })
  expect(new URL(String(body['authUrl'])).searchParams.get('scope')).toContain('write')
  expect(requests).toBe(0)
})

// pomerium/pomerium#6786; Python's SDK for MCP says the second
it.each(['invalid_client', 'unauthorized_client', 'invalid_request'])(
  'a client that the server does not know, and refuses with %s for a code, is registered anew at the next sign-in',
  async (error) => {
    let known = 'client-1'
    const odd: OddServer = {
      token: ({ client_id: id }) => (id === known ? undefined : { status: 400, body: { error } }),
    }
    const { name, user } = start(odd)
    await connect(user, name, odd)
    known = 'client-2'
    // the first user is asked for the client before the sign-in, another one is not
    const other = harness.newUser()
    expect((await connect(other, name, odd)).response).toMatchObject({ status: 400 })
    expect((await connect(other, name, odd)).response).toMatchObject({ status: 200 })
    expect(await other.readCredential(name)).toMatchObject({ client_id: 'client-2' })
  },
)

it.each(['invalid_client', 'unauthorized_client'])(
  'a client that the server does not know when tokens are renewed (%s) is registered anew',
  async (error) => {
    const odd: OddServer = {
      token: ({ grant_type: type }) =>
        type === 'refresh_token' ? { status: 401, body: { error } } : undefined,
    }
    const { name, user } = start(odd)
    await connect(user, name, odd)
    await user.call('integrations.refresh', { params: { mcpId: name }, body: {} })
    expect(await user.readConnection(name)).toMatchObject({ token_status: 'invalid' })
    // for all users
    const other = harness.newUser()
    expect((await connect(other, name, odd)).response.status).toBe(200)
    expect(await other.readCredential(name)).toMatchObject({ client_id: 'client-2' })
    expect((await connect(user, name, odd)).response.status).toBe(200)
    expect(await user.readCredential(name)).toMatchObject({ client_id: 'client-2' })
  },
)

it.each(['invalid_grant', 'access_denied', 'unauthorized_client', 'invalid_scope'])(
  'a refusal that is about something else than a parameter (%s) is not asked for twice',
  async (error) => {
    let requests = 0
    const odd: OddServer = {
      token() {
        requests += 1
        return { status: 400, body: { error } }
      },
    }
    const { name, user } = start(odd)
    expect((await connect(user, name, odd)).response).toMatchObject({ status: 400 })
    expect(requests).toBe(1)
  },
)

it('what a server refuses when tokens are renewed is not sent with the next renewal', async () => {
  const sent: (string | undefined)[] = []
  const odd: OddServer = {
    token({ grant_type: type, resource }) {
      if (type !== 'refresh_token') return undefined
      sent.push(resource)
      return resource === undefined ? undefined : { status: 400, body: { error: 'invalid_target' } }
    },
  }
  const { name, user } = start(odd)
  await connect(user, name, odd)
  for (let count = 0; count < 2; count += 1)
    await user.call('integrations.refresh', { params: { mcpId: name }, body: {} })
  expect(sent).toEqual([expect.stringContaining(name), undefined, undefined])
})

it.each<[string, ScriptedResponse, object]>([
  [
    '429',
    { status: 429, headers: { 'retry-after': '7' }, body: { error: 'rate_limited' } },
    { status: 503, body: { code: 'sign_in_server_busy' } },
  ],
  ['temporarily_unavailable', { status: 400, body: { error: 'temporarily_unavailable' } }, { status: 503 }],
  ['503', { status: 503, body: 'busy' }, { status: 503 }],
  ['500', { status: 500, body: '<html>' }, { status: 502 }],
])('a renewal that is answered with %s leaves the connection as it is', async (_, answer, expected) => {
  const odd: OddServer = {
    token: ({ grant_type: type }) => (type === 'refresh_token' ? answer : undefined),
  }
  const { name, user } = start(odd)
  await connect(user, name, odd)
  expect(await user.call('integrations.refresh', { params: { mcpId: name }, body: {} })).toMatchObject(
    expected,
  )
  expect(await user.readConnection(name)).toMatchObject({ status: 'connected', token_status: 'active' })
})

it('a renewal that is refused under any name of a rate limit leaves the connection as it is', async () => {
  const codes = [
    'server_error',
    'slow_down',
    'ratelimited',
    'rate_limited',
    'RateLimit',
    'rate_limit_exceeded',
    'ratelimit_exceeded',
    'TOO_MANY_REQUESTS',
    'throttled',
  ]
  const rest = [...codes]
  const odd: OddServer = {
    token: ({ grant_type: type }) =>
      type === 'refresh_token' ? { status: 400, body: { error: rest.shift() } } : undefined,
  }
  const { name, user } = start(odd)
  await connect(user, name, odd)
  const refresh = () => user.call('integrations.refresh', { params: { mcpId: name }, body: {} })
  for (const _ of codes)
    expect(await refresh()).toMatchObject({ status: 503, body: { code: 'sign_in_server_busy' } })
  expect(rest).toEqual([])
  expect(await user.readConnection(name)).toMatchObject({ status: 'connected', token_status: 'active' })
})

it.each<[string, ScriptedResponse]>([
  ['an object', { status: 400, body: { error: { code: 'invalid_grant', message: 'gone' } } }],
  ['a list', { status: 401, body: { errors: [{ code: 'invalid_grant' }] } }],
  [
    'another code with a description',
    { status: 400, body: { error: 'invalid_request', error_description: 'The refresh token has expired' } },
  ],
])('a dead token that is told by %s asks for a new sign-in', async (_, answer) => {
  const odd: OddServer = {
    token: ({ grant_type: type }) => (type === 'refresh_token' ? answer : undefined),
  }
  const { name, user } = start(odd)
  await connect(user, name, odd)
  await user.call('integrations.refresh', { params: { mcpId: name }, body: {} })
  expect(await user.readConnection(name)).toMatchObject({ token_status: 'invalid' })
})
