import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSecretsEmulator } from '../../infra/local/emulators/secrets.ts'
import { testCredentials } from './credentials.ts'

/** A separate Secrets Manager for a test file, over the real SDK. */
export async function openTestSecrets(): Promise<{
  readonly client: SecretsManagerClient
  readonly url: string
  close(): Promise<void>
}> {
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-secrets-'))
  const region = 'eu-central-1'
  const emulator = await startSecretsEmulator({ dataDir, region, credentials: testCredentials })
  const client = new SecretsManagerClient({
    endpoint: emulator.url,
    region,
    credentials: testCredentials,
  })
  return {
    client,
    url: emulator.url,
    async close() {
      client.destroy()
      await emulator.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
