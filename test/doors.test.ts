import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { namesTests } from './support/named-tests.ts'

/** The rows of test/spec/doors.tsv: area, rule, a way by which its thing comes in, changes or goes, tests. */
const rows = readFileSync(new URL('spec/doors.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)

it('every door of every rule has a test that exists', () => {
  expect(rows.length).toBeGreaterThan(90)
  expect(rows.filter((row) => !namesTests(row))).toEqual([])
})

it('a door without a test is found', () => {
  expect(namesTests('| a | b | |')).toBe(false)
})
