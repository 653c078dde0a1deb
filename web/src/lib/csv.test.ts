import { expect, it } from 'vitest'
import { formatCsv } from './csv.ts'

it.each([
  ['=1+1', "'=1+1"],
  ['+cmd|calc', "'+cmd|calc"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['-2,5 %', '"-2,5 %"'],
  ['-7', '-7'],
  ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
  ['two\nlines', '"two\nlines"'],
])('writes the cell %j so that no spreadsheet runs it', (cell, written) => {
  expect(formatCsv([['a', cell]])).toBe(`a,${written}\r\n`)
  expect(formatCsv([[cell, 'b']], ';')).toBe(`${written};b\r\n`)
})
