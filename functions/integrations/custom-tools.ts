import { randomUUID } from 'node:crypto'
import type { CustomTool } from '#shared/contracts/integrations.ts'
import { BadRequest } from '../platform/errors.ts'
import { plainLine } from '../platform/untrusted-text.ts'
import { type ToolRow, toolView } from './custom-tool-repository.ts'
import { CredentialsNotStored, CredentialsRefused } from './errors.ts'
import { listReadOnlyTools, probeServer, type ProbedServer } from '../mcp/probe.ts'
import { filledFields, toolHeaders, apiKeyName, fieldName } from '../mcp/headers.ts'
import type { Stores } from './deps.ts'
import { masks, type TypedValues } from './vault/vault.ts'

export interface ToolConfig {
  serverUrl: string
  apiKey: string
  customFields: Record<string, string>
}

const maxFields = 20
/** @throws BadRequest, AddressForbidden */
function checkConfig({ http }: Pick<Stores, 'http'>, config: ToolConfig): string {
  if (Object.keys(config.customFields).length > maxFields)
    throw new BadRequest(`At most ${maxFields} fields are possible.`)
  const url = config.serverUrl.trim()
  // DEC-084: given, it has to be one that may be called
  if (url !== '') http.check(url)
  return url
}

/**
 * CUST-05 to CUST-12: adds a tool. Its key and its field values go to the vault, the row holds their names and masks (DEC-083), and
 * which tools of its server only read: a server that does not answer is added all the same, and then all of its tools ask.
 * @throws BadRequest, AddressForbidden, TooManyCustomServers, CredentialsNotStored
 */
export async function addTool(
  stores: Stores,
  sub: string,
  wish: { name: string; description: string; config: ToolConfig },
): Promise<CustomTool> {
  const name = plainLine(wish.name, 200)
  if (name === '') throw new BadRequest('Tool name is required')
  const url = checkConfig(stores, wish.config)
  const key = wish.config.apiKey.trim()
  const typed: TypedValues = Object.fromEntries([
    ...(key === '' ? [] : [[apiKeyName, key]]),
    ...filledFields(wish.config.customFields).map(([field, value]) => [fieldName(field), value]),
  ]) as TypedValues
  const id = randomUUID()
  const tool: ToolRow = {
    id,
    name,
    description: wish.description.trim() || 'Custom MCP Tool',
    server_url: url,
    masks: masks(typed),
    is_active: true,
    ...(url !== '' && {
      read_only_tools: await listReadOnlyTools(stores.http, url, toolHeaders(wish.config)),
    }),
    created_at: new Date().toISOString(),
  }
  await stores.tools.takePlace(sub, id)
  let secret: string | undefined
  try {
    if (Object.keys(typed).length > 0) secret = await stores.vault.store(sub, id, typed)
    await stores.tools.add(sub, { ...tool, ...(secret && { secret_name: secret }) })
  } catch (error) {
    await discard(stores, sub, id, secret).catch(() => undefined)
    throw new CredentialsNotStored('a tool', { cause: error })
  }
  return toolView(sub, tool)
}

/** The row first, which may have been written with its answer lost: one that stays keeps its secret. */
async function discard({ tools, vault }: Stores, sub: string, id: string, secret: string | undefined) {
  await tools.discard(sub, id)
  if (secret) await vault.remove(sub, secret)
}

/** CUST-14, DEC-083: the row becomes inactive, then its secret goes. Can be repeated. @throws ToolNotFound */
export async function removeTool({ tools, allowed, vault }: Stores, sub: string, id: string): Promise<void> {
  const { secret_name } = await tools.retire(sub, id)
  await allowed.revokeAll(sub, id)
  if (secret_name) await vault.remove(sub, secret_name)
  await tools.forgetSecret(sub, id)
}

/**
 * Lists a server's tools with values that are not saved.
 * @throws BadRequest, AddressForbidden, OutboundFailed, McpServerFailed, CredentialsRefused
 */
export async function testTool(
  stores: Pick<Stores, 'http'>,
  config: ToolConfig,
): Promise<Pick<ProbedServer, 'server' | 'tools'>> {
  const url = checkConfig(stores, config)
  if (url === '') throw new BadRequest('Server URL is required to test the connection.')
  const answer = await probeServer(stores.http, url, toolHeaders(config))
  if ('challenge' in answer) throw new CredentialsRefused('The server')
  return { server: answer.server, tools: answer.tools }
}
