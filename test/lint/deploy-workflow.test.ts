import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const workflow = readFileSync(new URL('../../.github/workflows/deploy.yml', import.meta.url), 'utf8')
const jobs = workflow
  .slice(workflow.indexOf('\njobs:'))
  .split(/^ {2}(?=\w+:$)/m)
  .slice(1)
const findInstalls = (job: string) => job.match(/^.*\bnpm (?:ci|i|install)\b.*$/gm) ?? []
const canAssumeRole = (job: string) => /^\s+id-token: write\b/m.test(job)

it('an install script of a package cannot request the deploying role (L9)', () => {
  expect(jobs.map((job) => [job.split(':')[0], canAssumeRole(job)])).toEqual([
    ['test', false],
    ['deploy', true],
  ])
  // nor does the workflow as a whole
  expect(workflow.slice(0, workflow.indexOf('\njobs:'))).not.toContain('id-token')
  const installs = jobs.filter(canAssumeRole).flatMap(findInstalls)
  expect(installs).toHaveLength(1)
  for (const install of installs) expect(install).toContain('--ignore-scripts')
})

it('every job installs exactly what the lock file names', () => {
  for (const job of jobs)
    expect(job).toMatch(/npm install .*\n\s+- run: git diff --exit-code package-lock\.json\n/)
})
