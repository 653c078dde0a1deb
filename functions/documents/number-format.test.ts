import { expect, it } from 'vitest'
import { compileFormat } from './number-format.ts'

it.each<[code: string, value: string, shown: string]>([
  ['General', '0.30000000000000004', '0.3'],
  ['General', '4012888888881881', '4012888888881881'],
  ['General', '1e21', '1E+21'],
  ['General', '-0.5', '-0.5'],
  ['Standard', '12', '12'],
  ['@', '12', '12'],
  ['0000', '150', '0150'],
  ['0', '4012888888881881', '4012888888881881'],
  ['0.0%', '0.175', '17.5%'],
  ['#,##0.00 "EUR"', '1250', '1,250.00 EUR'],
  // the locale of a currency does not change the separators of the others
  ['[$€-407] #,##0.00', '1250', '€ 1,250.00'],
  ['#,##0.00;[Red](#,##0.00)', '-3.5', '(3.50)'],
  ['# ?/?', '1.5', '1 1/2'],
  ['[h]:mm', '1.25', '30:00'],
  ['[s]', '0.5', '43200'],
  ['h:mm AM/PM', '0.75', '6:00 PM'],
  ['dd.mm.yyyy', '46112', '2026-03-31'],
  ['m/d/yy h:mm', '46112.770833333336', '2026-03-31 18:30:00'],
  ['mmm yy', '46112', '2026-03-31'],
  ['yyyy"年"m"月"d"日"', '46112', '2026-03-31'],
  ['[$-411]ge.m.d', '46112', '2026-03-31'],
  ['[$-F800]dddd, mmmm dd, yyyy', '46112', '2026-03-31'],
  ['yyyy-mm-dd', '60', '1900-02-29'],
  ['yyyy-mm-dd', '1', '1900-01-01'],
  ['yyyy-mm-dd', '61', '1900-03-01'],
  ['yyyy-mm-dd hh:mm', '0.75', '18:00:00'],
  ['yyyy-mm-dd', '-5', '-5'],
  ['yyyy-mm-dd', '1e9', '1000000000'],
  ['上午/下午h"时"', '0.75', 'PM6时'],
  // a hidden number, and codes that nothing understands
  [';;;', '5', '5'],
  ['"open', '5', '5'],
  ['0 "days"', '2', '2 days'],
  ['0.00', 'no number', 'no number'],
  ['0.00', '', ''],
])('the format %s shows %s as %s', (code, value, shown) => {
  expect(compileFormat(164, code)(value)).toBe(shown)
})

it.each<[id: number, value: string, shown: string]>([
  [0, '12.5', '12.5'],
  [9, '0.17', '17%'],
  [14, '46112', '2026-03-31'],
  [20, '0.75', '18:00'],
  [22, '46112.5', '2026-03-31 12:00:00'],
  [31, '46112', '2026-03-31'],
  [32, '0.75', '18:00:00'],
  [44, '-5', '($5.00)'],
  [46, '1.25', '30:00:00'],
  [57, '46112', '2026-03-31'],
  [200, '5', '5'],
])('the built-in format %i shows %s as %s', (id, value, shown) => {
  expect(compileFormat(id)(value)).toBe(shown)
})

it('counts from 1904 where the workbook does, but not durations', () => {
  expect(compileFormat(14, '', true)('44650')).toBe('2026-03-31')
  expect(compileFormat(164, '[h]:mm', true)('1.25')).toBe('30:00')
})
