import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openStackTable } from '../support/stack-table.ts'
import { decideConsent, buildExchange } from '../support/provider-consent.ts'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'

const stack = await demoStack()
const ann = await stack.newUser({ name: 'Ann' })
const bob = await stack.newUser({ name: 'Bob' })

const redirectUri = () => `${stack.origin}/oauth/callback`
const list = async (user: StackUser) => (await user.call('integrations.list')).integrations
const findIntegration = async (user: StackUser, id: string) =>
  (await list(user)).find(({ mcp_id }) => mcp_id === id)

async function readSecretsFile() {
  const { readFile } = await import('node:fs/promises')
  return readFile(`${stack.dataDir}/secrets.json`, 'utf8')
}

async function readRows(user: StackUser) {
  const table = await openStackTable(stack)
  try {
    return await table.readRows(user.sub)
  } finally {
    table.close()
  }
}

/** From the dialog to the tokens, like the page. */
async function connectByOAuth(user: StackUser, mcpId: string, clientId = 'demo', more: object = {}) {
  const { authUrl } = await user.call('oauth.handle', {
    body: {
      action: 'initiate',
      mcpId,
      clientId,
      environment: 'production',
      redirectUri: redirectUri(),
      ...more,
    },
  })
  const back = await decideConsent(authUrl ?? '', 'allow')
  return {
    authUrl: new URL(authUrl ?? ''),
    back,
    exchange: (parts: object = {}) =>
      user.send('oauth.handle', { body: { ...buildExchange(back), ...parts } }),
  }
}

describe('connecting with submitted credentials', () => {
  it('INT-44 INT-45 DATA-28 connects for the caller only, with an API key that the provider accepted', async () => {
    const { integration } = await ann.call('integrations.connect', {
      params: { mcpId: 'notion' },
      body: { credentials: { apiKey: 'ntn_canary_0123456789' }, environment: 'production' },
    })
    expect(integration).toMatchObject({ user_id: ann.sub, mcp_id: 'notion', status: 'connected' })
    expect(integration.token_status).toBe('active')
    expect(integration).toMatchObject({
      mcp_name: 'Notion',
      auth_type: 'api_key',
      display_status: 'connected',
      needsAttention: false,
      expiryDisplay: null,
      health_status: 'healthy',
      credential: { status: 'active', expires_at: null, needs_refresh: false },
      settings: { environment: 'production' },
    })
    expect(await list(ann)).toEqual([integration])
    expect(await list(bob)).toEqual([])
  })

  it('DEC-085 stores the value in the vault only: it is in no row, response or log', async () => {
    expect(await readSecretsFile()).toContain('ntn_canary_0123456789')
    expect(JSON.stringify(await readRows(ann))).not.toContain('canary')
    expect(JSON.stringify(await ann.call('integrations.list'))).not.toContain('canary')
    expect(stack.output()).not.toContain('canary')
  })

  it('CRED-03 CRED-06 retrieves masks, never values, and only of the caller', async () => {
    const response = await ann.call('credentials.manage', { body: { action: 'retrieve', mcpId: 'notion' } })
    expect(response).toEqual({ success: true, credentials: { apiKey: '••••6789' } })
    expect(
      (await bob.send('credentials.manage', { body: { action: 'retrieve', mcpId: 'notion' } })).status,
    ).toBe(404)
  })

  it('CRED-01 refuses unknown actions', async () => {
    for (const body of [
      { action: 'show', mcpId: 'notion' },
      { action: 'retrieve' },
      { action: 'store', mcpId: 'notion' },
    ])
      expect(await ann.send('credentials.manage', { body })).toMatchObject({
        status: 400,
        body: { success: false, error: expect.any(String) as string },
      })
  })

  it('CRED-07 requires a signed-in user', async () => {
    const stranger = await ann.send('credentials.manage', {
      headers: { authorization: '' },
      body: { action: 'retrieve', mcpId: 'notion' },
    })
    expect(stranger).toMatchObject({
      status: 401,
      body: { success: false, error: 'User not authenticated' },
    })
  })

  it('INT-42 DEC-056 asks for credentials with the specification’s text', async () => {
    for (const [mcpId, type] of [
      ['stripe', 'api_key'],
      ['gmail', 'oauth2'],
    ] as const)
      expect(await ann.send('integrations.connect', { params: { mcpId }, body: {} })).toMatchObject({
        status: 400,
        body: { error: `${type} authentication required. Please provide credentials.` },
      })
    expect(await findIntegration(ann, 'stripe')).toBeUndefined()
  })

  it('INT-43 refuses unknown ids', async () => {
    expect(await ann.send('integrations.connect', { params: { mcpId: 'nothing' }, body: {} })).toMatchObject({
      status: 404,
      body: { error: 'MCP with ID nothing not found' },
    })
  })

  it('says that the provider rejected the credentials, and connects nothing', async () => {
    const reply = await ann.send('integrations.connect', {
      params: { mcpId: 'stripe' },
      body: { credentials: { secretKey: 'sk_test_wrong' } },
    })
    expect(reply).toMatchObject({ status: 422, body: { code: 'credentials_refused' } })
    expect(await findIntegration(ann, 'stripe')).toBeUndefined()
  })

  it('tests every provider that takes submitted credentials', async () => {
    const cases: Record<string, Record<string, string>> = {
      trello: { apiKey: 'a'.repeat(32), apiToken: 'ATTA123' },
      airtable: { accessToken: 'pat123' },
      twilio: { accountSid: 'AC123', apiKeySid: 'SK123', apiKeySecret: 'secret' },
    }
    for (const [mcpId, credentials] of Object.entries(cases)) {
      const { integration } = await bob.call('integrations.connect', {
        params: { mcpId },
        body: { credentials, environment: 'production' },
      })
      expect(integration.token_status).toBe('active')
    }
  })

  it('DEC-059 keeps a sandbox separate from the live connection', async () => {
    const body = { credentials: { secretKey: 'rk_test_1' }, environment: 'sandbox' as const }
    const { integration } = await ann.call('integrations.connect', {
      params: { mcpId: 'stripe-sandbox' },
      body,
    })
    expect(integration).toMatchObject({ mcp_id: 'stripe-sandbox', settings: { environment: 'sandbox' } })
    expect(await findIntegration(ann, 'stripe')).toBeUndefined()
    expect(
      (await ann.send('integrations.connect', { params: { mcpId: 'gmail-sandbox' }, body })).status,
    ).toBe(404)
  })

  it('CRED-02 CRED-04 CRED-05 stores, updates and deletes credentials', async () => {
    const act = (action: 'store' | 'update', apiKey: string) =>
      ann.call('credentials.manage', { body: { action, mcpId: 'notion', credentials: { apiKey } } })
    expect(await act('update', 'ntn_second_value_9999')).toEqual({ success: true })
    expect(await readSecretsFile()).not.toContain('ntn_canary_0123456789')
    expect(await ann.call('credentials.manage', { body: { action: 'delete', mcpId: 'notion' } })).toEqual({
      success: true,
    })
    expect(await readSecretsFile()).not.toContain('ntn_second_value')
    // INT-46: a row without its credential is shown as invalid
    expect(await findIntegration(ann, 'notion')).toMatchObject({
      status: 'connected',
      token_status: 'invalid',
      needsAttention: true,
    })
    expect(await act('store', 'ntn_third_value_11111')).toEqual({ success: true })
    expect(await findIntegration(ann, 'notion')).toMatchObject({ token_status: 'active' })
    expect(
      await bob.send('credentials.manage', {
        body: { action: 'update', mcpId: 'notion', credentials: { a: 'b' } },
      }),
    ).toMatchObject({ status: 404 })
  })

  it('INT-47 INT-48 disconnects, deletes the stored credentials, and can be repeated', async () => {
    const disconnect = () => ann.call('integrations.disconnect', { params: { mcpId: 'notion' }, body: {} })
    expect(await disconnect()).toEqual({ success: true, revoked: false })
    expect(await findIntegration(ann, 'notion')).toMatchObject({
      status: 'disconnected',
      token_status: 'inactive',
      credential: null,
      display_status: 'disconnected',
    })
    expect(await readSecretsFile()).not.toContain('ntn_third_value')
    expect(await disconnect()).toEqual({ success: true, revoked: false })
  })

  it('DEC-100 does not reveal another user’s integration', async () => {
    for (const route of ['integrations.disconnect', 'integrations.refresh'] as const)
      expect((await bob.send(route, { params: { mcpId: 'stripe-sandbox' }, body: {} })).status).toBe(404)
    expect((await findIntegration(ann, 'stripe-sandbox'))?.status).toBe('connected')
  })
})

describe('sign-in at the provider', () => {
  it('OAUTH-02 OAUTH-16 DEC-087 starts with an unguessable state, PKCE and the exact redirect', async () => {
    const { authUrl, back, exchange } = await connectByOAuth(ann, 'gmail')
    const query = authUrl.searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: 'code',
      client_id: 'demo',
      redirect_uri: redirectUri(),
      access_type: 'offline',
      code_challenge_method: 'S256',
      scope: expect.stringContaining('gmail.readonly') as string,
    })
    expect(query.get('state')).toMatch(/^[\w-]{43}$/)
    expect(back.searchParams.get('state')).toBe(query.get('state'))
    expect(await exchange()).toMatchObject({
      status: 200,
      body: { success: true, provider: 'Google', mcpId: 'gmail', message: expect.any(String) as string },
    })
    expect(await findIntegration(ann, 'gmail')).toMatchObject({
      status: 'connected',
      token_status: 'active',
      auth_type: 'oauth2',
      refreshable: true,
      // DEC-050: the expiry of the access token is internal to the server
      expires_at: null,
    })
    expect(JSON.stringify(await readRows(ann))).not.toMatch(/access-|refresh-/)
  })

  it('OAUTH-16 OAUTH-23 refuses a state that was used, is unknown, is another user’s, or belongs to another redirect', async () => {
    const { exchange, back } = await connectByOAuth(ann, 'google-drive')
    const stateNotFound = {
      status: 400,
      body: {
        success: false,
        error: 'OAuth state not found. The authentication flow might have expired.',
      },
    }
    expect(await bob.send('oauth.handle', { body: buildExchange(back) })).toMatchObject(stateNotFound)
    expect(await exchange({ redirect_uri: `${stack.origin}/elsewhere` })).toMatchObject(stateNotFound)
    expect(await exchange({ state: 'unknown' })).toMatchObject(stateNotFound)
    expect(await exchange()).toMatchObject({ status: 200 })
    expect(await exchange()).toMatchObject(stateNotFound)
    expect(await findIntegration(bob, 'google-drive')).toBeUndefined()
  })

  it('OAUTH-15 DEC-089 DEC-142 callback takes the same path, and the state decides', async () => {
    const { back } = await connectByOAuth(ann, 'hubspot')
    const body = {
      action: 'callback',
      code: back.searchParams.get('code') ?? '',
      clientId: 'demo',
      environment: 'production',
      redirectUri: redirectUri(),
    }
    expect((await ann.send('oauth.handle', { body: { ...body, mcpId: 'hubspot' } })).status).toBe(400)
    const other = await ann.send('oauth.handle', {
      body: { ...body, mcpId: 'gmail', state: back.searchParams.get('state') },
    })
    expect(other.status).toBe(400)
    const again = await connectByOAuth(ann, 'hubspot')
    const reply = await ann.send('oauth.handle', {
      body: {
        ...body,
        mcpId: 'hubspot',
        code: again.back.searchParams.get('code'),
        state: again.back.searchParams.get('state'),
      },
    })
    expect(reply).toMatchObject({ status: 200, body: { success: true, provider: 'HubSpot' } })
  })

  it('DEC-088 refuses any other redirect, and SETUP-17 an empty Client ID', async () => {
    const begin = (parts: object) =>
      ann.send('oauth.handle', {
        body: {
          action: 'initiate',
          mcpId: 'gmail',
          clientId: 'demo',
          environment: 'production',
          redirectUri: redirectUri(),
          ...parts,
        },
      })
    expect((await begin({ redirectUri: 'https://evil.example/oauth/callback' })).status).toBe(400)
    expect(await begin({ clientId: '  ' })).toMatchObject({
      status: 400,
      body: { error: 'Client ID is required to continue' },
    })
    expect((await begin({ mcpId: 'trello' })).status).toBe(400)
    expect((await begin({ mcpId: 'nothing' })).status).toBe(404)
  })

  it('requires the tenant’s address, and checks it before it builds the URL', async () => {
    const begin = (parameters: object) =>
      ann.send('oauth.handle', {
        body: {
          action: 'initiate',
          mcpId: 'shopify',
          clientId: 'demo',
          redirectUri: redirectUri(),
          parameters,
        },
      })
    expect((await begin({})).status).toBe(400)
    expect((await begin({ shop: 'evil.example/' })).status).toBe(400)
    expect((await begin({ shop: 'my-store' })).status).toBe(200)
  })

  it('a user who declines gets an error, and nothing is connected', async () => {
    const { authUrl } = await bob.call('oauth.handle', {
      body: {
        action: 'initiate',
        mcpId: 'gmail',
        clientId: 'demo',
        environment: 'production',
        redirectUri: redirectUri(),
      },
    })
    const back = await decideConsent(authUrl ?? '', 'cancel')
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(await findIntegration(bob, 'gmail')).toBeUndefined()
  })

  it.each([
    ['html', 502],
    ['error-500', 502],
    ['empty', 502],
    ['no-token', 502],
  ])('OAUTH-26 a token response of %s connects nothing', async (fault, status) => {
    const { exchange } = await connectByOAuth(bob, 'slack', `demo+${fault}`)
    expect(await exchange()).toMatchObject({
      status,
      body: { error: 'Unexpected response from authentication service' },
    })
    expect(await findIntegration(bob, 'slack')).toBeUndefined()
  })

  it('a response of another issuer is refused', async () => {
    const { exchange, back } = await connectByOAuth(bob, 'zoom', 'demo+wrong-issuer')
    expect((await exchange({ iss: back.searchParams.get('iss') ?? '' })).status).toBe(400)
    expect(await findIntegration(bob, 'zoom')).toBeUndefined()
  })

  it('accepts a lifetime sent as text; without a refresh token the user sees when to reconnect', async () => {
    const { exchange } = await connectByOAuth(bob, 'dropbox', 'demo+string-expiry+no-refresh+expires=7260')
    expect((await exchange()).status).toBe(200)
    expect(await findIntegration(bob, 'dropbox')).toMatchObject({
      refreshable: false,
      expiryDisplay: 'Expires in 2h',
      display_status: 'connected',
    })
  })

  it('DEC-050 a provider whose tokens do not expire never expires', async () => {
    const { exchange } = await connectByOAuth(bob, 'intercom', 'demo+no-expiry+no-refresh')
    expect((await exchange()).status).toBe(200)
    expect(await findIntegration(bob, 'intercom')).toMatchObject({ expires_at: null, needsAttention: false })
  })
})

describe('refresh', () => {
  const refresh = (user: StackUser, mcpId: string) =>
    user.send('oauth.handle', { body: { action: 'refresh', mcpId } })

  it('OAUTH-19 OAUTH-20 refreshes tokens; parallel refreshes lose nothing with a provider that rotates them', async () => {
    const { exchange } = await connectByOAuth(bob, 'zoom', 'demo')
    await exchange()
    for (let round = 0; round < 5; round += 1) {
      const replies = await Promise.all(Array.from({ length: 6 }, () => refresh(bob, 'zoom')))
      expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
    }
    expect(await refresh(bob, 'zoom')).toMatchObject({
      body: {
        success: true,
        provider: 'Zoom',
        message: 'Successfully refreshed access token',
        mcpId: 'zoom',
      },
    })
    expect(await findIntegration(bob, 'zoom')).toMatchObject({ token_status: 'active', refreshable: true })
  })

  it('DEC-053 a grant that the user revoked makes the connection invalid, and keeps it listed', async () => {
    const { exchange } = await connectByOAuth(ann, 'zoom', 'demo+revoked')
    await exchange()
    expect(await refresh(ann, 'zoom')).toMatchObject({ status: 400, body: { code: 'provider_refused' } })
    expect(await findIntegration(ann, 'zoom')).toMatchObject({
      status: 'connected',
      token_status: 'invalid',
      needsAttention: true,
    })
  })

  it('OAUTH-02 reconnects with the stored client credentials, without asking for them again', async () => {
    const initiate = (mcpId: string) =>
      ann.send('oauth.handle', {
        body: { action: 'initiate', mcpId, environment: 'production', redirectUri: redirectUri() },
      })
    const { body } = await initiate('zoom')
    const { authUrl } = body as { authUrl: string }
    expect(new URL(authUrl).searchParams.get('client_id')).toBe('demo+revoked')
    const back = await decideConsent(authUrl, 'allow')
    expect(await ann.send('oauth.handle', { body: buildExchange(back) })).toMatchObject({
      status: 200,
    })
    expect(await findIntegration(ann, 'zoom')).toMatchObject({ token_status: 'active' })
    expect((await initiate('slack')).status).toBe(400)
  })

  it('OAUTH-21 says that there is no refresh token to use', async () => {
    expect(await refresh(bob, 'dropbox')).toMatchObject({
      status: 409,
      body: { error: 'Token refresh failed' },
    })
    expect((await refresh(bob, 'nothing')).status).toBe(404)
  })

  it('DEC-050 expiring tokens are refreshed when the list is read', async () => {
    const { exchange } = await connectByOAuth(bob, 'asana', 'demo+expires=1')
    await exchange()
    const readVersion = async () =>
      (await readRows(bob)).find(({ SK }) => SK === 'C#asana')?.['version'] as string
    const before = await readVersion()
    await vi.waitFor(async () => {
      expect(await findIntegration(bob, 'asana')).toMatchObject({
        token_status: 'active',
        display_status: 'connected',
      })
      expect(await readVersion()).not.toBe(before)
    })
  })

  it('disconnecting revokes the token at the provider', async () => {
    expect(await bob.call('integrations.disconnect', { params: { mcpId: 'zoom' }, body: {} })).toEqual({
      success: true,
      revoked: true,
    })
    expect((await refresh(bob, 'zoom')).status).toBe(404)
  })
})

describe('rows of unknown origin', () => {
  let carl: StackUser
  beforeAll(async () => {
    carl = await stack.newUser({ name: 'Carl' })
    await carl.call('integrations.connect', {
      params: { mcpId: 'airtable' },
      body: { credentials: { accessToken: 'pat1' }, environment: 'production' },
    })
    const table = await openStackTable(stack)
    try {
      const row = { status: 'connected', token_status: 'active', connected_at: 'x', auth_type: 'none' }
      await table.put(carl.sub, 'I#left-over', { ...row, mcp_name: 'My test server' })
      await table.put(carl.sub, 'I#nameless', row)
      await table.put(carl.sub, 'I#latest', { ...row, mcp_name: 'Latest News' })
      await table.put(carl.sub, 'I#vague', {
        ...row,
        mcp_name: 'Vague',
        auth_type: 'api_key',
        token_status: 'odd',
      })
    } finally {
      table.close()
    }
  })

  const shownIds = async () => (await list(carl)).map(({ mcp_id }) => mcp_id)
  const storedIds = async () => (await readRows(carl)).map(({ SK }) => SK)

  it('INT-59 DEC-002 a row without a name is not listed', async () => {
    expect(await storedIds()).toContain('I#nameless')
    expect(await shownIds()).not.toContain('nameless')
  })

  it('INT-61 a row with the word test in its name is not listed, one with a word that contains it is', async () => {
    expect(await shownIds()).not.toContain('left-over')
    expect(await shownIds()).toContain('latest')
  })

  it('INT-60 DEC-055 a connected row without credentials or other evidence is not listed', async () => {
    expect(await storedIds()).toContain('I#vague')
    expect((await shownIds()).toSorted()).toEqual(['airtable', 'latest'])
  })

  it('INT-62 INT-63 the cleanup deletes the nameless row and the test row only', async () => {
    const { deleted } = await carl.call('integrations.cleanup', { body: {} })
    expect(deleted.toSorted()).toEqual(['left-over', 'nameless'])
    expect(await storedIds()).toEqual(expect.arrayContaining(['I#airtable', 'I#latest', 'I#vague']))
    expect(await storedIds()).not.toContain('I#nameless')
    expect((await carl.call('integrations.cleanup', { body: {} })).deleted).toEqual([])
  })
})
