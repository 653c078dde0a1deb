import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeys } from './reused-rsa-keys.ts'

/**
 * One folder for the data of the products that files share, which goes when the workers have ended, and their products with them; and
 * the keys of all products.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'juno-tests-'))
  Object.assign(process.env, { TEST_SCRATCH: folder, REUSED_RSA_KEYS: JSON.stringify(generateKeys()) })
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
