import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** One folder for everything that the project's tests write, gone when all of them are done, and emptied before they run again. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'infra-'))
  process.env['INFRA_SCRATCH'] = folder
  const remove = () => rmSync(folder, { recursive: true, force: true })
  project.onTestsRerun(() => {
    remove()
    mkdirSync(folder)
  })
  return remove
}
