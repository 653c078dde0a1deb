import * as z from 'zod'
import { registryConfig } from '#shared/contracts/registry.ts'

/** DATA-14 to DATA-16: an entry as the sync stores it. Built-in ones are part of the product and not stored. */
export const storedEntry = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  provider: z.string(),
  auth_type: z.enum(['api_key', 'none', 'unknown']),
  config: registryConfig,
  updated_at: z.string(),
})
export type StoredEntry = z.infer<typeof storedEntry>

/** @returns who published an entry of the MCP Registry, which proves that a namespace is its publisher's, as in `com.example` */
export function readNamespace({ config }: StoredEntry): string | undefined {
  if (config.source !== 'mcp-registry') return undefined
  return config.server_name?.split('/')[0]
}
