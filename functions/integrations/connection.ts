import type { TokenStatus } from '#shared/contracts/integrations.ts'
import type { AuthType } from '#shared/contracts/connection-kinds.ts'
import type { ProbedServer } from '../mcp/probe.ts'
import { buildListVersion } from '../mcp/tool-list-repository.ts'
import { logger } from '../platform/telemetry/logger.ts'
import type { ConnectionTarget } from './connection-target.ts'
import type { IntegrationDeps } from './deps.ts'
import { getConnectionVersion, pinServer } from './store/connection.ts'
import type { ConnectionFields, ConnectionRow } from './store/connection-repository.ts'

/** Builds the fields of a row for a target that is being connected. */
export const buildConnectionFields = (
  { entry, environment }: Pick<ConnectionTarget, 'entry' | 'environment'>,
  {
    tokenStatus,
    authType,
    parameters,
    readOnlyTools,
  }: {
    tokenStatus: TokenStatus
    authType: AuthType
    parameters: Record<string, string>
    readOnlyTools: readonly string[]
  },
): ConnectionFields => ({
  mcp_name: entry.name,
  token_status: tokenStatus,
  environment,
  auth_type: authType,
  provider: entry.provider,
  open_url: entry.open_url,
  parameters,
  read_only_tools: readOnlyTools,
  // a credential with tokens stores its own server
  namespace: entry.namespace,
  remote: authType === 'oauth2' ? undefined : pinServer(entry),
})

/** Writes the row of a connection, then the tools that its server has shown. @returns the row */
export async function storeConnection(
  deps: Pick<IntegrationDeps, 'integrations' | 'toolLists'>,
  sub: string,
  target: ConnectionTarget,
  {
    url,
    credential,
    probe,
    ...state
  }: Omit<Parameters<typeof buildConnectionFields>[1], 'readOnlyTools'> & {
    /** of the server; undefined for a built-in provider's API */
    url: string | undefined
    credential: Parameters<typeof getConnectionVersion>[1]
    /** what the server has shown, if it was asked and did respond */
    probe: ProbedServer | undefined
  },
): Promise<ConnectionRow> {
  const { mcpId } = target
  const fields = buildConnectionFields(target, { ...state, readOnlyTools: probe?.readOnlyTools ?? [] })
  const row = await deps.integrations.connect(sub, mcpId, fields, new Date().toISOString())
  const version = getConnectionVersion(row, credential)
  if (url !== undefined) await storeListedTools(deps, sub, { mcpId, version, url }, probe)
  return row
}

/**
 * Stores the tools that a server has shown when it was connected: replies ask again, and offer them while it or its sign-in server does not respond.
 * Never throws, because the connection works without.
 */
export async function storeListedTools(
  { toolLists }: Pick<IntegrationDeps, 'toolLists'>,
  sub: string,
  { mcpId, ...server }: { mcpId: string; version: string; url: string },
  probe: Pick<ProbedServer, 'list'> | undefined,
): Promise<void> {
  if (!probe) return
  await toolLists
    .put(sub, mcpId, { ...probe.list, freshMs: 0, version: buildListVersion(server) })
    .catch((error: unknown) => logger.warn('a list of tools could not be stored', { error }))
}
