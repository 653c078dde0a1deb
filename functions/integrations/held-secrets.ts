import {
  DeleteSecretCommand,
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import * as z from 'zod'

export type TypedValues = Record<string, string>

const values = z.record(z.string(), z.string())

/** Secrets that are there already, by name: apart from `vault`, so that whoever takes them away can make none. */
export const heldSecrets = (client: Pick<SecretsManagerClient, 'send'>) => ({
  async read(name: string): Promise<TypedValues> {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: name }))
    return values.parse(JSON.parse(SecretString ?? '{}'))
  },

  /** For good, and at once. A secret that is gone already is no error. */
  async remove(name: string): Promise<void> {
    try {
      await client.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true }))
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error
    }
  },
})

export type HeldSecrets = ReturnType<typeof heldSecrets>
