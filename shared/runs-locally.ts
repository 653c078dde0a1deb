import type { RegistryEntry } from '#shared/contracts/registry.ts'

/** What tells it of an entry. */
export interface ServerSource {
  config: Pick<RegistryEntry['config'], 'source' | 'remote_url'>
}

/**
 * Whether a server is only published as a program that people start on their own computer (stdio transport of MCP): there is no
 * address that it could be called at.
 */
export function runsLocally({ config: { source, remote_url: url } }: ServerSource): boolean {
  return source !== 'builtin' && url === undefined
}
