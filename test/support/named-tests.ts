import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { calleeNames, parse, walk, type Node } from './syntax-tree.ts'

const root = join(import.meta.dirname, '../..')

/** The tests that a row names: a file, and parts of titles in it. */
const listTests = (row: string) =>
  [...row.matchAll(/`([^`]+\.test\.tsx?)`: (“.*?”(?:, “.*?”)*)/g)].map(([, file = '', titles = '']) => ({
    file,
    titles: [...titles.matchAll(/“(.*?)”/g)].map(([, title = '']) => title),
  }))

const testFunctions = ['describe', 'it', 'test']
const titlesByFile = new Map<string, string[]>()

/** The titles of a file's tests and groups as written, with `%s` and `${…}` in them. */
function readTitles(file: string): string[] {
  const known = titlesByFile.get(file)
  if (known) return known
  const source = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
  const titles = walk(parse(file, source))
    .filter((node) => node.type === 'CallExpression' && testFunctions.includes(calleeNames(node)[0] ?? ''))
    .flatMap((node) => (node['arguments'] as Node[]).slice(0, 1))
    .map(({ start, end }) => source.slice(start, Number(end)))
  titlesByFile.set(file, titles)
  return titles
}

/** Whether a row of a table names tests, and all of them exist: files, and parts of titles in them. */
export function namesTests(row: string): boolean {
  const tests = listTests(row)
  return (
    tests.length > 0 &&
    tests.length === [...row.matchAll(/\.test\.tsx?`/g)].length &&
    tests.every(({ file, titles }) =>
      titles.every((title) => readTitles(file).some((known) => known.includes(title))),
    )
  )
}
