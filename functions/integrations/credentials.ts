import { randomUUID } from 'node:crypto'
import { logger } from '../platform/telemetry/logger.ts'
import type { CredentialRow } from './credential-repository.ts'
import { CredentialsNotStored, IntegrationNotFound } from './errors.ts'
import { forgetCredential, prepareRevocation, removeCredential } from './disconnect.ts'
import type { Stores } from './deps.ts'
import { findTarget, type Target } from './target.ts'
import { masks, type TypedValues } from './vault/vault.ts'

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

/** Stores typed values: the secret first, then the row that names it, then what was there before goes. */
export async function keep(
  { credentials, vault }: Pick<Stores, 'credentials' | 'vault'>,
  sub: string,
  { mcpId }: Pick<Target, 'mcpId'>,
  typed: TypedValues,
): Promise<CredentialRow | 'failed'> {
  try {
    const name = await vault.store(sub, mcpId, typed)
    const credential: CredentialRow = {
      version: randomUUID(),
      status: 'active',
      secret_name: name,
      masks: masks(typed),
      refreshable: false,
      updated_at: new Date().toISOString(),
    }
    let superseded: string[]
    try {
      superseded = await credentials.replace(sub, mcpId, credential)
    } catch (error) {
      // no row names it: nobody would ever find it
      await vault.remove(sub, name)
      throw error
    }
    for (const old of superseded) await vault.remove(sub, old).catch(() => undefined)
    return credential
  } catch (error) {
    logger.error('credentials could not be stored', { error })
    return 'failed'
  }
}
