import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { calleeNames, parse, walk, type Node } from './support/syntax-tree.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The rows of the table of attacks: attack, defence, tests. */
const rows = read('test/spec/attacks.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (attack|-+) /.test(line))

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
  const source = existsSync(join(root, file)) ? read(file) : ''
  const titles = walk(parse(file, source))
    .filter((node) => node.type === 'CallExpression' && testFunctions.includes(calleeNames(node)[0] ?? ''))
    .flatMap((node) => (node['arguments'] as Node[]).slice(0, 1))
    .map(({ start, end }) => source.slice(start, Number(end)))
  titlesByFile.set(file, titles)
  return titles
}

const namesTests = (row: string) => {
  const tests = listTests(row)
  return (
    tests.length > 0 &&
    tests.length === [...row.matchAll(/\.test\.tsx?`/g)].length &&
    tests.every(({ file, titles }) =>
      titles.every((title) => readTitles(file).some((known) => known.includes(title))),
    )
  )
}

it('every attack in test/spec/attacks.md names tests that exist', () => {
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter((row) => !namesTests(row))).toEqual([])
})

it('a test that does not exist is found', () => {
  const file = 'test/security-doc.test.ts'
  expect(namesTests(`| a | b | \`${file}\`: “names tests that exist” |`)).toBe(true)
  expect(namesTests(`| a | b | \`${file}\`: “names tests that exist”, “no such test” |`)).toBe(false)
  expect(namesTests('| a | b | `test/no-such.test.ts`: “names tests that exist” |')).toBe(false)
  expect(namesTests(`| a | b | \`${file}\` |`)).toBe(false)
})
