import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type IntegrationFunctions,
  type IntegrationUser,
  registryEntry,
  startIntegrationFunctions,
} from '../../test/support/integration-functions.ts'
import { readingTool, scriptMcpServer } from '../../test/support/scripted-mcp.ts'

let harness: IntegrationFunctions
let user: IntegrationUser
beforeAll(async () => {
  harness = await startIntegrationFunctions({
    registryEntries: ({ url }) => [
      registryEntry('notebook', { config: { remote_url: `${url}/notebook/mcp` } }),
      registryEntry('keyed', {
        auth_type: 'api_key',
        config: { remote_url: `${url}/keyed/mcp`, required_credentials: ['X-Api-Key', 'X-Team'] },
      }),
      registryEntry('one-key', { auth_type: 'api_key', config: { remote_url: `${url}/one-key/mcp` } }),
      registryEntry('broken', { auth_type: 'none', config: { remote_url: `${url}/broken/mcp` } }),
      registryEntry('paper', { name: 'Paper', auth_type: 'none' }),
      registryEntry('stripe-like', {
        name: 'Billing for Stripe',
        auth_type: 'none',
        config: { remote_url: `${url}/notebook/mcp` },
      }),
    ],
  })
})
afterAll(() => harness.close())

beforeEach(() => {
  user = harness.newUser()
  harness.providers.script('GET /notion/api/users/me', { body: {} })
  harness.providers.script('GET /trello/api/members/me', { body: {} })
  harness.providers.script('GET /stripe/api/customers', { body: {} })
  harness.servers.script('POST /broken/mcp', { status: 500 })
  scriptMcpServer(harness.servers, '/notebook/mcp', { tools: [readingTool, { name: 'write' }] })
  scriptMcpServer(harness.servers, '/keyed/mcp', {
    tools: [readingTool],
    admits: (headers) => headers['x-api-key'] === 'right-key' && headers['x-team'] === 'red',
  })
  scriptMcpServer(harness.servers, '/one-key/mcp', {
    admits: ({ authorization }) => authorization === 'Bearer right-key',
  })
  harness.providers.takeRequests()
  harness.servers.takeRequests()
})

const connect = (mcpId: string, credentials?: Record<string, string>, more: object = {}) =>
  user.call('integrations.connect', {
    params: { mcpId },
    body: { ...(credentials && { credentials }), ...more },
  })
const connectNotion = (apiKey = 'ntn_0123456789abcdef') => connect('notion', { apiKey })
const list = async () =>
  (await user.call('integrations.list')).body['integrations'] as Record<string, unknown>[]
const allow = (id: string, mcp_id: string) =>
  harness.stores.allowedTools.allow(user.sub, {
    id,
    mcp_id,
    tool: 'a',
    title: 'A',
    integration: 'A',
    allowed_at: 'x',
  })
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string

describe('connecting with credentials', () => {
  it('verifies them with the provider first, and returns the integration as the list shows it', async () => {
    const { status, body } = await connect('notion', { apiKey: '  ntn_0123456789abcdef ', other: '  ' })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      integration: {
        id: 'notion',
        user_id: user.sub,
        mcp_id: 'notion',
        mcp_name: 'Notion',
        status: 'connected',
        token_status: 'active',
        connected_at: isoTime,
        created_at: isoTime,
        updated_at: isoTime,
        settings: { environment: 'production' },
        credential_id: 'notion',
        credential: { status: 'active', expires_at: null, needs_refresh: false },
        auth_type: 'api_key',
        provider: 'Notion',
        expires_at: null,
        display_status: 'connected',
        needsAttention: false,
        expiryDisplay: null,
        health_status: 'healthy',
        refreshable: false,
        open_url: 'https://www.notion.so',
      },
    })
    expect(await list()).toEqual([body['integration']])
    const [request, ...more] = harness.providers.takeRequests('/notion/api/users/me')
    expect(more).toEqual([])
    expect(request).toMatchObject({
      method: 'GET',
      headers: {
        authorization: 'Bearer ntn_0123456789abcdef',
        'notion-version': '2022-06-28',
        accept: 'application/json',
      },
    })
  })

  it('stores the values in the vault, and a row that shows the end of long ones', async () => {
    await connect('trello', { apiKey: 'short', apiToken: 'a-long-token-1234' })
    expect(await user.readVault()).toEqual([{ apiKey: 'short', apiToken: 'a-long-token-1234' }])
    expect(await user.readCredential('trello')).toEqual({
      SK: 'C#trello',
      version: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      grant_id: expect.any(String) as string,
      status: 'active',
      secret_name: expect.stringMatching(
        new RegExp(`^test/vault/${user.sub}/trello/[0-9a-f]{24}$`),
      ) as string,
      masks: { apiKey: '••••••••', apiToken: '••••1234' },
      refreshable: false,
      updated_at: isoTime,
    })
    expect(await user.readConnection('trello')).toEqual({
      SK: 'I#trello',
      mcp_name: 'Trello',
      status: 'connected',
      token_status: 'active',
      environment: 'production',
      auth_type: 'api_key',
      provider: 'Atlassian',
      open_url: 'https://trello.com',
      parameters: {},
      read_only_tools: [],
      connected_at: isoTime,
      created_at: isoTime,
      updated_at: isoTime,
    })
  })

  it('replaces the earlier values when connecting again', async () => {
    await connectNotion('ntn_first_0123456789')
    const first = await user.readConnection('notion')
    await connectNotion('ntn_second_0123456789')
    expect(await user.readVault()).toEqual([{ apiKey: 'ntn_second_0123456789' }])
    expect(await list()).toHaveLength(1)
    expect((await user.readConnection('notion'))?.['created_at']).toBe(first?.['created_at'])
  })

  it.each([
    [
      401,
      422,
      'credentials_refused',
      'Notion did not accept these credentials. Please check them and try again.',
    ],
    [404, 422, 'credentials_refused', 'Notion did not accept'],
    [408, 502, 'outbound_failed', 'The service could not be reached.'],
    [429, 502, 'outbound_failed', 'The service could not be reached.'],
    [500, 502, 'outbound_failed', 'The service could not be reached.'],
  ])(
    'a provider response of %i is reported as %i, and nothing is stored',
    async (providerStatus, status, code, message) => {
      harness.providers.script('GET /notion/api/users/me', { status: providerStatus })
      const refusal = await connectNotion()
      expect(refusal).toMatchObject({ status, body: { code } })
      expect(refusal.body['error']).toContain(message)
      expect([await user.readConnection('notion'), await user.readCredential('notion')]).toEqual([
        undefined,
        undefined,
      ])
      expect(await user.readVault()).toEqual([])
    },
  )

  it.each([
    ['nothing', undefined, 'api_key authentication required. Please provide credentials.'],
    ['blanks', { apiKey: ' ', apiToken: '' }, 'api_key authentication required. Please provide credentials.'],
    ['the first of two', { apiKey: 'k' }, 'Token is required.'],
    ['the second of two', { apiToken: 't' }, 'API key is required.'],
  ])('with %s entered, reports what is missing and sends no request', async (_, credentials, error) => {
    expect(await connect('trello', credentials)).toMatchObject({ status: 400, body: { error } })
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('accepts a single key under the name in the specification, and stores it under the provider’s', async () => {
    expect((await connect('stripe', { apiKey: 'sk_live' })).status).toBe(200)
    expect(harness.providers.takeRequests()[0]?.headers['authorization']).toBe('Bearer sk_live')
    expect(await user.readVault()).toEqual([{ secretKey: 'sk_live' }])
    expect(await connect('stripe', { other: 'sk_live' })).toMatchObject({
      status: 400,
      body: { error: 'Secret or restricted key is required.' },
    })
    // a key under the provider's name is not replaced by another one
    await connect('stripe', { secretKey: 'sk_own', apiKey: 'sk_other' })
    expect(await user.readVault()).toEqual([{ secretKey: 'sk_own', apiKey: 'sk_other' }])
    // one key cannot stand for three
    expect((await connect('twilio', { apiKey: 'k' })).body['error']).toBe('Account SID is required.')
  })

  it('gives a sandbox its own row and credential', async () => {
    const sandbox = { environment: 'sandbox' }
    const { body } = await connect('stripe', { secretKey: 'sk_test' }, sandbox)
    expect(body['integration']).toMatchObject({
      id: 'stripe-sandbox',
      mcp_id: 'stripe-sandbox',
      credential_id: 'stripe-sandbox',
      settings: { environment: 'sandbox' },
    })
    await connect('stripe', { secretKey: 'sk_live' })
    expect(new Set((await list()).map(({ mcp_id }) => mcp_id))).toEqual(new Set(['stripe', 'stripe-sandbox']))
    // the id alone selects the sandbox too, without a second suffix
    await connect('stripe-sandbox', { secretKey: 'sk_test_2' }, sandbox)
    await connect('stripe-sandbox', { secretKey: 'sk_test_3' })
    expect(await list()).toHaveLength(2)
    expect((await connect('stripe-like', undefined, sandbox)).body['integration']).toMatchObject({
      id: 'stripe-like-sandbox',
      settings: { environment: 'sandbox' },
    })
  })

  it.each([
    ['notion', 'sandbox', 'notion'],
    ['notion-sandbox', 'production', 'notion-sandbox'],
    ['nothing', 'production', 'nothing'],
    ['nothing-sandbox', 'sandbox', 'nothing-sandbox'],
  ])('does not find %s in %s', async (mcpId, environment, namedId) => {
    expect(await connect(mcpId, { apiKey: 'k' }, { environment })).toMatchObject({
      status: 404,
      body: { error: `MCP with ID ${namedId} not found` },
    })
  })
})

it('DEC-186 does not connect a provider that takes no keys with one, which nothing could verify or use', async () => {
  expect(await connect('slack', { apiKey: 'xoxb-token' })).toMatchObject({
    status: 400,
    body: { error: 'Slack is connected by a sign-in.' },
  })
  expect([await user.readConnection('slack'), await user.readVault()]).toEqual([undefined, []])
  expect(harness.providers.takeRequests()).toEqual([])
})

describe('connecting an entry of the catalogue', () => {
  it('does not connect a server that only runs on people’s own computers, and sends no request', async () => {
    expect(await connect('paper')).toMatchObject({ status: 422, body: { code: 'runs_locally' } })
    expect(await user.readConnection('paper')).toBeUndefined()
    expect(harness.servers.takeRequests()).toEqual([])
  })

  it('connects a server without a key, with its address and its read-only tools', async () => {
    expect((await connect('notebook')).body['integration']).toMatchObject({ auth_type: 'none' })
    expect(await user.readConnection('notebook')).toMatchObject({
      auth_type: 'none',
      namespace: 'com.example',
      remote: { url: `${harness.servers.url}/notebook/mcp`, fields: [] },
      read_only_tools: [expect.stringMatching(/^[\w-]{22}$/)],
    })
    expect(await user.readCredential('notebook')).toBeUndefined()
    const [first] = harness.servers.takeRequests('/notebook/mcp')
    expect(first?.headers).not.toHaveProperty('authorization')
  })

  it('sends a server each key in its header', async () => {
    const { body } = await connect('keyed', { 'X-Api-Key': 'right-key', 'X-Team': 'red' })
    expect(body['integration']).toMatchObject({ auth_type: 'api_key', credential: { status: 'active' } })
    expect(await user.readConnection('keyed')).toMatchObject({
      remote: {
        url: `${harness.servers.url}/keyed/mcp`,
        fields: [
          { name: 'X-Api-Key', label: 'X-Api-Key' },
          { name: 'X-Team', label: 'X-Team' },
        ],
      },
      read_only_tools: [expect.any(String)],
    })
    expect((await connect('one-key', { apiKey: 'right-key' })).status).toBe(200)
    // no header of a provider’s test call is sent to the server
    expect(harness.servers.takeRequests('/one-key/mcp')[0]?.headers).toMatchObject({
      authorization: 'Bearer right-key',
    })
  })

  it.each([
    ['keyed', undefined, 400, 'api_key authentication required. Please provide credentials.'],
    ['keyed', { 'X-Api-Key': 'wrong', 'X-Team': 'red' }, 422, 'keyed did not accept these credentials.'],
    [
      'keyed',
      { 'X-Api-Key': 'right-key', 'X-Group': 'red' },
      400,
      'keyed asks for X-Api-Key and X-Team now. Reload the page and connect again.',
    ],
    ['one-key', undefined, 400, 'api_key authentication required.'],
    [
      'broken',
      undefined,
      502,
      'The server at this address has a fault of its own (500). Please try again later.',
    ],
  ])('%s with %j: %i, and nothing is stored', async (mcpId, credentials, status, message) => {
    const refusal = await connect(mcpId, credentials)
    expect(refusal.status).toBe(status)
    expect(refusal.body['error']).toContain(message)
    expect(await list()).toEqual([])
    expect(await user.readVault()).toEqual([])
  })

  it('does not send a key under a name that the entry does not have', async () => {
    expect((await connect('one-key', { 'X-Old-Key': 'right-key' })).status).toBe(400)
    expect(harness.servers.takeRequests()).toEqual([])
  })

  it('reports a server that turns out to require a key', async () => {
    scriptMcpServer(harness.servers, '/notebook/mcp', { admits: () => false })
    expect(await connect('notebook')).toMatchObject({
      status: 400,
      body: {
        code: 'credentials_required',
        error: 'unknown authentication required. Please provide credentials.',
      },
    })
    expect(await user.readConnection('notebook')).toBeUndefined()
  })

  it('a server at a new address inherits no values and no permissions', async () => {
    await connect('keyed', { 'X-Api-Key': 'right-key', 'X-Team': 'red' })
    await allow('one', 'keyed')
    const row = await user.readConnection('keyed')
    await user.putRow('I#keyed', { ...row, remote: { url: 'https://before.example/mcp', fields: [] } })
    expect((await connect('keyed', { 'X-Api-Key': 'right-key', 'X-Team': 'red' })).status).toBe(200)
    expect(await user.readVault()).toHaveLength(1)
    expect(await user.rows('ALLOW#')).toEqual([])
    expect(await list()).toMatchObject([{ mcp_id: 'keyed', status: 'connected', token_status: 'active' }])
  })
})

describe('disconnecting', () => {
  it('deletes the values and the permissions for tools, and leaves an inactive row', async () => {
    await connectNotion()
    await allow('one', 'notion')
    await allow('two', 'trello')
    const { status, body } = await user.call('integrations.disconnect', {
      params: { mcpId: 'notion' },
      body: {},
    })
    expect([status, body]).toEqual([200, { success: true, revoked: false }])
    expect(await user.readVault()).toEqual([])
    expect(await user.readCredential('notion')).toBeUndefined()
    expect(await user.readConnection('notion')).toMatchObject({
      status: 'disconnected',
      token_status: 'inactive',
    })
    expect((await user.rows('ALLOW#')).map(({ SK }) => SK)).toEqual(['ALLOW#two'])
    expect(await list()).toMatchObject([{ display_status: 'disconnected', credential_id: null }])
    // repeating it changes nothing
    expect(await user.call('integrations.disconnect', { params: { mcpId: 'notion' }, body: {} })).toEqual({
      status: 200,
      body: { success: true, revoked: false },
    })
  })

  it('logs nothing for a connection by key, which no provider has to confirm', async () => {
    await connectNotion()
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.stubEnv('LOG_LEVEL', 'warn')
    await user.call('integrations.disconnect', { params: { mcpId: 'notion' }, body: {} })
    expect(write).not.toHaveBeenCalled()
  })

  it('does not find what the user never connected', async () => {
    expect(
      await user.call('integrations.disconnect', { params: { mcpId: 'notion' }, body: {} }),
    ).toMatchObject({
      status: 404,
      body: { code: 'integration_not_found', error: 'This integration is not connected.' },
    })
    expect(await user.rows('I#')).toEqual([])
  })
})

describe('the credential manager', () => {
  const manage = (body: object) => user.call('credentials.manage', { body })

  it('CRED-02 CRED-03 CRED-04 stores values, shows their masks, and replaces them', async () => {
    const credentials = { apiKey: 'ntn_0123456789abcdef' }
    expect((await manage({ action: 'store', mcpId: 'notion', credentials })).body).toEqual({ success: true })
    expect((await manage({ action: 'retrieve', mcpId: 'notion' })).body).toEqual({
      success: true,
      credentials: { apiKey: '••••cdef' },
    })
    const newCredentials = { apiKey: 'ntn_fedcba9876543210' }
    expect((await manage({ action: 'update', mcpId: 'notion', credentials: newCredentials })).body).toEqual({
      success: true,
    })
    expect(await user.readVault()).toEqual([newCredentials])
    // it connects nothing
    expect(await user.rows('I#')).toEqual([])
  })

  it('deletes values that belong to no connection', async () => {
    await manage({ action: 'store', mcpId: 'notion', credentials: { apiKey: 'k' } })
    expect(await manage({ action: 'delete', mcpId: 'notion' })).toEqual({
      status: 200,
      body: { success: true },
    })
    expect([await user.rows('C#'), await user.rows('I#'), await user.readVault()]).toEqual([[], [], []])
  })

  it.each([
    ['update', { credentials: { apiKey: 'k' } }, 'integration_not_found'],
    ['retrieve', {}, 'integration_not_found'],
    ['delete', {}, 'integration_not_found'],
  ])('%s does not find missing credentials', async (action, more, code) => {
    expect(await manage({ action, mcpId: 'notion', ...more })).toMatchObject({ status: 404, body: { code } })
    expect(await user.rows('C#')).toEqual([])
  })

  it('stores nothing for an entry that does not exist', async () => {
    expect(await manage({ action: 'store', mcpId: 'nothing', credentials: { a: 'b' } })).toMatchObject({
      status: 404,
      body: { error: 'MCP with ID nothing not found' },
    })
    expect(await user.readVault()).toEqual([])
  })

  it('CRED-05 a connection without its values is invalid, and active again with new ones', async () => {
    await connectNotion()
    expect((await manage({ action: 'delete', mcpId: 'notion' })).body).toEqual({ success: true })
    expect([await user.rows('C#'), await user.readVault()]).toEqual([[], []])
    expect(await list()).toMatchObject([{ status: 'connected', token_status: 'invalid', credential: null }])
    await manage({ action: 'store', mcpId: 'notion', credentials: { apiKey: 'new' } })
    expect(await list()).toMatchObject([
      { status: 'connected', token_status: 'active', credential: { status: 'active' } },
    ])
  })

  it('keeps the status of a disconnected integration', async () => {
    await connectNotion()
    await user.call('integrations.disconnect', { params: { mcpId: 'notion' }, body: {} })
    await manage({ action: 'store', mcpId: 'notion', credentials: { apiKey: 'new' } })
    expect(await user.readConnection('notion')).toMatchObject({
      status: 'disconnected',
      token_status: 'inactive',
    })
    await manage({ action: 'delete', mcpId: 'notion' })
    expect(await user.readConnection('notion')).toMatchObject({
      status: 'disconnected',
      token_status: 'inactive',
    })
  })

  it('does not change the row of a working connection', async () => {
    await connectNotion()
    const before = await user.readConnection('notion')
    await manage({ action: 'update', mcpId: 'notion', credentials: { apiKey: 'new' } })
    expect(await user.readConnection('notion')).toEqual(before)
  })

  it('reports and logs values that could not be stored', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.stubEnv('LOG_LEVEL', 'error')
    vi.spyOn(SecretsManagerClient.prototype, 'send').mockRejectedValueOnce(new Error('no answer') as never)
    expect(await manage({ action: 'store', mcpId: 'notion', credentials: { apiKey: 'k' } })).toMatchObject({
      status: 503,
      body: {
        code: 'credentials_not_stored',
        error: 'The credentials could not be stored safely. Please try again in a moment.',
      },
    })
    expect(JSON.parse(String(write.mock.calls[0]?.[0]))).toMatchObject({
      level: 'error',
      message: 'credentials could not be stored',
      error: { name: 'Error' },
    })
    expect(await user.rows('C#')).toEqual([])
  })
})

describe('a refresh request', () => {
  const refresh = (mcpId: string) => user.call('integrations.refresh', { params: { mcpId }, body: {} })

  it('is refused when nothing is connected, or nothing can be refreshed', async () => {
    expect(await refresh('notion')).toMatchObject({ status: 404, body: { code: 'integration_not_found' } })
    await connectNotion()
    expect(await refresh('notion')).toMatchObject({
      status: 409,
      body: { code: 'refresh_impossible', error: 'Token refresh failed' },
    })
    await user.putRow('I#notion', { ...(await user.readConnection('notion')), status: 'disconnected' })
    expect((await refresh('notion')).status).toBe(404)
  })

  it('reports a row without a name as an internal error', async () => {
    harness.providers.script('POST /slack/token', { body: { access_token: 'a', refresh_token: 'r' } })
    const { stores } = harness
    const version = '1'
    const sealed = await stores.sealer.seal(
      '{"accessToken":"a","refreshToken":"r"}',
      `tokens|${user.sub}|slack|1`,
    )
    await user.putRow('C#slack', {
      version,
      status: 'active',
      masks: {},
      refreshable: true,
      client_id: 'a',
      sealed,
    })
    const row = { status: 'connected', token_status: 'active', connected_at: 'x', auth_type: 'oauth2' }
    await user.putRow('I#slack', { ...row, mcp_name: '' })
    expect(await refresh('slack')).toMatchObject({ status: 500, body: { code: 'internal_error' } })
  })

  it('reports that a server has moved, with the name of the entry', async () => {
    await connect('keyed', { 'X-Api-Key': 'right-key', 'X-Team': 'red' })
    const row = await user.readConnection('keyed')
    await user.putRow('I#keyed', { ...row, remote: { url: 'https://old.example/mcp', fields: [] } })
    const message = `has moved to ${harness.servers.host}. Connect again to use it there.`
    expect((await refresh('keyed')).body['error']).toBe(`keyed ${message}`)
    await user.putRow('I#keyed', {
      ...row,
      mcp_name: 'Key store',
      remote: { url: 'https://old.example/', fields: [] },
    })
    expect((await refresh('keyed')).body['error']).toBe(`Key store ${message}`)
  })
})

it('never shows another user’s rows', async () => {
  await connectNotion()
  const stranger = harness.newUser()
  expect((await stranger.call('integrations.list')).body).toEqual({ integrations: [] })
  expect((await stranger.call('customTools.list')).body).toEqual({ tools: [] })
})

it('counts uses only of existing rows', async () => {
  await connectNotion()
  const at = '2026-05-01T00:00:00.000Z'
  await harness.stores.integrations.countUse(user.sub, 'notion', at)
  await harness.stores.integrations.countUse(user.sub, 'notion', at)
  await harness.stores.integrations.countUse(user.sub, 'slack', at)
  expect(await user.readConnection('notion')).toMatchObject({ usage_count: 2, last_used_at: at })
  expect(await user.readConnection('slack')).toBeUndefined()
})

describe('DEC-189 connections that a user’s groups allow', () => {
  beforeAll(() =>
    harness.putGroups({
      catalogueOnly: { tools: 'catalogue' },
      builtInOnly: { tools: 'built_in' },
      noTools: { tools: 'none' },
    }),
  )
  const tool = { name: 'Mine', description: '', config: { serverUrl: '', apiKey: '', customFields: {} } }
  const addTool = () => user.call('customTools.add', { body: tool })
  const buildRefusal = (error: string) => ({
    status: 403,
    body: { code: 'connection_not_allowed', error: `You may not ${error}. Please ask your administrator.` },
  })

  it('catalogue: everything except custom servers', async () => {
    user = harness.newUser('catalogueOnly')
    expect(await addTool()).toMatchObject(buildRefusal('add servers of your own'))
    expect(
      await user.call('customTools.test', {
        body: { config: { ...tool.config, serverUrl: 'https://a.example' } },
      }),
    ).toMatchObject(buildRefusal('add servers of your own'))
    expect((await connect('notebook')).status).toBe(200)
    expect((await connectNotion()).status).toBe(200)
  })

  it('built-in: no remote servers, and existing connections can still be disconnected', async () => {
    user = harness.newUser('builtInOnly')
    expect(await connect('paper')).toMatchObject(buildRefusal('connect Paper'))
    expect(await addTool()).toMatchObject({ status: 403 })
    expect((await connectNotion()).status).toBe(200)
    expect(
      (await user.call('integrations.disconnect', { params: { mcpId: 'notion' }, body: {} })).status,
    ).toBe(200)
  })

  it('none: nothing, neither with credentials nor by a sign-in', async () => {
    user = harness.newUser('noTools')
    expect(await connectNotion()).toMatchObject(buildRefusal('connect Notion'))
    const signIn = { action: 'initiate', mcpId: 'notion', redirectUri: 'https://juno.example/oauth/callback' }
    expect(await user.call('oauth.handle', { body: { ...signIn, environment: 'production' } })).toMatchObject(
      { status: 403 },
    )
    const storeRequest = { action: 'store', mcpId: 'notion', credentials: { apiKey: 'ntn_0123456789abcdef' } }
    expect(await user.call('credentials.manage', { body: storeRequest })).toMatchObject(
      buildRefusal('connect Notion'),
    )
    expect(await user.rows('')).toEqual([])
  })
})
