import { expect, it } from 'vitest'
import { formatColumn } from './format-cells.ts'

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
