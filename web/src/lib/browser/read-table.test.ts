import { expect, it } from 'vitest'
import { readTable, sanitizeCsv } from './read-table.ts'

it('leaves out empty lines and what names the separator', () => {
  expect(readTable('sep=;\n\nName;Age\r\n\r\nAnn;\n')).toEqual({
    rows: [
      ['Name', 'Age'],
      ['Ann', ''],
    ],
    isCut: false,
  })
  expect(readTable('')).toEqual({ rows: [], isCut: false })
})

it('a download has all rows, its separator, and no formulas', () => {
  expect(sanitizeCsv('Name;Link\n"=HYPERLINK(""x"")";+cmd|calc')).toBe(
    `Name;Link\r\n"'=HYPERLINK(""x"")";'+cmd|calc\r\n`,
  )
  expect(sanitizeCsv('a,b\n'.repeat(1_200)).split('\r\n')).toHaveLength(1_201)
})

it('stops at 1,000 rows and 100 columns', () => {
  const { rows, isCut } = readTable('a,b\n'.repeat(1_200))
  expect([rows.length, isCut]).toEqual([1_000, true])
  const wide = readTable(Array.from({ length: 150 }, () => 'x').join())
  expect([wide.rows[0]?.length, wide.isCut]).toEqual([100, true])
})

it('shows a cell that is still being written as one', () => {
  const text = 'ID,Note\r\n1,good\r\n"two ""lines""\r\nof'
  expect(readTable(text, { isIncomplete: true }).rows.at(-1)).toEqual(['two "lines"\r\nof'])
  // what stays open at the end is a character
  expect(readTable(text).rows.slice(2)).toEqual([['"two ""lines""'], ['of']])
})
