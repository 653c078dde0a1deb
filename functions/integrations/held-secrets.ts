import {
  DeleteSecretCommand,
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { readableSecrets } from './readable-secrets.ts'
import type { HeldPlace } from './vault.ts'

/** Secrets that are there already: apart from `secretsPlace`, so that whoever takes them away can make none. */
export const heldSecrets = (client: Pick<SecretsManagerClient, 'send'>): HeldPlace => ({
  ...readableSecrets(async (name) => {
    const { SecretString = '{}' } = await client.send(new GetSecretValueCommand({ SecretId: name }))
    return SecretString
  }),

  async remove(_, name) {
    try {
      await client.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true }))
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error
    }
  },
})
