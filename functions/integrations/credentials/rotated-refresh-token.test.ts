import { describe, expect, it, vi } from 'vitest'
import { openOAuthConnections } from '../../../test/support/oauth-connections.ts'
import { parseForm } from '../../../test/support/recording-server.ts'
import { CredentialsNotStored } from '../store/errors.ts'
import { maxRetryMs } from '../../platform/dynamodb/retried-writes.ts'
import { leaseMs, refresh as refreshTokens, waitForLeaseMs } from './refresh.ts'
import { tokenCallMs } from './tokens.ts'

/** A provider may replace the refresh token with each refresh: losing the new one ends the connection. */

const {
  captureOutput,
  connect,
  disconnect,
  getUser,
  harness,
  readCredential,
  readConnection,
  readTokens,
  removeCredential,
  refresh,
} = await openOAuthConnections()

describe('a rotated refresh token', () => {
  const newTokens = { access_token: 'access-2', refresh_token: 'refresh-2' }
  const putLeaseOfAnother = async (lease: object = {}) =>
    getUser().putRow('C#slack', {
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
        return { status: 200, headers: new Headers(), text: JSON.stringify(newTokens) }
      },
    }
    await refreshTokens({ ...harness.stores, http }, getUser().sub, 'slack')
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
      return { body: newTokens }
    })
    expect((await refresh('slack')).status).toBe(200)
    expect(await readTokens('slack')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
    expect(await readCredential('slack')).not.toHaveProperty('lease_owner')
  })

  it('that another refresh has used does not end the connection: its tokens are used', async () => {
    await connect('slack')
    const before = await readCredential('slack')
    const credentialOfAnother = { ...before, version: 'newer', sealed: 'theirs' }
    harness.providers.script('POST /slack/token', async () => {
      await getUser().putRow('C#slack', credentialOfAnother)
      return { status: 400, body: { error: 'invalid_grant' } }
    })
    expect((await refresh('slack')).status).toBe(200)
    expect(await readCredential('slack')).toEqual(credentialOfAnother)
    expect(await readConnection('slack')).toMatchObject({ token_status: 'active' })
  })

  it('that another refresh has used but not stored yet does not end the connection', async () => {
    await connect('slack')
    harness.providers.script('POST /slack/token', async () => {
      await putLeaseOfAnother()
      return { status: 400, body: { error: 'invalid_grant' } }
    })
    expect(await refresh('slack')).toMatchObject({ status: 503, body: { code: 'refresh_busy' } })
    expect(await readCredential('slack')).toMatchObject({ status: 'active', lease_owner: 'another' })
    expect(await readConnection('slack')).toMatchObject({ token_status: 'active' })
  })

  it('is stored by a retry when the table fails', async () => {
    await connect('slack')
    harness.scriptTokens('slack', newTokens)
    const { credentials } = harness.stores
    const storeRefreshedTokens = vi
      .fn<typeof credentials.storeRefreshedTokens>(credentials.storeRefreshedTokens)
      .mockRejectedValueOnce(new Error('throttled'))
    await refreshTokens(
      { ...harness.stores, credentials: { ...credentials, storeRefreshedTokens } },
      getUser().sub,
      'slack',
    )
    expect(storeRefreshedTokens).toHaveBeenCalledTimes(2)
    expect(await readTokens('slack')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
  })

  it('that was stored by a write whose response was lost counts as stored', async () => {
    await connect('slack')
    harness.scriptTokens('slack', newTokens)
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
      getUser().sub,
      'slack',
    )
    expect(await readTokens('slack')).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' })
    expect(output.logEntries()).toEqual([])
    expect(output.metrics()).toEqual([{ FailedRefreshes: 0, provider: 'slack' }])
  })

  it('that cannot be stored is logged as an error, because the old one may be used up', async () => {
    await connect('slack')
    harness.scriptTokens('slack', newTokens)
    const output = captureOutput()
    const storeRefreshedTokens = () => Promise.reject(new CredentialsNotStored('slack'))
    const credentials = { ...harness.stores.credentials, storeRefreshedTokens }
    await expect(
      refreshTokens({ ...harness.stores, credentials }, getUser().sub, 'slack'),
    ).rejects.toMatchObject({
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
      await removeCredential('gmail')
      return { body: newTokens }
    })
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    expect(await refresh('gmail')).toMatchObject({ status: 404, body: { code: 'integration_not_found' } })
    const [request, ...more] = harness.providers.takeRequests('/gmail/revoke')
    expect(more).toEqual([])
    expect(parseForm(request ?? { body: '' })).toMatchObject({ token: 'refresh-2' })
    expect(await getUser().rows('C#')).toEqual([])
  })

  it('is not revoked with its deleted connection when other connections depend on it', async () => {
    await connect('gmail')
    await connect('google-drive')
    harness.providers.script('POST /gmail/token', async () => {
      await removeCredential('gmail')
      return { body: newTokens }
    })
    expect((await refresh('gmail')).status).toBe(404)
    expect(harness.providers.takeRequests('/gmail/revoke')).toEqual([])
  })

  it('is revoked when the connection now uses an API key', async () => {
    await connect('gmail')
    const credential = await readCredential('gmail')
    harness.providers.script('POST /gmail/token', async () => {
      await getUser().putRow('C#gmail', {
        ...credential,
        version: 'newer',
        sealed: undefined,
        refreshable: false,
      })
      return { body: newTokens }
    })
    expect((await refresh('gmail')).status).toBe(200)
    expect(harness.providers.takeRequests('/gmail/revoke')).toHaveLength(1)
  })

  it('gives way to the tokens of a newer sign-in, with a log entry', async () => {
    await connect('gmail')
    const newCredential = { ...(await readCredential('gmail')), version: 'newer', sealed: 'theirs' }
    harness.providers.script('POST /gmail/token', async () => {
      await getUser().putRow('C#gmail', newCredential)
      return { body: newTokens }
    })
    const output = captureOutput()
    expect((await refresh('gmail')).status).toBe(200)
    expect(await readCredential('gmail')).toEqual(newCredential)
    expect(harness.providers.takeRequests('/gmail/revoke')).toEqual([])
    expect(output.logEntries()).toMatchObject([
      { level: 'warn', message: 'refreshed tokens were superseded', code: 'tokens_superseded' },
    ])
  })

  it('that arrives during a disconnect is revoked too', async () => {
    await connect('gmail')
    const tokensOfAnother = await harness.stores.sealer.seal(
      JSON.stringify({ accessToken: 'access-2', refreshToken: 'refresh-2' }),
      `tokens|${getUser().sub}|gmail|newer`,
    )
    harness.providers.script('POST /gmail/revoke', async () => {
      const current = await readCredential('gmail')
      if (current)
        await getUser().putRow('C#gmail', { ...current, version: 'newer', sealed: tokensOfAnother })
      return { status: 200 }
    })
    expect(await disconnect('gmail')).toBe(true)
    const revokedTokens = harness.providers
      .takeRequests('/gmail/revoke')
      .map((request) => parseForm(request)['token'])
    expect(revokedTokens).toEqual(['refresh-1', 'refresh-2'])
    expect(await getUser().rows('C#')).toEqual([])
  })
})
