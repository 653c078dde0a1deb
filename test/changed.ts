import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findReached } from './support/import-graph.ts'

/**
 * `npm run test:changed`: the tests that uncommitted changes can reach by imports, nearest first, and the types beside them. `-- main` takes the changes since then,
 * `--all` runs them all, however many. Tests that need a built page or a whole product (`api`, `e2e`) are left to `npm test`.
 */

const root = join(import.meta.dirname, '..')
const projects = ['unit', 'web', 'web-isolated', 'lint', 'emulators', 'infra']
/** what two cores run in a minute */
const mostFiles = 60

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const listFiles = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

const changed = [
  ...listFiles('diff', '--name-only', positionals[0] ?? 'HEAD'),
  ...listFiles('ls-files', '--others', '--exclude-standard'),
]
const modules = listFiles('ls-files', '--cached', '--others', '--exclude-standard').filter(
  (file) => /\.tsx?$/.test(file) && existsSync(join(root, file)),
)
const sources = new Map(modules.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
/** Modules that read a changed document or table by its name. */
const readers = changed
  .filter((file) => !/\.tsx?$/.test(file))
  .flatMap((file) => {
    const name = file.slice(file.lastIndexOf('/') + 1)
    return modules.filter((module) => sources.get(module)?.includes(`${name}'`))
  })
const documents = changed.some((file) => file.endsWith('.md')) ? ['test/lint/docs.test.ts'] : []
const reached = [...findReached([...changed, ...readers, ...documents], sources).keys()].filter(
  (file) =>
    /\.test\.tsx?$/.test(file) &&
    existsSync(join(root, file)) &&
    !/^test\/(?:api\/|e2e\/|support\/.*\.ts$)/.test(file),
)
const files = values.all ? reached : reached.slice(0, mostFiles)
console.log(
  `${changed.length} changed files reach ${reached.length} test files${files.length < reached.length ? `; the nearest ${files.length} run (--all: every one)` : ''}.`,
)
const checks = [spawn('npm', ['run', '--silent', 'types'], { cwd: root, stdio: 'inherit' })]
if (files.length > 0)
  checks.push(
    spawn(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...files,
        ...projects.map((project) => `--project=${project}`),
        '--tags-filter=!long && !trial',
        '--silent=passed-only',
      ],
      { cwd: root, stdio: 'inherit' },
    ),
  )
const codes = await Promise.all(
  checks.map(async (check) => ((await once(check, 'close')) as [number | null])[0]),
)
console.log(codes[0] === 0 ? 'The types are right.' : 'The types are wrong: see above.')
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
