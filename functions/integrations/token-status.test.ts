import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { integrationList } from '#shared/contracts/integrations.ts'
import { decideConsent, buildExchange } from '../../test/support/provider-consent.ts'
import { type ProviderHarness, startProviderHarness } from '../../test/support/provider-harness.ts'
import { withClock } from '../../test/support/simulated-days.ts'
import { disconnect } from './disconnect.ts'
import { listConnections } from './list.ts'
import { exchangeCode } from './oauth/exchange.ts'
import { refresh } from './credentials/refresh.ts'
import type { IntegrationDeps } from './deps.ts'
import { initiate } from './oauth/authorize.ts'

let harness: ProviderHarness
beforeAll(async () => {
  harness = await startProviderHarness()
})
afterAll(() => harness.close())

const minute = 60_000

async function findInList(mcpId: string, overrides: Partial<IntegrationDeps> = {}) {
  const integrations = await listConnections({ ...harness.stores, ...overrides }, harness.sub)
  const integration = integrationList
    .parse({ integrations })
    .integrations.find(({ mcp_id }) => mcp_id === mcpId)
  if (!integration) throw new Error(`${mcpId} is not listed`)
  return integration
}

/** Deps whose HTTP client changes token responses. */
const withTokenResponse = (change: Record<string, unknown>): Partial<IntegrationDeps> => ({
  http: {
    ...harness.stores.http,
    async text(url, init) {
      const response = await harness.stores.http.text(url, init)
      const body = JSON.parse(response.text) as Record<string, unknown>
      return { ...response, text: JSON.stringify('access_token' in body ? { ...body, ...change } : body) }
    },
  },
})
/** Deps whose HTTP client gets no response. */
const withoutResponse = (): Partial<IntegrationDeps> => ({
  http: { ...harness.stores.http, text: () => Promise.reject(new Error('no answer')) },
})

describe('the token status of a connection in the list', () => {
  it('INT-50 INT-51 INT-66 access that cannot be refreshed needs a refresh shortly before it expires, and then expires', () =>
    withClock(async (advance) => {
      await harness.connect('slack', 'demo+expires=3600+no-refresh')
      expect(await findInList('slack')).toMatchObject({
        token_status: 'active',
        health_status: 'healthy',
        display_status: 'connected',
        needsAttention: false,
      })
      advance(56 * minute)
      expect(await findInList('slack')).toMatchObject({
        token_status: 'needs_refresh',
        health_status: 'attention',
        display_status: 'stale',
        needsAttention: true,
        credential: { status: 'active', needs_refresh: true },
      })
      advance(4 * minute)
      expect(await findInList('slack')).toMatchObject({
        token_status: 'expired',
        health_status: 'attention',
        display_status: 'stale',
        expiryDisplay: 'Expired',
        needsAttention: true,
        credential: { status: 'expired', needs_refresh: false },
      })
      await harness.connect('slack', 'demo+expires=3600+no-refresh')
      expect(await findInList('slack')).toMatchObject({
        token_status: 'active',
        credential: { status: 'active' },
      })
    }))

  it('CRED-08 DEC-052 DEC-125 a connection whose refresh failed needs a refresh, whatever its row says, until one succeeds', () =>
    withClock(async (advance) => {
      await harness.connect('zoom', 'demo+expires=3600')
      advance(61 * minute)
      expect(await findInList('zoom', withoutResponse())).toMatchObject({
        token_status: 'needs_refresh',
        health_status: 'attention',
        needsAttention: true,
        refreshable: true,
        credential: { needs_refresh: true },
      })
      expect(await harness.stores.integrations.find(harness.sub, 'zoom')).toMatchObject({
        token_status: 'active',
      })
      expect(await findInList('zoom')).toMatchObject({
        token_status: 'active',
        health_status: 'healthy',
        needsAttention: false,
        credential: { needs_refresh: false },
      })
      // the status of the row does not override the credential
      await harness.stores.integrations.setStatus(
        harness.sub,
        'zoom',
        { status: 'connected', tokenStatus: 'needs_refresh' },
        new Date().toISOString(),
      )
      expect(await findInList('zoom')).toMatchObject({
        token_status: 'active',
        credential: { needs_refresh: false },
      })
    }))

  it('DEC-125 a grant past its end has expired, even with a refresh token', () =>
    withClock(async (advance) => {
      await harness.connect('zoom', 'demo+expires=36000')
      const withEndingGrant = withTokenResponse({ refresh_token_expires_in: 3_600 })
      await refresh({ ...harness.stores, ...withEndingGrant }, harness.sub, 'zoom')
      advance(61 * minute)
      expect(await findInList('zoom')).toMatchObject({ token_status: 'expired', refreshable: true })
    }))

  it('DEC-125 a refused refresh makes the connection invalid, even if the row could not be written', () =>
    withClock(async (advance) => {
      await harness.connect('zoom', 'demo+expires=3600+revoked')
      advance(61 * minute)
      const { integrations } = harness.stores
      const failingIntegrations = {
        ...integrations,
        setStatus: () => Promise.reject(new Error('the table is down')),
      }
      expect(await findInList('zoom', { integrations: failingIntegrations })).toMatchObject({
        token_status: 'invalid',
        health_status: 'attention',
        credential: { status: 'invalid' },
      })
    }))

  it('INT-47 a disconnected integration is inactive, however old its access token is', () =>
    withClock(async (advance) => {
      await harness.connect('slack', 'demo+expires=60+no-refresh')
      advance(2 * minute)
      await disconnect(harness.stores, harness.sub, 'slack')
      expect(await findInList('slack')).toMatchObject({
        token_status: 'inactive',
        display_status: 'disconnected',
        needsAttention: false,
      })
    }))
})

describe('a remote server that does not return the lifetime of its token', () => {
  const withoutLifetime = () => withTokenResponse({ expires_in: undefined })

  async function connectServer(overrides: Partial<IntegrationDeps>) {
    const stores = { ...harness.stores, ...overrides }
    const signIn = await initiate(stores, harness.sub, {
      mcpId: 'notion',
      environment: 'production',
      redirectUri: 'http://127.0.0.1:4000/oauth/callback',
    })
    const callbackUrl = await decideConsent('authUrl' in signIn ? signIn.authUrl : '', 'allow')
    const { code, state, redirect_uri: redirectUri, iss } = buildExchange(callbackUrl)
    await exchangeCode(stores, harness.sub, { code, state, redirectUri, iss })
  }

  it('DEC-057 DEC-126 has an unknown but healthy status after the exchange', async () => {
    await connectServer(withoutLifetime())
    expect(await findInList('notion')).toMatchObject({
      token_status: 'unknown',
      health_status: 'healthy',
      display_status: 'connected',
      expires_at: null,
      needsAttention: false,
    })
    await connectServer({})
    expect(await findInList('notion')).toMatchObject({ token_status: 'active' })
  })

  it('INT-56 LIM-18 DEC-126 is asked for new tokens after 24 hours, and not before', () =>
    withClock(async (advance) => {
      await connectServer(withoutLifetime())
      const countRefreshes = () =>
        harness.sent.filter(({ body }) => body.includes('grant_type=refresh_token')).length
      const before = countRefreshes()
      advance(24 * 60 * minute - 2 * minute)
      expect(await findInList('notion')).toMatchObject({ token_status: 'unknown' })
      expect(countRefreshes()).toBe(before)
      advance(2 * minute)
      expect(await findInList('notion')).toMatchObject({ token_status: 'active' })
      expect(countRefreshes()).toBe(before + 1)
    }))

  it('DEC-126 never expires by the clock without a refresh token', () =>
    withClock(async (advance) => {
      await connectServer(withTokenResponse({ expires_in: undefined, refresh_token: undefined }))
      advance(400 * 24 * 60 * minute)
      expect(await findInList('notion')).toMatchObject({ token_status: 'unknown', needsAttention: false })
    }))
})
