import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One folder for the data of the products that files share. It goes when the workers have ended, and their products with them. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'juno-e2e-'))
  process.env['E2E_SCRATCH'] = folder
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
