import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type IntegrationFunctions,
  type IntegrationUser,
  registryEntry,
  redirectUri,
  siteOrigin,
  startIntegrationFunctions,
} from '../../../test/support/integration-functions.ts'
import {
  parseForm,
  type ReceivedRequest,
  type RecordingServer,
} from '../../../test/support/recording-server.ts'
import { readingTool, scriptMcpServer } from '../../../test/support/scripted-mcp.ts'
import { toolListRepository } from '../../mcp/tool-list-repository.ts'
import { connectionRepository } from '../store/connection-repository.ts'
import { exchangeCode } from './exchange.ts'

/** OAuth of remote MCP servers: discovery, dynamic client registration and the exchange of the code. */

let harness: IntegrationFunctions
let user: IntegrationUser
/** Each test has a server of its own, at whose authorization server no client is registered yet. */
const names = Array.from({ length: 80 }, (_, index) => `server-${index}`)
let nextIndex = 0
let name: string
beforeAll(async () => {
  harness = await startIntegrationFunctions({
    registryEntries: ({ url }) => [
      ...names.map((id) => registryEntry(id, { config: { remote_url: `${url}/${id}/mcp` } })),
      registryEntry('keyed', { auth_type: 'api_key', config: { remote_url: `${url}/keyed/mcp` } }),
      registryEntry('paper', { name: 'Paper' }),
    ],
    operatorApps: { linear: { clientId: 'operators-app', clientSecret: 'operators-secret' } },
  })
})
afterAll(() => harness.close())
beforeEach(() => {
  user = harness.newUser()
  name = names[nextIndex++] ?? ''
  for (const server of [harness.servers, harness.thirdParty, harness.providers]) server.takeRequests()
})

interface ServerOptions {
  metadata?: object
  resource?: object
  registration?: object
  /** where its authorization server is */
  at?: RecordingServer
  challenge?: string
}

/**
 * An MCP server that requires a sign-in (RFC 9728), and an authorization server (RFC 8414) at which clients register (RFC 7591). It
 * refuses a registration without redirect URIs.
 */
function serve({
  metadata = {},
  resource = {},
  registration = {},
  at = harness.servers,
  challenge,
}: ServerOptions = {}) {
  const url = `${harness.servers.url}/${name}/mcp`
  const issuer = `${at.url}/${name}`
  scriptMcpServer(harness.servers, `/${name}/mcp`, {
    tools: [readingTool, { name: 'write' }],
    admits: ({ authorization }) => authorization === 'Bearer access-1' || authorization === 'Bearer access-2',
    ...(challenge !== undefined && { challenge }),
  })
  harness.servers.script(`GET /.well-known/oauth-protected-resource/${name}/mcp`, {
    body: { resource: url, authorization_servers: [issuer], scopes_supported: ['read'], ...resource },
  })
  at.script(`GET /.well-known/oauth-authorization-server/${name}`, {
    body: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      ...metadata,
    },
  })
  at.script(`POST /${name}/register`, ({ body }: ReceivedRequest) => {
    const clientMetadata = JSON.parse(body) as { redirect_uris?: string[] }
    // RFC 7591 section 3.2.2
    if (!clientMetadata.redirect_uris?.length) return { status: 400, body: { error: 'invalid_redirect_uri' } }
    return { status: 201, body: { ...clientMetadata, client_id: 'registered-1', ...registration } }
  })
  scriptTokens({}, at)
  return { url, issuer }
}
const scriptTokens = (body: object = {}, at = harness.servers) =>
  at.script(`POST /${name}/token`, {
    body: { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 3_600, ...body },
  })

const send = (body: object) => user.call('oauth.handle', { body })
const initiate = (more: object = {}) => send({ action: 'initiate', mcpId: name, redirectUri, ...more })
const parseQuery = (url: unknown) => Object.fromEntries(new URL(String(url)).searchParams)
const sha256 = (text: string) => createHash('sha256').update(text).digest()
/** The redirect URI of this pair of authorization server and MCP server (RFC 9700 section 4.4.2). */
const buildOwnCallback = (issuer: string) =>
  `${siteOrigin}/oauth/server-callback/${sha256(`${issuer}\n${harness.servers.url}`).toString('hex').slice(0, 32)}`
async function begin(more: object = {}) {
  const { body } = await initiate(more)
  return parseQuery(body['authUrl'])
}
const exchange = ({ state = '', redirect_uri }: Record<string, string>, more: object = {}) =>
  send({ action: 'exchange', code: 'the-code', state, redirect_uri, ...more })
async function connect() {
  const response = await exchange(await begin())
  expect(response.status).toBe(200)
  harness.servers.takeRequests()
}
// rows of the user: I# integrations, C# credentials, OS# sign-ins that have begun
const readConnection = (mcpId = name) => user.readConnection(mcpId)
const readCredential = (mcpId = name) => user.readCredential(mcpId)
const readTokens = () => user.readTokens(name)

describe('the sign-in of a remote server', () => {
  it('discovers the authorization server, registers there, and sends the user there', async () => {
    const { url, issuer } = serve()
    const { body } = await initiate()
    expect(body).toMatchObject({ success: true, provider: 'Example' })
    expect(String(body['authUrl'])).toMatch(new RegExp(`^${issuer}/authorize\\?`))
    expect(parseQuery(body['authUrl'])).toEqual({
      response_type: 'code',
      client_id: 'registered-1',
      redirect_uri: buildOwnCallback(issuer),
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      scope: 'read',
      resource: url,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    })
    const [registration, ...more] = harness.servers.takeRequests(`/${name}/register`)
    expect(more).toEqual([])
    expect(registration?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(registration?.body ?? '')).toEqual({
      client_name: 'Juno',
      client_uri: siteOrigin,
      redirect_uris: [buildOwnCallback(issuer)],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
      scope: 'read',
    })
    // the user has not consented yet
    expect(harness.servers.takeRequests(`/${name}/token`)).toEqual([])
    expect((await user.rows('OS#'))[0]).toMatchObject({
      client_id: 'registered-1',
      server: {
        url,
        issuer,
        names_itself: false,
        token_url: `${issuer}/token`,
        revoke_url: `${issuer}/revoke`,
        resource: url,
        client_auth: 'post',
      },
    })
  })

  it('is complete once the server accepts the token', async () => {
    const { url, issuer } = serve()
    const query = await begin()
    harness.servers.takeRequests()
    expect(await exchange(query)).toMatchObject({ status: 200, body: { mcpId: name, provider: 'Example' } })
    const requests = harness.servers.takeRequests()
    const [tokenRequest] = requests.filter(({ path }) => path === `/${name}/token`)
    const { code_verifier = '', ...form } = parseForm(tokenRequest ?? { body: '' })
    expect(form).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: buildOwnCallback(issuer),
      client_id: 'registered-1',
      resource: url,
    })
    expect(sha256(code_verifier).toString('base64url')).toBe(query['code_challenge'])
    const mcpRequests = requests.filter(({ path }) => path === `/${name}/mcp`)
    expect(mcpRequests.length).toBeGreaterThan(0)
    expect(new Set(mcpRequests.map(({ headers }) => headers['authorization']))).toEqual(
      new Set(['Bearer access-1']),
    )
    expect(await readConnection()).toMatchObject({
      status: 'connected',
      auth_type: 'oauth2',
      token_status: 'active',
      namespace: 'com.example',
      read_only_tools: [expect.stringMatching(/^[\w-]{22}$/)],
    })
    expect(await readConnection()).not.toHaveProperty('remote')
    expect(await readCredential()).toMatchObject({
      status: 'active',
      client_id: 'registered-1',
      refreshable: true,
      server: { url, issuer },
      masks: {},
    })
    expect(await readCredential()).not.toHaveProperty('secret_name')
    expect(await readTokens()).toEqual({ accessToken: 'access-1', refreshToken: 'refresh-1' })
  })

  it('fails when the server does not accept the token', async () => {
    serve()
    scriptTokens({ access_token: 'useless' })
    expect(await exchange(await begin())).toMatchObject({
      status: 422,
      body: { code: 'credentials_refused' },
    })
    expect([await user.rows('C#'), await user.rows('I#')]).toEqual([[], []])
  })

  it('is complete when the server does not respond, and then all of its tools require approval', async () => {
    serve()
    const query = await begin()
    harness.servers.script(`POST /${name}/mcp`, { status: 503 })
    expect((await exchange(query)).status).toBe(200)
    expect(await readConnection()).toMatchObject({ status: 'connected', read_only_tools: [] })
  })

  it('INT-45 DEC-126 has an unknown status when the lifetime of the token is not returned', async () => {
    serve()
    scriptTokens({ expires_in: undefined })
    await connect()
    expect(await readConnection()).toMatchObject({ token_status: 'unknown' })
    expect(await readCredential()).not.toHaveProperty('access_expires_at')
  })

  it('registers at most once a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { issuer } = serve()
      await begin()
      vi.setSystemTime(Date.now() + 86_399_000)
      expect(await begin()).toMatchObject({
        client_id: 'registered-1',
        redirect_uri: buildOwnCallback(issuer),
      })
      expect(harness.servers.takeRequests(`/${name}/register`)).toHaveLength(1)
      vi.setSystemTime(Date.now() + 1_000)
      await begin()
      expect(harness.servers.takeRequests(`/${name}/register`)).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('registers again when the client secret has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const end = Math.floor(Date.now() / 1_000) + 60
      serve({ registration: { client_secret: 's', client_secret_expires_at: end } })
      await begin()
      vi.setSystemTime(end * 1_000 - 1_000)
      await begin()
      expect(harness.servers.takeRequests(`/${name}/register`)).toHaveLength(1)
      vi.setSystemTime(end * 1_000)
      await begin()
      expect(harness.servers.takeRequests(`/${name}/register`)).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['client_secret_basic', 'basic'],
    ['client_secret_post', 'post'],
    // RFC 7591 section 2: the default
    [undefined, 'basic'],
  ])('uses the secret that it was registered with by %s, now and later', async (method, clientAuth) => {
    serve({
      registration: {
        client_secret: 'given',
        client_secret_expires_at: 0,
        token_endpoint_auth_method: method,
      },
    })
    const hasSecret = (request: ReceivedRequest | undefined) =>
      clientAuth === 'basic'
        ? request?.headers['authorization'] ===
          `Basic ${Buffer.from('registered-1:given').toString('base64')}`
        : parseForm(request ?? { body: '' })['client_secret'] === 'given'
    // once with a new registration, once with the stored one
    for (const source of ['registered', 'stored']) {
      const query = await begin()
      expect([source, query['client_id']]).toEqual([source, 'registered-1'])
      expect((await exchange(query)).status).toBe(200)
      // a stored one is asked about before it is used again
      const requests = harness.servers.takeRequests(`/${name}/token`)
      expect(requests.map(hasSecret)).toEqual(source === 'stored' ? [true, true] : [true])
    }
    expect(harness.servers.takeRequests(`/${name}/register`)).toHaveLength(1)
    expect(await readTokens()).toMatchObject({ clientSecret: 'given' })
    expect(await user.readVault()).toEqual([])
    expect((await user.call('integrations.refresh', { params: { mcpId: name }, body: {} })).status).toBe(200)
    const [refresh] = harness.servers.takeRequests(`/${name}/token`)
    expect(parseForm(refresh ?? { body: '' })).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      resource: `${harness.servers.url}/${name}/mcp`,
    })
    expect(hasSecret(refresh)).toBe(true)
    harness.servers.script(`POST /${name}/revoke`, { status: 200 })
    const { body } = await user.call('integrations.disconnect', { params: { mcpId: name }, body: {} })
    expect(body['revoked']).toBe(true)
    const [revocation] = harness.servers.takeRequests(`/${name}/revoke`)
    expect(parseForm(revocation ?? { body: '' })['token']).toBe('refresh-1')
    expect(hasSecret(revocation)).toBe(true)
  })

  const clientDocumentMetadata = {
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  }

  it('registers with a server that could not read the client metadata document', async () => {
    // the product’s site is on https, the authorization server of this test is not
    serve({ metadata: clientDocumentMetadata })
    expect((await begin())['client_id']).toBe('registered-1')
    expect((await user.rows('OS#'))[0]).toMatchObject({ server: { names_itself: true } })
  })

  it('uses the client metadata document if the server supports it and sends iss; an address of http only where clients are not registered', async () => {
    const origin = 'http://127.0.0.1:4000'
    // later than any cached site configuration of other tests
    const threeDaysMs = 259_200_000
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + threeDaysMs })
    await harness.moveSite(origin)
    try {
      const initiateAtOrigin = async () => {
        const input = { action: 'initiate', mcpId: name, redirectUri: `${origin}/oauth/callback` }
        return parseQuery((await send(input)).body['authUrl'])
      }
      serve({ metadata: { ...clientDocumentMetadata, registration_endpoint: undefined } })
      expect(await initiateAtOrigin()).toMatchObject({
        client_id: `${origin}/oauth-client.json`,
        redirect_uri: `${origin}/oauth/document-callback`,
      })
      expect((await user.rows('OS#'))[0]).toMatchObject({
        client_id: `${origin}/oauth-client.json`,
        server: { client_auth: 'post' },
      })
      expect(harness.servers.takeRequests(`/${name}/register`)).toEqual([])
      serve({ metadata: clientDocumentMetadata })
      expect((await initiateAtOrigin())['client_id']).toBe('registered-1')
      for (const missingField of Object.keys(clientDocumentMetadata)) {
        serve({ metadata: { ...clientDocumentMetadata, [missingField]: false } })
        expect((await initiateAtOrigin())['client_id']).toBe('registered-1')
      }
    } finally {
      await harness.moveSite(siteOrigin)
      // the site's configuration is cached for five minutes: other tests read theirs
      vi.setSystemTime(Date.now() + 300_000)
      await initiate()
      vi.useRealTimers()
    }
  })

  it('RFC 9207 rejects a response without the iss of a server that sends it, or with another one', async () => {
    const { issuer } = serve({ metadata: { authorization_response_iss_parameter_supported: true } })
    const refusal = { status: 400, body: { code: 'issuer_mismatch' } }
    expect(await exchange(await begin())).toMatchObject(refusal)
    expect(await exchange(await begin(), { iss: 'https://evil.example' })).toMatchObject(refusal)
    expect(harness.servers.takeRequests(`/${name}/token`)).toEqual([])
    expect((await exchange(await begin(), { iss: issuer })).status).toBe(200)
  })

  it('returns to its own address, not to that of manually created apps', async () => {
    serve()
    const { state = '' } = await begin()
    expect((await exchange({ state, redirect_uri: redirectUri })).status).toBe(400)
  })

  it('requests the scopes that the server requires, and offline access when it is offered', async () => {
    serve({
      metadata: { scopes_supported: ['read', 'offline_access'] },
      resource: { scopes_supported: ['read', 'write'] },
    })
    expect(await begin()).toMatchObject({ scope: 'read write offline_access', prompt: 'consent' })
    const challenge = `Bearer scope="files  offline_access", resource_metadata="${harness.servers.url}/about-${name}"`
    serve({ challenge, metadata: { scopes_supported: ['offline_access'] } })
    harness.servers.script(`GET /about-${name}`, {
      body: {
        resource: `${harness.servers.url}/${name}/mcp`,
        authorization_servers: [`${harness.servers.url}/${name}`],
      },
    })
    harness.servers.takeRequests()
    expect(await begin()).toMatchObject({ scope: 'files offline_access', prompt: 'consent' })
    expect(harness.servers.takeRequests(`/about-${name}`)).toHaveLength(1)
    serve({ resource: { scopes_supported: undefined } })
    const query = await begin()
    expect(query).not.toHaveProperty('scope')
    expect(query).not.toHaveProperty('prompt')
  })

  it('never follows a redirect of the registration endpoint', async () => {
    serve()
    const headers = { location: `${harness.servers.url}/elsewhere` }
    harness.servers.script(`POST /${name}/register`, { status: 307, headers })
    expect((await initiate()).body).not.toHaveProperty('authUrl')
    expect(harness.servers.takeRequests(`/${name}/register`)).not.toEqual([])
    expect(harness.servers.takeRequests('/elsewhere')).toEqual([])
  })

  it.each(['invalid_client', 'unauthorized_client'])(
    'registers again when a sign-in got no answer, and the server says %s for the client',
    async (error) => {
      serve()
      await initiate()
      harness.servers.script(`POST /${name}/token`, { status: 401, body: { error } })
      harness.servers.takeRequests()
      await initiate()
      expect(harness.servers.takeRequests(`/${name}/register`)).toHaveLength(1)
    },
  )

  it.each<[string, object]>([
    ['a redirect to an error page', { status: 302, headers: { location: '/error?error=invalid_client' } }],
    ['an error page with the code', { status: 400, body: '<p>error: invalid_client</p>' }],
    ['an error page with words', { status: 404, body: '<p>Client ID “c-1” not found</p>' }],
  ])('registers again when a sign-in got no answer, and the sign-in is %s', async (_, page) => {
    serve()
    await initiate()
    harness.servers.script(`POST /${name}/token`, { status: 400, body: { error: 'invalid_grant' } })
    harness.servers.script(`GET /${name}/authorize`, page)
    harness.servers.takeRequests()
    await initiate()
    expect(harness.servers.takeRequests(`/${name}/register`)).toHaveLength(1)
  })

  it('keeps its registration when a sign-in got no answer, and the server knows the client', async () => {
    serve()
    await initiate()
    harness.servers.script(`POST /${name}/token`, { status: 400, body: { error: 'invalid_grant' } })
    harness.servers.takeRequests()
    await initiate()
    expect(harness.servers.takeRequests(`/${name}/register`)).toEqual([])
  })

  it('forgets its registration when the server no longer knows the client', async () => {
    serve()
    const query = await begin()
    const refuse = (error: string) =>
      harness.servers.script(`POST /${name}/token`, { status: 401, body: { error } })
    refuse('invalid_grant')
    expect((await exchange(query)).status).toBe(400)
    const second = await begin()
    refuse('invalid_client')
    expect(await exchange(second)).toMatchObject({ status: 400, body: { code: 'provider_refused' } })
    expect(harness.servers.takeRequests(`/${name}/register`)).toHaveLength(1)
    await begin()
    expect(harness.servers.takeRequests(`/${name}/register`)).toHaveLength(1)
  })

  it('becomes invalid when a refresh is refused because the server forgot the client', async () => {
    serve()
    await connect()
    harness.servers.script(`POST /${name}/token`, { status: 401, body: { error: 'invalid_client' } })
    expect((await user.call('integrations.refresh', { params: { mcpId: name }, body: {} })).status).toBe(400)
    expect(await readConnection()).toMatchObject({ token_status: 'invalid' })
    expect(await readCredential()).toMatchObject({ status: 'invalid' })
  })

  it('discovers the server again when the user connects again', async () => {
    serve()
    await connect()
    serve({ registration: { client_id: 'registered-2' } })
    expect((await begin())['client_id']).toBe('registered-1')
    expect(harness.servers.takeRequests(`/${name}/mcp`).length).toBeGreaterThan(0)
  })

  it('stores the requested scopes, or those that the server says it granted', async () => {
    serve({ resource: { scopes_supported: ['read', 'write'] } })
    await connect()
    expect(await readCredential()).toMatchObject({ scope: 'read write' })
    scriptTokens({ scope: 'read' })
    await connect()
    expect(await readCredential()).toMatchObject({ scope: 'read' })
  })

  it('SEP-2350 requests the scopes that a call lacked in addition to the granted ones, at the server that granted it', async () => {
    const withOfflineAccess = { metadata: { scopes_supported: ['offline_access'] } }
    serve(withOfflineAccess)
    scriptTokens({ scope: 'read files' })
    await connect()
    await harness.stores.credentials.requestScopes(user.sub, name, 'write read')
    const startAndListScopes = async () => (await begin())['scope']?.split(' ').toSorted()
    expect(await startAndListScopes()).toEqual(['files', 'offline_access', 'read', 'write'])
    serve()
    expect(await startAndListScopes()).toEqual(['files', 'read', 'write'])
    const { scope: _, ...credential } = (await readCredential()) ?? {}
    await user.putRow(`C#${name}`, credential)
    expect(await startAndListScopes()).toEqual(['read', 'write'])
    const server = { ...(credential['server'] as object), issuer: 'https://before.example' }
    await user.putRow(`C#${name}`, { ...credential, server })
    expect(await startAndListScopes()).toEqual(['read'])
  })

  it('is refreshed when the list is loaded, but not once its server has another URL', async () => {
    serve()
    scriptTokens({ expires_in: 60 })
    await connect()
    const credential = await readCredential()
    const expiredCredential = {
      ...credential,
      updated_at: '2026-01-01T00:00:00.000Z',
      access_expires_at: '2026-01-01T01:00:00.000Z',
    }
    const list = async () => (await user.call('integrations.list')).body['integrations']
    const server = { ...(credential?.['server'] as object), url: 'https://before.example/mcp' }
    await user.putRow(`C#${name}`, { ...expiredCredential, server })
    expect(await list()).toMatchObject([{ token_status: 'invalid', reconnect: { kind: 'moved' } }])
    expect(harness.servers.takeRequests(`/${name}/token`)).toEqual([])
    await user.putRow(`C#${name}`, expiredCredential)
    expect(await list()).toMatchObject([{ token_status: 'active' }])
    expect(harness.servers.takeRequests(`/${name}/token`)).toHaveLength(1)
  })

  it('is revoked by its refresh token when the access token has expired, without a refresh', async () => {
    serve()
    await connect()
    const past = { updated_at: '2026-01-01T00:00:00.000Z', access_expires_at: '2026-01-01T01:00:00.000Z' }
    await user.putRow(`C#${name}`, { ...(await readCredential()), ...past })
    harness.servers.script(`POST /${name}/revoke`, { status: 200 })
    const { body } = await user.call('integrations.disconnect', { params: { mcpId: name }, body: {} })
    expect(body['revoked']).toBe(true)
    const tokens = harness.servers
      .takeRequests(`/${name}/revoke`)
      .map((request) => parseForm(request)['token'])
    expect([tokens, harness.servers.takeRequests(`/${name}/token`)]).toEqual([['refresh-1'], []])
  })

  it('revokes the connection to the server’s former URL first', async () => {
    serve()
    await connect()
    const [row, credential] = [await readConnection(), await readCredential()]
    await user.putRow(`C#${name}`, {
      ...credential,
      server: { ...(credential?.['server'] as object), url: 'https://before.example/mcp' },
    })
    harness.servers.script(`POST /${name}/revoke`, { status: 200 })
    await harness.stores.allowedTools.allow(user.sub, {
      id: 'one',
      mcp_id: name,
      tool: 'a',
      title: 'A',
      integration: 'A',
      allowed_at: 'x',
    })
    const query = await begin()
    harness.servers.takeRequests()
    expect((await exchange(query)).status).toBe(200)
    expect(harness.servers.takeRequests(`/${name}/revoke`)).toHaveLength(1)
    expect(await user.rows('ALLOW#')).toEqual([])
    expect(await readConnection()).toMatchObject({ status: 'connected', created_at: row?.['created_at'] })
    // a connection to the same server is not ended
    await exchange(await begin())
    expect(harness.servers.takeRequests(`/${name}/revoke`)).toEqual([])
  })
})

describe('a server without usable OAuth', () => {
  it('that requires no credentials is connected at once', async () => {
    scriptMcpServer(harness.servers, `/${name}/mcp`, { tools: [readingTool, { name: 'write' }] })
    expect(await initiate({ parameters: { team: 'red' } })).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'Successfully connected to the integration',
        mcpId: name,
        provider: 'Example',
      },
    })
    expect(await readConnection()).toMatchObject({
      status: 'connected',
      auth_type: 'none',
      token_status: 'active',
      parameters: { team: 'red' },
      remote: { url: `${harness.servers.url}/${name}/mcp`, fields: [] },
      read_only_tools: [expect.any(String)],
    })
    expect(await user.rows('OS#')).toEqual([])
  })

  const buildSetupMessage = () =>
    expect.stringMatching(
      new RegExp(`^${name} demands a sign-in, but .+\\. If it gives out API keys, you can enter one\\.$`),
    ) as string
  it.each<[string, () => void]>([
    [
      'names no authorization server',
      () => scriptMcpServer(harness.servers, `/${name}/mcp`, { admits: () => false }),
    ],
    ['does not support PKCE', () => serve({ metadata: { code_challenge_methods_supported: ['plain'] } })],
    [
      'does not support the authorization code flow',
      () => serve({ metadata: { response_types_supported: ['token'] } }),
    ],
    [
      'publishes the metadata of another resource',
      () => serve({ resource: { resource: 'https://victim.example/mcp' } }),
    ],
    [
      'has an authorization page at another origin without sending iss',
      () => serve({ metadata: { authorization_endpoint: `${harness.thirdParty.url}/authorize` } }),
    ],
    [
      'has an authorization page at a private address',
      () => serve({ metadata: { authorization_endpoint: 'https://10.0.0.1/a' } }),
    ],
    [
      'has a token endpoint at a private address',
      () => serve({ metadata: { token_endpoint: 'https://10.0.0.1/t' } }),
    ],
  ])('that %s needs a key', async (_, script) => {
    script()
    expect(await initiate()).toMatchObject({
      status: 400,
      body: { code: 'setup_required', error: buildSetupMessage() },
    })
    expect(await user.rows('OS#')).toEqual([])
  })

  it.each<[string, object | undefined, string]>([
    ['offers none', undefined, 'does not register apps automatically. Create'],
    [
      'is busy',
      { status: 429, headers: { 'retry-after': '90' } },
      'takes no registrations right now: please try again in 90 seconds. If that does not help: Create',
    ],
    ['has a fault', { status: 500 }, 'did not register this app (500). Create'],
    ['answers with a page', { status: 201, body: '<!doctype html>' }, 'did not register this app. Create'],
    ['redirects', { status: 302, headers: { location: '/elsewhere' } }, 'did not register this app. Create'],
  ])('whose registration %s says no more than is known', async (_, answer, reason) => {
    serve(answer ? {} : { metadata: { registration_endpoint: undefined } })
    if (answer) harness.servers.script(`POST /${name}/register`, answer)
    expect((await initiate()).body['message']).toContain(`${name} ${reason}`)
  })

  it('that refuses the registration of a client needs a Client ID or a key, and its error text is not logged', async () => {
    const { issuer } = serve()
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.stubEnv('LOG_LEVEL', 'warn')
    const readLog = () => write.mock.calls.map(([line]) => JSON.parse(String(line)) as object)
    harness.servers.script(`POST /${name}/register`, {
      status: 403,
      body: { error: 'access_denied', error_description: 'own words' },
    })
    const registerAt = new URL(issuer).host
    const manualRegistration = {
      manualRegistration: { clientRedirectUri: buildOwnCallback(issuer), registerAt },
    }
    const { status, body } = await initiate()
    expect({ status, body }).toMatchObject({ status: 200, body: manualRegistration })
    expect(body['message']).toBe(
      `${name} did not register this app (403). Create one at ${registerAt}, or use your own API key.`,
    )
    expect(Object.keys(body['manualRegistration'] as object).toSorted()).toEqual([
      'clientRedirectUri',
      'registerAt',
    ])
    expect(await user.rows('OS#')).toEqual([])
    expect(readLog()).toMatchObject([
      { level: 'warn', message: 'dynamic client registration failed', status: 403 },
    ])
    expect(JSON.stringify(readLog())).not.toContain('own words')
    harness.servers.script(`POST /${name}/register`, {
      status: 302,
      headers: { location: `${harness.servers.url}/elsewhere` },
    })
    expect((await initiate()).body).toMatchObject(manualRegistration)
    expect(harness.servers.takeRequests('/elsewhere')).toEqual([])
    expect(readLog()[1]).toMatchObject({ error: { name: 'OutboundFailed' } })
    serve({ metadata: { response_types_supported: ['token'] } })
    await initiate()
    expect(readLog()[2]).toMatchObject({
      level: 'warn',
      message: 'the authorization server metadata cannot be used',
    })
  })

  it('that only runs on people’s own computers gets no request', async () => {
    expect(await send({ action: 'initiate', mcpId: 'paper', redirectUri })).toMatchObject({
      status: 422,
      body: { code: 'runs_locally' },
    })
    expect(harness.servers.takeRequests()).toEqual([])
  })

  it('that does not respond is reported', async () => {
    harness.servers.script(`POST /${name}/mcp`, { status: 500 })
    expect(await initiate()).toMatchObject({ status: 502, body: { code: 'mcp_server_failed' } })
  })

  it('that requires a key cannot be signed in to', async () => {
    expect(await send({ action: 'initiate', mcpId: 'keyed', redirectUri })).toMatchObject({
      status: 400,
      body: { error: 'keyed cannot be connected by a sign-in.' },
    })
  })

  it('of a known provider is connected through an app', async () => {
    harness.providers.script('POST /linear/mcp', { status: 401, headers: { 'www-authenticate': 'Bearer' } })
    harness.providers.script('POST /confluence/mcp', {
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
    })
    const linear = await send({ action: 'initiate', mcpId: 'linear', redirectUri })
    expect(parseQuery(linear.body['authUrl'])).toMatchObject({
      client_id: 'operators-app',
      redirect_uri: redirectUri,
    })
    expect(await send({ action: 'initiate', mcpId: 'confluence', redirectUri })).toMatchObject({
      status: 400,
      body: {
        code: 'setup_required',
        error: 'Confluence could not be connected in one click. Please follow these steps once.',
      },
    })
  })
})

describe('a known provider whose server offers a sign-in too', () => {
  const getIssuer = () => `${harness.providers.url}/${id}`
  let id: string
  /** @param metadata of its authorization server */
  function serveProvider(provider: string, metadata: object = {}) {
    id = provider
    const { providers } = harness
    providers.script(`POST /${id}/mcp`, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
    providers.script(`GET /.well-known/oauth-protected-resource/${id}/mcp`, {
      body: { resource: `${getIssuer()}/mcp`, authorization_servers: [getIssuer()] },
    })
    providers.script(`GET /.well-known/oauth-authorization-server/${id}`, {
      body: {
        issuer: getIssuer(),
        authorization_endpoint: `${getIssuer()}/authorize`,
        token_endpoint: `${getIssuer()}/token`,
        response_types_supported: ['code'],
        ...metadata,
      },
    })
  }
  const initiateProvider = async () => (await send({ action: 'initiate', mcpId: id, redirectUri })).body

  it('is connected through the operator’s app, or else the user’s own, when that server offers no registration', async () => {
    serveProvider('linear')
    expect(parseQuery((await initiateProvider())['authUrl'])).toMatchObject({ client_id: 'operators-app' })
    serveProvider('confluence')
    expect(await initiateProvider()).toMatchObject({ code: 'setup_required' })
  })

  it('is not connected through that server once the user’s groups forbid it', async () => {
    serveProvider('jira', { registration_endpoint: `${harness.providers.url}/jira/register` })
    harness.providers.script('POST /jira/register', ({ body }) => ({
      status: 201,
      body: { ...(JSON.parse(body) as object), client_id: 'registered-1' },
    }))
    const { state = '', redirect_uri = '', client_id } = parseQuery((await initiateProvider())['authUrl'])
    expect(client_id).toBe('registered-1')
    harness.providers.takeRequests()
    const input = { code: 'the-code', state, redirectUri: redirect_uri, iss: undefined }
    const deps = { ...harness.stores, toolsAllowed: 'built_in' } as const
    await expect(exchangeCode(deps, user.sub, input)).rejects.toMatchObject({
      code: 'connection_not_allowed',
      userMessage: 'You may not connect Jira. Please ask your administrator.',
    })
    expect(harness.providers.takeRequests()).toEqual([])
  })
})

describe('DEC-186 a client that the user has registered by hand', () => {
  const withoutRegistration = { metadata: { registration_endpoint: undefined } }
  const client = { clientId: 'my-client', clientSecret: 'my-secret' }
  const beginWithClient = (issuer: string, more: object = {}) =>
    begin({ ...client, redirectUri: buildOwnCallback(issuer), ...more })

  it('is asked for with the redirect URI of this server, and connects it', async () => {
    const { issuer, url } = serve(withoutRegistration)
    const { body } = await initiate()
    expect(body).toMatchObject({ manualRegistration: { clientRedirectUri: buildOwnCallback(issuer) } })
    expect(body).not.toHaveProperty('authUrl')
    const query = await beginWithClient(issuer)
    expect(query).toMatchObject({
      client_id: 'my-client',
      redirect_uri: buildOwnCallback(issuer),
      resource: url,
      code_challenge_method: 'S256',
    })
    harness.servers.takeRequests()
    expect(await exchange(query)).toMatchObject({ status: 200, body: { mcpId: name } })
    const [request] = harness.servers.takeRequests(`/${name}/token`)
    // RFC 8414 section 2: a server that lists no methods takes client_secret_basic
    expect(request?.headers['authorization']).toBe(
      `Basic ${Buffer.from('my-client:my-secret').toString('base64')}`,
    )
    expect(parseForm(request ?? { body: '' })).not.toHaveProperty('client_secret')
    expect(await readCredential()).toMatchObject({
      client_id: 'my-client',
      server: { issuer, own_client: true, client_auth: 'basic' },
      masks: { clientSecret: expect.any(String) as string },
    })
    expect(await user.readVault()).toEqual([{ clientSecret: 'my-secret' }])
    expect(await readTokens()).toEqual({ accessToken: 'access-1', refreshToken: 'refresh-1' })
  })

  it('sends its secret in the body if the server requires that, and none if it is public', async () => {
    const { issuer } = serve({
      metadata: {
        registration_endpoint: undefined,
        token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
      },
    })
    await exchange(await beginWithClient(issuer))
    const [confidentialRequest] = harness.servers.takeRequests(`/${name}/token`)
    expect(parseForm(confidentialRequest ?? { body: '' })).toMatchObject({
      client_id: 'my-client',
      client_secret: 'my-secret',
    })
    await exchange(await beginWithClient(issuer, { clientSecret: undefined }))
    const [publicRequest] = harness.servers.takeRequests(`/${name}/token`)
    expect(parseForm(publicRequest ?? { body: '' })).toMatchObject({ client_id: 'my-client' })
    expect(parseForm(publicRequest ?? { body: '' })).not.toHaveProperty('client_secret')
    expect(publicRequest?.headers).not.toHaveProperty('authorization')
  })

  it('is used for refreshes, reconnects and revocation without being entered again', async () => {
    const { issuer } = serve(withoutRegistration)
    await exchange(await beginWithClient(issuer))
    harness.servers.takeRequests()
    scriptTokens({ access_token: 'access-2' })
    expect((await user.call('integrations.refresh', { params: { mcpId: name }, body: {} })).status).toBe(200)
    const basic = `Basic ${Buffer.from('my-client:my-secret').toString('base64')}`
    expect(harness.servers.takeRequests(`/${name}/token`)[0]?.headers['authorization']).toBe(basic)
    const query = await begin()
    expect(query).toMatchObject({ client_id: 'my-client', redirect_uri: buildOwnCallback(issuer) })
    expect((await exchange(query)).status).toBe(200)
    expect(await user.readVault()).toEqual([{ clientSecret: 'my-secret' }])
    harness.servers.script(`POST /${name}/revoke`, { status: 200 })
    harness.servers.takeRequests()
    const { body } = await user.call('integrations.disconnect', { params: { mcpId: name }, body: {} })
    expect(body['revoked']).toBe(true)
    expect(harness.servers.takeRequests(`/${name}/revoke`)[0]?.headers['authorization']).toBe(basic)
    expect(await user.readVault()).toEqual([])
  })

  it('is sent only to the server that it was registered for', async () => {
    serve(withoutRegistration)
    // the redirect URI that it is registered with is shared, or of another server
    for (const otherUri of [redirectUri, `${siteOrigin}/oauth/server-callback/${'0'.repeat(32)}`]) {
      const { body } = await initiate({ ...client, redirectUri: otherUri })
      expect(body).toHaveProperty('manualRegistration')
      expect(body['message']).toContain('needs an app with the redirect URI shown here. Create one at')
    }
    const { issuer } = serve(withoutRegistration)
    await exchange(await beginWithClient(issuer))
    // the server names another authorization server now
    const movedServer = serve({ ...withoutRegistration, at: harness.thirdParty })
    const { foreignSignIn } = (await initiate()).body as { foreignSignIn: { signsInAt: string[] } }
    const { body } = await initiate({ agreedTo: foreignSignIn.signsInAt })
    expect(body).toMatchObject({
      manualRegistration: { clientRedirectUri: buildOwnCallback(movedServer.issuer) },
    })
    expect(JSON.stringify(harness.thirdParty.takeRequests())).not.toContain('my-')
  })

  it('does not remove the product’s registration when the server rejects it', async () => {
    const { issuer } = serve()
    await begin()
    const query = await beginWithClient(issuer)
    harness.servers.script(`POST /${name}/token`, { status: 401, body: { error: 'invalid_client' } })
    expect(await exchange(query)).toMatchObject({ status: 400, body: { code: 'provider_refused' } })
    user = harness.newUser()
    await begin()
    expect(harness.servers.takeRequests(`/${name}/register`)).toHaveLength(1)
  })

  it('accepts a code at its own redirect URI only', async () => {
    const { issuer } = serve(withoutRegistration)
    const { state = '' } = await beginWithClient(issuer)
    expect(await exchange({ state, redirect_uri: redirectUri })).toMatchObject({ status: 400 })
    expect(await initiate({ ...client, redirectUri: 'https://evil.example/oauth/callback' })).toMatchObject({
      status: 400,
      body: { error: 'The redirect URI does not belong to this product.' },
    })
  })
})

describe('an authorization server of another party', () => {
  it('needs the user’s consent before they are sent there', async () => {
    serve({ at: harness.thirdParty })
    const host = harness.thirdParty.host
    expect(await initiate()).toEqual({
      status: 200,
      body: {
        success: true,
        provider: 'Example',
        foreignSignIn: { server: harness.servers.host, signsInAt: [host] },
        message: `${name} (${harness.servers.host}) signs you in at ${host}. What you allow there, ${harness.servers.host} may use.`,
        code: 'foreign_sign_in',
        params: { reason: 'agree', name, server: harness.servers.host, hosts: [host] },
      },
    })
    expect([await user.rows('OS#'), harness.thirdParty.takeRequests(`/${name}/register`)]).toEqual([[], []])
    expect(await initiate({ agreedTo: ['elsewhere.example'] })).toHaveProperty('body.foreignSignIn')
    expect(await initiate({ agreedTo: [host] })).toHaveProperty('body.authUrl')
  })

  it('names the host of the authorization page', async () => {
    serve({
      metadata: {
        authorization_endpoint: `${harness.thirdParty.url}/authorize`,
        authorization_response_iss_parameter_supported: true,
        token_endpoint: `${harness.thirdParty.url}/token`,
      },
    })
    expect((await initiate()).body).toMatchObject({
      foreignSignIn: { signsInAt: [harness.thirdParty.host] },
    })
  })

  it('is refused when it belongs to a built-in provider, even with consent', async () => {
    serve({ at: harness.providers })
    const { host } = harness.providers
    expect(await initiate({ agreedTo: [host] })).toMatchObject({
      status: 409,
      body: {
        code: 'foreign_sign_in',
        error: `${name} asks for a sign-in at ${host}, which belongs to another service. It was not connected, and nothing was sent to it.`,
      },
    })
  })
})

describe('a server that shows its tools to everybody and protects their calls', () => {
  it('starts a sign-in after a call was refused, and at each reconnect', async () => {
    const { url } = serve()
    scriptMcpServer(harness.servers, `/${name}/mcp`, { tools: [readingTool] })
    expect((await initiate()).body).toMatchObject({ mcpId: name })
    expect(await readConnection()).toMatchObject({ auth_type: 'none', token_status: 'active' })
    await connectionRepository(harness.table).requireSignIn(user.sub, name, {
      url,
      resourceMetadataUrl: new URL(`/.well-known/oauth-protected-resource/${name}/mcp`, harness.servers.url),
      scope: 'write',
    })
    expect(await readConnection()).toMatchObject({ auth_type: 'none', token_status: 'invalid' })
    const query = await begin()
    expect(query['scope']).toContain('write')
    await exchange(query)
    expect(await readConnection()).toMatchObject({ auth_type: 'oauth2', token_status: 'active' })
    expect(await begin()).toHaveProperty('state')
  })
})

it('the tools of a server are stored when it is connected, for replies while its sign-in server is busy', async () => {
  serve()
  await connect()
  const { list } = await toolListRepository(harness.table).find(user.sub, name)
  expect(list?.entries.map((entry) => entry.name)).toEqual(['search', 'write'])
})
