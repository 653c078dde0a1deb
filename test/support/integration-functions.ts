import { putGroups } from './groups.ts'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteName } from '#shared/routes.ts'
import { routes } from '#shared/routes.ts'
import { queryAll } from '../../functions/platform/dynamodb/query.ts'
import { builtInProviders } from '../../functions/providers/built-in.ts'
import { snapshotStore } from '../../functions/registry/snapshot.ts'
import type { StoredEntry } from '../../functions/registry/stored-entry.ts'
import { runAs } from '../../infra/local/caller.ts'
import { credentialVariables } from '../../infra/local/credentials.ts'
import { writeOverrides } from './provider-contracts/doubles.ts'
import { saveSecret, writeSiteConfig } from '../../infra/local/provision.ts'
import { testCredentials } from './credentials.ts'
import { type Call, invoke, startTestIssuer } from './invoke.ts'
import { type RecordingServer, type ScriptedResponse, startRecordingServer } from './recording-server.ts'
import { openTestSecrets } from './secrets.ts'
import { openTestTable } from './table.ts'

export const siteOrigin = 'https://juno.example'
/** The redirect URI for apps that users register by hand. */
export const redirectUri = `${siteOrigin}/oauth/callback`

/** A catalogue entry that is not built in. */
export const registryEntry = (
  id: string,
  {
    config,
    ...more
  }: Partial<Omit<StoredEntry, 'config'>> & { config?: Partial<StoredEntry['config']> } = {},
): StoredEntry => ({
  id,
  name: id,
  description: `About ${id}`,
  provider: 'Example',
  auth_type: 'unknown',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...more,
  config: {
    features: [],
    popularity: 50,
    source: 'mcp-registry',
    server_name: `com.example/${id}`,
    ...config,
  },
})

/**
 * The functions 'integrations' and 'oauth' in this process, over the real SDK and real HTTP: `providers` serves the addresses of the
 * built-in providers (`/<id>/token`, `/<id>/api/…`), `servers` are the remote MCP servers. One per process: handlers read their
 * environment when they load.
 */
export async function startIntegrationFunctions({
  registryEntries = () => [],
  operatorApps,
}: {
  registryEntries?: (servers: RecordingServer) => StoredEntry[]
  operatorApps?: Record<string, { clientId: string; clientSecret?: string }>
} = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-integrations-'))
  const [table, secrets, issuer, providers, servers, thirdParty] = await Promise.all([
    openTestTable(),
    openTestSecrets(),
    startTestIssuer(),
    startRecordingServer(),
    startRecordingServer(),
    startRecordingServer(),
  ])
  const overrides = join(dataDir, 'overrides.json')
  await writeOverrides(
    overrides,
    Object.fromEntries(
      builtInProviders.map(({ id, oauth, remoteMcp }) => {
        const base = `${providers.url}/${id}`
        // it authorizes at another host than it issues tokens
        const authorizeBase = id === 'figma' ? base.replace('127.0.0.1', 'localhost') : base
        return [
          id,
          {
            apiBase: `${base}/api`,
            ...(oauth && { authUrl: `${authorizeBase}/authorize`, tokenUrl: `${base}/token` }),
            ...(oauth?.revokeUrl && {
              revokeUrl: `${base}/revoke${oauth.revokeUrl.includes('{client_id}') ? '/{client_id}' : ''}`,
            }),
            ...(remoteMcp?.auth === 'dcr' && { mcpUrl: `${base}/mcp` }),
          },
        ]
      }),
    ),
  )
  Object.assign(process.env, {
    ...issuer.environment,
    ...credentialVariables(testCredentials),
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL_DYNAMODB: table.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    BRAND_NAME: 'Juno',
    TABLE_NAME: table.name,
    VAULT_PREFIX: 'test/vault',
    SEALING_KEY_SECRET: 'test/sealing-key',
    PROVIDER_OVERRIDES: overrides,
    OUTBOUND_ALLOW: [providers, servers, thirdParty].map(({ host }) => host).join(),
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'silent',
    ...(operatorApps && { PROVIDER_APPS_SECRET: 'test/provider-apps' }),
  })
  await saveSecret('test/sealing-key', 'a sealing key for tests, at least 48 characters long')
  if (operatorApps) await saveSecret('test/provider-apps', JSON.stringify(operatorApps))
  /** The site's configuration is cached for five minutes. */
  const moveSite = (origin: string) =>
    writeSiteConfig(table, { origin, clientId: issuer.clientId, bucketOrigin: 'https://bucket.example' })
  await moveSite(siteOrigin)
  const { chunks } = await snapshotStore(table).write('one', registryEntries(servers))
  const sync = { PK: 'SYNC', SK: 'SYNC', snapshot: { version: 'one', chunks } }
  await table.client.send(new PutCommand({ TableName: table.name, Item: sync }))
  const [{ handler: integrations }, { handler: oauth }, { openDeps }] = await Promise.all([
    import('../../functions/integrations/handlers.ts'),
    import('../../functions/integrations/oauth/handlers.ts'),
    import('../../functions/integrations/deps.ts'),
  ])

  const stores = openDeps()

  return {
    table,
    /** runs work with the rights that a function's role has to rows */
    runAs,
    moveSite,
    providers,
    servers,
    /** another host than `providers` and `servers` */
    thirdParty,
    /** the handlers' stores, to check what they wrote */
    stores,

    /** Sets the response of a provider's token endpoint. @param response replaces all of it */
    scriptTokens: (provider: string, tokens: object = {}, response: ScriptedResponse = {}) =>
      providers.script(`POST /${provider}/token`, {
        body: { access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'bearer', ...tokens },
        ...response,
      }),

    putGroups: (limits: Record<string, GroupLimits>) => putGroups(table, limits),

    /** A new user with a token. @param groups of the user pool */
    newUser(...groups: string[]) {
      const sub = randomUUID()
      async function readRows(prefix: string) {
        const rows = await queryAll(table, { partition: `U#${sub}`, prefix })
        for (const row of rows) delete row['PK']
        return rows
      }
      const readCredential = async (mcpId: string) => (await readRows(`C#${mcpId}`))[0]
      return {
        sub,
        async call<Name extends RouteName>(name: Name, call: Call<Name> = {}) {
          const headers = { Authorization: `Bearer ${await issuer.token(sub, { 'cognito:groups': groups })}` }
          const handler = routes[name].functionName === 'oauth' ? oauth : integrations
          const { statusCode: status, body } = await invoke(handler, name, { ...call, headers })
          return { status, body }
        },
        /** The user's rows whose sort keys have this prefix, without the partition key. */
        rows: readRows,
        readConnection: async (mcpId: string) => (await readRows(`I#${mcpId}`))[0],
        readCredential,
        /** The tokens of a connection, decrypted. */
        async readTokens(mcpId: string): Promise<object> {
          const { sealed, version } = (await readCredential(mcpId)) ?? {}
          const context = `tokens|${sub}|${mcpId}|${String(version)}`
          return JSON.parse(await stores.sealer.open(String(sealed), context)) as object
        },
        /** Writes a row as another version or a crash may have left it. */
        async putRow(SK: string, row: object) {
          await table.client.send(
            new PutCommand({ TableName: table.name, Item: { ...row, PK: `U#${sub}`, SK } }),
          )
        },
        /** All secrets of the user in Secrets Manager. */
        async readVault(): Promise<Record<string, string>[]> {
          const names = await queryAll(table, { partition: `U#${sub}`, prefix: 'VS#' })
          const found = names.map(async ({ name }) => {
            const response = await secrets.client.send(new GetSecretValueCommand({ SecretId: String(name) }))
            return JSON.parse(response.SecretString ?? '') as Record<string, string>
          })
          return Promise.all(found)
        },
      }
    },

    async close() {
      await Promise.all([
        providers.close(),
        servers.close(),
        thirdParty.close(),
        table.close(),
        secrets.close(),
      ])
      issuer.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type IntegrationFunctions = Awaited<ReturnType<typeof startIntegrationFunctions>>
export type IntegrationUser = ReturnType<IntegrationFunctions['newUser']>
