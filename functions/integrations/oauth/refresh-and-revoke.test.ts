import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type IntegrationFunctions,
  type IntegrationUser,
  redirectUri,
  startIntegrationFunctions,
} from '../../../test/support/integration-functions.ts'
import { metricLines } from '../../../test/support/metric-lines.ts'
import { parseForm, type ScriptedResponse } from '../../../test/support/recording-server.ts'
import { storeCredentials } from '../credentials.ts'
import { CredentialsNotStored } from '../errors.ts'
import { maxRetryMs } from '../../platform/dynamodb/retried-writes.ts'
import { refreshIndex } from '../refresh-index.ts'
import { idleMs, refreshConnections } from './refresh-connections.ts'
import { leaseMs, markInvalid, refresh as refreshTokens, waitForLeaseMs } from './refresh.ts'
import { tokenCallMs } from './tokens.ts'

/** After the sign-in, tokens are refreshed (on request, before the list is shown, daily) and revoked. */

let harness: IntegrationFunctions
let user: IntegrationUser
beforeAll(async () => {
  harness = await startIntegrationFunctions({
    operatorApps: { discord: { clientId: 'operators-app', clientSecret: 'operators-secret' } },
  })
})
afterAll(() => harness.close())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  user = harness.newUser()
})
afterEach(() => void vi.useRealTimers())

const advanceMinutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000)
const list = async () =>
  (await user.call('integrations.list')).body['integrations'] as Record<string, unknown>[]
const readRow = async (mcpId: string) => (await user.rows(`I#${mcpId}`))[0]
const readCredential = async (mcpId: string) => (await user.rows(`C#${mcpId}`))[0]
const refresh = (mcpId: string) => user.call('integrations.refresh', { params: { mcpId }, body: {} })
const disconnect = async (mcpId: string) =>
  (await user.call('integrations.disconnect', { params: { mcpId }, body: {} })).body['revoked']
const scriptTokens = (provider: string, body: object = {}, more: ScriptedResponse = {}) =>
  harness.providers.script(`POST /${provider}/token`, {
    body: { access_token: 'access-1', refresh_token: 'refresh-1', ...body },
    ...more,
  })

/** Connects a provider through an app of the user's own. */
async function connect(
  mcpId: string,
  app: object = { clientId: 'my-app', clientSecret: 'my-secret' },
  granted = {},
  environment: 'production' | 'sandbox' = 'production',
) {
  scriptTokens(mcpId, granted)
  const { body } = await user.call('oauth.handle', {
    body: { action: 'initiate', mcpId, redirectUri, environment, ...app },
  })
  const state = new URL(String(body['authUrl'])).searchParams.get('state')
  const exchange = { action: 'exchange', code: 'the-code', state, redirect_uri: redirectUri }
  expect((await user.call('oauth.handle', { body: exchange })).status).toBe(200)
  harness.providers.takeRequests()
}
async function readTokens(mcpId: string) {
  const { sealed, version } = (await readCredential(mcpId)) ?? {}
  const context = `tokens|${user.sub}|${mcpId}|${String(version)}`
  return JSON.parse(await harness.stores.sealer.open(String(sealed), context)) as object
}
/** Captures the metrics and log entries that the functions write from now on. */
function captureOutput() {
  vi.stubEnv('METRICS_NAMESPACE', 'Test')
  vi.stubEnv('LOG_LEVEL', 'warn')
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0)
  return {
    metrics: () =>
      metricLines(written.join(''))
        .filter(({ values }) => 'FailedRefreshes' in values)
        .map(({ values, about }) => ({ ...values, ...about })),
    logEntries: () =>
      written.filter((line) => !line.startsWith('{"_aws"')).map((line) => JSON.parse(line) as object),
  }
}

describe('a refresh by the user', () => {
  it('sends the refresh token, and stores the response', async () => {
    await connect('slack', undefined, { expires_in: 3_600 })
    const before = await readCredential('slack')
    const row = await readRow('slack')
    scriptTokens('slack', { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 7_200 })
    advanceMinutes(30)
    const { status, body } = await refresh('slack')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      integration: { mcp_id: 'slack', token_status: 'active', refreshable: true },
    })
    const [request, ...more] = harness.providers.takeRequests()
    expect(more).toEqual([])
    expect(request).toMatchObject({ method: 'POST', path: '/slack/token' })
    expect(parseForm(request ?? { body: '' })).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      client_id: 'my-app',
      client_secret: 'my-secret',
    })
    expect(await readTokens('slack')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
    const after = await readCredential('slack')
    expect(after?.['version']).not.toBe(before?.['version'])
    expect(after).toEqual({
      ...before,
      version: after?.['version'],
      sealed: after?.['sealed'],
      updated_at: new Date().toISOString(),
      access_expires_at: new Date(Date.now() + 7_200_000).toISOString(),
    })
    // the connection is unchanged
    expect(await readRow('slack')).toEqual(row)
  })

  it('keeps tokens that a response does not repeat, and removes the expiry times that it omits', async () => {
    await connect('slack', undefined, {
      expires_in: 3_600,
      refresh_token_expires_in: 86_400,
      instance_url: 'https://eu.example',
    })
    expect(await readCredential('slack')).toHaveProperty('expires_at')
    scriptTokens('slack', { access_token: 'access-2', refresh_token: undefined })
    await refresh('slack')
    expect(await readTokens('slack')).toEqual({
      accessToken: 'access-2',
      refreshToken: 'refresh-1',
      instanceUrl: 'https://eu.example',
    })
    const credential = await readCredential('slack')
    expect(credential).not.toHaveProperty('access_expires_at')
    expect(credential).not.toHaveProperty('expires_at')
    expect(credential).not.toHaveProperty('lease_owner')
    expect(credential).toMatchObject({ refreshable: true })
  })

  it('uses the operator’s app if the connection was made with it', async () => {
    await connect('discord', {})
    // Gmail has no operator's app here
    expect((await refresh('discord')).status).toBe(200)
    expect(parseForm(harness.providers.takeRequests()[0] ?? { body: '' })).toMatchObject({
      client_id: 'operators-app',
      client_secret: 'operators-secret',
    })
  })

  it('goes to the same provider for a sandbox', async () => {
    await connect('salesforce', { clientId: 'my-app', environment: 'sandbox' })
    expect((await refresh('salesforce-sandbox')).status).toBe(200)
    expect(harness.providers.takeRequests('/salesforce/token')).toHaveLength(1)
  })

  it('is also available through the OAuth function, with the provider’s name', async () => {
    await connect('gmail')
    expect(await user.call('oauth.handle', { body: { action: 'refresh', mcpId: 'gmail' } })).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'Successfully refreshed access token',
        provider: 'Google',
        mcpId: 'gmail',
      },
    })
  })

  it('makes an invalid connection active again', async () => {
    await connect('slack')
    await user.putRow('I#slack', { ...(await readRow('slack')), token_status: 'invalid' })
    expect((await refresh('slack')).body['integration']).toMatchObject({ token_status: 'active' })
    expect(await readRow('slack')).toMatchObject({ token_status: 'active', status: 'connected' })
  })

  it.each(['invalid_grant', 'bad_refresh_token', 'token_revoked', 'invalid_refresh_token'])(
    'that is refused with %s marks the connection invalid until a refresh succeeds',
    async (error) => {
      await connect('slack')
      scriptTokens('slack', {}, { status: 400, body: { error } })
      const output = captureOutput()
      expect(await refresh('slack')).toMatchObject({ status: 400, body: { code: 'provider_refused' } })
      expect(output.metrics()).toEqual([{ FailedRefreshes: 1, code: 'grant_gone', provider: 'slack' }])
      expect(await readCredential('slack')).toMatchObject({ status: 'invalid' })
      expect(await readCredential('slack')).not.toHaveProperty('lease_until')
      expect(await list()).toMatchObject([
        { token_status: 'invalid', needsAttention: true, status: 'connected' },
      ])
      scriptTokens('slack')
      expect((await refresh('slack')).body['integration']).toMatchObject({ token_status: 'active' })
    },
  )

  // the operator or the user can correct an app that the provider rejects; an unknown error may be temporary
  it.each(['invalid_client', 'server_busy'])(
    'that is refused with %s leaves the connection unchanged',
    async (error) => {
      await connect('slack')
      const before = [await readRow('slack'), await readCredential('slack')]
      scriptTokens('slack', {}, { status: 400, body: { error } })
      const output = captureOutput()
      expect(await refresh('slack')).toMatchObject({ status: 400, body: { code: 'provider_refused' } })
      expect(output.metrics()).toEqual([{ FailedRefreshes: 1, code: 'provider_refused', provider: 'slack' }])
      expect([await readRow('slack'), await readCredential('slack')]).toEqual(before)
    },
  )

  it('that gets no usable response leaves everything for the next attempt', async () => {
    await connect('slack')
    const before = [await readRow('slack'), await readCredential('slack')]
    scriptTokens('slack', {}, { status: 503, body: { error: 'invalid_grant' } })
    const output = captureOutput()
    expect((await refresh('slack')).status).toBe(502)
    expect(output.metrics()).toMatchObject([{ FailedRefreshes: 1, code: 'unexpected_response' }])
    expect([await readRow('slack'), await readCredential('slack')]).toEqual(before)
    scriptTokens('slack', { access_token: 'access-2' })
    expect((await refresh('slack')).status).toBe(200)
    expect(output.metrics().at(-1)).toEqual({ FailedRefreshes: 0, provider: 'slack' })
  })

  it('is refused if there is nothing to refresh', async () => {
    await connect('slack', undefined, { refresh_token: undefined })
    const refused = { status: 409, body: { code: 'refresh_impossible', error: 'Token refresh failed' } }
    expect(await refresh('slack')).toMatchObject(refused)
    // also when the row claims a refresh token that is missing, or its provider has no OAuth
    await user.putRow('C#slack', { ...(await readCredential('slack')), refreshable: true })
    expect(await refresh('slack')).toMatchObject(refused)
    await user.putRow('I#trello', { ...(await readRow('slack')) })
    await user.putRow('C#trello', { ...(await readCredential('slack')) })
    expect(await refresh('trello')).toMatchObject(refused)
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('is refused if the operator’s app was removed', async () => {
    await connect('discord', {})
    // Gmail has no operator's app here
    await user.putRow('I#gmail', { ...(await readRow('discord')) })
    const { sealed, version } = (await readCredential('discord')) ?? {}
    const plain = await harness.stores.sealer.open(
      String(sealed),
      `tokens|${user.sub}|discord|${String(version)}`,
    )
    await user.putRow('C#gmail', {
      ...(await readCredential('discord')),
      sealed: await harness.stores.sealer.seal(plain, `tokens|${user.sub}|gmail|${String(version)}`),
    })
    expect(await refresh('gmail')).toMatchObject({ status: 409, body: { code: 'refresh_impossible' } })
    expect(await disconnect('gmail')).toBe(false)
  })

  it('that fails by an internal error is counted as such, and leaves everything', async () => {
    await connect('slack')
    await user.putRow('C#slack', { ...(await readCredential('slack')), sealed: 'v1.x.y' })
    const before = [await readRow('slack'), await readCredential('slack')]
    const output = captureOutput()
    expect((await refresh('slack')).status).toBe(500)
    expect(output.metrics()).toEqual([{ FailedRefreshes: 1, code: 'unexpected', provider: 'slack' }])
    expect([await readRow('slack'), await readCredential('slack')]).toEqual(before)
  })

  it('reports a final refusal although the lease could not be released', async () => {
    await connect('slack')
    scriptTokens('slack', {}, { status: 400, body: { error: 'invalid_grant' } })
    const credentials = {
      ...harness.stores.credentials,
      release: () => Promise.reject(new Error('no answer')),
    }
    await expect(refreshTokens({ ...harness.stores, credentials }, user.sub, 'slack')).rejects.toMatchObject({
      code: 'provider_refused',
    })
    expect(await readRow('slack')).toMatchObject({ token_status: 'invalid' })
  })

  it('reports a final refusal although the credential is gone by then', async () => {
    await connect('slack')
    harness.providers.script('POST /slack/token', async () => {
      await harness.stores.credentials.remove(user.sub, 'slack')
      return { status: 400, body: { error: 'invalid_grant' } }
    })
    expect(await refresh('slack')).toMatchObject({ status: 400, body: { code: 'provider_refused' } })
  })

  it('waits for a concurrent refresh, and uses its tokens', async () => {
    await connect('slack')
    const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>()
    harness.providers.script('POST /slack/token', async () => {
      await blocked
      return { body: { access_token: 'access-2', refresh_token: 'refresh-2' } }
    })
    const first = refresh('slack')
    await vi.waitFor(async () => expect(await readCredential('slack')).toHaveProperty('lease_owner'))
    const { credentials } = harness.stores
    const takeLease: typeof credentials.takeLease = async (...lease) => {
      const taken = await credentials.takeLease(...lease)
      // the first one must not end before the second has found it busy
      if (!taken) unblock()
      return taken
    }
    const stores = { ...harness.stores, credentials: { ...credentials, takeLease } }
    expect(await refreshTokens(stores, user.sub, 'slack')).toMatchObject({ token_status: 'active' })
    expect((await first).status).toBe(200)
    expect(harness.providers.takeRequests()).toHaveLength(1)
  })

  it('waits for a concurrent refresh of an invalid connection', async () => {
    await connect('slack')
    const invalid = { ...(await readCredential('slack')), status: 'invalid' }
    await user.putRow('C#slack', { ...invalid, lease_owner: 'x', lease_until: Date.now() + 3_600_000 })
    const { credentials } = harness.stores
    const takeLease: typeof credentials.takeLease = async (...lease) => {
      const taken = await credentials.takeLease(...lease)
      // the other one ends without new tokens
      if (!taken) await user.putRow('C#slack', invalid)
      return taken
    }
    const stores = { ...harness.stores, credentials: { ...credentials, takeLease } }
    expect(await refreshTokens(stores, user.sub, 'slack')).toMatchObject({ token_status: 'active' })
    expect(harness.providers.takeRequests()).toHaveLength(1)
  })

  it.each<[string, (busy: object) => Promise<unknown>, string, string]>([
    [
      'fails for good',
      (busy) => user.putRow('C#slack', { ...busy, status: 'invalid' }),
      'refresh_impossible',
      'the grant is gone',
    ],
    [
      'deletes the credential',
      () => harness.stores.credentials.remove(user.sub, 'slack'),
      'integration_not_found',
      'slack',
    ],
    [
      'does not end',
      async () => vi.setSystemTime(Date.now() + waitForLeaseMs + 1),
      'refresh_busy',
      'another refresh did not finish in time',
    ],
  ])('stops waiting for a concurrent refresh that %s', async (_, interfere, code, message) => {
    await connect('slack')
    const busy = { ...(await readCredential('slack')), lease_owner: 'x', lease_until: Date.now() + 3_600_000 }
    await user.putRow('C#slack', busy)
    const { credentials } = harness.stores
    const leases: boolean[] = []
    const takeLease: typeof credentials.takeLease = async (...lease) => {
      const taken = await credentials.takeLease(...lease)
      // it waits for at least one more attempt before it stops
      if (leases.push(taken) === 2) await interfere(busy)
      return taken
    }
    const stores = { ...harness.stores, credentials: { ...credentials, takeLease } }
    await expect(refreshTokens(stores, user.sub, 'slack')).rejects.toMatchObject({ code, message })
    expect(leases).toEqual([false, false])
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('is not repeated for tokens that were refreshed since the caller read them', async () => {
    await connect('zoom')
    const { version } = (await readCredential('zoom')) ?? {}
    scriptTokens('zoom', { access_token: 'access-2', refresh_token: 'refresh-2' })
    await refreshTokens(harness.stores, user.sub, 'zoom', String(version))
    expect(harness.providers.takeRequests()).toHaveLength(1)
    const row = await refreshTokens(harness.stores, user.sub, 'zoom', String(version))
    expect(row).toMatchObject({ token_status: 'active' })
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('takes over when a concurrent refresh has not ended in time', async () => {
    await connect('slack')
    await user.putRow('C#slack', {
      ...(await readCredential('slack')),
      lease_owner: 'x',
      lease_until: Date.now(),
    })
    expect((await refresh('slack')).status).toBe(200)
  })

  it('does not reconnect what the user disconnected meanwhile', async () => {
    await connect('slack')
    harness.providers.script('POST /slack/token', async () => {
      await user.putRow('I#slack', {
        ...(await readRow('slack')),
        status: 'disconnected',
        token_status: 'inactive',
      })
      return { body: { access_token: 'access-2' } }
    })
    expect(await refresh('slack')).toMatchObject({ status: 404, body: { code: 'integration_not_found' } })
    expect(await readRow('slack')).toMatchObject({ status: 'disconnected', token_status: 'inactive' })
  })
})

describe('a rotated refresh token', () => {
  const rotated = { access_token: 'access-2', refresh_token: 'refresh-2' }
  const putLeaseOfAnother = async (lease: object = {}) =>
    user.putRow('C#slack', {
      ...(await readCredential('slack')),
      lease_owner: 'another',
      lease_until: Date.now() + leaseMs,
      ...lease,
    })

  it('has a lease that outlasts its call and its write, and a wait that fits into a function', () => {
    expect(leaseMs).toBeGreaterThan(tokenCallMs + maxRetryMs)
    const gatewayTimeoutMs = 29_000
    expect(waitForLeaseMs + tokenCallMs + maxRetryMs).toBeLessThan(gatewayTimeoutMs)
  })

  it('is requested with a timeout of 10 seconds, whatever time the caller has', async () => {
    await connect('slack')
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const signals: unknown[] = []
    const http = {
      text: async (_: unknown, init: { signal?: AbortSignal } = {}) => {
        signals.push(init.signal)
        return { status: 200, headers: new Headers(), text: JSON.stringify(rotated) }
      },
    }
    await refreshTokens({ ...harness.stores, http }, user.sub, 'slack')
    const index = timeout.mock.calls.findIndex(([ms]) => ms === 10_000)
    expect([signals.length, index >= 0]).toEqual([1, true])
    expect(signals[0]).toBe(timeout.mock.results[index]?.value)
    expect(tokenCallMs).toBe(10_000)
    timeout.mockRestore()
  })

  it('is stored even when the lease ran out and another refresh took it', async () => {
    await connect('slack')
    harness.providers.script('POST /slack/token', async () => {
      await putLeaseOfAnother()
      return { body: rotated }
    })
    expect((await refresh('slack')).status).toBe(200)
    expect(await readTokens('slack')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
    expect(await readCredential('slack')).not.toHaveProperty('lease_owner')
  })

  it('that another refresh has used does not end the connection: its tokens are used', async () => {
    await connect('slack')
    const before = await readCredential('slack')
    const refreshedByAnother = { ...before, version: 'newer', sealed: 'theirs' }
    harness.providers.script('POST /slack/token', async () => {
      await user.putRow('C#slack', refreshedByAnother)
      return { status: 400, body: { error: 'invalid_grant' } }
    })
    expect((await refresh('slack')).status).toBe(200)
    expect(await readCredential('slack')).toEqual(refreshedByAnother)
    expect(await readRow('slack')).toMatchObject({ token_status: 'active' })
  })

  it('that another refresh has used but not stored yet does not end the connection', async () => {
    await connect('slack')
    harness.providers.script('POST /slack/token', async () => {
      await putLeaseOfAnother()
      return { status: 400, body: { error: 'invalid_grant' } }
    })
    expect(await refresh('slack')).toMatchObject({ status: 503, body: { code: 'refresh_busy' } })
    expect(await readCredential('slack')).toMatchObject({ status: 'active', lease_owner: 'another' })
    expect(await readRow('slack')).toMatchObject({ token_status: 'active' })
  })

  it('is stored by a retry when the table fails', async () => {
    await connect('slack')
    scriptTokens('slack', rotated)
    const { credentials } = harness.stores
    const storeRefreshedTokens = vi
      .fn<typeof credentials.storeRefreshedTokens>(credentials.storeRefreshedTokens)
      .mockRejectedValueOnce(new Error('throttled'))
    await refreshTokens(
      { ...harness.stores, credentials: { ...credentials, storeRefreshedTokens } },
      user.sub,
      'slack',
    )
    expect(storeRefreshedTokens).toHaveBeenCalledTimes(2)
    expect(await readTokens('slack')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
  })

  it('that was stored by a write whose response was lost counts as stored', async () => {
    await connect('slack')
    scriptTokens('slack', rotated)
    const output = captureOutput()
    const { credentials } = harness.stores
    const storeRefreshedTokens = vi
      .fn<typeof credentials.storeRefreshedTokens>(credentials.storeRefreshedTokens)
      .mockImplementationOnce(async (...tokens) => {
        await credentials.storeRefreshedTokens(...tokens)
        throw new Error('the response was lost')
      })
    await refreshTokens(
      { ...harness.stores, credentials: { ...credentials, storeRefreshedTokens } },
      user.sub,
      'slack',
    )
    expect(await readTokens('slack')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
    expect(output.logEntries()).toEqual([])
    expect(output.metrics()).toEqual([{ FailedRefreshes: 0, provider: 'slack' }])
  })

  it('that cannot be stored is logged as an error, because the old one may be used up', async () => {
    await connect('slack')
    scriptTokens('slack', rotated)
    const output = captureOutput()
    const storeRefreshedTokens = () => Promise.reject(new CredentialsNotStored('slack'))
    const credentials = { ...harness.stores.credentials, storeRefreshedTokens }
    await expect(refreshTokens({ ...harness.stores, credentials }, user.sub, 'slack')).rejects.toMatchObject({
      code: 'credentials_not_stored',
    })
    expect(output.logEntries()).toMatchObject([
      {
        level: 'error',
        message: 'refreshed tokens could not be stored',
        error: { code: 'credentials_not_stored' },
      },
    ])
  })

  it('is revoked when its connection was deleted meanwhile', async () => {
    await connect('gmail')
    harness.providers.script('POST /gmail/token', async () => {
      await harness.stores.credentials.remove(user.sub, 'gmail')
      return { body: rotated }
    })
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    expect(await refresh('gmail')).toMatchObject({ status: 404, body: { code: 'integration_not_found' } })
    const [request, ...more] = harness.providers.takeRequests('/gmail/revoke')
    expect(more).toEqual([])
    expect(parseForm(request ?? { body: '' })).toMatchObject({ token: 'refresh-2' })
    expect(await user.rows('C#')).toEqual([])
  })

  it('is not revoked with its deleted connection when other connections depend on it', async () => {
    await connect('gmail')
    await connect('google-drive')
    harness.providers.script('POST /gmail/token', async () => {
      await harness.stores.credentials.remove(user.sub, 'gmail')
      return { body: rotated }
    })
    expect((await refresh('gmail')).status).toBe(404)
    expect(harness.providers.takeRequests('/gmail/revoke')).toEqual([])
  })

  it('is revoked when the connection now uses an API key', async () => {
    await connect('gmail')
    const credential = await readCredential('gmail')
    harness.providers.script('POST /gmail/token', async () => {
      await user.putRow('C#gmail', {
        ...credential,
        version: 'newer',
        sealed: undefined,
        refreshable: false,
      })
      return { body: rotated }
    })
    expect((await refresh('gmail')).status).toBe(200)
    expect(harness.providers.takeRequests('/gmail/revoke')).toHaveLength(1)
  })

  it('gives way to the tokens of a newer sign-in, with a log entry', async () => {
    await connect('gmail')
    const reconnected = { ...(await readCredential('gmail')), version: 'newer', sealed: 'theirs' }
    harness.providers.script('POST /gmail/token', async () => {
      await user.putRow('C#gmail', reconnected)
      return { body: rotated }
    })
    const output = captureOutput()
    expect((await refresh('gmail')).status).toBe(200)
    expect(await readCredential('gmail')).toEqual(reconnected)
    expect(harness.providers.takeRequests('/gmail/revoke')).toEqual([])
    expect(output.logEntries()).toMatchObject([
      { level: 'warn', message: 'refreshed tokens were superseded', code: 'tokens_superseded' },
    ])
  })

  it('that arrives during a disconnect is revoked too', async () => {
    await connect('gmail')
    const tokensOfAnother = await harness.stores.sealer.seal(
      JSON.stringify({ accessToken: 'access-2', refreshToken: 'refresh-2' }),
      `tokens|${user.sub}|gmail|newer`,
    )
    harness.providers.script('POST /gmail/revoke', async () => {
      const current = await readCredential('gmail')
      if (current) await user.putRow('C#gmail', { ...current, version: 'newer', sealed: tokensOfAnother })
      return { status: 200 }
    })
    expect(await disconnect('gmail')).toBe(true)
    const revoked = harness.providers
      .takeRequests('/gmail/revoke')
      .map((request) => parseForm(request)['token'])
    expect(revoked).toEqual(['refresh-1', 'refresh-2'])
    expect(await user.rows('C#')).toEqual([])
  })
})

describe('a refresh before the list is shown', () => {
  const countRefreshes = async () => {
    harness.providers.takeRequests()
    await list()
    return harness.providers.takeRequests('/slack/token').length
  }

  it('happens from one minute before the token expires', async () => {
    await connect('slack', undefined, { expires_in: 3_600 })
    scriptTokens('slack', { expires_in: 3_600 })
    advanceMinutes(59)
    vi.setSystemTime(Date.now() - 1)
    expect(await countRefreshes()).toBe(0)
    vi.setSystemTime(Date.now() + 1)
    expect(await countRefreshes()).toBe(1)
    expect(await countRefreshes()).toBe(0)
  })

  it('happens no earlier than in the second half of a short lifetime', async () => {
    await connect('slack', undefined, { expires_in: 30 })
    vi.setSystemTime(Date.now() + 14_999)
    expect(await countRefreshes()).toBe(0)
    vi.setSystemTime(Date.now() + 1)
    expect(await countRefreshes()).toBe(1)
  })

  it('does not happen for tokens without an expiry time, or connections that are disconnected, invalid or cannot be refreshed', async () => {
    await connect('slack')
    advanceMinutes(100_000)
    expect(await countRefreshes()).toBe(0)
    await connect('slack', undefined, { expires_in: 60 })
    advanceMinutes(5)
    const [row, credential] = [await readRow('slack'), await readCredential('slack')]
    await user.putRow('C#slack', { ...credential, status: 'invalid' })
    expect(await countRefreshes()).toBe(0)
    await user.putRow('C#slack', { ...credential, refreshable: false })
    expect(await countRefreshes()).toBe(0)
    await user.putRow('C#slack', credential ?? {})
    await user.putRow('I#slack', { ...row, status: 'disconnected' })
    expect(await countRefreshes()).toBe(0)
    await user.putRow('I#slack', row ?? {})
    expect(await countRefreshes()).toBe(1)
  })

  it('is logged when it fails, and the list is still returned', async () => {
    await connect('slack', undefined, { expires_in: 60 })
    advanceMinutes(5)
    scriptTokens('slack', {}, { status: 500, body: '' })
    const output = captureOutput()
    expect(await list()).toMatchObject([
      { token_status: 'needs_refresh', credential: { needs_refresh: true } },
    ])
    expect(output.logEntries()).toMatchObject([
      {
        level: 'warn',
        message: 'token refresh failed',
        error: {
          name: 'UnexpectedTokenResponse',
          code: 'unexpected_response',
          message: 'status 500 for a token request',
        },
      },
    ])
  })
})

describe('DEC-186 the daily refresh', () => {
  const readIndex = async () => {
    const rows = []
    for await (const page of refreshIndex(harness.table).pages('0')) rows.push(...page)
    return rows.filter(({ sub }) => sub === user.sub)
  }
  const run = (options: { startKey?: string; isTimeUp?: () => boolean } = {}) =>
    // with the rights of its role
    harness.runAs('connectionRefresh', () =>
      refreshConnections(
        { ...harness.stores, index: refreshIndex(harness.table), pause: async () => undefined },
        { startKey: '0', isTimeUp: () => false, ...options },
      ),
    )
  /** Empties the index: connections of other tests would be due as well. */
  beforeEach(async () => {
    for await (const page of refreshIndex(harness.table).pages('0'))
      for (const { sub, mcpId } of page) await refreshIndex(harness.table).remove(sub, mcpId)
  })
  const nothing = { refreshed: 0, failed: 0, removed: 0, isComplete: true }

  it('refreshes only tokens that were not refreshed for a day', async () => {
    await connect('slack', undefined, { expires_in: 3_600 })
    await connect('zoom', undefined, { refresh_token: undefined })
    expect(await readIndex()).toEqual([
      { sub: user.sub, mcpId: 'slack', refreshedAt: new Date().toISOString() },
    ])
    expect(await run()).toEqual(nothing)
    vi.setSystemTime(Date.now() + idleMs)
    scriptTokens('slack', { access_token: 'access-2', refresh_token: 'refresh-2' })
    expect(await run()).toEqual({ ...nothing, refreshed: 1 })
    expect(await readTokens('slack')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
    expect(harness.providers.takeRequests()).toHaveLength(1)
    expect(await readIndex()).toMatchObject([{ refreshedAt: new Date().toISOString() }])
    expect(await run()).toEqual(nothing)
  })

  it('continues when a provider fails, and tries it again in the next run', async () => {
    await connect('slack')
    await connect('dropbox')
    vi.setSystemTime(Date.now() + idleMs)
    scriptTokens('slack', {}, { status: 500, body: '' })
    scriptTokens('dropbox', { access_token: 'access-2' })
    const output = captureOutput()
    expect(await run()).toEqual({ ...nothing, refreshed: 1, failed: 1 })
    expect(output.logEntries()).toMatchObject([
      { level: 'warn', message: 'token refresh failed', error: { code: 'unexpected_response' } },
    ])
    expect(output.metrics()).toContainEqual({
      FailedRefreshes: 1,
      code: 'unexpected_response',
      provider: 'slack',
    })
    expect(await readRow('slack')).toMatchObject({ token_status: 'active' })
    scriptTokens('slack', { access_token: 'access-3' })
    expect(await run()).toEqual({ ...nothing, refreshed: 1 })
  })

  it('requires a reconnect when the grant is gone, and does not ask again', async () => {
    await connect('slack')
    vi.setSystemTime(Date.now() + idleMs)
    scriptTokens('slack', {}, { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) })
    expect(await run()).toEqual({ ...nothing, failed: 1 })
    expect(await readRow('slack')).toMatchObject({ status: 'connected', token_status: 'invalid' })
    harness.providers.takeRequests()
    expect(await run()).toEqual({ ...nothing, removed: 1 })
    expect([harness.providers.takeRequests(), await readIndex()]).toEqual([[], []])
    // a new sign-in is listed again
    await connect('slack')
    expect(await readIndex()).toHaveLength(1)
  })

  it('removes rows of deleted connections, and adds missing ones', async () => {
    const refreshedAt = new Date().toISOString()
    await refreshIndex(harness.table).put({ sub: user.sub, mcpId: 'com.example/a#b', refreshedAt })
    await connect('slack', undefined, { expires_in: 60 })
    await refreshIndex(harness.table).remove(user.sub, 'slack')
    vi.setSystemTime(Date.now() + idleMs)
    expect(await run()).toEqual({ ...nothing, removed: 1 })
    expect(await readIndex()).toEqual([])
    await list()
    expect(await readIndex()).toMatchObject([{ mcpId: 'slack' }])
    expect(await disconnect('slack')).toBe(false)
    expect(await readIndex()).toEqual([])
  })

  it('corrects an index row that a refresh could not write', async () => {
    await connect('slack')
    const before = { sub: user.sub, mcpId: 'slack', refreshedAt: new Date(0).toISOString() }
    await refreshIndex(harness.table).put(before)
    expect(await run()).toEqual(nothing)
    expect(await readIndex()).toEqual([{ ...before, refreshedAt: new Date().toISOString() }])
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('runs only by its schedule, and logs what it did', async () => {
    await connect('slack')
    vi.setSystemTime(Date.now() + idleMs)
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { handler } = await import('./daily-refresh.ts')
    const output = captureOutput()
    vi.stubEnv('LOG_LEVEL', 'info')
    const invoke = (event: object, remainingMs: number) =>
      handler(event, { getRemainingTimeInMillis: () => remainingMs })
    const event = { id: 'event-1', source: 'aws.scheduler' }
    // without an id
    await invoke({ source: 'aws.scheduler' }, leaseMs)
    expect(harness.providers.takeRequests()).toEqual([])
    await invoke(event, leaseMs - 1)
    expect(harness.providers.takeRequests()).toEqual([])
    await invoke(event, leaseMs)
    expect(harness.providers.takeRequests('/slack/token')).toHaveLength(1)
    const done = { level: 'info', message: 'idle connections refreshed', requestId: 'event-1' }
    expect(output.logEntries()).toMatchObject([
      { message: 'invalid scheduled event' },
      { ...done, count: 0, failed: 0, removed: 0 },
      {
        level: 'warn',
        message: 'the time was over before all idle connections were refreshed',
        requestId: 'event-1',
      },
      { ...done, count: 1, failed: 0, removed: 0 },
    ])
  })

  it('stops when its time is over, begins at the given key, and leaves the rest for the next day', async () => {
    const mcpIds = ['asana', 'dropbox', 'linear', 'slack', 'zoom']
    for (const mcpId of mcpIds) await connect(mcpId)
    vi.setSystemTime(Date.now() + idleMs)
    let checksLeft = 2
    const isTimeUp = () => (checksLeft -= 1) < 0
    expect(await run({ startKey: `${user.sub}#linear`, isTimeUp })).toEqual({
      ...nothing,
      refreshed: 2,
      isComplete: false,
    })
    expect(
      harness.providers
        .takeRequests()
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['/linear/token', '/slack/token'])
    expect(await run()).toEqual({ ...nothing, refreshed: 3 })
    expect(await run()).toEqual(nothing)
  })
})

describe('revoking a grant', () => {
  const takeRevocation = async () => {
    const [request, ...more] = harness.providers.takeRequests()
    expect(more).toEqual([])
    return request
  }

  it('uses the refresh token, with the app’s client id and secret', async () => {
    await connect('gmail')
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    expect(await disconnect('gmail')).toBe(true)
    const request = await takeRevocation()
    expect(request).toMatchObject({
      method: 'POST',
      path: '/gmail/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(parseForm(request ?? { body: '' })).toEqual({
      token: 'refresh-1',
      client_id: 'my-app',
      client_secret: 'my-secret',
    })
    expect([await user.rows('C#'), await user.readVault()]).toEqual([[], []])
    expect(await readRow('gmail')).toMatchObject({ status: 'disconnected', token_status: 'inactive' })
  })

  it('uses the access token if there is no refresh token, with the secret in a header if required', async () => {
    await connect('zoom', undefined, { refresh_token: undefined })
    harness.providers.script('POST /zoom/revoke', { status: 204 })
    expect(await disconnect('zoom')).toBe(true)
    const request = await takeRevocation()
    const basic = Buffer.from('my-app:my-secret').toString('base64')
    expect(request?.headers['authorization']).toBe(`Basic ${basic}`)
    expect(parseForm(request ?? { body: '' })).toEqual({ token: 'access-1' })
  })

  it('is done once for all connections of one OAuth client at Google, because it ends all of them', async () => {
    await connect('gmail')
    await connect('google-drive')
    await connect('google-calendar', { clientId: 'another-app', clientSecret: 'my-secret' })
    harness.providers.script('POST /google-calendar/revoke', { status: 200 })
    expect(await disconnect('google-calendar')).toBe(true)
    harness.providers.takeRequests()
    expect(await disconnect('gmail')).toBe(false)
    expect(await takeRevocation()).toBeUndefined()
    expect(await readCredential('gmail')).toBeUndefined()
    harness.providers.script('POST /google-drive/revoke', { status: 200 })
    expect(await disconnect('google-drive')).toBe(true)
    expect(await takeRevocation()).toMatchObject({ path: '/google-drive/revoke' })
  })

  it('DEC-186 is done for each connection through one app whose sign-ins are separate grants', async () => {
    await connect('salesforce')
    await connect('salesforce', undefined, { refresh_token: 'refresh-of-sandbox' }, 'sandbox')
    harness.providers.script('POST /salesforce/revoke', { status: 200 })
    expect(await disconnect('salesforce-sandbox')).toBe(true)
    expect(parseForm((await takeRevocation()) ?? { body: '' })).toMatchObject({ token: 'refresh-of-sandbox' })
    expect(await disconnect('salesforce')).toBe(true)
    expect(parseForm((await takeRevocation()) ?? { body: '' })).toMatchObject({ token: 'refresh-1' })
  })

  it.each([
    [{ ok: true, revoked: true }, true],
    [{ ok: true, revoked: false }, false],
    [{ ok: false, error: 'invalid_auth' }, false],
    [{}, false],
  ])('succeeds at Slack only when the response %j says so', async (body, revoked) => {
    await connect('slack')
    harness.providers.script('POST /slack/revoke', { body })
    expect(await disconnect('slack')).toBe(revoked)
    expect(await user.rows('C#')).toEqual([])
  })

  it.each(['slack', 'dropbox'])('uses the access token as authorization at %s', async (mcpId) => {
    await connect(mcpId)
    harness.providers.script(`POST /${mcpId}/revoke`, { body: { ok: true, revoked: true } })
    expect(await disconnect(mcpId)).toBe(true)
    expect(await takeRevocation()).toMatchObject({
      method: 'POST',
      path: `/${mcpId}/revoke`,
      headers: { authorization: 'Bearer access-1' },
      body: '',
    })
  })

  it('uses the access token at Zoom, which documents no other, although there is a refresh token', async () => {
    await connect('zoom')
    harness.providers.script('POST /zoom/revoke', { status: 200 })
    expect(await disconnect('zoom')).toBe(true)
    expect(parseForm((await takeRevocation()) ?? { body: '' })).toEqual({ token: 'access-1' })
  })

  it.each([
    ['dropbox', { authorization: 'Bearer access-2' }, ''],
    ['slack', { authorization: 'Bearer access-2' }, ''],
    ['zoom', {}, 'token=access-2'],
  ])('uses a new access token at %s when the old one has expired', async (mcpId, headers, body) => {
    await connect(mcpId, undefined, { expires_in: 60 })
    advanceMinutes(5)
    scriptTokens(mcpId, { access_token: 'access-2', refresh_token: 'refresh-2' })
    harness.providers.script(`POST /${mcpId}/revoke`, { body: { ok: true, revoked: true } })
    expect(await disconnect(mcpId)).toBe(true)
    const [refreshed, revoked] = harness.providers.takeRequests()
    expect(parseForm(refreshed ?? { body: '' })).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
    })
    expect(revoked).toMatchObject({ path: `/${mcpId}/revoke`, headers, body })
    expect(await user.rows('C#')).toEqual([])
  })

  it('uses the old access token when no new one can be had', async () => {
    await connect('dropbox', undefined, { expires_in: 60 })
    advanceMinutes(5)
    scriptTokens('dropbox', {}, { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) })
    harness.providers.script('POST /dropbox/revoke', { status: 401 })
    const output = captureOutput()
    expect(await disconnect('dropbox')).toBe(false)
    expect(output.logEntries()).toMatchObject([
      {
        level: 'warn',
        message: 'an access token could not be refreshed for its revocation',
        error: { name: 'OAuthError', message: 'invalid_grant' },
      },
    ])
    expect(harness.providers.takeRequests('/dropbox/revoke')).toMatchObject([
      { headers: { authorization: 'Bearer access-1' } },
    ])
    expect(await user.rows('C#')).toEqual([])
  })

  it.each([
    ['gmail', 'POST /gmail/revoke', 200],
    ['github', 'DELETE /github/revoke/my-app', 204],
  ])('needs no new access token at %s, which also revokes expired ones', async (mcpId, route, status) => {
    await connect(mcpId, undefined, { expires_in: 60 })
    advanceMinutes(5)
    harness.providers.script(route, { status })
    expect(await disconnect(mcpId)).toBe(true)
    expect((await takeRevocation())?.path).toContain('/revoke')
  })

  it('uses DELETE with the app’s client id and secret at GitHub', async () => {
    await connect('github', { clientId: 'my/app', clientSecret: 'my-secret' }, { refresh_token: undefined })
    harness.providers.script('DELETE /github/revoke/my%2Fapp', { status: 204 })
    expect(await disconnect('github')).toBe(true)
    const request = await takeRevocation()
    const basic = Buffer.from('my%2Fapp:my-secret').toString('base64')
    expect(request).toMatchObject({
      method: 'DELETE',
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify({ access_token: 'access-1' }),
    })
  })

  it.each([
    ['gmail', 'POST', '/gmail/revoke', 400],
    ['gmail', 'POST', '/gmail/revoke', 300],
    ['gmail', 'POST', '/gmail/revoke', 599],
    ['slack', 'POST', '/slack/revoke', 204],
    ['github', 'DELETE', '/github/revoke/my-app', 200],
    ['gmail', 'POST', '/gmail/revoke', 307],
  ])(
    '%s has not confirmed it by %s %s with %i; the credential is deleted all the same',
    async (mcpId, method, path, status) => {
      await connect(mcpId)
      const headers = { location: `${harness.providers.url}/elsewhere` }
      harness.providers.script(`${method} ${path}`, { status, ...(status === 307 && { headers }) })
      expect(await disconnect(mcpId)).toBe(false)
      expect(harness.providers.takeRequests('/elsewhere')).toEqual([])
      expect([await user.rows('C#'), await user.readVault()]).toEqual([[], []])
    },
  )

  it('sends nothing to a provider without a revocation endpoint', async () => {
    await connect('jira')
    expect(await disconnect('jira')).toBe(false)
    expect(await takeRevocation()).toBeUndefined()
    expect(await user.rows('C#')).toEqual([])
  })

  it('logs tokens that cannot be opened, and deletes them', async () => {
    await connect('gmail')
    await user.putRow('C#gmail', { ...(await readCredential('gmail')), sealed: 'v1.x.y' })
    const output = captureOutput()
    expect(await disconnect('gmail')).toBe(false)
    expect(output.logEntries()).toMatchObject([
      {
        level: 'warn',
        message: 'a grant could not be revoked',
        error: { name: expect.any(String) as string },
      },
    ])
    expect(await user.rows('C#')).toEqual([])
  })

  it('is done by the cleanup after an interrupted disconnect', async () => {
    await connect('gmail')
    await user.putRow('I#gmail', { ...(await readRow('gmail')), status: 'disconnected' })
    advanceMinutes(10)
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    await user.call('integrations.cleanup', { body: {} })
    expect(await takeRevocation()).toMatchObject({ path: '/gmail/revoke' })
    expect(await user.rows('C#')).toEqual([])
  })

  it('happens when the credential is deleted, or replaced by entered values', async () => {
    const manage = (body: object) => user.call('credentials.manage', { body })
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    await connect('gmail')
    expect((await manage({ action: 'delete', mcpId: 'gmail' })).body).toEqual({ success: true })
    expect(parseForm((await takeRevocation()) ?? { body: '' })).toMatchObject({ token: 'refresh-1' })
    expect(await readRow('gmail')).toMatchObject({ status: 'connected', token_status: 'invalid' })
    await connect('gmail')
    await manage({ action: 'update', mcpId: 'gmail', credentials: { apiKey: 'a key' } })
    expect(parseForm((await takeRevocation()) ?? { body: '' })).toEqual({
      token: 'refresh-1',
      client_id: 'my-app',
      client_secret: 'my-secret',
    })
    expect(await user.readVault()).toEqual([{ apiKey: 'a key' }])
    // there is no grant left
    await manage({ action: 'update', mcpId: 'gmail', credentials: { apiKey: 'another' } })
    expect(await takeRevocation()).toBeUndefined()
  })

  it('does not happen when new values could not be stored', async () => {
    await connect('gmail')
    const vault = { ...harness.stores.vault, store: () => Promise.reject(new Error('down')) }
    const values = { mcpId: 'gmail', credentials: { apiKey: 'a key' }, mustExist: true }
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await expect(storeCredentials({ ...harness.stores, vault }, user.sub, values)).rejects.toMatchObject({
      code: 'credentials_not_stored',
    })
    expect(await takeRevocation()).toBeUndefined()
    expect(await readTokens('gmail')).toMatchObject({ refreshToken: 'refresh-1' })
  })

  it('succeeds when another call has deleted the credential in between', async () => {
    await connect('gmail')
    harness.providers.script('POST /gmail/revoke', async () => {
      await harness.stores.credentials.remove(user.sub, 'gmail')
      return { status: 200 }
    })
    expect(await disconnect('gmail')).toBe(true)
    expect([await user.rows('C#'), await user.readVault()]).toEqual([[], []])
  })

  it('also deletes the values of a credential that was stored in between', async () => {
    await connect('gmail')
    harness.providers.script('POST /gmail/revoke', async () => {
      const secret_name = await harness.stores.vault.store(user.sub, 'gmail', { clientSecret: 'newer' })
      await user.putRow('C#gmail', { ...(await readCredential('gmail')), secret_name })
      return { status: 200 }
    })
    await disconnect('gmail')
    expect([await user.rows('C#'), await user.readVault()]).toEqual([[], []])
  })
})

it('marks a connection that a provider refused, unless it is gone', async () => {
  await connect('slack')
  await markInvalid(harness.stores, user.sub, 'slack')
  expect(await readRow('slack')).toMatchObject({ status: 'connected', token_status: 'invalid' })
  await markInvalid(harness.stores, user.sub, 'gmail')
  expect(await readRow('gmail')).toBeUndefined()
  const integrations = { ...harness.stores.integrations, find: () => Promise.reject(new Error('no table')) }
  await expect(markInvalid({ ...harness.stores, integrations }, user.sub, 'slack')).rejects.toThrow(
    'no table',
  )
})
