import { expect, it } from 'vitest'
import { parseTableResult } from './table-result.ts'

it('the result of an imported call, which may have anything, is one of texts and numbers', () => {
  const data = {
    columns: ['a', 1],
    rows: [['x', 1, null, { y: 1 }], 'no row'],
    total_rows: 1,
    sources: [{ table: {}, file: 'a.csv', sheet: [1] }, 'none', null],
  }
  expect(
    parseTableResult({
      tool: 'query_table',
      action: '',
      parameters: { sql: {} },
      result: { success: true, data },
    }),
  ).toEqual({
    sql: '',
    columns: ['a', '1'],
    rows: [['x', 1, null, '{"y":1}']],
    total: 1,
    sources: [{ table: '', file: 'a.csv' }],
  })
})
