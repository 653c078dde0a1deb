import { act, renderHook, waitFor } from '@testing-library/react'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MemoryRouter } from '../../../../../test/support/memory-router.tsx'
import { beforeEach, expect, it } from 'vitest'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { createQueryClient } from '../../../lib/actions/query-client.ts'
import { useTableRows } from './use-table-rows.ts'

const wrapper = ({ children }: { children: ReactNode }) => (
  <MemoryRouter>
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  </MemoryRouter>
)
let client: QueryClient
beforeEach(() => {
  client = createQueryClient()
})

it('says how many rows the next press shows, up to the limit', () => {
  const rows = Array.from({ length: 1_500 }, (_, index) => [index])
  const table = { sql: '', columns: ['n'], rows, total: 1_500, sources: [] }
  const { result } = renderHook(() => useTableRows(table), { wrapper })
  while (result.current.showMore) {
    const { rows: before, moreCount, showMore } = result.current
    act(showMore)
    expect(result.current.rows).toHaveLength(before.length + moreCount)
  }
  expect(result.current).toMatchObject({ rows: { length: 1_000 }, isLimited: true })
})

it('says no more that rows could not be loaded, once they are', async () => {
  let isDown = true
  fakeApi({
    'documents.query': () => {
      if (isDown) throw new ApiError({ status: 500, code: 'x', userMessage: 'Out of order.' })
      return { columns: ['n'], rows: [[3], [4]], total_rows: 4 }
    },
  })
  const source = { table: 't', file: 'a.csv', file_id: 'f', key: 't1' }
  const table = { sql: 'select n from t', columns: ['n'], rows: [[1], [2]], total: 4, sources: [source] }
  const { result } = renderHook(() => useTableRows(table), { wrapper })
  act(() => result.current.showMore?.())
  await waitFor(() => expect(result.current.note).toBe('Out of order.'))
  isDown = false
  act(() => result.current.showMore?.())
  await waitFor(() => expect(result.current.rows).toHaveLength(4))
  expect(result.current.note).toBe('')
})

it('loads the CSV after the rows that are being loaded', async () => {
  const formats: string[] = []
  fakeApi({
    'documents.query': ({ body: { format } }) => {
      formats.push(format)
      if (format === 'csv') throw new ApiError({ status: 500, code: 'x', userMessage: 'Out of order.' })
      return { columns: ['n'], rows: [[3]], total_rows: 4 }
    },
  })
  const source = { table: 't', file: 'a.csv', file_id: 'f', key: 't1' }
  const table = { sql: 'select n from t', columns: ['n'], rows: [[1], [2]], total: 4, sources: [source] }
  const { result } = renderHook(() => useTableRows(table), { wrapper })
  act(() => {
    result.current.showMore?.()
    result.current.saveCsv()
  })
  await waitFor(() => expect(result.current.activity).toBeUndefined())
  expect(formats).toEqual(['rows', 'csv'])
  expect(result.current).toMatchObject({ loaded: [[1], [2], [3]], note: 'Out of order.' })
})
