import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalCredentials } from './credentials.ts'

/** What another process needs to use the emulators of a running product. */
export interface Endpoints {
  dynamodb: string
  s3: string
  secrets: string
  lambda: string
  cognito: string
  /** with `/v1`; absent when another model is configured */
  model?: string | undefined
  /** the key that the demo model accepts */
  modelKey?: string | undefined
  /** absent when the real providers are used */
  providers?: string | undefined
  /** to sign in at; absent when there is none to try */
  identityProvider?: string | undefined
  /** generated at each start */
  credentials: LocalCredentials
  table: string
  bucket: string
  sealingKey: string
  vaultPrefix: string
  vault: string
}

/** Writes a file that only the owner of the data folder can read. */
export async function writeEndpoints(dataDir: string, endpoints: Endpoints): Promise<void> {
  const file = join(dataDir, 'endpoints.json')
  await writeFile(file, `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 })
  // an existing file keeps its mode
  await chmod(file, 0o600)
}
