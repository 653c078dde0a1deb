import type { Environment } from '#shared/contracts/connection-kinds.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { findProvider } from '../providers/built-in.ts'
import { remoteMcpUrl } from '../providers/endpoints.ts'
import { isConnectionAllowed } from '#shared/group-limits.ts'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import { EntryNotFound } from '../registry/errors.ts'
import { type Access, checkAtProvider, checkAtServer } from './check-credentials.ts'
import { type ProviderSignIn, resolveProviderServer } from './credentials/authorization-server.ts'
import { ConnectionNotAllowed } from './store/errors.ts'
import type { IntegrationDeps } from './deps.ts'
import { sandboxSuffix, toEntryId } from './store/connection.ts'
import type { Credentials } from './vault/vault.ts'

/** What a user connects: a catalogue entry (a built-in provider or a remote server) in one environment. */
export interface ConnectionTarget {
  /** key of the user's rows: the entry's id, with a suffix for the sandbox */
  mcpId: string
  entry: RegistryEntry
  /** whether the entry is a built-in provider, whose addresses are trusted */
  isBuiltIn: boolean
  environment: Environment
  /** the remote MCP server that is connected without entering credentials; sandboxes have none */
  remoteUrl: string | undefined
  /**
   * Asks the service whether it accepts the credentials that a user has entered.
   * @throws as `checkAtProvider` and `checkAtServer`
   */
  check(
    http: OutboundHttp,
    entered: Credentials | undefined,
    parameters: Record<string, string>,
  ): Promise<Access>
  /** The sign-in that the product knows; undefined if it has to ask the server. @throws BadRequest for parameters that no URL can be built from */
  findSignIn(parameters: Record<string, string>): ProviderSignIn | undefined
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
  const target = { mcpId: id, entry, environment }
  if (!provider)
    return {
      ...target,
      isBuiltIn: false,
      remoteUrl: hasRemote ? entry.config.remote_url : undefined,
      check: (http, entered) => checkAtServer(http, entry, entered),
      findSignIn: () => undefined,
    }
  return {
    ...target,
    isBuiltIn: true,
    remoteUrl: hasRemote ? remoteMcpUrl(provider) : undefined,
    check: (http, entered, parameters) =>
      checkAtProvider(http, { entry, provider, tenant: { environment, parameters } }, entered),
    findSignIn: (parameters) => resolveProviderServer(provider, { environment, parameters }),
  }
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

/**
 * Whether an entry can be connected as a sandbox. Entries of a registry cannot say so; these providers are known to have one. The page has
 * the same rule, for its second card (`supportsSandbox`).
 */
function hasSandbox({ sandbox_supported, environments, name, provider }: RegistryEntry): boolean {
  return (
    sandbox_supported || environments.length > 1 || /salesforce|stripe|paypal/i.test(`${name} ${provider}`)
  )
}
