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
import { type Place, serialise, parseTyped, type ReadablePlace, type HeldPlace } from './vault.ts'

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

/** Typed values in Secrets Manager, one secret for each name. @param read of a secret's text; copies may be held */
export const readableSecrets = (read: (name: string) => Promise<string>): ReadablePlace => ({
  async find(_, name) {
    try {
      return parseTyped(await read(name))
    } catch (error) {
      // for a moment after its deletion a secret is still there, and refuses to be read
      if (error instanceof ResourceNotFoundException || error instanceof InvalidRequestException)
        return undefined
      throw error
    }
  },
})

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
