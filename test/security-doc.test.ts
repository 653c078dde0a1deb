import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const list = ['ls-files', '--cached', '--others', '--exclude-standard']
const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\n')
const testFiles = new Set(files.filter((file) => /\.test\.tsx?$/.test(file)).map((file) => basename(file)))

/** The rows of the table of attacks: attack, defence, test. */
const rows = (
  readFileSync(join(root, 'docs/security.md'), 'utf8').split('## Attacks, defences and tests')[1] ?? ''
)
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (attack|-+) /.test(line))

/** Names of test files, with or without their folder. */
const testsIn = (row: string) => [...row.matchAll(/([\w-]+\.test\.tsx?)/g)].map(([, name = '']) => name)

it('every attack in docs/security.md names a test file that exists', () => {
  expect(rows.length).toBeGreaterThan(50)
  const known = (row: string) => testsIn(row).length > 0 && testsIn(row).every((name) => testFiles.has(name))
  expect(rows.filter((row) => !known(row))).toEqual([])
})
