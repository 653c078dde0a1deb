import type { AnnouncedSecrets } from './announced-secrets.ts'
import { forgetCredential, removeCredential, type Forgetting } from './disconnect.ts'
import type { Stores } from './stores.ts'

/**
 * Takes back and deletes everything that a user gave to integrations: grants are revoked where the provider can, secrets go for
 * good. The rows themselves are left to whoever erases the user's partition. Can be repeated.
 * @param isOver whether the time of this call is used up: providers may take seconds each to revoke a grant
 * @returns false when the time was over before all was deleted
 */
export async function forgetUser(
  stores: Forgetting & Pick<Stores, 'integrations' | 'tools'> & { announced?: Pick<AnnouncedSecrets, 'all'> },
  sub: string,
  isOver: () => boolean,
): Promise<boolean> {
  const rows = new Map((await stores.integrations.list(sub)).map((row) => [row.mcp_id, row]))
  for (const [mcpId, credential] of await stores.credentials.list(sub)) {
    const row = rows.get(mcpId)
    if (row) await forgetCredential(stores, sub, row)
    // a credential is written before its integration: a crash may have left one alone
    else await removeCredential(stores, sub, mcpId, credential)
    if (isOver()) return false
  }
  for (const { id, secret_name } of await stores.tools.all(sub)) {
    if (!secret_name) continue
    await stores.vault.remove(sub, secret_name)
    await stores.tools.forgetSecret(sub, id)
  }
  for (const { name } of (await stores.announced?.all(sub)) ?? []) await stores.vault.remove(sub, name)
  return true
}
