import { CredentialsNotStored, IntegrationNotFound } from './errors.ts'
import { keep } from './connect.ts'
import { forgetCredential, prepareRevocation, removeCredential } from './disconnect.ts'
import type { Stores } from './stores.ts'
import { findTarget } from './target.ts'
import type { TypedValues } from './vault.ts'

/**
 * CRED-02, CRED-04: stores typed values for an integration; those of an OAuth connection are replaced with all its tokens, and its
 * grant is revoked. A row that was invalid for want of them is active again.
 * @param mustExist of `update`
 * @throws EntryNotFound, IntegrationNotFound, CredentialsNotStored
 */
export async function storeCredentials(
  stores: Stores,
  sub: string,
  { mcpId, credentials, mustExist }: { mcpId: string; credentials: TypedValues; mustExist: boolean },
): Promise<void> {
  const target = await findTarget(stores, mcpId)
  const [replaced, row] = await Promise.all([
    stores.credentials.find(sub, target.mcpId),
    stores.integrations.find(sub, target.mcpId),
  ])
  if (mustExist && !replaced) throw new IntegrationNotFound(mcpId)
  const revoke = row && replaced && (await prepareRevocation(stores, sub, row, replaced))
  if ((await keep(stores, sub, target, credentials)) === 'failed') throw new CredentialsNotStored(mcpId)
  await revoke?.()
  if (row?.status === 'connected' && row.token_status !== 'active')
    await stores.integrations.setStatus(
      sub,
      target.mcpId,
      { status: 'connected', tokenStatus: 'active' },
      new Date().toISOString(),
    )
}

/** CRED-03, DEC-085: names with masks, never values. @throws IntegrationNotFound */
export async function maskedCredentials(
  { credentials }: Stores,
  sub: string,
  mcpId: string,
): Promise<TypedValues> {
  const credential = await credentials.find(sub, mcpId)
  if (!credential) throw new IntegrationNotFound(mcpId)
  return credential.masks
}

/**
 * CRED-05: revokes the grant where there is one, as a disconnection does. A connected row without what it needs is invalid from then on.
 * @throws IntegrationNotFound
 */
export async function deleteCredentials(stores: Stores, sub: string, mcpId: string): Promise<void> {
  const credential = await stores.credentials.find(sub, mcpId)
  if (!credential) throw new IntegrationNotFound(mcpId)
  const row = await stores.integrations.find(sub, mcpId)
  if (row) await forgetCredential(stores, sub, row)
  else await removeCredential(stores, sub, mcpId, credential)
  if (row?.status === 'connected')
    await stores.integrations.setStatus(
      sub,
      mcpId,
      { status: 'connected', tokenStatus: 'invalid' },
      new Date().toISOString(),
    )
}
