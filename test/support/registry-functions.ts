import type { RouteName } from '#shared/routes.ts'
import { credentialVariables } from '../../infra/local/credentials.ts'
import { saveSecret, writeSiteConfig } from '../../infra/local/provision.ts'
import { startCatalogueSources } from './catalogue-sources.ts'
import { testCredentials } from './credentials.ts'
import { type Call, invoke, startTestIssuer, testContext } from './invoke.ts'
import { installLambdaGlobal, invokeStreaming } from './invoke-streaming.ts'
import { openTestSecrets } from './secrets.ts'
import { openTestTable } from './table.ts'

/**
 * The functions 'registry' and 'manualSync' in this process, over the real SDK, with sources of their own. One per process: handlers read
 * their environment when they load.
 */
export async function startRegistryFunctions({
  operatorApps,
}: {
  operatorApps: Record<string, { clientId: string }>
}) {
  const [issuer, table, secrets, sources] = await Promise.all([
    startTestIssuer(),
    openTestTable(),
    openTestSecrets(),
    startCatalogueSources(),
  ])
  Object.assign(process.env, {
    ...issuer.environment,
    ...credentialVariables(testCredentials),
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL_DYNAMODB: table.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    TABLE_NAME: table.name,
    GITHUB_API_URL: `${sources.url}//`,
    MCP_REGISTRY_URL: `${sources.url}/`,
    GITHUB_TOKEN_SECRET: 'test/github-token',
    PROVIDER_APPS_SECRET: 'test/provider-apps',
    LOG_LEVEL: 'silent',
  })
  await saveSecret('test/github-token', 'token-1')
  await saveSecret('test/provider-apps', JSON.stringify(operatorApps))
  await writeSiteConfig(table, {
    origin: 'https://juno.example',
    clientId: issuer.clientId,
    bucketOrigin: 'https://bucket.example',
  })
  installLambdaGlobal()
  // loaded before any test, so that no test gets the side effects of the import
  const [registry, manualSync] = await Promise.all([
    import('../../functions/registry/handlers.ts'),
    import('../../functions/registry/manual-sync.ts'),
  ])
  const authorized = async (sub: string) => ({ Authorization: `Bearer ${await issuer.token(sub)}` })

  return {
    table,
    sources,
    async read<Name extends RouteName>(name: Name, call: Call<Name> = {}) {
      return invoke(registry.handler, name, { ...call, headers: await authorized('ann') })
    },

    /** Calls a sync route, as its button does. @param remainingMs the function's remaining time */
    async press(
      name: 'registry.sync' | 'registry.refresh',
      body: object,
      { sub = 'ann', remainingMs = 300_000 } = {},
    ) {
      const context = { ...testContext, getRemainingTimeInMillis: () => remainingMs }
      return invokeStreaming(manualSync.handler, name, { body, headers: await authorized(sub) }, context)
    },

    async close() {
      issuer.close()
      await Promise.all([table.close(), secrets.close(), sources.close()])
    },
  }
}

export type RegistryFunctions = Awaited<ReturnType<typeof startRegistryFunctions>>
