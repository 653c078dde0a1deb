import { expect, it } from 'vitest'
import { parseCsv, sanitizeCsv } from './parse-csv.ts'

it.each([
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\r\n"1;5";2\r\n',
    [
      ['a', 'b'],
      ['1;5', '2'],
    ],
  ],
  [
    'a\tb\n1,5\t2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    '"say ""hi""","two\nlines"\n,',
    [
      ['say "hi"', 'two\nlines'],
      ['', ''],
    ],
  ],
  ['a\n\n\nb\n', [['a'], ['b']]],
  ['a,', [['a', '']]],
  ['"open,b\n1', [['open,b\n1']]],
  ['"a"b,c', [['ab', 'c']]],
  ['', []],
])('parses %j', (text, rows) => {
  expect(parseCsv(text)).toEqual({ rows, isCut: false })
})

it('a download has all rows, its separator, and no formulas', () => {
  expect(sanitizeCsv('Name;Link\n"=HYPERLINK(""x"")";+cmd|calc')).toBe(
    `Name;Link\r\n"'=HYPERLINK(""x"")";'+cmd|calc\r\n`,
  )
  expect(sanitizeCsv('a,b\n'.repeat(1_200)).split('\r\n')).toHaveLength(1_201)
})

it('stops at 1,000 rows and 100 columns', () => {
  const { rows, isCut } = parseCsv('a,b\n'.repeat(1_200))
  expect([rows.length, isCut]).toEqual([1_000, true])
  const wide = parseCsv(Array.from({ length: 150 }, () => 'x').join())
  expect([wide.rows[0]?.length, wide.isCut]).toEqual([100, true])
})
