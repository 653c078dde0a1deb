import { randomUUID } from 'node:crypto'
import { logger } from '../platform/telemetry/logger.ts'
import type { CredentialRow } from './store/credential-repository.ts'
import { CredentialsNotStored, ConnectionNotFound, TooManySecrets } from './store/errors.ts'
import { revokeAndDeleteCredential, prepareRevocation, deleteCredential } from './disconnect.ts'
import type { IntegrationDeps } from './deps.ts'
import { findTarget, type ConnectionTarget } from './connection-target.ts'
import { maskCredentials, type Credentials } from './vault/vault.ts'

/**
 * Stores credentials for an integration. They replace the tokens of an OAuth connection, whose grant is revoked. A row that was invalid
 * without credentials becomes active again.
 * @param mustExist true for `update`
 * @throws EntryNotFound, ConnectionNotFound, CredentialsNotStored, TooManySecrets
 */
export async function storeCredentials(
  deps: IntegrationDeps,
  sub: string,
  { mcpId, credentials, mustExist }: { mcpId: string; credentials: Credentials; mustExist: boolean },
): Promise<void> {
  const target = await findTarget(deps, mcpId)
  const [replaced, row] = await Promise.all([
    deps.credentials.find(sub, target.mcpId),
    deps.integrations.find(sub, target.mcpId),
  ])
  if (mustExist && !replaced) throw new ConnectionNotFound(mcpId)
  const revoke = row && replaced && (await prepareRevocation(deps, sub, row, replaced))
  if (!(await saveCredentials(deps, sub, target, credentials))) throw new CredentialsNotStored(mcpId)
  await revoke?.()
  if (row?.status === 'connected' && row.token_status !== 'active')
    await deps.integrations.setStatus(
      sub,
      target.mcpId,
      { status: 'connected', tokenStatus: 'active' },
      new Date().toISOString(),
    )
}

/** Loads the masks of the credentials by field name, never the values. @throws ConnectionNotFound */
export async function loadMaskedCredentials(
  { credentials }: IntegrationDeps,
  sub: string,
  mcpId: string,
): Promise<Credentials> {
  const credential = await credentials.find(sub, mcpId)
  if (!credential) throw new ConnectionNotFound(mcpId)
  return credential.masks
}

/**
 * Deletes the credentials of an integration and revokes its grant, if any. A connected row becomes invalid.
 * @throws ConnectionNotFound
 */
export async function deleteCredentials(deps: IntegrationDeps, sub: string, mcpId: string): Promise<void> {
  const credential = await deps.credentials.find(sub, mcpId)
  if (!credential) throw new ConnectionNotFound(mcpId)
  const row = await deps.integrations.find(sub, mcpId)
  if (row) await revokeAndDeleteCredential(deps, sub, row)
  else await deleteCredential(deps, sub, mcpId, credential)
  if (row?.status === 'connected')
    await deps.integrations.setStatus(
      sub,
      mcpId,
      { status: 'connected', tokenStatus: 'invalid' },
      new Date().toISOString(),
    )
}

/**
 * Stores credentials: first the secret, then the row that names it; then deletes the superseded secret.
 * @returns undefined if that failed
 * @throws TooManySecrets
 */
export async function saveCredentials(
  deps: Pick<IntegrationDeps, 'credentials' | 'vault'>,
  sub: string,
  { mcpId }: Pick<ConnectionTarget, 'mcpId'>,
  credentials: Credentials,
): Promise<CredentialRow | undefined> {
  try {
    const name = await deps.vault.store(sub, mcpId, credentials)
    const credential: CredentialRow = {
      version: randomUUID(),
      status: 'active',
      secret_name: name,
      masks: maskCredentials(credentials),
      refreshable: false,
      updated_at: new Date().toISOString(),
    }
    await replaceCredential(deps, sub, mcpId, credential)
    return credential
  } catch (error) {
    if (error instanceof TooManySecrets) throw error
    logger.error('credentials could not be stored', { error })
    return undefined
  }
}

/**
 * Replaces the row that names a secret, then deletes the superseded secret. If the row cannot be written, its secret is deleted, unless it
 * is not known whether the row names it: then it is left to the cleanup.
 * @throws what the table throws
 */
export async function replaceCredential(
  { credentials, vault }: Pick<IntegrationDeps, 'credentials' | 'vault'>,
  sub: string,
  mcpId: string,
  credential: CredentialRow,
): Promise<void> {
  let superseded: string[]
  try {
    superseded = await credentials.replace(sub, mcpId, credential)
  } catch (error) {
    const { secret_name: name } = credential
    const deleteUnnamed = async () => {
      const stored = await credentials.find(sub, mcpId)
      if (name !== undefined && stored?.secret_name !== name) await vault.remove(sub, name)
    }
    await deleteUnnamed().catch(() => undefined)
    throw error
  }
  for (const old of superseded) await vault.remove(sub, old).catch(() => undefined)
}
