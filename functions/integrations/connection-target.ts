import type { Environment, RegistryEntry } from '#shared/contracts/registry.ts'
import { type BuiltInProvider, findProvider } from '../providers/built-in.ts'
import { type ProviderTenant, remoteMcpUrl } from '../providers/endpoints.ts'
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
  const target = await resolveTarget(registry, mcpId, requested)
  const { entry, provider } = target
  if (!isConnectionAllowed(provider ? 'built_in' : 'remote', toolsAllowed))
    throw new ConnectionNotAllowed({ name: entry.name })
  return isConnectionAllowed('remote', toolsAllowed)
    ? target
    : { ...target, entry: { ...entry, one_click: false } }
}

async function resolveTarget(
  registry: IntegrationDeps['registry'],
  mcpId: string,
  requested: Environment | undefined,
): Promise<ConnectionTarget> {
  const exact = await registry.find(mcpId)
  const isSandbox = mcpId.endsWith(sandboxSuffix) || requested === 'sandbox'
  if (exact && !isSandbox)
    return { mcpId, entry: exact, provider: findProvider(exact.id), environment: 'production' }
  const id = toEntryId(mcpId)
  const entry = await registry.find(id)
  if (!entry || !hasSandbox(entry)) throw new EntryNotFound({ id: mcpId })
  return { mcpId: `${id}${sandboxSuffix}`, entry, provider: findProvider(id), environment: 'sandbox' }
}

function hasSandbox({ sandbox_supported, environments, name, provider }: RegistryEntry): boolean {
  return (
    sandbox_supported || environments.length > 1 || /salesforce|stripe|paypal/i.test(`${name} ${provider}`)
  )
}

/** The remote MCP server that can be connected without entering credentials (`one_click`); sandboxes have none. */
export function findRemoteUrl({ entry, provider, environment }: ConnectionTarget): string | undefined {
  if (!entry.one_click || environment === 'sandbox') return undefined
  return provider ? remoteMcpUrl(provider) : entry.config.remote_url
}

export const toTenant = (
  target: ConnectionTarget,
  parameters: Readonly<Record<string, string>>,
): ProviderTenant => ({
  environment: target.environment,
  parameters,
})
