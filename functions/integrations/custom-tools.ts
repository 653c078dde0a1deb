import { saySetUp } from '#shared/sentences/set-ups.ts'
import { randomUUID } from 'node:crypto'
import type { CustomTool } from '#shared/contracts/integrations.ts'
import { BadRequest } from '../platform/errors.ts'
import { plainLine } from '../platform/untrusted-text.ts'
import { type CustomToolRow, getCustomToolVersion, toCustomToolView } from './store/custom-tool-repository.ts'
import {
  CredentialsNotStored,
  CredentialsRefused,
  ServerRefusedCredentials,
  CustomToolKeyRequired,
  CustomToolNotFound,
  TooManySecrets,
} from './store/errors.ts'
import { checkServer, describeServer, probeServer } from '../mcp/probe.ts'
import {
  getStoredAddress,
  splitAddress,
  trimFields,
  buildStoredCustomToolHeaders,
  buildCustomToolHeaders,
  toCustomFieldName,
  addressField,
  apiKeyField,
} from '../mcp/headers.ts'
import { storeListedTools } from './connection.ts'
import type { IntegrationDeps } from './deps.ts'
import { maskCredentials, type Credentials } from './vault/vault.ts'

export interface CustomToolConfig {
  serverUrl: string
  apiKey: string
  customFields: Record<string, string>
}

const maxFields = 20
/** @throws BadRequest, AddressForbidden */
function checkConfig({ http }: Pick<IntegrationDeps, 'http'>, config: CustomToolConfig): string {
  if (Object.keys(config.customFields).length > maxFields)
    throw new BadRequest(saySetUp('bad_request.too_many_fields', { max: maxFields }))
  const url = config.serverUrl.trim()

  if (url !== '') http.check(url)
  return url
}

/**
 * Adds a custom tool. Its key, its field values and an address with a key go to the vault; the row has their names and masks, and
 * fingerprints of the server's read-only tools. A server that does not respond is added too, and then all of its tools need approval.
 * @throws BadRequest, AddressForbidden, TooManyCustomTools, TooManySecrets, CredentialsNotStored
 */
export async function addCustomTool(
  deps: IntegrationDeps,
  sub: string,
  input: { name: string; description: string; config: CustomToolConfig },
): Promise<CustomTool> {
  // before its server is asked: a sign-out meanwhile ends it, too
  const created_at = new Date().toISOString()
  const name = plainLine(input.name, 200)
  if (name === '') throw new BadRequest(saySetUp('bad_request.tool_name'))
  const url = checkConfig(deps, input.config)
  const key = input.config.apiKey.trim()
  const address = splitAddress(url)
  const credentials: Credentials = Object.fromEntries([
    ...(key === '' ? [] : [[apiKeyField, key]]),
    ...(address.secret === undefined ? [] : [[addressField, address.secret]]),
    ...trimFields(input.config.customFields).map(([field, value]) => [toCustomFieldName(field), value]),
  ]) as Credentials
  const id = randomUUID()
  const checked = url !== '' && (await checkServer(deps.http, url, buildCustomToolHeaders(input.config)))
  const probe = checked && checked !== 'refused' ? checked : undefined
  const tool: CustomToolRow = {
    id,
    name,
    description: input.description.trim() || 'Custom MCP Tool',
    server_url: address.shown,
    masks: maskCredentials(credentials),
    is_active: true,
    ...(url !== '' && { read_only_tools: probe?.readOnlyTools ?? [] }),
    created_at,
  }
  await deps.customTools.reserveSlot(sub, id)
  let secretName: string | undefined
  try {
    if (Object.keys(credentials).length > 0) secretName = await deps.vault.store(sub, id, credentials)
    await deps.customTools.add(sub, { ...tool, secret_name: secretName })
  } catch (error) {
    await discardCustomTool(deps, sub, id, secretName).catch(() => undefined)
    if (error instanceof TooManySecrets) throw error
    throw new CredentialsNotStored('a tool', { cause: error })
  }
  const version = getCustomToolVersion({ secret_name: secretName })
  await storeListedTools(deps, sub, { mcpId: id, version, url: address.shown }, probe)
  return toCustomToolView(sub, tool)
}

/** Deletes the row first: it may exist although the response to its write was lost, and then it still names the secret. */
async function discardCustomTool(
  { customTools, vault }: IntegrationDeps,
  sub: string,
  id: string,
  secretName: string | undefined,
) {
  await customTools.remove(sub, id)
  if (secretName) await vault.remove(sub, secretName)
}

/** A server that does not respond has rejected nothing. */
async function rejectsCredentials(
  { http }: Pick<IntegrationDeps, 'http'>,
  url: string,
  credentials: Credentials,
): Promise<boolean> {
  const headers = buildStoredCustomToolHeaders(credentials)
  return (await checkServer(http, getStoredAddress(url, credentials), headers)) === 'refused'
}

/**
 * Replaces the key of a custom tool; its other fields stay, and so does what it may do without approval.
 * @throws BadRequest, CustomToolNotFound, CredentialsRefused if the server rejects this key too, CredentialsNotStored
 */
export async function setCustomToolKey(
  deps: IntegrationDeps,
  sub: string,
  id: string,
  apiKey: string,
): Promise<CustomTool> {
  const key = apiKey.trim()
  if (key === '') throw new BadRequest(saySetUp('bad_request.empty_key'))
  const tool = (await deps.customTools.list(sub)).find((one) => one.id === id)
  if (!tool) throw new CustomToolNotFound(id)
  const { secret_name: previousName } = tool
  const stored = previousName === undefined ? {} : await deps.vault.read(sub, previousName)
  const credentials = { ...stored, [apiKeyField]: key }
  if (tool.server_url !== '' && (await rejectsCredentials(deps, tool.server_url, credentials)))
    throw new CredentialsRefused({ name: tool.name })
  const masks = maskCredentials(credentials)
  let secretName: string | undefined
  try {
    secretName = await deps.vault.store(sub, id, credentials)
    await deps.customTools.replaceSecret(sub, id, { previousName, secretName, masks })
  } catch (error) {
    // the row may name it although the response to the write was lost; if that is not known, it is left to the cleanup
    const rows = await deps.customTools.listAll(sub).catch(() => undefined)
    if (secretName !== undefined && rows?.every(({ secret_name }) => secret_name !== secretName))
      await deps.vault.remove(sub, secretName).catch(() => undefined)
    if (error instanceof CustomToolNotFound || error instanceof TooManySecrets) throw error
    throw new CredentialsNotStored('a tool', { cause: error })
  }
  // the tool has its key: what cannot be deleted now must not fail the request
  if (previousName !== undefined) await deps.vault.remove(sub, previousName).catch(() => undefined)
  return toCustomToolView(sub, { ...tool, masks, secret_name: secretName })
}

/**
 * Lists a server's tools with credentials that are not saved.
 * @throws BadRequest, AddressForbidden, OutboundFailed, McpServerFailed, CredentialsRefused, CustomToolKeyRequired
 */
export async function testCustomTool(
  deps: Pick<IntegrationDeps, 'http'>,
  config: CustomToolConfig,
): Promise<ReturnType<typeof describeServer>> {
  const url = checkConfig(deps, config)
  if (url === '') throw new BadRequest(saySetUp('bad_request.no_url'))
  const headers = buildCustomToolHeaders(config)
  const result = await probeServer(deps.http, url, headers)
  if ('challenge' in result) {
    if (Object.keys(headers).length === 0) throw new CustomToolKeyRequired('the server sent a challenge')
    throw new ServerRefusedCredentials('the key was refused in a test')
  }
  return describeServer(result)
}
