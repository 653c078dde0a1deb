import { operatorApps } from '../providers/operator-apps.ts'
import type { CredentialRow } from './credential-repository.ts'
import type { OAuthClient, TokenSet } from './token-endpoint.ts'
import type { VaultReader } from './vault.ts'

/** The name of the client secret among the typed values. */
export const clientSecretName = 'clientSecret'

/**
 * The app through which a credential was granted: the user's own, one that registered itself, or the operator's. Undefined when it is
 * not there any more.
 */
export async function clientOf(
  { vault }: { vault: VaultReader },
  { sub, entryId }: { sub: string; entryId: string },
  credential: CredentialRow,
  tokens: TokenSet,
): Promise<OAuthClient | undefined> {
  if (credential.client_id !== undefined) {
    const typed = credential.secret_name ? await vault.read(sub, credential.secret_name) : {}
    return { clientId: credential.client_id, clientSecret: typed[clientSecretName] ?? tokens.clientSecret }
  }
  const app = (await operatorApps())[entryId]
  return app && { clientId: app.clientId, clientSecret: app.clientSecret }
}
