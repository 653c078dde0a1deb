import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import type { PersonSchedules } from '#shared/contracts/admin-schedules.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { adminSchedulesQuery } from '../admin-queries.ts'
import { SchedulesSection } from './schedules-section.tsx'

it('says nothing of a run whose outcome this page does not know', () => {
  fakeApi({ 'admin.schedules': () => Promise.withResolvers<never>().promise })
  const client = new QueryClient()
  const person: PersonSchedules = {
    id: 'ada',
    email: 'ada@x.example',
    count: 2,
    paused: 0,
    paused_by_administrator: 0,
    last_run: { at: '2026-11-20T09:00:00.000Z', status: 'postponed' as 'done' },
  }
  client.setQueryData(adminSchedulesQuery.queryKey, {
    pages: [{ people: [person], next_cursor: null }],
    pageParams: [undefined],
  })
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <SchedulesSection />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  expect(screen.getByText(/^2 schedules/).textContent).toBe('2 schedules')
})
