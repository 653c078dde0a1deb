import { operatorApps } from '../providers/operator-apps.ts'
import type { CredentialRow } from './credential-repository.ts'
import type { HeldSecrets } from './held-secrets.ts'
import type { OAuthClient } from './token-endpoint.ts'

/** The name of the client secret among the typed values. */
export const clientSecretName = 'clientSecret'

/** The app through which a credential was granted: the user's own, or the operator's. Undefined when neither is there any more. */
export async function clientOf(
  { vault }: { vault: Pick<HeldSecrets, 'read'> },
  entryId: string,
  credential: CredentialRow,
): Promise<OAuthClient | undefined> {
  if (credential.client_id !== undefined) {
    const typed = credential.secret_name ? await vault.read(credential.secret_name) : {}
    return { clientId: credential.client_id, clientSecret: typed[clientSecretName] }
  }
  const app = (await operatorApps())[entryId]
  return app && { clientId: app.clientId, clientSecret: app.clientSecret }
}
