import { expect, it } from 'vitest'
import { formatColumn, formatColumnName } from './format-cells.ts'

it.each([
  ['order_id', '10023'],
  ['invoice_number', '10023'],
  ['kundennummer', '10023'],
  ['geschäftsjahr', '10023'],
  ['fiscalyear', '10023'],
  ['year_2', '10023'],
  ['zip_code', '10023'],
  ['number_of_orders', '10,023'],
  ['paid', '10,023'],
])('numbers that name something have no separators: %s', (name, expected) => {
  expect(formatColumn(name, [10_023]).format(10_023)).toBe(expected)
})

it.each([
  ['the rest of a sum of decimal fractions, beside amounts', [0.1 + 0.2 - 0.3, 100.5], ['0.00', '100.50']],
  ['a number that is rounded to nothing', [-1e-9, 5], ['0', '5']],
  ['negative zero', [-0], ['0']],
  ['a sum with errors in its last digits', [0.1 + 0.2, 1], ['0.3', '1.0']],
  ['a number with too many digits', [1.5e21, 2], ['1.5e+21', '2']],
  ['negative amounts', [-0.4, 3], ['-0.4', '3.0']],
])('shows %s', (_, values, shown) => {
  const { format } = formatColumn('sum', values)
  expect(values.map(format)).toEqual(shown)
})

it.each([
  ['days_late', 'Days late'],
  ['SUM(x)', 'SUM(x)'],
  ['_', '_'],
  ['__', '__'],
])('the column %s has the heading %s', (name, heading) => {
  expect(formatColumnName(name)).toBe(heading)
})
