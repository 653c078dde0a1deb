import { CreateSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { randomBytes } from 'node:crypto'
import { heldSecrets, type TypedValues } from './held-secrets.ts'

/**
 * What people type, in Secrets Manager: one secret per user and integration. Its name ends in a random part, because the name of a
 * deleted secret cannot be used again at once; a change is a new secret, and the old one goes.
 * @param prefix of every name; the function may touch no other secrets
 */
export const vault = (client: Pick<SecretsManagerClient, 'send'>, prefix: string) => ({
  ...heldSecrets(client),

  /** @returns the secret's name */
  async store(sub: string, id: string, typed: TypedValues): Promise<string> {
    const name = `${prefix}/${sub}/${id}/${randomBytes(12).toString('hex')}`
    await client.send(new CreateSecretCommand({ Name: name, SecretString: JSON.stringify(typed) }))
    return name
  },
})

export type Vault = ReturnType<typeof vault>

/** DEC-085: as much of a secret as may be shown: its last four characters where it is long enough to stay one. */
function mask(value: string): string {
  return value.length >= 16 ? `••••${value.slice(-4)}` : '••••••••'
}

/** Masks of all values; what was not typed is left out. */
export function masks(typed: TypedValues): TypedValues {
  return Object.fromEntries(
    Object.entries(typed)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, mask(value)]),
  )
}
