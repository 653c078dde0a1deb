import type { Environment, RegistryEntry } from '#shared/contracts/registry.ts'
import { type BuiltInProvider, findProvider } from '../providers/built-in.ts'
import { type ProviderPlace, remoteMcpUrl } from '../providers/endpoints.ts'
import { EntryNotFound } from '../registry/errors.ts'
import type { Stores } from './deps.ts'

const suffix = '-sandbox'

/** What a user connects: an entry in one environment. */
export interface Target {
  /** the key of the user's rows: the entry's id, in the sandbox with its suffix (DEC-059) */
  mcpId: string
  entry: RegistryEntry
  /** what the product knows of the provider, where it is a built-in one */
  provider: BuiltInProvider | undefined
  environment: Environment
}

/**
 * Finds the entry that an id means, and the environment.
 * @throws EntryNotFound also for a sandbox that the entry does not have
 */
export async function findTarget(
  { registry }: Pick<Stores, 'registry'>,
  mcpId: string,
  asked: Environment = 'production',
): Promise<Target> {
  const plain = await registry.find(mcpId)
  const sandbox = mcpId.endsWith(suffix) || asked === 'sandbox'
  if (plain && !sandbox)
    return { mcpId, entry: plain, provider: findProvider(plain.id), environment: 'production' }
  const id = mcpId.endsWith(suffix) ? mcpId.slice(0, -suffix.length) : mcpId
  const entry = await registry.find(id)
  if (!entry || !hasSandbox(entry)) throw new EntryNotFound(mcpId)
  return { mcpId: `${id}${suffix}`, entry, provider: findProvider(id), environment: 'sandbox' }
}

/** INT-37 to INT-39 */
function hasSandbox({ sandbox_supported, environments, name, provider }: RegistryEntry): boolean {
  return (
    sandbox_supported || environments.length > 1 || /salesforce|stripe|paypal/i.test(`${name} ${provider}`)
  )
}

/** The id of the entry that a user's row belongs to. */
export const entryIdOf = (mcpId: string) => (mcpId.endsWith(suffix) ? mcpId.slice(0, -suffix.length) : mcpId)

/** The remote MCP server that may be connected without anything being typed (`one_click`); sandboxes have none. */
export function remoteUrlOf({ entry, provider, environment }: Target): string | undefined {
  if (!entry.one_click || environment === 'sandbox') return undefined
  return provider ? remoteMcpUrl(provider) : entry.config.remote_url
}

export const placeOf = (target: Target, parameters: Readonly<Record<string, string>>): ProviderPlace => ({
  environment: target.environment,
  parameters,
})
