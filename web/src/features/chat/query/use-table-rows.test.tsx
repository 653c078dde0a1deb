import { act, renderHook } from '@testing-library/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { useTableRows } from './use-table-rows.ts'

it('says how many rows the next press shows, up to the limit', () => {
  const rows = Array.from({ length: 1_500 }, (_, index) => [index])
  const table = { sql: '', columns: ['n'], rows, total: 1_500, sources: [] }
  const { result } = renderHook(() => useTableRows(table), {
    wrapper: ({ children }) => (
      <MemoryRouter>
        <QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>
      </MemoryRouter>
    ),
  })
  while (result.current.showMore) {
    const { rows: before, moreCount, showMore } = result.current
    act(showMore)
    expect(result.current.rows).toHaveLength(before.length + moreCount)
  }
  expect(result.current).toMatchObject({ rows: { length: 1_000 }, isLimited: true })
})
