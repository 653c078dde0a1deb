import { expect, it } from 'vitest'
import { formatCsv } from './format-csv.ts'

it.each([
  ['=1+1', "'=1+1"],
  [' =1+1', "' =1+1"],
  ['\u00a0@x', "'\u00a0@x"],
  [' -5 ', ' -5 '],
  ['+cmd|calc', "'+cmd|calc"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['\u202d=1', "'\u202d=1"],
  ['\0=1', "'\0=1"],
  ['\u00ad=1', "'\u00ad=1"],
  ['-2,5 %', '"-2,5 %"'],
  ['-7', '-7'],
  ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
  ['two\nlines', '"two\nlines"'],
])('writes the cell %j so that no spreadsheet runs it', (cell, written) => {
  expect(formatCsv([['a', cell]])).toBe(`a,${written}\r\n`)
  expect(formatCsv([[cell, 'b']], ';')).toBe(`${written};b\r\n`)
})

it('writes numbers as they are, and nothing for null', () => {
  expect(formatCsv([[-5e-7, 1.5, null, '-5e-7']])).toBe("-5e-7,1.5,,'-5e-7\r\n")
})
