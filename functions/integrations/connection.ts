import type { TokenStatus } from '#shared/contracts/integrations.ts'
import type { AuthType } from '#shared/contracts/registry.ts'
import type { Connection } from './integration-repository.ts'
import { pinServer } from './pinned-server.ts'
import type { Target } from './target.ts'

/** What the row of a connected target says. */
export const connectionOf = (
  { entry, provider, environment }: Target,
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
): Connection => ({
  mcp_name: entry.name,
  token_status: tokenStatus,
  environment,
  auth_type: authType,
  provider: entry.provider,
  open_url: entry.open_url,
  parameters,
  read_only_tools: readOnlyTools,
  // tokens name the server that they were granted for
  namespace: entry.namespace,
  remote: authType === 'oauth2' ? undefined : pinServer({ entry, provider }),
})
