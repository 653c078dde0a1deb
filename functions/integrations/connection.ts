import type { TokenStatus } from '#shared/contracts/integrations.ts'
import type { AuthType } from '#shared/contracts/registry.ts'
import type { Connection } from './integration-repository.ts'
import type { Target } from './target.ts'

/** What the row of a connected target says. */
export const connectionOf = (
  { entry, environment }: Target,
  {
    tokenStatus,
    authType,
    parameters,
  }: { tokenStatus: TokenStatus; authType: AuthType; parameters: Record<string, string> },
): Connection => ({
  mcp_name: entry.name,
  token_status: tokenStatus,
  environment,
  auth_type: authType,
  provider: entry.provider,
  open_url: entry.open_url,
  parameters,
})
