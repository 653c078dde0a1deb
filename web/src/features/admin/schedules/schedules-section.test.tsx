import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../../../test/support/memory-router.tsx'
import { expect, it } from 'vitest'
import type { PersonSchedules } from '#shared/contracts/admin-schedules.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { adminSchedulesQuery } from '../admin-queries.ts'
import { SchedulesSection } from './schedules-section.tsx'

function open(person: PersonSchedules) {
  fakeApi({ 'admin.schedules': () => Promise.withResolvers<never>().promise })
  const client = new QueryClient()
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
}
const ada: PersonSchedules = {
  id: 'ada',
  email: 'ada@x.example',
  count: 2,
  paused: 0,
  paused_by_administrator: 0,
}

it('says nothing of a run whose outcome this page does not know', () => {
  open({ ...ada, last_run: { at: '2026-11-20T09:00:00.000Z', status: 'postponed' as 'done' } })
  expect(screen.getByText(/^2 schedules/).textContent).toBe('2 schedules')
})

it.each([
  [true, 'Only an administrator can let them go on. New ones wait, too.'],
  [undefined, 'Only an administrator can let them go on.'],
])('says that new ones wait only if they do: %s', (held, expected) => {
  open({ ...ada, paused: 2, paused_by_administrator: 2, ...(held && { held }) })
  expect(screen.getByText(/^Only an administrator/).textContent.trim()).toBe(expected)
})
