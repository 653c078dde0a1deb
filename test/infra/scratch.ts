import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One folder for everything that the project's tests write, gone when all of them are done. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'infra-'))
  process.env['INFRA_SCRATCH'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
