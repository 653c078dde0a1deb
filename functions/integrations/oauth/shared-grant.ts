import { findProvider } from '../../providers/built-in.ts'
import { operatorApps } from '../../providers/operator-apps.ts'
import type { IntegrationDeps } from '../deps.ts'
import { toEntryId } from '../target.ts'
import type { OAuthClient } from './tokens.ts'

/**
 * Whether revoking a grant would end other connections of the user. Google has one authorization per user and app: revoking any of its
 * tokens revokes the permissions of all connections through this app.
 * https://developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke
 */
export async function isGrantShared(
  { credentials }: { credentials: Pick<IntegrationDeps['credentials'], 'list'> },
  sub: string,
  mcpId: string,
  { clientId }: OAuthClient,
): Promise<boolean> {
  const revokeUrl = findProvider(toEntryId(mcpId))?.oauth?.revokeUrl
  if (revokeUrl === undefined) return false
  for (const [otherId, credential] of await credentials.list(sub)) {
    const entryId = toEntryId(otherId)
    if (otherId === mcpId || credential.sealed === undefined || credential.server) continue
    if (findProvider(entryId)?.oauth?.revokeUrl !== revokeUrl) continue
    const otherClient = credential.client_id ?? (await operatorApps())[entryId]?.clientId
    if (otherClient === clientId) return true
  }
  return false
}
