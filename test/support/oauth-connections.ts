import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { redirectUri, startIntegrationFunctions } from './integration-functions.ts'
import { metricLines } from './metric-lines.ts'

/** For tests of connections by OAuth, with a new user and a fake clock for each test. Registers the hooks of the test file. */
export async function openOAuthConnections() {
  const harness = await startIntegrationFunctions({
    operatorApps: { discord: { clientId: 'operators-app', clientSecret: 'operators-secret' } },
  })
  let user = harness.newUser()
  afterAll(() => harness.close())
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    user = harness.newUser()
  })
  afterEach(() => void vi.useRealTimers())

  return {
    harness,
    /** the user of the current test */
    getUser: () => user,
    advanceMinutes: (count: number) => void vi.setSystemTime(Date.now() + count * 60_000),
    list: async () =>
      (await user.call('integrations.list')).body['integrations'] as Record<string, unknown>[],
    readConnection: (mcpId: string) => user.readConnection(mcpId),
    readCredential: (mcpId: string) => user.readCredential(mcpId),
    readTokens: (mcpId: string) => user.readTokens(mcpId),
    /** Deletes the credential, as another call that has just read it does. */
    removeCredential: async (mcpId: string) => {
      const { credentials } = harness.stores
      const credential = await credentials.find(user.sub, mcpId)
      if (credential) await credentials.remove(user.sub, mcpId, credential)
    },
    refresh: (mcpId: string) => user.call('integrations.refresh', { params: { mcpId }, body: {} }),
    disconnect: async (mcpId: string) =>
      (await user.call('integrations.disconnect', { params: { mcpId }, body: {} })).body['revoked'],

    /** Connects a provider through an app of the user's own. @param granted fields of the token response */
    connect: async (
      mcpId: string,
      app: object = { clientId: 'my-app', clientSecret: 'my-secret' },
      granted = {},
      environment: 'production' | 'sandbox' = 'production',
    ) => {
      harness.scriptTokens(mcpId, granted)
      const { body } = await user.call('oauth.handle', {
        body: { action: 'initiate', mcpId, redirectUri, environment, ...app },
      })
      const state = new URL(String(body['authUrl'])).searchParams.get('state')
      const exchange = { action: 'exchange', code: 'the-code', state, redirect_uri: redirectUri }
      expect((await user.call('oauth.handle', { body: exchange })).status).toBe(200)
      harness.providers.takeRequests()
    },

    /** Captures the metrics and log entries that the functions write from now on. */
    captureOutput: () => {
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
    },
  }
}
