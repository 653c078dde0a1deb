import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

const cacheMs = 300_000
/** People's own secrets are read through here too: a function that serves many forgets the oldest. */
const maxHeld = 200

/** Reads secrets, each kept in memory for 5 minutes, so that one that an operator rotates is picked up without a deployment. */
export function secretStore(client: Pick<SecretsManagerClient, 'send'> = new SecretsManagerClient({})) {
  const cache = new Map<string, { value: string; readAtMs: number }>()
  return {
    /**
     * @param maxAgeMs how old a copy may be
     * @throws the client's error when the secret cannot be read and no copy is held
     */
    async read(name: string, maxAgeMs = cacheMs): Promise<string> {
      const held = cache.get(name)
      if (held && Date.now() - held.readAtMs < maxAgeMs) return held.value
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: name }))
      const value = SecretString ?? ''
      cache.delete(name)
      cache.set(name, { value, readAtMs: Date.now() })
      const [oldest] = cache.keys()
      if (cache.size > maxHeld && oldest !== undefined) cache.delete(oldest)
      return value
    },
  }
}

export type SecretStore = ReturnType<typeof secretStore>
