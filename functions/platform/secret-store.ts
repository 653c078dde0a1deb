import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

const cacheMs = 300_000

/** Reads secrets that operators set, each kept in memory for 5 minutes, so a rotated one is picked up without a deployment. */
export function secretStore(client: Pick<SecretsManagerClient, 'send'> = new SecretsManagerClient({})) {
  const cache = new Map<string, { value: string; readAtMs: number }>()
  return {
    /** @throws the client's error when the secret cannot be read and no copy is held */
    async read(name: string): Promise<string> {
      const held = cache.get(name)
      if (held && Date.now() - held.readAtMs < cacheMs) return held.value
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: name }))
      const value = SecretString ?? ''
      cache.set(name, { value, readAtMs: Date.now() })
      return value
    },
  }
}

export type SecretStore = ReturnType<typeof secretStore>
