import type { IntegrationDeps } from './deps.ts'
import { findTarget } from './connection-target.ts'
import { revokeAndDeleteCredential } from './credentials/revoke.ts'
import { saveCredentials } from './credentials/save.ts'
import { ConnectionNotFound, CredentialsNotStored } from './store/errors.ts'
import type { Credentials } from './vault/vault.ts'

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
  const saved = await saveCredentials(deps, sub, target, credentials)
  if (!saved) throw new CredentialsNotStored(mcpId)
  if (row?.status === 'connected' && row.token_status !== 'active')
    await deps.integrations.setStatus(sub, target.mcpId, { status: 'connected', tokenStatus: 'active' })
  await saved.revokeReplaced()
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
  await revokeAndDeleteCredential(deps, sub, { mcpId, row, credential })
  // the user may have connected it again meanwhile
  if (row?.status === 'connected' && !(await deps.credentials.find(sub, mcpId)))
    await deps.integrations.setStatus(sub, mcpId, { status: 'connected', tokenStatus: 'invalid' })
}
