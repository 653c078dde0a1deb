import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { buildDoorsTable, documents, readDoors, type Section } from './doors-table.ts'
import { namesTests } from './support/named-tests.ts'

const doors = readDoors()

it('every door of every rule has a test that exists', () => {
  expect(doors.length).toBeGreaterThan(40)
  expect(doors.filter(({ row }) => !namesTests(row))).toEqual([])
})

it('a door without a test is found', () => {
  const [door] = readDoors('## Security\n\n| rule | door | tests |\n| --- | --- | --- |\n| a | b | |\n')
  expect(door).toMatchObject({ rule: 'a', door: 'b' })
  expect(namesTests(door?.row ?? '')).toBe(false)
})

it.each(Object.entries(documents))('the document on %s lists its rules and doors', (section, file) => {
  const cells = (table: string) =>
    table
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, first = '']) => !/^-+$/.test(first))
  const [, table = ''] = readFileSync(file, 'utf8').split('<!-- doors:')
  const listed = cells(table.split('<!-- end of doors -->')[0] ?? '')
  expect(listed).toEqual(cells(buildDoorsTable(section as Section)))
})
