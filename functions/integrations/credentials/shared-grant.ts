import { findProvider } from '../../providers/built-in.ts'
import { loadOperatorApps } from '../../providers/operator-apps.ts'
import type { IntegrationDeps } from '../deps.ts'
import { toEntryId } from '../store/connection.ts'
import type { OAuthClient } from './tokens.ts'

const findSharedGrant = (mcpId: string) => findProvider(toEntryId(mcpId))?.oauth?.sharedGrant

/** Whether revoking the grant of a connection would end other connections of the user through the same client (`sharedGrant`). */
export async function isGrantShared(
  { credentials }: { credentials: Pick<IntegrationDeps['credentials'], 'list'> },
  sub: string,
  mcpId: string,
  { clientId }: OAuthClient,
): Promise<boolean> {
  const sharedGrant = findSharedGrant(mcpId)
  if (sharedGrant === undefined) return false
  for (const [otherId, credential] of await credentials.list(sub)) {
    if (otherId === mcpId || credential.sealed === undefined || credential.server) continue
    if (findSharedGrant(otherId) !== sharedGrant) continue
    const otherClient = credential.client_id ?? (await loadOperatorApps())[toEntryId(otherId)]?.clientId
    if (otherClient === clientId) return true
  }
  return false
}
