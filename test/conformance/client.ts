import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { oauthCallbackPath } from '#shared/oauth-client.ts'
import { allowedRepository } from '../../functions/integrations/allowed-repository.ts'
import { credentialRepository } from '../../functions/integrations/credential-repository.ts'
import { customToolRepository } from '../../functions/integrations/custom-tool-repository.ts'
import { integrationRepository } from '../../functions/integrations/integration-repository.ts'
import { exchangeCode } from '../../functions/integrations/oauth/exchange.ts'
import { oauthStateRepository } from '../../functions/integrations/oauth/state-repository.ts'
import { registeredClientRepository } from '../../functions/integrations/oauth/registration.ts'
import type { IntegrationDeps } from '../../functions/integrations/deps.ts'
import { outboundHttp, type OutboundHttp } from '../../functions/platform/net/outbound-http.ts'
import { sealer } from '../../functions/platform/secrets/seal.ts'
import { openTable } from '../../functions/platform/dynamodb/table.ts'
import { loadServerConnections } from '../../functions/tools/server-connections.ts'
import { serverTools } from '../../functions/tools/server-tools.ts'
import { credentialVariables, generateCredentials } from '../../infra/local/credentials.ts'
import { startDynamoDbEmulator } from '../../infra/local/emulators/dynamodb.ts'
import { writeSiteRow } from '../../infra/local/provision.ts'
import { initiate } from '../../functions/integrations/oauth/authorize.ts'

/**
 * The client that the conformance suite drives: `node test/conformance/client.ts <url>`. It connects the server as a user would
 * connect an entry of the catalogue, signing in where the server wants that, lists its tools and calls each of them, all by the
 * product's own code.
 */

const url = process.argv.at(-1) ?? ''
const origin = 'http://localhost:3000'
const redirectUri = `${origin}${oauthCallbackPath}`
const sub = 'conformance'
const mcpId = 'conformance'

const dataDir = await mkdtemp(join(tmpdir(), 'juno-conformance-'))
const region = 'us-east-1'
const credentials = generateCredentials()
const emulator = await startDynamoDbEmulator({ dataDir, tableName: 'conformance', credentials, region })
Object.assign(process.env, {
  AWS_REGION: region,
  ...credentialVariables(credentials),
  AWS_ENDPOINT_URL_DYNAMODB: emulator.url,
  TABLE_NAME: 'conformance',
  BRAND_NAME: 'Juno',
})
const table = openTable('conformance')
await writeSiteRow(table, { origin, clientId: 'none', bucketOrigin: origin })

/** The suite's servers are on this machine, on ports that nobody knows before. */
function localHttp(): OutboundHttp {
  const guard = (address: string | URL) => outboundHttp({ allow: [new URL(address).host], timeoutMs: 20_000 })
  const getUrl = (input: string | URL | Request) => (input instanceof Request ? input.url : input)
  return {
    request: (address, init) => guard(address).request(address, init),
    text: (address, init) => guard(address).text(address, init),
    fetch: (input, init) => guard(getUrl(input)).fetch(input, init),
    check: (address) => guard(address).check(address),
    close: () => Promise.resolve(),
  }
}

const entry: RegistryEntry = {
  id: mcpId,
  name: 'Conformance',
  description: '',
  provider: 'Conformance',
  auth_type: 'unknown',
  config: { features: [], popularity: 50, source: 'mcp-registry', remote_url: url },
  oauth_config: null,
  icon: null,
  is_active: true,
  updated_at: '',
  sandbox_supported: false,
  environments: ['production'],
  credential_fields: [],
  address_parameters: [],
  open_url: null,
  preconfigured: false,
  one_click: true,
}
const submitted = new Map<string, Record<string, string>>()
const http = localHttp()
const stores: IntegrationDeps = {
  integrations: integrationRepository(table),
  credentials: credentialRepository(table),
  tools: customToolRepository(table),
  allowed: allowedRepository(table),
  states: oauthStateRepository(table),
  clients: registeredClientRepository(table),
  sealer: sealer({ read: () => Promise.resolve('no key that seals anything: 48 characters or more') }, 'key'),
  vault: {
    store: (_, id, values) => Promise.resolve(submitted.set(id, values) && id),
    read: (_, name) => Promise.resolve(submitted.get(name) ?? {}),
    remove: (_, name) => Promise.resolve(void submitted.delete(name)),
    sweep: () => Promise.resolve(),
  },
  registry: {
    one: () => Promise.resolve(entry),
    find: (id) => Promise.resolve(id === mcpId ? entry : undefined),
  },
  http,
}

/** As the page does it, with the person's Allow, which the suite's page gives by itself. */
async function connect(): Promise<void> {
  const { client_id: clientId, client_secret: clientSecret } = JSON.parse(
    process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}',
  ) as { client_id?: string; client_secret?: string }
  const own = clientId === undefined ? {} : { clientId, clientSecret }
  const input = { mcpId, environment: 'production' as const, redirectUri, ...own }
  let initiated = await initiate(stores, sub, input)
  // the suite's authorization server has a port of its own, which makes it somebody else's
  if ('foreignSignIn' in initiated)
    initiated = await initiate(stores, sub, { ...input, agreedTo: initiated.foreignSignIn.signsInAt })
  if (!('authUrl' in initiated)) return
  const { headers } = await fetch(initiated.authUrl, { redirect: 'manual' })
  const { origin: home, pathname, searchParams: back } = new URL(headers.get('location') ?? '')
  await exchangeCode(stores, sub, {
    code: back.get('code') ?? '',
    state: back.get('state') ?? '',
    iss: back.get('iss') ?? undefined,
    redirectUri: `${home}${pathname}`,
  })
}

/** Values for what a schema requires. */
const argumentsFor = ({ properties = {} }: { properties?: Record<string, { type?: string }> }) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { type }], at) => [name, type === 'number' ? at + 2 : 'text']),
  )

let failure: unknown
try {
  await connect()
  const rows = await stores.integrations.list(sub)
  const connections = { ...stores, serverHttp: http }
  const [connection] = await loadServerConnections(connections, sub, { rows, custom: [] })
  if (!connection) throw new Error('nothing is connected')
  const servers = serverTools(http, table)
  const { tools } = await servers.listTools(connection)
  for (const tool of tools) {
    const result = await tool.run(argumentsFor(tool.parameters.schema), AbortSignal.timeout(20_000))
    process.stdout.write(`${tool.name}: ${JSON.stringify(result)}\n`)
  }
  await servers.close()
} catch (error) {
  failure = error
}
await emulator.close()
await rm(dataDir, { recursive: true, force: true })
if (failure) process.stderr.write(`${failure instanceof Error ? (failure.stack ?? '') : 'failed'}\n`)
process.exit(failure ? 1 : 0)
