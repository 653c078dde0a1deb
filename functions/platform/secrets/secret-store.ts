import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { clientTimeouts } from '../client-timeouts.ts'
import { LruMap } from '../lru-map.ts'

const cacheMs = 300_000
/** Also for users' secrets, of which a function may read many. */
const maxCached = 200

let sharedClient: SecretsManagerClient | undefined

/** The client that all parts of a function share. */
export const secretsManager = () => (sharedClient ??= new SecretsManagerClient(clientTimeouts(4_000)))

/** Reads secrets and caches each for 5 minutes, so that rotated secrets are used without a deployment. */
export function secretStore(client: Pick<SecretsManagerClient, 'send'> = secretsManager()) {
  const cache = new LruMap<string, { value: string; readAtMs: number }>(maxCached)
  const reading = new Map<string, Promise<string>>()

  async function fetchSecret(name: string): Promise<string> {
    const { SecretString: value = '' } = await client.send(new GetSecretValueCommand({ SecretId: name }))
    cache.set(name, { value, readAtMs: Date.now() })
    return value
  }

  return {
    /**
     * Concurrent calls for a secret share one request.
     * @param maxAgeMs how old a copy may be
     * @throws the client's error when the secret cannot be read
     */
    async read(name: string, maxAgeMs = cacheMs): Promise<string> {
      const cached = cache.get(name)
      if (cached && Date.now() - cached.readAtMs < maxAgeMs) return cached.value
      const pending = reading.get(name) ?? fetchSecret(name).finally(() => reading.delete(name))
      reading.set(name, pending)
      return pending
    },

    /** Reads the version before the current one; undefined if there is none. */
    async readPrevious(name: string): Promise<string | undefined> {
      try {
        const input = { SecretId: name, VersionStage: 'AWSPREVIOUS' }
        return (await client.send(new GetSecretValueCommand(input))).SecretString
      } catch {
        return undefined
      }
    },
  }
}

export type SecretStore = ReturnType<typeof secretStore>
