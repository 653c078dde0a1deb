import type { StoredEntry } from './stored-entry.ts'

/** @returns who published an entry of the MCP Registry, which proves that a namespace is its publisher's, as in `com.example` */
export function readNamespace({ config }: StoredEntry): string | undefined {
  if (config.source !== 'mcp-registry') return undefined
  return config.server_name?.split('/')[0]
}
