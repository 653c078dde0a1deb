import type { Environment, RegistryEntry } from '#shared/contracts/registry.ts'
import { type BuiltInProvider, findProvider } from '../providers/built-in.ts'
import { remoteMcpUrl } from '../providers/endpoints.ts'
import { isConnectionAllowed } from '../platform/group-limits.ts'
import { EntryNotFound } from '../registry/errors.ts'
import { ConnectionNotAllowed } from './store/errors.ts'
import type { IntegrationDeps } from './deps.ts'
import { sandboxSuffix, toEntryId } from './store/connection.ts'

/** A catalogue entry in one environment, as a user connects it. */
export interface ConnectionTarget {
  /** key of the user's rows: the entry's id, with a suffix for the sandbox */
  mcpId: string
  entry: RegistryEntry
  /** set for a built-in provider */
  provider: BuiltInProvider | undefined
  environment: Environment
  /** the remote MCP server that is connected without entering credentials; sandboxes have none */
  remoteUrl: string | undefined
}

/**
 * Resolves an integration id to its entry and environment. A built-in provider comes without its remote server if the user's groups allow
 * no remote servers.
 * @throws EntryNotFound, also if the entry has no sandbox; ConnectionNotAllowed
 */
export async function findTarget(
  { registry, toolsAllowed }: Pick<IntegrationDeps, 'registry' | 'toolsAllowed'>,
  mcpId: string,
  requested?: Environment,
): Promise<ConnectionTarget> {
  const { id, entry, environment } = await resolveEntry(registry, mcpId, requested)
  const provider = findProvider(entry.id)
  if (!isConnectionAllowed(provider ? 'built_in' : 'remote', toolsAllowed))
    throw new ConnectionNotAllowed({ name: entry.name })
  const hasRemote =
    entry.one_click && environment === 'production' && isConnectionAllowed('remote', toolsAllowed)
  const remoteUrl = provider ? remoteMcpUrl(provider) : entry.config.remote_url
  return { mcpId: id, entry, provider, environment, remoteUrl: hasRemote ? remoteUrl : undefined }
}

async function resolveEntry(
  registry: IntegrationDeps['registry'],
  mcpId: string,
  requested: Environment | undefined,
): Promise<{ id: string; entry: RegistryEntry; environment: Environment }> {
  const exact = await registry.find(mcpId)
  const isSandbox = mcpId.endsWith(sandboxSuffix) || requested === 'sandbox'
  if (exact && !isSandbox) return { id: mcpId, entry: exact, environment: 'production' }
  const id = toEntryId(mcpId)
  const entry = await registry.find(id)
  if (!entry || !hasSandbox(entry)) throw new EntryNotFound({ id: mcpId })
  return { id: `${id}${sandboxSuffix}`, entry, environment: 'sandbox' }
}

function hasSandbox({ sandbox_supported, environments, name, provider }: RegistryEntry): boolean {
  return (
    sandbox_supported || environments.length > 1 || /salesforce|stripe|paypal/i.test(`${name} ${provider}`)
  )
}
