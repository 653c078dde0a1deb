import * as z from 'zod'
import { parseKey } from '#shared/secret-values.ts'
import { trimSlashes } from '#shared/trim-characters.ts'
import { parseEnv } from '../platform/env.ts'
import { outboundHttp, parseAllowList } from '../platform/net/outbound-http.ts'
import { validSecret } from '../platform/secrets/valid-secret.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { gitHub } from './github.ts'
import { mcpRegistry } from './mcp-registry.ts'
import { snapshotStore } from './snapshot.ts'
import type { SyncDeps } from './sync.ts'
import { syncRepository } from './sync-repository.ts'

/** Opens the sources and stores of the sync from the environment. @throws Error naming missing variables */
export function openSyncDeps(): SyncDeps & { registry: NonNullable<SyncDeps['registry']> } {
  const env = parseEnv({
    TABLE_NAME: z.string(),
    GITHUB_API_URL: z.url().default('https://api.github.com'),
    GITHUB_TOKEN_SECRET: z.string().optional(),
    MCP_REGISTRY_URL: z.url().default('https://registry.modelcontextprotocol.io'),
    OUTBOUND_ALLOW: z.string().optional(),
  })
  const table = openTable(env.TABLE_NAME)
  const readToken = validSecret(secretStore(), parseKey)
  const guard = outboundHttp({ allow: parseAllowList(env.OUTBOUND_ALLOW) })
  return {
    repository: syncRepository(table),
    snapshots: snapshotStore(table),
    github: gitHub({
      apiUrl: trimSlashes(env.GITHUB_API_URL),
      readToken: async () => (env.GITHUB_TOKEN_SECRET ? readToken(env.GITHUB_TOKEN_SECRET) : undefined),
    }),
    registry: mcpRegistry({ apiUrl: trimSlashes(env.MCP_REGISTRY_URL) }),
    mayBeCalled(url) {
      try {
        // a URL with {placeholders} cannot be called
        guard.check(url)
        return !url.includes('{') && url.length <= 2_000
      } catch {
        return false
      }
    },
  }
}
