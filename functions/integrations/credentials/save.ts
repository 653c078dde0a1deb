import { randomUUID } from 'node:crypto'
import { logger } from '../../platform/telemetry/logger.ts'
import type { CredentialRepository, CredentialRow } from '../store/credential-repository.ts'
import { TooManySecrets } from '../store/errors.ts'
import { maskCredentials, type Credentials, type Vault } from '../vault/vault.ts'

interface SaveDeps {
  credentials: CredentialRepository
  vault: Vault
}

/**
 * Stores credentials: first the secret, then the row that names it; then deletes the superseded secret.
 * @returns undefined if that failed
 * @throws TooManySecrets
 */
export async function saveCredentials(
  deps: SaveDeps,
  sub: string,
  { mcpId }: { mcpId: string },
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
  { credentials, vault }: SaveDeps,
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
