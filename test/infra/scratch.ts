import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** One folder for all files of the project's tests: deleted after the run, and emptied before the next. */
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
