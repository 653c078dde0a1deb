import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openReport } from './judge/report.ts'

it('a judge reports a line for each thing, and ends with the numbers', () => {
  const lines: string[] = []
  const report = openReport((text) => lines.push(text))
  report.pass('plain')
  report.fail('tool', 'asked twice')
  report.skip('llama-server', 'it is not installed.')
  report.tell('| a table |')
  expect(lines).toEqual([
    'ok      plain\n',
    'FAILED  tool: asked twice\n',
    'skipped llama-server: it is not installed.\n',
    '| a table |\n',
  ])
  expect(report.summary()).toBe('1 passed, 1 failed, 1 skipped')
  expect([report.countFailed(), report.countSkipped()]).toEqual([1, 1])
})

it('npm run judge refuses a judge that does not exist, and names those that do', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'judge/run.ts'), 'crowd'],
    {
      encoding: 'utf8',
    },
  )
  expect([status, stderr]).toEqual([
    2,
    'There is no judge crowd; there are runtime, models, mcp, files, tables, aws, browsers.\n',
  ])
})
