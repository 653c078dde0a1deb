import * as z from 'zod'
import { registryConfig } from '#shared/contracts/registry.ts'

/** An entry as the sync stores it. Built-in entries are part of the product and not stored. */
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

/** @returns the namespace of an entry of the MCP Registry, such as `com.example`; the registry verifies that its publisher owns it */
export function readNamespace({ config }: StoredEntry): string | undefined {
  if (config.source !== 'mcp-registry') return undefined
  return config.server_name?.split('/')[0]
}
