import {
  CreateSecretCommand,
  ResourceExistsException,
  type SecretsManagerClient,
  InvalidRequestException,
  ResourceNotFoundException,
  DeleteSecretCommand,
  GetSecretValueCommand,
} from '@aws-sdk/client-secrets-manager'
import { isDeepStrictEqual } from 'node:util'
import {
  type SecretBackend,
  serializeCredentials,
  parseCredentials,
  type ReadableBackend,
  type DeletableBackend,
} from './vault.ts'

/** Stores credentials in Secrets Manager, one secret per name. */
export const secretsManagerBackend = (client: Pick<SecretsManagerClient, 'send'>): SecretBackend => {
  const deletable = deletableSecrets(client)
  return {
    ...deletable,

    async put(sub, name, credentials) {
      try {
        await client.send(
          new CreateSecretCommand({ Name: name, SecretString: serializeCredentials(credentials) }),
        )
      } catch (error) {
        if (!(error instanceof ResourceExistsException)) throw error
        if (!isDeepStrictEqual(await deletable.find(sub, name), credentials)) throw error
      }
    },
  }
}

/** Reads credentials from Secrets Manager, one secret per name. @param read may return cached values */
export const readableSecrets = (read: (name: string) => Promise<string>): ReadableBackend => ({
  async find(_, name) {
    try {
      return parseCredentials(await read(name))
    } catch (error) {
      // shortly after its deletion a secret still exists but cannot be read
      if (error instanceof ResourceNotFoundException || error instanceof InvalidRequestException)
        return undefined
      throw error
    }
  },
})

/** Reads and deletes secrets. Separate from `secretsManagerBackend`, so that a function that only deletes has no code to create them. */
export const deletableSecrets = (client: Pick<SecretsManagerClient, 'send'>): DeletableBackend => ({
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
