/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EverythingServer, startEverythingServer } from '../support/everything-server.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { startMcpRegistry } from '../support/mcp-registry.ts'
import { decideConsent, buildExchange } from '../support/provider-consent.ts'
import { syncPublished } from '../support/published-servers.ts'
import { openStackTable } from '../support/stack-table.ts'
import type { StackUser } from '../support/stack-user.ts'

let stack: LocalStack
let registry: Awaited<ReturnType<typeof startMcpRegistry>>
let everything: EverythingServer
let ann: StackUser
let bob: StackUser
beforeAll(async () => {
  ;[registry, everything] = await Promise.all([startMcpRegistry(), startEverythingServer()])
  stack = await startStack({ env: { MCP_REGISTRY_URL: registry.url, OUTBOUND_ALLOW: everything.host } })
  ann = await stack.newUser({ name: 'Ann' })
  bob = await stack.newUser({ name: 'Bob' })
})
afterAll(async () => {
  await stack.stop()
  everything.stop()
  await registry.close()
})

const redirectUri = () => `${stack.origin}/oauth/callback`
const ownRedirectUri = () => new RegExp(`^${stack.origin}/oauth/server-callback/[0-9a-f]{32}$`)
const begin = (user: StackUser, mcpId: string) =>
  user.send('oauth.handle', { body: { action: 'initiate', mcpId, redirectUri: redirectUri() } })
const findIntegration = async (user: StackUser, id: string) =>
  (await user.call('integrations.list')).integrations.find(({ mcp_id }) => mcp_id === id)

/** One click, and the provider's Allow. */
async function connectAtOnce(user: StackUser, mcpId: string) {
  const { status, body } = await begin(user, mcpId)
  const { authUrl = '' } = body as { authUrl?: string }
  if (!authUrl) throw new Error(`${status} ${JSON.stringify(body)}`)
  const back = await decideConsent(authUrl, 'allow')
  return {
    query: new URL(authUrl).searchParams,
    back,
    exchange: (parts: object = {}) =>
      user.send('oauth.handle', { body: { ...buildExchange(back), ...parts } }),
  }
}

describe('a server that registers any client', () => {
  it('is connected without entering anything: PKCE, resource and state in the request, tokens sealed', async () => {
    const { query, exchange } = await connectAtOnce(ann, 'notion')
    const { providers } = await stack.endpoints()
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: 'code',
      client_id: expect.stringMatching(/^client-/) as string,
      redirect_uri: expect.stringMatching(ownRedirectUri()) as string,
      code_challenge_method: 'S256',
      resource: `${providers ?? ''}/notion/mcp`,
      scope: 'read write offline_access',
    })
    expect(await exchange()).toMatchObject({ status: 200, body: { success: true, mcpId: 'notion' } })
    expect(await findIntegration(ann, 'notion')).toMatchObject({
      status: 'connected',
      token_status: 'active',
      auth_type: 'oauth2',
      refreshable: true,
    })
    const table = await openStackTable(stack)
    try {
      expect(JSON.stringify(await table.readRows(ann.sub))).not.toMatch(/"(access|refresh)-/)
    } finally {
      table.close()
    }
    expect(stack.output()).not.toMatch(/access-|refresh-|code-/)
  })

  it('has a redirect address of its own', async () => {
    const addresses = await Promise.all(
      ['notion', 'airtable', 'typeform', 'paypal'].map(
        async (mcpId) => (await connectAtOnce(ann, mcpId)).query.get('redirect_uri') ?? '',
      ),
    )
    expect(new Set(addresses).size).toBe(4)
    for (const address of addresses) expect(address).toMatch(ownRedirectUri())
  })

  it('gets no code that arrived at another redirect address (H1)', async () => {
    const { exchange } = await connectAtOnce(bob, 'airtable')
    const other = (await connectAtOnce(bob, 'notion')).query.get('redirect_uri')
    for (const redirect_uri of [other, redirectUri(), `${stack.origin}/oauth/document-callback`])
      expect(await exchange({ redirect_uri })).toMatchObject({
        status: 400,
        body: { code: 'oauth_state_not_found' },
      })
    expect((await exchange()).status).toBe(200)
  })

  it('an `iss` of another server is refused even if the server promised none (H1)', async () => {
    const { back, exchange } = await connectAtOnce(bob, 'airtable')
    expect(back.searchParams.has('iss')).toBe(false)
    expect((await exchange({ iss: 'https://issuer.invalid' })).status).toBe(400)
  })

  it('is registered once for all users', async () => {
    const [first, second] = [await connectAtOnce(ann, 'airtable'), await connectAtOnce(bob, 'airtable')]
    expect(second.query.get('client_id')).toBe(first.query.get('client_id'))
    expect(second.query.get('state')).not.toBe(first.query.get('state'))
  })

  it('OAUTH-19 is refreshed at the server that granted the tokens, and disconnecting revokes them there', async () => {
    const { exchange } = await connectAtOnce(bob, 'notion')
    await exchange()
    for (let time = 0; time < 3; time += 1)
      expect((await bob.send('oauth.handle', { body: { action: 'refresh', mcpId: 'notion' } })).status).toBe(
        200,
      )
    expect(await bob.call('integrations.disconnect', { params: { mcpId: 'notion' }, body: {} })).toEqual({
      success: true,
      revoked: true,
    })
  })

  it('OAUTH-23 is not connected if `iss` is missing or another server’s', async () => {
    for (const iss of ['https://issuer.invalid', undefined]) {
      const { exchange } = await connectAtOnce(bob, 'typeform')
      expect(await exchange({ iss })).toMatchObject({
        status: 400,
        body: { code: 'issuer_mismatch' },
      })
    }
    expect(await findIntegration(bob, 'typeform')).toBeUndefined()
  })

  it('may issue a client secret, which is used for each refresh and shown nowhere', async () => {
    const { exchange } = await connectAtOnce(ann, 'paypal')
    expect((await exchange()).status).toBe(200)
    const refresh = await ann.send('oauth.handle', { body: { action: 'refresh', mcpId: 'paypal' } })
    expect(refresh.status).toBe(200)
    expect(
      await ann.send('credentials.manage', { body: { action: 'retrieve', mcpId: 'paypal' } }),
    ).toMatchObject({ body: { credentials: {} } })
  })
})

it('a server that supports client metadata documents gets the URL of ours, which has the required fields', async () => {
  const { query, exchange } = await connectAtOnce(ann, 'linear')
  const address = `${stack.origin}/oauth-client.json`
  expect(query.get('client_id')).toBe(address)
  expect(await (await fetch(address)).json()).toEqual({
    client_id: address,
    client_name: 'Juno',
    redirect_uris: [`${stack.origin}/oauth/document-callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  })
  expect((await exchange()).status).toBe(200)
  expect(await findIntegration(ann, 'linear')).toMatchObject({ status: 'connected', token_status: 'active' })
})

it('a server without registration leads to the guided steps; a sandbox always does', async () => {
  expect(await begin(ann, 'confluence')).toMatchObject({ status: 400, body: { code: 'setup_required' } })
  expect(await begin(ann, 'gmail')).toMatchObject({
    status: 400,
    body: { code: 'setup_required', error: 'Client ID is required to continue' },
  })
  expect((await begin(ann, 'stripe-sandbox')).status).toBe(400)
  // submitted credentials use another route
  const response = await ann.call('oauth.handle', {
    body: {
      action: 'initiate',
      mcpId: 'confluence',
      clientId: 'mine',
      environment: 'production',
      redirectUri: redirectUri(),
    },
  })
  expect(new URL(response.authUrl ?? '').searchParams.get('client_id')).toBe('mine')
})

describe('entries of the MCP Registry', () => {
  let ids: Record<string, string>
  beforeAll(async () => {
    const { providers = '' } = await stack.endpoints()
    registry.published.push(
      { name: 'com.example/signs-in', title: 'Signs in', url: `${providers}/notion/mcp` },
      { name: 'com.example/open', title: 'Open to all', url: everything.url },
      { name: 'com.example/key', title: 'Wants a key', url: `${providers}/gmail/api/mcp` },
    )
    ids = await syncPublished(ann, 3)
  })

  it('sign in at the authorization server that their server names', async () => {
    const id = ids['Signs in'] ?? ''
    const { exchange } = await connectAtOnce(ann, id)
    expect((await exchange()).status).toBe(200)
    expect(await findIntegration(ann, id)).toMatchObject({
      mcp_name: 'Signs in',
      auth_type: 'oauth2',
      status: 'connected',
    })
  })

  it('INT-45 are connected directly if the server needs no credentials', async () => {
    const id = ids['Open to all'] ?? ''
    expect(await begin(ann, id)).toMatchObject({ status: 200, body: { success: true, mcpId: id } })
    expect(await findIntegration(ann, id)).toMatchObject({
      auth_type: 'none',
      status: 'connected',
      token_status: 'active',
    })
  })

  it('run without approval only tools that read within their server, as listed at the connection (M2)', async () => {
    const { integrations } = await ann.call('tools.list', {})
    const tools = integrations.find(({ id }) => id === ids['Open to all'])?.capabilities ?? []
    const writes = (name: string) => tools.find(({ id }) => id.endsWith(name))?.writes
    expect([writes('_echo'), writes('_gzip-file-as-resource')]).toEqual([false, true])
  })

  it('ask for a key if the server requires one without naming a header', async () => {
    expect(await begin(ann, ids['Wants a key'] ?? '')).toMatchObject({
      status: 400,
      body: { code: 'setup_required' },
    })
  })
})

it('the terminal shows the start of the product and nothing else', () => {
  expect(stack.output().trim().split('\n').at(-1)).toMatch(/Stop with Ctrl\+C\.$/)
})
