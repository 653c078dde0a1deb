import { disconnectMoved } from './disconnect.ts'
import type { ConnectionRow } from './store/connection-repository.ts'
import type { CredentialRow } from './store/credential-repository.ts'
import type { IntegrationDeps } from './deps.ts'
import { findTarget, type ConnectionTarget } from './connection-target.ts'
import type { Credentials } from './vault/vault.ts'
import { saveCredentials } from './credentials/save.ts'
import { storeConnection } from './connection.ts'

export interface ConnectInput {
  mcpId: string
  environment: 'production' | 'sandbox'
  credentials: Credentials | undefined
  parameters: Record<string, string>
}

/**
 * Connects an entry with credentials or without any. Order: verify the credentials at the provider, store them, write the row. The
 * only partial state is a row without its credential, which is shown as invalid.
 * @throws EntryNotFound, ServerRunsLocally, CredentialsRequired, CredentialsRefused, AddressForbidden, OutboundFailed, McpServerFailed,
 * TooManySecrets
 */
export async function connect(
  deps: IntegrationDeps,
  sub: string,
  input: ConnectInput,
): Promise<{ row: ConnectionRow; credential: CredentialRow | undefined }> {
  const target = await findTarget(deps, input.mcpId, input.environment)
  const { parameters } = input
  const access = await target.check(deps.http, input.credentials, parameters)
  return storeConnected(deps, sub, target, { ...access, parameters, url: target.entry.config.remote_url })
}

/**
 * Stores what was verified: the credentials, then the row.
 * @throws TooManySecrets
 */
export async function storeConnected(
  deps: IntegrationDeps,
  sub: string,
  target: ConnectionTarget,
  {
    credentials,
    ...state
  }: Pick<Parameters<typeof storeConnection>[3], 'authType' | 'parameters' | 'url' | 'probe'> & {
    credentials?: Credentials | undefined
  },
): Promise<{ row: ConnectionRow; credential: CredentialRow | undefined }> {
  await disconnectMoved(deps, sub, target)
  const saved = credentials && (await saveCredentials(deps, sub, target, credentials))
  const credential = saved?.credential
  const tokenStatus = credentials && !saved ? 'invalid' : 'active'
  const row = await storeConnection(deps, sub, target, { ...state, tokenStatus, credential })
  await saved?.revokeReplaced()
  return { row, credential }
}
