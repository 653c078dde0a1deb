import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { oauthCallbackPath } from '#shared/oauth-client.ts'
import { exchangeCode } from '../../functions/integrations/oauth/exchange.ts'
import { type IntegrationDeps, openRepositories } from '../../functions/integrations/deps.ts'
import { outboundHttp, type OutboundHttp } from '../../functions/platform/net/outbound-http.ts'
import { sealer } from '../../functions/platform/secrets/seal.ts'
import { openTable } from '../../functions/platform/dynamodb/table.ts'
import { loadConnections } from '../../functions/tools/servers/load-connections.ts'
import {
  type CallContinuation,
  type InputRequest,
  InputRequired,
} from '../../functions/tools/calls/unfinished-calls.ts'
import { isReconnectRequired } from '../../functions/providers/reconnect-required.ts'
import { remoteServers, type RemoteServers } from '../../functions/tools/servers/remote-servers.ts'
import { type ToolConnection, listTools as listServerTools } from '../../functions/tools/servers/server.ts'
import { credentialVariables, generateCredentials } from '../../infra/local/credentials.ts'
import { startDynamoDbEmulator } from '../../infra/local/emulators/dynamodb.ts'
import { writeSiteConfig } from '../../infra/local/provision.ts'
import { storeConnected } from '../../functions/integrations/connect.ts'
import { initiate, type InitiateInput } from '../../functions/integrations/oauth/authorize.ts'
import { CredentialsRefused } from '../../functions/integrations/store/errors.ts'
import type { Tool } from '../../functions/tools/calls/tool.ts'
import { waitLimitMs } from '../support/time-limits.ts'

/** The suite's instructions for the client. */
export interface ScenarioInput {
  scenario: string
  /** address of the server to connect */
  url: string
  context: { client_id?: string; client_secret?: string; toolCalls?: ScenarioCall[] }
}

interface ScenarioCall {
  name: string
  arguments: Record<string, unknown>
}

const origin = 'http://localhost:3000'
const redirectUri = `${origin}${oauthCallbackPath}`
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
await writeSiteConfig(table, { origin, clientId: 'none', bucketOrigin: origin })

/** The suite's servers are on this machine, on ports that are not known in advance. */
function localHttp(): OutboundHttp {
  const guard = (address: string | URL) =>
    outboundHttp({ allow: [new URL(address).host], timeoutMs: waitLimitMs })
  const getUrl = (input: string | URL | Request) => (input instanceof Request ? input.url : input)
  return {
    request: (address, init) => guard(address).request(address, init),
    text: (address, init) => guard(address).text(address, init),
    bytes: (address, init) => guard(address).bytes(address, init),
    fetch: (input, init) => guard(getUrl(input)).fetch(input, init),
    check: (address) => guard(address).check(address),
    close: () => Promise.resolve(),
  }
}

const toEntry = (url: string): RegistryEntry => ({
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
})

const http = localHttp()

function openDeps(url: string): IntegrationDeps {
  const submitted = new Map<string, Record<string, string>>()
  const entry = toEntry(url)
  return {
    ...openRepositories(table),
    sealer: sealer(
      { read: () => Promise.resolve('a sealing key for tests, at least 48 characters long') },
      'key',
    ),
    vault: {
      store: (_, id, values) => Promise.resolve(submitted.set(id, values) && id),
      read: (_, name) => Promise.resolve(submitted.get(name) ?? {}),
      remove: (_, name) => Promise.resolve(void submitted.delete(name)),
      sweep: () => Promise.resolve(),
    },
    registry: {
      get: () => Promise.resolve(entry),
      find: (id) => Promise.resolve(id === mcpId ? entry : undefined),
    },
    http,
  }
}

/** Like the page, with the user's consent, which the suite's page gives automatically. */
async function connect(deps: IntegrationDeps, { scenario: sub, context }: ScenarioInput): Promise<void> {
  const { client_id: clientId, client_secret: clientSecret } = context
  const own = clientId === undefined ? {} : { clientId, clientSecret }
  let input: InitiateInput = { mcpId, environment: 'production', redirectUri }
  let initiated = await initiate(deps, sub, input)
  // the suite's authorization server has a different port, so it counts as another party's
  if ('foreignSignIn' in initiated) {
    input = { ...input, agreedTo: initiated.foreignSignIn.signsInAt }
    initiated = await initiate(deps, sub, input)
  }
  if ('manualRegistration' in initiated)
    initiated = await initiate(deps, sub, {
      ...input,
      ...own,
      redirectUri: initiated.manualRegistration.clientRedirectUri,
    })
  if ('open' in initiated) {
    const { target, ...open } = initiated.open
    await storeConnected(deps, sub, target, { ...open, url: target.remoteUrl, authType: 'none' })
    return
  }
  if (!('authUrl' in initiated)) return
  const { headers } = await fetch(initiated.authUrl, { redirect: 'manual' })
  const { origin: home, pathname, searchParams: back } = new URL(headers.get('location') ?? '')
  await exchangeCode(deps, sub, {
    code: back.get('code') ?? '',
    state: back.get('state') ?? '',
    iss: back.get('iss') ?? undefined,
    redirectUri: `${home}${pathname}`,
  })
}

const sampleValues: Record<string, unknown> = { number: 2, integer: 3, boolean: true }

/** Values for the fields that a schema requires. */
const buildArguments = ({ properties = {} }: { properties?: Record<string, { type?: string }> }) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { type = '' }]) => [name, sampleValues[type] ?? 'text']),
  )

/** The calls of a scenario: those it asks for, otherwise each tool once. */
function listCalls(
  tools: readonly Tool[],
  { context, scenario }: ScenarioInput,
): [Tool, Record<string, unknown>][] {
  const byName = (name: string) => tools.find((tool) => tool.name.endsWith(`_${name}`))
  // it returns the schema that the model receives
  const echo = scenario === 'json-schema-2020-12-preservation' ? byName('json_schema_echo') : undefined
  const focal = tools.find((tool) => tool !== echo)
  if (echo && focal) return [[echo, { schema: focal.parameters.schema }]]
  if (context.toolCalls)
    return context.toolCalls.flatMap(({ name, arguments: input }) => {
      const tool = byName(name)
      return tool ? [[tool, input] as [Tool, Record<string, unknown>]] : []
    })
  return tools.map((tool) => [tool, buildArguments(tool.parameters.schema)])
}

/** On a busy machine listing the tools takes longer than a reply waits; the next reply has them. */
async function listTools(connection: ToolConnection, triesLeft = 5) {
  try {
    return await listServerTools(connection)
  } catch (error) {
    if (!(error instanceof DOMException) || triesLeft === 0) throw error
    return listTools(connection, triesLeft - 1)
  }
}

async function loadConnection(
  deps: IntegrationDeps,
  servers: RemoteServers,
  sub: string,
): Promise<ToolConnection> {
  const rows = await deps.integrations.list(sub)
  const connections = { ...deps, serverHttp: http }
  const [connection] = await loadConnections({ connections, servers }, sub, { rows, customTools: [] })
  if (!connection) throw new Error('nothing is connected')
  return connection
}

/** Sends the defaults of a form, like a user who changes nothing. */
const acceptDefaults = ({ requests, requestState }: InputRequest): CallContinuation => ({
  requestState,
  inputResponses: Object.fromEntries(
    requests.map((request) => [
      request.key,
      {
        action: 'accept',
        ...(request.mode === 'form' && {
          content: Object.fromEntries(
            request.fields.map(({ name, type, default: value }) => [
              name,
              value ?? sampleValues[type] ?? 'text',
            ]),
          ),
        }),
      },
    ]),
  ),
})

/**
 * Runs a call as a reply does: answers what the server asks the user, and signs in once more for permissions that are missing.
 * @param reconnect signs in, and returns the tool of the new connection
 */
async function runCall(tool: Tool, values: Record<string, unknown>, reconnect: () => Promise<Tool>) {
  let current = tool
  let continuation: CallContinuation | undefined
  let hasSteppedUp = false
  for (;;)
    try {
      return await current.run(values, AbortSignal.timeout(waitLimitMs), continuation)
    } catch (error) {
      if (error instanceof InputRequired) continuation = acceptDefaults(error.request)
      else if (isReconnectRequired(error) && error.reason?.kind === 'scopes' && !hasSteppedUp) {
        hasSteppedUp = true
        current = await reconnect()
      } else throw error
    }
}

/**
 * Connects the server of a scenario as a user connects an entry of the catalogue, signing in where the server wants that, lists its tools
 * and calls them, all by the product's own code.
 * @returns the results of the calls
 * @throws what the product throws
 */
export async function runScenario(input: ScenarioInput): Promise<string> {
  const { scenario: sub, url } = input
  const deps = openDeps(url)
  try {
    await connect(deps, input)
  } catch (error) {
    // the page then offers to connect again
    if (!(error instanceof CredentialsRefused)) throw error
    await connect(deps, input)
  }
  const servers = remoteServers(http, table)
  const lines: string[] = []
  try {
    const loadTools = async () => (await listTools(await loadConnection(deps, servers, sub))).tools
    for (const [tool, values] of listCalls(await loadTools(), input)) {
      const reload = async () => {
        await connect(deps, input)
        return (await loadTools()).find(({ name }) => name === tool.name) ?? tool
      }
      lines.push(`${tool.name}: ${JSON.stringify(await runCall(tool, values, reload))}`)
    }
  } finally {
    await servers.close()
  }
  return lines.join('\n')
}

export async function closeProduct(): Promise<void> {
  await emulator.close()
  await rm(dataDir, { recursive: true, force: true })
}
