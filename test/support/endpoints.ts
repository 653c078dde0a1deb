import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoints } from '../../infra/local/endpoints.ts'

/**
 * The addresses that a running product wrote into its data folder.
 * @throws the system's error when no product has used the folder
 */
export async function readEndpoints(dataDir: string): Promise<Endpoints> {
  return JSON.parse(await readFile(join(dataDir, 'endpoints.json'), 'utf8')) as Endpoints
}
