import type { AnnouncedSecrets } from './announced-secrets.ts'
import { forgetCredential, removeCredential, type Forgetting } from './disconnect.ts'
import type { Stores } from './stores.ts'

/**
 * Takes back and deletes everything that a user gave to integrations: grants are revoked where the provider can, secrets go for
 * good. The rows themselves are left to whoever erases the user's partition. Can be repeated.
 */
export async function forgetUser(
  stores: Forgetting & Pick<Stores, 'integrations' | 'tools'> & { announced?: Pick<AnnouncedSecrets, 'all'> },
  sub: string,
): Promise<void> {
  for (const row of await stores.integrations.list(sub)) await forgetCredential(stores, sub, row)
  // a credential is written before its integration: a crash may have left one alone
  for (const [mcpId, credential] of await stores.credentials.list(sub))
    await removeCredential(stores, sub, mcpId, credential)
  for (const { id, secret_name } of await stores.tools.all(sub)) {
    if (!secret_name) continue
    await stores.vault.remove(sub, secret_name)
    await stores.tools.forgetSecret(sub, id)
  }
  for (const { name } of (await stores.announced?.all(sub)) ?? []) await stores.vault.remove(sub, name)
}
