import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { namesTests } from './support/named-tests.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The rows of the table of attacks: area, attack, defence, tests. */
const rows = read('test/spec/attacks.tsv').trimEnd().split('\n').slice(1)

it('every attack in test/spec/attacks.tsv names tests that exist', () => {
  expect(rows.length).toBeGreaterThan(140)
  expect(rows.filter((row) => row.split('\t').length !== 4)).toEqual([])
  expect(rows.filter((row) => !namesTests(row))).toEqual([])
})

it('a test that does not exist is found', () => {
  const file = 'test/security-doc.test.ts'
  expect(namesTests(`| a | b | \`${file}\`: “names tests that exist” |`)).toBe(true)
  expect(namesTests(`| a | b | \`${file}\`: “names tests that exist”, “no such test” |`)).toBe(false)
  expect(namesTests('| a | b | `test/no-such.test.ts`: “names tests that exist” |')).toBe(false)
  expect(namesTests(`| a | b | \`${file}\` |`)).toBe(false)
})
