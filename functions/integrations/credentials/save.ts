import { randomUUID } from 'node:crypto'
import { wait } from '../../platform/clock.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import type { ConnectionRepository } from '../store/connection-repository.ts'
import type { CredentialRow } from '../store/credential-repository.ts'
import { TooManySecrets } from '../store/errors.ts'
import { maskCredentials, type Credentials, type Vault } from '../vault/vault.ts'
import { type CredentialDeletionDeps, mayShareGrant, prepareRevocation } from './revoke.ts'

interface SaveDeps extends CredentialDeletionDeps {
  integrations: Pick<ConnectionRepository, 'find'>
  vault: Vault
}

/** What is connected must not be reported as failed because a provider takes its time with what was replaced. */
const maxRevocationMs = 5_000

/** Revokes the grants that a new credential has replaced. Never throws. */
type RevokeReplaced = () => Promise<void>

/**
 * Stores credentials: first the secret, then the row that names it; then deletes the superseded secret.
 * @returns undefined if that failed; else also what has to be called when the connection is stored
 * @throws TooManySecrets
 */
export async function saveCredentials(
  deps: SaveDeps,
  sub: string,
  { mcpId }: { mcpId: string },
  credentials: Credentials,
): Promise<{ credential: CredentialRow; revokeReplaced: RevokeReplaced } | undefined> {
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
    return { credential, revokeReplaced: await replaceCredential(deps, sub, mcpId, credential) }
  } catch (error) {
    if (error instanceof TooManySecrets) throw error
    logger.error('credentials could not be stored', { error })
    return undefined
  }
}

/**
 * Replaces a credential, then deletes its secret. Every new credential is stored here, whatever it replaces: a key, or a sign-in with the
 * same client or another. If the row cannot be written, its secret is deleted, unless it
 * is not known whether the row names it: then it is left to the cleanup.
 * @returns a function that revokes the grants that were replaced; it takes a provider's time, so store the connection before
 * @throws what the table throws
 */
export async function replaceCredential(
  deps: SaveDeps,
  sub: string,
  mcpId: string,
  credential: CredentialRow,
): Promise<RevokeReplaced> {
  const { credentials, vault } = deps
  let superseded: CredentialRow[]
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
  const ended = superseded.filter((old) => !mayShareGrant(old, credential))
  const row = ended.some(({ sealed }) => sealed !== undefined)
    ? await deps.integrations.find(sub, mcpId).catch(() => undefined)
    : undefined
  const revocations = await Promise.all(
    ended.map((old) => prepareRevocation(deps, sub, { mcpId, row, credential: old })),
  )
  for (const { secret_name: name } of superseded)
    if (name !== undefined && name !== credential.secret_name)
      await vault.remove(sub, name).catch(() => undefined)
  return async () => {
    await Promise.race([
      Promise.all(revocations.map((revoke) => revoke())),
      wait(maxRevocationMs, { ref: false }),
    ])
  }
}
