import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The rows of docs/requirements.md, and which of them the tests name. */

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

export interface Requirement {
  readonly id: string
  /** the letters of the ID; `DEC` for decisions */
  readonly area: string
  /** the row's text; of a decision: the point, then what holds */
  readonly text: string
}

/** The rows of every table, in the document's order. `\|` is a bar within a cell. */
export function parseRequirements(markdown: string): Requirement[] {
  return markdown.split('\n').flatMap((line) => {
    const match = /^\| (([A-Z]+)-\d+) \| (.*) \|$/.exec(line)
    if (!match) return []
    const [, id = '', area = '', rest = ''] = match
    const cells = rest.split(/ (?<!\\)\| /)
    return [{ id, area, text: cells.slice(0, -1).join(' → ') }]
  })
}

/** The IDs in a test file's code: its tests' names and tables of cases, comments not counted. */
export function namedIds(source: string): Set<string> {
  const code = source.replaceAll(/^\s*\/\*[\s\S]*?\*\//gm, '').replaceAll(/(^|\s)\/\/\s.*$/gm, '')
  return new Set(code.match(/\b[A-Z]+-\d{2,3}\b/g))
}

/** Every row of the project's own document. */
export async function readRequirements(): Promise<Requirement[]> {
  return parseRequirements(await readFile(join(root, 'docs/requirements.md'), 'utf8'))
}

/** Every ID that a test of the working tree names, files not yet committed included. */
export async function readNamedIds(): Promise<Set<string>> {
  const files = ['--cached', '--others', '--exclude-standard', '--deduplicate']
  const tests = ['*.test.ts', '*.test.tsx']
  const { stdout } = await run('git', ['ls-files', '-z', ...files, '--', ...tests], { cwd: root })
  const named = new Set<string>()
  for (const file of stdout.split('\0').filter(Boolean)) {
    const source = await readFile(join(root, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '' // deleted, but not yet in the index
      throw error
    })
    for (const id of namedIds(source)) named.add(id)
  }
  return named
}
