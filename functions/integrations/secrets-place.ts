import {
  CreateSecretCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { isDeepStrictEqual } from 'node:util'
import { heldSecrets } from './held-secrets.ts'
import { type Place, serialise } from './vault.ts'

/** Typed values in Secrets Manager, one secret for each name. */
export const secretsPlace = (client: Pick<SecretsManagerClient, 'send'>): Place => {
  const held = heldSecrets(client)
  return {
    ...held,

    async put(sub, name, typed) {
      try {
        await client.send(new CreateSecretCommand({ Name: name, SecretString: serialise(typed) }))
      } catch (error) {
        if (!(error instanceof ResourceExistsException)) throw error
        if (!isDeepStrictEqual(await held.find(sub, name), typed)) throw error
      }
    },
  }
}
