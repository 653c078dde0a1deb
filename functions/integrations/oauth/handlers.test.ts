import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type IntegrationFunctions,
  type IntegrationUser,
  redirectUri,
  startIntegrationFunctions,
} from '../../../test/support/integration-functions.ts'
import { parseForm, type ScriptedResponse } from '../../../test/support/recording-server.ts'
import { waitLimitMs } from '../../../test/support/time-limits.ts'
import { TooManySecrets } from '../store/errors.ts'
import { exchangeCode } from './exchange.ts'

/** Sign-ins at built-in providers, with manually created apps. */

let harness: IntegrationFunctions
let user: IntegrationUser
beforeAll(async () => {
  harness = await startIntegrationFunctions({
    operatorApps: { discord: { clientId: 'operators-app', clientSecret: 'operators-secret' } },
  })
})
afterAll(() => harness.close())
beforeEach(() => {
  user = harness.newUser()
  harness.providers.takeRequests()
})

const send = (body: object) => user.call('oauth.handle', { body })
const initiate = (mcpId: string, more: object = {}) =>
  send({ action: 'initiate', mcpId, redirectUri, ...more })
const parseQuery = (url: unknown) => Object.fromEntries(new URL(String(url)).searchParams)
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const findInList = async () =>
  ((await user.call('integrations.list')).body['integrations'] as Record<string, unknown>[])[0]

/** Starts a sign-in. @returns the state that the provider sends back */
async function begin(mcpId: string, more: object = {}) {
  const { body } = await initiate(mcpId, { clientId: 'my-app', clientSecret: 'my-secret', ...more })
  return parseQuery(body['authUrl'])['state'] ?? ''
}
const exchange = (state: string, more: object = {}) =>
  send({ action: 'exchange', code: 'the-code', state, redirect_uri: redirectUri, ...more })
async function connect(mcpId: string, more: object = {}) {
  const response = await exchange(await begin(mcpId, more))
  expect(response.status).toBe(200)
  harness.providers.takeRequests()
}

describe('the start of a sign-in', () => {
  it('sends the user to the provider with the client id, the scopes, a state and PKCE', async () => {
    const { status, body } = await initiate('gmail', { clientId: ' my-app ', clientSecret: ' my-secret ' })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: 'Please complete authentication in the popup window.',
      provider: 'Google',
      authUrl: expect.stringContaining(`${harness.providers.url}/gmail/authorize?`) as string,
    })
    expect(parseQuery(body['authUrl'])).toEqual({
      response_type: 'code',
      client_id: 'my-app',
      redirect_uri: redirectUri,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      scope: expect.stringMatching(/^https:\S+ https:\S+$/) as string,
      access_type: 'offline',
      prompt: 'consent',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    })
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('OAUTH-23 DEC-087 stores the hash of the state for ten minutes, and its secrets sealed', async () => {
    const before = Math.floor(Date.now() / 1_000)
    const state = await begin('slack', { parameters: { team: 'red' } })
    const [row, ...more] = await user.rows('OS#')
    expect(more).toEqual([])
    expect(row).toEqual({
      SK: `OS#${createHash('sha256').update(state).digest('hex')}`,
      sub: user.sub,
      mcp_id: 'slack',
      environment: 'production',
      redirect_uri: redirectUri,
      client_id: 'my-app',
      parameters: { team: 'red' },
      sealed: expect.stringMatching(/^v1\./) as string,
      expires_at_seconds: expect.any(Number) as number,
      ttl: row?.['expires_at_seconds'],
    })
    expect(Number(row?.['ttl']) - before - 600).toBeLessThanOrEqual(waitLimitMs / 1_000)
    expect(Number(row?.['ttl']) - before).toBeGreaterThanOrEqual(600)
    expect(JSON.stringify(row)).not.toContain('my-secret')
  })

  it('DEC-180 requests no scope from Zoom, whose apps define them, and from Asana those of its tools', async () => {
    const startAndParse = async (mcpId: string) =>
      parseQuery((await initiate(mcpId, { clientId: 'a' })).body['authUrl'])
    expect(await startAndParse('zoom')).not.toHaveProperty('scope')
    expect((await startAndParse('asana'))['scope']).toBe('tasks:read tasks:write workspaces:read')
  })

  it('omits PKCE for providers without it, and separates scopes as the provider requires', async () => {
    const { body } = await initiate('shopify', { clientId: 'a', parameters: { shop: 'my-shop' } })
    const query = parseQuery(body['authUrl'])
    expect(query).not.toHaveProperty('code_challenge')
    expect(query).not.toHaveProperty('code_challenge_method')
    expect(query['scope']).toBe('read_products,read_orders')
    expect(parseQuery((await initiate('intercom', { clientId: 'a' })).body['authUrl'])).not.toHaveProperty(
      'scope',
    )
  })

  it('uses PKCE at Slack only without a secret, because only public clients have it there', async () => {
    const startAndParse = async (app: object) => parseQuery((await initiate('slack', app)).body['authUrl'])
    expect(await startAndParse({ clientId: 'a', clientSecret: 'b' })).not.toHaveProperty('code_challenge')
    expect(await startAndParse({ clientId: 'a' })).toMatchObject({ code_challenge_method: 'S256' })
  })

  it('uses the operator’s app unless the user has entered one', async () => {
    expect(parseQuery((await initiate('discord')).body['authUrl'])['client_id']).toBe('operators-app')
    expect((await user.rows('OS#'))[0]).not.toHaveProperty('client_id')
    expect(parseQuery((await initiate('discord', { clientId: 'mine' })).body['authUrl'])['client_id']).toBe(
      'mine',
    )
  })

  it.each([
    ['another address of ours', 'https://juno.example/oauth/callback/x'],
    [
      'one that leads out of the callbacks of servers',
      'https://juno.example/oauth/server-callback/../../shared',
    ],
    ['another site', 'https://evil.example/oauth/callback'],
    ['another site with a similar path', `https://evil.example/${'x'.repeat(21)}/${'0'.repeat(32)}`],
    ['a longer path', `https://juno.example/oauth/server-callback/${'0'.repeat(33)}`],
    [
      'a path that only ends like a callback',
      `https://juno.example/oauth/server-callback/x/${'0'.repeat(32)}`,
    ],
  ])('refuses as redirect URI %s', async (_, elsewhere) => {
    expect(await initiate('slack', { clientId: 'a', redirectUri: elsewhere })).toMatchObject({
      status: 400,
      body: { error: 'The redirect URI does not belong to this product.' },
    })
    expect(await user.rows('OS#')).toEqual([])
  })

  it.each([
    ['slack', {}, 400, 'setup_required', 'Client ID is required to continue'],
    ['slack', { clientId: '' }, 400, 'setup_required', 'Client ID is required to continue'],
    ['trello', {}, 400, 'bad_request', 'Trello cannot be connected by a sign-in.'],
    ['trello', { clientId: 'a' }, 400, 'bad_request', 'Trello cannot be connected by a sign-in.'],
    [
      'shopify',
      { clientId: 'a' },
      400,
      'bad_request',
      'Shop name (the part before .myshopify.com) is required.',
    ],
    ['nothing', { clientId: 'a' }, 404, 'mcp_not_found', 'MCP with ID nothing not found'],
    ['slack', { clientId: 'a', environment: 'sandbox' }, 404, 'mcp_not_found', 'MCP with ID slack not found'],
  ])('starts no sign-in at %s with %j: %i %s', async (mcpId, more, status, code, error) => {
    expect(await initiate(mcpId, more)).toMatchObject({ status, body: { code, error } })
    expect(await user.rows('OS#')).toEqual([])
  })
})

describe('the exchange of the code', () => {
  it('sends everything that proves where the code came from', async () => {
    harness.scriptTokens('gmail')
    const { body } = await initiate('gmail', { clientId: 'my-app', clientSecret: ' my-secret ' })
    const { state = '', code_challenge } = parseQuery(body['authUrl'])
    expect(await exchange(state)).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'Successfully connected to the integration',
        mcpId: 'gmail',
        provider: 'Google',
      },
    })
    const [request, ...more] = harness.providers.takeRequests()
    expect(more).toEqual([])
    expect(request).toMatchObject({
      method: 'POST',
      path: '/gmail/token',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(request?.headers).not.toHaveProperty('authorization')
    const { code_verifier = '', ...form } = parseForm(request ?? { body: '' })
    expect(form).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: redirectUri,
      client_id: 'my-app',
      client_secret: 'my-secret',
    })
    expect(sha256(code_verifier)).toBe(code_challenge)
  })

  it('stores sealed tokens, the app’s secret in the vault, and a connected row', async () => {
    harness.scriptTokens('slack', { expires_in: 43_200 })
    await connect('slack')
    expect(await user.readCredential('slack')).toEqual({
      SK: 'C#slack',
      version: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      grant_id: expect.any(String) as string,
      status: 'active',
      masks: { clientSecret: '••••••••' },
      secret_name: expect.stringContaining(`/${user.sub}/slack/`) as string,
      sealed: expect.stringMatching(/^v1\./) as string,
      client_id: 'my-app',
      refreshable: true,
      access_expires_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    })
    expect(await user.readTokens('slack')).toEqual({ accessToken: 'access-1', refreshToken: 'refresh-1' })
    expect(await user.readVault()).toEqual([{ clientSecret: 'my-secret' }])
    expect(await user.readConnection('slack')).toMatchObject({
      mcp_name: 'Slack',
      status: 'connected',
      token_status: 'active',
      auth_type: 'oauth2',
      provider: 'Slack',
      parameters: {},
      read_only_tools: [],
    })
    expect(await user.readConnection('slack')).not.toHaveProperty('remote')
    expect(await findInList()).toMatchObject({ refreshable: true, expires_at: null, needsAttention: false })
    expect(await user.rows('OS#')).toEqual([])
  })

  it('sends neither a secret nor a verifier if there is none', async () => {
    harness.scriptTokens('shopify', { refresh_token: undefined, expires_in: undefined })
    const { body } = await initiate('shopify', {
      clientId: 'public',
      clientSecret: '  ',
      parameters: { shop: 'my-shop' },
    })
    await exchange(parseQuery(body['authUrl'])['state'] ?? '')
    expect(parseForm(harness.providers.takeRequests()[0] ?? { body: '' })).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: redirectUri,
      client_id: 'public',
      expiring: '1',
    })
    expect(await user.readVault()).toEqual([])
    const credential = await user.readCredential('shopify')
    expect(credential).toMatchObject({ masks: {}, refreshable: false })
    // the response names no lifetime, so the provider's usual one applies and is shown to the user
    expect(credential?.['expires_at']).toBe(credential?.['access_expires_at'])
    expect(
      Date.parse(String(credential?.['expires_at'])) - Date.parse(String(credential?.['updated_at'])),
    ).toBe(3_600_000)
    expect(credential).not.toHaveProperty('secret_name')
    expect(await user.readConnection('shopify')).toMatchObject({ parameters: { shop: 'my-shop' } })
  })

  it('sends the secret in a header if the provider requires it', async () => {
    harness.scriptTokens('zoom')
    await exchange(await begin('zoom', { clientId: 'my:app', clientSecret: 'pass word' }))
    const [request] = harness.providers.takeRequests()
    const basic = Buffer.from('my%3Aapp:pass%20word').toString('base64')
    expect(request?.headers['authorization']).toBe(`Basic ${basic}`)
    expect(parseForm(request ?? { body: '' })).toMatchObject({ grant_type: 'authorization_code' })
    expect(request?.body).not.toMatch(/client_/)
    // a public app sends its client id in the form
    await exchange(await begin('zoom', { clientId: 'my:app', clientSecret: '' }))
    const [publicRequest] = harness.providers.takeRequests()
    expect(publicRequest?.headers).not.toHaveProperty('authorization')
    expect(parseForm(publicRequest ?? { body: '' })).toMatchObject({ client_id: 'my:app' })
  })

  it('uses the operator’s app, whose secret is not stored', async () => {
    harness.scriptTokens('discord')
    const { body } = await initiate('discord')
    await exchange(parseQuery(body['authUrl'])['state'] ?? '')
    expect(parseForm(harness.providers.takeRequests()[0] ?? { body: '' })).toMatchObject({
      client_id: 'operators-app',
      client_secret: 'operators-secret',
    })
    expect(await user.readCredential('discord')).not.toHaveProperty('client_id')
    expect(await user.readVault()).toEqual([])
  })

  it('works once, only for the same user and redirect URI, and within ten minutes', async () => {
    harness.scriptTokens('slack')
    const notFound = {
      status: 400,
      body: {
        code: 'oauth_state_not_found',
        error: 'OAuth state not found. The authentication flow might have expired.',
      },
    }
    const state = await begin('slack')
    const owner = user
    user = harness.newUser()
    expect(await exchange(state)).toMatchObject(notFound)
    user = owner
    expect(await exchange(state, { redirect_uri: `${redirectUri}/x` })).toMatchObject(notFound)
    expect(await exchange('another')).toMatchObject(notFound)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    try {
      expect(await exchange(state)).toMatchObject(notFound)
    } finally {
      vi.useRealTimers()
    }
    expect(harness.providers.takeRequests()).toEqual([])
    expect((await exchange(state)).status).toBe(200)
    expect(await exchange(state)).toMatchObject(notFound)
    expect(harness.providers.takeRequests()).toHaveLength(1)
  })

  it('opens its secrets only for its own state and user', async () => {
    harness.scriptTokens('slack')
    const [first, second] = [await begin('slack'), await begin('slack')]
    const toKey = (state: string) => `OS#${createHash('sha256').update(state).digest('hex')}`
    const rows = await user.rows('OS#')
    const findRow = (state: string) => rows.find(({ SK }) => SK === toKey(state))
    await user.putRow(toKey(second), { ...findRow(second), sealed: findRow(first)?.['sealed'] })
    expect((await exchange(second)).status).toBe(500)
    const owner = user
    user = harness.newUser()
    await user.putRow(toKey(first), { ...findRow(first) })
    expect((await exchange(first)).status).toBe(500)
    expect(harness.providers.takeRequests()).toEqual([])
    user = owner
    expect((await exchange(first)).status).toBe(200)
  })

  it('is refused when another server claims to have sent the user back', async () => {
    harness.scriptTokens('slack')
    const refusal = { status: 400, body: { code: 'issuer_mismatch' } }
    for (const iss of ['https://evil.example', 'no address'])
      expect(await exchange(await begin('slack'), { iss })).toMatchObject(refusal)
    expect(harness.providers.takeRequests()).toEqual([])
    expect((await exchange(await begin('slack'), { iss: `${harness.providers.url}/anything` })).status).toBe(
      200,
    )
  })

  it('accepts either host of a provider that has two', async () => {
    harness.scriptTokens('figma')
    const { url } = harness.providers
    for (const iss of [url, url.replace('127.0.0.1', 'localhost')])
      expect((await exchange(await begin('figma'), { iss })).status).toBe(200)
    expect((await exchange(await begin('figma'), { iss: 'https://evil.example' })).status).toBe(400)
  })

  it('requires a callback to name what the state is for', async () => {
    harness.scriptTokens('salesforce')
    const sendCallback = (more: object) =>
      send({ action: 'callback', code: 'the-code', mcpId: 'salesforce', redirectUri, ...more })
    const refusal = { status: 400, body: { code: 'oauth_state_not_found' } }
    expect(await sendCallback({})).toMatchObject(refusal)
    expect(await sendCallback({ state: await begin('salesforce'), mcpId: 'slack' })).toMatchObject(refusal)
    expect(await sendCallback({ state: await begin('salesforce'), environment: 'sandbox' })).toMatchObject(
      refusal,
    )
    const sandbox = { environment: 'sandbox' }
    expect(await sendCallback({ state: await begin('salesforce', sandbox) })).toMatchObject(refusal)
    expect(harness.providers.takeRequests()).toEqual([])
    expect(await sendCallback({ state: await begin('salesforce') })).toMatchObject({
      status: 200,
      body: { success: true, message: 'Successfully connected to the integration', mcpId: 'salesforce' },
    })
    for (const mcpId of ['salesforce', 'salesforce-sandbox'])
      expect(
        (await sendCallback({ state: await begin('salesforce', sandbox), mcpId, ...sandbox })).body['mcpId'],
      ).toBe('salesforce-sandbox')
    expect(
      await sendCallback({ state: await begin('salesforce'), iss: 'https://evil.example' }),
    ).toMatchObject({ status: 400, body: { code: 'issuer_mismatch' } })
  })

  it('reports what the provider refused, and stores nothing', async () => {
    const exchangeRefused = async (response: ScriptedResponse) => {
      harness.scriptTokens('slack', {}, response)
      const { status, body } = await exchange(await begin('slack'))
      expect([await user.rows('C#'), await user.rows('I#'), await user.readVault()]).toEqual([[], [], []])
      return `${status} ${String(body['code'])}: ${String(body['error'])}`
    }
    const refuseWith = (error: unknown) => exchangeRefused({ status: 400, body: { error } })
    const reconnectHint = 'Please connect again.'
    for (const [error, message] of [
      ['invalid_client', 'the Client ID or the Client Secret is not right.'],
      ['invalid_grant', `the permission has expired or was taken back. ${reconnectHint}`],
      ['bad_verification_code', `the code has expired. ${reconnectHint}`],
      ['unauthorized_client', 'this app may not connect this way. Please check its settings.'],
      ['redirect_uri_mismatch', 'the redirect URI of the app is not the one shown here.'],
      ['invalid_scope', 'the app does not have the permissions that are asked for.'],
      ['own word-1.0', 'own word-1.0'],
      ['<b>bold</b>', 'bboldb'],
      ['<>', 'error'],
      [{ code: 7 }, 'error'],
      ['x'.repeat(80), 'x'.repeat(60)],
    ] as const)
      expect(await refuseWith(error)).toBe(`400 provider_refused: Slack refused: ${message}`)
    // some providers refuse with status 200
    expect(await exchangeRefused({ body: { ok: false, error: 'invalid_client' } })).toContain(
      '400 provider_refused: ',
    )
    expect(await exchangeRefused({ status: 499, body: { error: 'invalid_client' } })).toContain(
      '400 provider_refused: ',
    )
  })

  it.each<[string, ScriptedResponse]>([
    ['a fault', { status: 500, body: { error: 'invalid_grant' } }],
    ['a page', { body: '<html>Sign in</html>' }],
    ['nothing', { body: '' }],
    ['no token', { body: { token_type: 'bearer' } }],
    ['an empty token', { body: { access_token: '' } }],
    ['a token that is not a string', { body: { access_token: 7 } }],
    ['a token that is too long', { body: { access_token: 'x'.repeat(65_537) } }],
    ['a token with a refusal', { status: 300, body: { access_token: 'access-1' } }],
    ['an error without a code', { status: 400, body: { error: 7 } }],
  ])('reports a response that is %s as unexpected', async (_, response) => {
    harness.scriptTokens('slack', {}, response)
    expect(await exchange(await begin('slack'))).toMatchObject({
      status: 502,
      body: { code: 'unexpected_response', error: 'Unexpected response from authentication service' },
    })
    expect(await user.rows('C#')).toEqual([])
  })

  it('says which token is missing where there is one of the user alone', async () => {
    const body = { ok: true, access_token: null, authed_user: { id: 'U1', access_token: 'xoxp-1' } }
    harness.scriptTokens('slack', {}, { body })
    expect(await exchange(await begin('slack'))).toMatchObject({
      status: 502,
      body: {
        code: 'token_missing',
        error: expect.stringMatching(/token of the app's bot is missing/) as string,
      },
    })
  })

  it('also reads tokens from a form, as GitHub answered before JSON', async () => {
    harness.scriptTokens('github', {}, { body: 'access_token=form-token&scope=repo&token_type=bearer' })
    await connect('github')
    expect(await user.readTokens('github')).toEqual({ accessToken: 'form-token' })
    expect(await findInList()).toMatchObject({ expires_at: null, refreshable: false })
  })

  it.each([
    ['seconds', 60, 60],
    ['text', '3600', 3_600],
    ['text with a fraction', '60.25', 60.25],
    ['more than a date can hold', 1e15, 3_155_760_000],
    ['zero', 0, undefined],
    ['a negative number', -5, undefined],
    ['words', 'soon', undefined],
    ['text that is not only a number', '12 hours', undefined],
    ['text that only ends in a number', 'in 12', undefined],
    ['text with too many digits', '1234567890123', undefined],
    ['nothing', null, undefined],
  ])('reads the lifetime of the access token from %s', async (_, expires_in, seconds) => {
    // a provider whose tokens have no usual lifetime
    harness.scriptTokens('slack', { expires_in, refresh_token: undefined })
    await connect('slack')
    const credential = await harness.stores.credentials.find(user.sub, 'slack')
    const end = credential?.access_expires_at
    const lifetimeMs =
      end === undefined ? undefined : Date.parse(end) - Date.parse(credential?.updated_at ?? '')
    expect(lifetimeMs).toBe(seconds && seconds * 1_000)
  })

  it('uses the provider’s usual lifetime when the response says zero', async () => {
    harness.scriptTokens('salesforce', { expires_in: 0 })
    await connect('salesforce')
    const { updated_at, access_expires_at } = (await user.readCredential('salesforce')) ?? {}
    expect(Date.parse(String(access_expires_at)) - Date.parse(String(updated_at))).toBe(7_200_000)
  })

  it('is refused once the operator’s app that started it is gone', async () => {
    harness.scriptTokens('slack')
    const state = await begin('slack')
    const [{ SK, client_id: _, ...row } = {}] = await user.rows('OS#')
    await user.putRow(String(SK), row)
    expect(await exchange(state)).toMatchObject({ status: 400, body: { code: 'oauth_state_not_found' } })
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('leaves no secret when the tokens could not be stored', async () => {
    harness.scriptTokens('slack')
    const exchangeWith = async (overrides: Partial<typeof harness.stores>) =>
      exchangeCode({ ...harness.stores, ...overrides }, user.sub, {
        code: 'the-code',
        state: await begin('slack'),
        redirectUri,
        iss: undefined,
      })
    const { credentials, vault } = harness.stores
    const replace = () => Promise.reject(new Error('no answer'))
    await expect(exchangeWith({ credentials: { ...credentials, replace } })).rejects.toMatchObject({
      code: 'credentials_not_stored',
      message: 'tokens of slack',
      cause: { message: 'no answer' },
    })
    const store = () => Promise.reject(new TooManySecrets('full'))
    await expect(exchangeWith({ vault: { ...vault, store } })).rejects.toMatchObject({
      code: 'too_many_secrets',
    })
    expect([await user.rows('C#'), await user.rows('I#'), await user.readVault()]).toEqual([[], [], []])
  })

  it('stores the end of the grant and the address of the account if the provider returns them', async () => {
    harness.scriptTokens('salesforce', {
      refresh_token_expires_in: 86_400,
      instance_url: 'https://eu1.example',
    })
    await connect('salesforce')
    const { updated_at, expires_at, access_expires_at } = (await user.readCredential('salesforce')) ?? {}
    const toLifetimeMs = (end: unknown) => Date.parse(String(end)) - Date.parse(String(updated_at))
    expect([toLifetimeMs(expires_at), toLifetimeMs(access_expires_at)]).toEqual([86_400_000, 7_200_000])
    expect(await user.readTokens('salesforce')).toMatchObject({ instanceUrl: 'https://eu1.example' })
    expect(await findInList()).toMatchObject({
      expires_at,
      expiryDisplay: expect.stringContaining('Expires in') as string,
    })
    harness.scriptTokens('salesforce', { refresh_token: '', instance_url: 7 })
    await connect('salesforce')
    expect(await user.readTokens('salesforce')).toEqual({ accessToken: 'access-1' })
  })

  it('never follows a redirect of the token endpoint', async () => {
    harness.scriptTokens(
      'slack',
      {},
      { status: 307, headers: { location: `${harness.providers.url}/elsewhere` }, body: '' },
    )
    expect(await exchange(await begin('slack'))).toMatchObject({
      status: 502,
      body: { code: 'outbound_failed' },
    })
    expect(harness.providers.takeRequests('/elsewhere')).toEqual([])
  })

  it('replaces the first tokens and the first secret when connecting again', async () => {
    harness.scriptTokens('slack')
    await connect('slack')
    harness.scriptTokens('slack', { access_token: 'access-2', refresh_token: 'refresh-2' })
    await connect('slack', { clientSecret: 'second-secret-0123' })
    expect(await user.readTokens('slack')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
    expect(await user.readVault()).toEqual([{ clientSecret: 'second-secret-0123' }])
    expect(await user.readCredential('slack')).toMatchObject({ masks: { clientSecret: '••••0123' } })
  })

  it('reuses the app and the parameters entered before when connecting again', async () => {
    harness.scriptTokens('shopify')
    await connect('shopify', { parameters: { shop: 'my-shop' } })
    const { body } = await initiate('shopify')
    expect(parseQuery(body['authUrl'])['client_id']).toBe('my-app')
    await exchange(parseQuery(body['authUrl'])['state'] ?? '')
    expect(parseForm(harness.providers.takeRequests()[0] ?? { body: '' })).toMatchObject({
      client_id: 'my-app',
      client_secret: 'my-secret',
    })
    expect(await user.readConnection('shopify')).toMatchObject({ parameters: { shop: 'my-shop' } })
    // an emptied field does not mean the earlier app
    expect((await initiate('shopify', { clientId: '' })).body['code']).toBe('setup_required')
    // an app without a secret is reused too
    await connect('shopify', { clientSecret: '', parameters: { shop: 'my-shop' } })
    await exchange(parseQuery((await initiate('shopify')).body['authUrl'])['state'] ?? '')
    expect(harness.providers.takeRequests()[0]?.body).not.toContain('client_secret')
  })
})
