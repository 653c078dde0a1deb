import { expect, it } from 'vitest'
import { fitRows } from './fit-rows.ts'

const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: 'x'.repeat(id % 7) }))

it.each([
  ['a list', rows, (data: unknown) => data],
  ['an object with one list', { total: 100, rows }, (data: unknown) => (data as { rows: unknown }).rows],
])('DEC-183 stores as many rows of %s as fit', (_, data, readRows) => {
  const length = JSON.stringify(data).length
  expect(fitRows(data, length)).toEqual({ data })
  for (const maxLength of [length - 1, 200, 60]) {
    const fitted = fitRows(data, maxLength)
    const storedRows = readRows(fitted.data) as unknown[]
    expect(JSON.stringify(fitted.data).length).toBeLessThanOrEqual(maxLength)
    expect(storedRows).toEqual(rows.slice(0, storedRows.length))
    expect(storedRows.length).toBeGreaterThan(0)
    expect(fitted.totalRows).toBe(100)
  }
})

it.each([
  ['whose first row is too long', [{ a: 'x'.repeat(100) }]],
  ['with two lists', { a: rows, b: rows }],
  ['without a list', { a: 'x'.repeat(100) }],
  ['that is a text', 'x'.repeat(100)],
])('leaves data %s unchanged', (_, data) => {
  expect(fitRows(data, 50)).toEqual({ data })
})

it.each([
  // the whole of it, or rows with their commas beside the brackets
  [[1, 2, 3], 7, [1, 2, 3]],
  [[1, 2, 3], 6, [1, 2]],
  [[1, 2, 3], 5, [1]],
  [[1, 2, 3], 4, [1]],
  [[1, 2, 3], 3, undefined],
  [{ a: [1, 2, 3], b: 1 }, 18, { a: [1, 2], b: 1 }],
  // a row that JSON does not have takes the place of null
  [[undefined, 1, 2], 9, [undefined, 1]],
  [[undefined, 1, 2], 8, [undefined]],
])('of %j there is room in %i characters for %j', (data, maxCharacters, stored) => {
  const total = (data as { a?: unknown[] }).a ?? data
  const isWhole = JSON.stringify(stored) === JSON.stringify(data)
  expect(fitRows(data, maxCharacters)).toEqual(
    stored === undefined || isWhole ? { data } : { data: stored, totalRows: (total as unknown[]).length },
  )
})

it.each([[null], [123], [true], [{ a: [] }], [{}]])(
  'leaves %j unchanged, however little room there is',
  (data) => {
    expect(fitRows(data, 0)).toEqual({ data })
  },
)
