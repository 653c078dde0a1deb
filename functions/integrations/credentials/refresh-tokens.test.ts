import { describe, expect, it, vi } from 'vitest'
import { openOAuthConnections } from '../../../test/support/oauth-connections.ts'
import { parseForm, type ScriptedResponse } from '../../../test/support/recording-server.ts'
import { wait } from '../../platform/clock.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { credentialsReader } from './read-credentials.ts'
import { markInvalid, refresh as refreshTokens, waitForLeaseMs } from './refresh.ts'

vi.mock(import('../../platform/clock.ts'), { spy: true })

/** Tokens are refreshed on request, and before the list is shown. */

const {
  advanceMinutes,
  captureOutput,
  connect,
  disconnect,
  getUser,
  harness,
  list,
  readCredential,
  readConnection,
  readTokens,
  removeCredential,
  refresh,
} = await openOAuthConnections()

describe('a refresh by the user', () => {
  it('sends the refresh token, and stores the response', async () => {
    await connect('slack', undefined, { expires_in: 3_600 })
    const before = await readCredential('slack')
    const row = await readConnection('slack')
    harness.scriptTokens('slack', { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 7_200 })
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
    expect(await readConnection('slack')).toEqual(row)
  })

  it('keeps tokens that a response does not repeat, and removes the expiry times that it omits', async () => {
    await connect('slack', undefined, {
      expires_in: 3_600,
      refresh_token_expires_in: 86_400,
      instance_url: 'https://eu.example',
    })
    expect(await readCredential('slack')).toHaveProperty('expires_at')
    harness.scriptTokens('slack', { access_token: 'access-2', refresh_token: undefined })
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
    expect(await getUser().call('oauth.handle', { body: { action: 'refresh', mcpId: 'gmail' } })).toEqual({
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
    await getUser().putRow('I#slack', { ...(await readConnection('slack')), token_status: 'invalid' })
    expect((await refresh('slack')).body['integration']).toMatchObject({ token_status: 'active' })
    expect(await readConnection('slack')).toMatchObject({ token_status: 'active', status: 'connected' })
  })

  it.each(['invalid_grant', 'bad_refresh_token', 'token_revoked', 'invalid_refresh_token'])(
    'that is refused with %s marks the connection invalid until a refresh succeeds',
    async (error) => {
      await connect('slack')
      harness.scriptTokens('slack', {}, { status: 400, body: { error } })
      const output = captureOutput()
      expect(await refresh('slack')).toMatchObject({ status: 400, body: { code: 'provider_refused' } })
      expect(output.metrics()).toEqual([{ FailedRefreshes: 1, code: 'grant_gone', provider: 'slack' }])
      expect(await readCredential('slack')).toMatchObject({ status: 'invalid' })
      expect(await readCredential('slack')).not.toHaveProperty('lease_until')
      expect(await list()).toMatchObject([
        { token_status: 'invalid', needsAttention: true, status: 'connected' },
      ])
      harness.scriptTokens('slack')
      expect((await refresh('slack')).body['integration']).toMatchObject({ token_status: 'active' })
    },
  )

  // the operator or the user can correct an app that the provider rejects; an unknown error may be temporary
  it.each(['invalid_client', 'server_busy'])(
    'that is refused with %s leaves the connection unchanged',
    async (error) => {
      await connect('slack')
      const before = [await readConnection('slack'), await readCredential('slack')]
      harness.scriptTokens('slack', {}, { status: 400, body: { error } })
      const output = captureOutput()
      expect(await refresh('slack')).toMatchObject({ status: 400, body: { code: 'provider_refused' } })
      expect(output.metrics()).toEqual([{ FailedRefreshes: 1, code: 'provider_refused', provider: 'slack' }])
      expect([await readConnection('slack'), await readCredential('slack')]).toEqual(before)
    },
  )

  it('that gets no usable response leaves everything for the next attempt', async () => {
    await connect('slack')
    const before = [await readConnection('slack'), await readCredential('slack')]
    harness.scriptTokens('slack', {}, { status: 503, body: { error: 'invalid_grant' } })
    const output = captureOutput()
    expect((await refresh('slack')).status).toBe(503)
    expect(output.metrics()).toMatchObject([{ FailedRefreshes: 1, code: 'sign_in_server_busy' }])
    expect([await readConnection('slack'), await readCredential('slack')]).toEqual(before)
    harness.scriptTokens('slack', { access_token: 'access-2' })
    expect((await refresh('slack')).status).toBe(200)
    expect(output.metrics().at(-1)).toEqual({ FailedRefreshes: 0, provider: 'slack' })
  })

  it.each([
    ['30', 30_000],
    ['86400', 600_000],
  ])('that a busy server refuses for %s s is not repeated for %i ms', async (after, waitMs) => {
    await connect('slack')
    harness.scriptTokens('slack', {}, { status: 429, headers: { 'retry-after': after } })
    const startMs = Date.now()
    expect((await refresh('slack')).status).toBe(503)
    const retryAt = Number((await readCredential('slack'))?.['retry_at'])
    expect(retryAt).toBeGreaterThanOrEqual(startMs + waitMs)
    expect(retryAt).toBeLessThanOrEqual(Date.now() + waitMs)
  })

  const busy = (after: string) => ({ status: 429, headers: { 'retry-after': after } })
  const token = { body: { access_token: 'access-2', token_type: 'bearer' } }

  /** Reads the tokens after their refusal. @param answers of the server, one after the other */
  async function readRefused(answers: readonly ScriptedResponse[]) {
    await connect('slack')
    const { version } = (await readCredential('slack')) as { version: string }
    harness.providers.takeRequests()
    const rest = [...answers]
    harness.providers.script('POST /slack/token', () => rest.shift() ?? { status: 500 })
    const waited = vi.mocked(wait).mockClear()
    waited.mockImplementation(async () => advanceMinutes(1))
    const read = credentialsReader(harness.stores, getUser().sub, { mcpId: 'slack', name: 'Slack' })
    const result = await read(version).catch((error: unknown) => error)
    const waitMs = waited.mock.calls.map(([ms]) => ms)
    waited.mockReset()
    return { result, requests: harness.providers.takeRequests().length, waitMs }
  }

  it('that a busy server asks for again in a moment is repeated once by the call that needs the tokens', async () => {
    expect(await readRefused([busy('5'), token])).toMatchObject({
      result: { tokens: { accessToken: 'access-2' } },
      requests: 2,
      waitMs: [5_050],
    })
  })

  it.each<[string, ScriptedResponse[], object]>([
    [
      'busy once more',
      [busy('1'), busy('2'), token],
      {
        result: { message: expect.stringContaining('in 2 seconds') as string },
        requests: 2,
        waitMs: [1_050],
      },
    ],
    [
      'busy for longer',
      [busy('6'), token],
      { result: { message: expect.stringContaining('in 6 seconds') as string }, requests: 1, waitMs: [] },
    ],
    ['busy for an unknown time', [{ status: 429 }, token], { requests: 1, waitMs: [] }],
    ['out of order', [{ status: 500 }, token], { requests: 1, waitMs: [] }],
  ])('that a server refuses because it is %s is not repeated by that call', async (_, answers, expected) => {
    const read = await readRefused(answers)
    expect(read).toMatchObject(expected)
    expect(read.result).toBeInstanceOf(ProviderError)
  })

  it('that succeeds ends the wait for a server that was too busy', async () => {
    await connect('slack')
    await getUser().putRow('C#slack', { ...(await readCredential('slack')), retry_at: Date.now() - 1 })
    harness.scriptTokens('slack', { access_token: 'access-2' })
    expect((await refresh('slack')).status).toBe(200)
    expect(await readCredential('slack')).not.toHaveProperty('retry_at')
  })

  it('is refused if there is nothing to refresh', async () => {
    await connect('slack', undefined, { refresh_token: undefined })
    const refusal = { status: 409, body: { code: 'refresh_impossible', error: 'Token refresh failed' } }
    expect(await refresh('slack')).toMatchObject(refusal)
    // also when the row claims a refresh token that is missing, or its provider has no OAuth
    await getUser().putRow('C#slack', { ...(await readCredential('slack')), refreshable: true })
    expect(await refresh('slack')).toMatchObject(refusal)
    await getUser().putRow('I#trello', { ...(await readConnection('slack')) })
    await getUser().putRow('C#trello', { ...(await readCredential('slack')) })
    expect(await refresh('trello')).toMatchObject(refusal)
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('is refused if the operator’s app was removed', async () => {
    await connect('discord', {})
    await getUser().putRow('I#gmail', { ...(await readConnection('discord')) })
    const { sealed, version } = (await readCredential('discord')) ?? {}
    const tokens = await harness.stores.sealer.open(
      String(sealed),
      `tokens|${getUser().sub}|discord|${String(version)}`,
    )
    await getUser().putRow('C#gmail', {
      ...(await readCredential('discord')),
      sealed: await harness.stores.sealer.seal(tokens, `tokens|${getUser().sub}|gmail|${String(version)}`),
    })
    expect(await refresh('gmail')).toMatchObject({ status: 409, body: { code: 'refresh_impossible' } })
    expect(await disconnect('gmail')).toBe(false)
  })

  it('that fails by an internal error is counted as such, and leaves everything', async () => {
    await connect('slack')
    await getUser().putRow('C#slack', { ...(await readCredential('slack')), sealed: 'v1.x.y' })
    const before = [await readConnection('slack'), await readCredential('slack')]
    const output = captureOutput()
    expect((await refresh('slack')).status).toBe(500)
    expect(output.metrics()).toEqual([{ FailedRefreshes: 1, code: 'unexpected', provider: 'slack' }])
    expect([await readConnection('slack'), await readCredential('slack')]).toEqual(before)
  })

  it('reports a final refusal although the lease could not be released', async () => {
    await connect('slack')
    harness.scriptTokens('slack', {}, { status: 400, body: { error: 'invalid_grant' } })
    const credentials = {
      ...harness.stores.credentials,
      release: () => Promise.reject(new Error('no answer')),
    }
    await expect(
      refreshTokens({ ...harness.stores, credentials }, getUser().sub, 'slack'),
    ).rejects.toMatchObject({
      code: 'provider_refused',
    })
    expect(await readConnection('slack')).toMatchObject({ token_status: 'invalid' })
  })

  it('reports a final refusal although the credential is gone by then', async () => {
    await connect('slack')
    harness.providers.script('POST /slack/token', async () => {
      await removeCredential('slack')
      return { status: 400, body: { error: 'invalid_grant' } }
    })
    expect(await refresh('slack')).toMatchObject({ status: 400, body: { code: 'provider_refused' } })
  })

  it('waits for a concurrent refresh, and uses its tokens', async () => {
    await connect('slack')
    const { promise: block, resolve: unblock } = Promise.withResolvers<void>()
    harness.providers.script('POST /slack/token', async () => {
      await block
      return { body: { access_token: 'access-2', refresh_token: 'refresh-2' } }
    })
    const first = refresh('slack')
    await vi.waitFor(async () => expect(await readCredential('slack')).toHaveProperty('lease_owner'))
    const { credentials } = harness.stores
    const takeLease: typeof credentials.takeLease = async (...lease) => {
      const isTaken = await credentials.takeLease(...lease)
      // the first one must not end before the second has found it busy
      if (!isTaken) unblock()
      return isTaken
    }
    const stores = { ...harness.stores, credentials: { ...credentials, takeLease } }
    expect(await refreshTokens(stores, getUser().sub, 'slack')).toMatchObject({ token_status: 'active' })
    expect((await first).status).toBe(200)
    expect(harness.providers.takeRequests()).toHaveLength(1)
  })

  it('waits for a concurrent refresh of an invalid connection', async () => {
    await connect('slack')
    const invalidCredential = { ...(await readCredential('slack')), status: 'invalid' }
    await getUser().putRow('C#slack', {
      ...invalidCredential,
      lease_owner: 'x',
      lease_until: Date.now() + 3_600_000,
    })
    const { credentials } = harness.stores
    const takeLease: typeof credentials.takeLease = async (...lease) => {
      const isTaken = await credentials.takeLease(...lease)
      // the other one ends without new tokens
      if (!isTaken) await getUser().putRow('C#slack', invalidCredential)
      return isTaken
    }
    const stores = { ...harness.stores, credentials: { ...credentials, takeLease } }
    expect(await refreshTokens(stores, getUser().sub, 'slack')).toMatchObject({ token_status: 'active' })
    expect(harness.providers.takeRequests()).toHaveLength(1)
  })

  it.each<[string, (busy: object) => Promise<unknown>, string, string]>([
    [
      'fails for good',
      (leasedCredential) => getUser().putRow('C#slack', { ...leasedCredential, status: 'invalid' }),
      'refresh_impossible',
      'the grant is gone',
    ],
    ['deletes the credential', () => removeCredential('slack'), 'integration_not_found', 'slack'],
    [
      'does not end',
      async () => vi.setSystemTime(Date.now() + waitForLeaseMs + 1),
      'refresh_busy',
      'another refresh did not finish in time',
    ],
  ])('stops waiting for a concurrent refresh that %s', async (_, interfere, code, message) => {
    await connect('slack')
    const leasedCredential = {
      ...(await readCredential('slack')),
      lease_owner: 'x',
      lease_until: Date.now() + 3_600_000,
    }
    await getUser().putRow('C#slack', leasedCredential)
    const { credentials } = harness.stores
    const attempts: boolean[] = []
    const takeLease: typeof credentials.takeLease = async (...lease) => {
      const isTaken = await credentials.takeLease(...lease)
      // it waits for at least one more attempt before it stops
      if (attempts.push(isTaken) === 2) await interfere(leasedCredential)
      return isTaken
    }
    const stores = { ...harness.stores, credentials: { ...credentials, takeLease } }
    await expect(refreshTokens(stores, getUser().sub, 'slack')).rejects.toMatchObject({ code, message })
    expect(attempts).toEqual([false, false])
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('is not repeated for tokens that were refreshed since the caller read them', async () => {
    await connect('zoom')
    const { version } = (await readCredential('zoom')) ?? {}
    harness.scriptTokens('zoom', { access_token: 'access-2', refresh_token: 'refresh-2' })
    await refreshTokens(harness.stores, getUser().sub, 'zoom', String(version))
    expect(harness.providers.takeRequests()).toHaveLength(1)
    const row = await refreshTokens(harness.stores, getUser().sub, 'zoom', String(version))
    expect(row).toMatchObject({ token_status: 'active' })
    expect(harness.providers.takeRequests()).toEqual([])
  })

  it('takes over when a concurrent refresh has not ended in time', async () => {
    await connect('slack')
    await getUser().putRow('C#slack', {
      ...(await readCredential('slack')),
      lease_owner: 'x',
      lease_until: Date.now(),
    })
    expect((await refresh('slack')).status).toBe(200)
  })

  it('does not reconnect what the user disconnected meanwhile', async () => {
    await connect('slack')
    harness.providers.script('POST /slack/token', async () => {
      await getUser().putRow('I#slack', {
        ...(await readConnection('slack')),
        status: 'disconnected',
        token_status: 'inactive',
      })
      return { body: { access_token: 'access-2' } }
    })
    expect(await refresh('slack')).toMatchObject({ status: 404, body: { code: 'integration_not_found' } })
    expect(await readConnection('slack')).toMatchObject({ status: 'disconnected', token_status: 'inactive' })
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
    harness.scriptTokens('slack', { expires_in: 3_600 })
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
    const [row, credential] = [await readConnection('slack'), await readCredential('slack')]
    await getUser().putRow('C#slack', { ...credential, status: 'invalid' })
    expect(await countRefreshes()).toBe(0)
    await getUser().putRow('C#slack', { ...credential, refreshable: false })
    expect(await countRefreshes()).toBe(0)
    await getUser().putRow('C#slack', credential ?? {})
    await getUser().putRow('I#slack', { ...row, status: 'disconnected' })
    expect(await countRefreshes()).toBe(0)
    await getUser().putRow('I#slack', row ?? {})
    expect(await countRefreshes()).toBe(1)
  })

  it('is logged when it fails, and the list is still returned', async () => {
    await connect('slack', undefined, { expires_in: 60 })
    advanceMinutes(5)
    harness.scriptTokens('slack', {}, { status: 500, body: '' })
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

it('marks a connection that a provider refused, unless it is gone', async () => {
  await connect('slack')
  await markInvalid(harness.stores, getUser().sub, 'slack')
  expect(await readConnection('slack')).toMatchObject({ status: 'connected', token_status: 'invalid' })
  await markInvalid(harness.stores, getUser().sub, 'gmail')
  expect(await readConnection('gmail')).toBeUndefined()
  const integrations = { ...harness.stores.integrations, find: () => Promise.reject(new Error('no table')) }
  await expect(markInvalid({ ...harness.stores, integrations }, getUser().sub, 'slack')).rejects.toThrow(
    'no table',
  )
})
