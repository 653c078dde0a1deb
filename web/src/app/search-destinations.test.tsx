import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from '../../../test/support/memory-router.tsx'
import { useLocation } from '../lib/navigation/router.tsx'
import { expect, it } from 'vitest'
import type { AccountRead } from '#shared/contracts/account.ts'
import { accountQuery } from '../lib/account/account-queries.ts'
import { projectsQuery } from '../lib/queries/project-queries.ts'
import { useDestinations } from './use-destinations.tsx'

const noop = () => undefined

function renderDestinations(account: Partial<AccountRead> = {}) {
  const client = new QueryClient()
  client.setQueryData(accountQuery.queryKey, account as AccountRead)
  client.setQueryData(projectsQuery.queryKey, [
    { id: 'p1', name: 'Boat refit', created_at: '', updated_at: '' },
  ])
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <MemoryRouter>{children}</MemoryRouter>
    </QueryClientProvider>
  )
  return renderHook(
    () => ({
      destinations: useDestinations({ onNewChat: noop, onShowShortcuts: noop }),
      location: useLocation(),
    }),
    { wrapper },
  ).result
}

it.each([
  ['Settings', '/settings'],
  ['Tools', '/integrations'],
  ['Your files', '/files'],
  ['Waiting for you', '/waiting'],
  ['Scheduled', '/scheduled'],
  ['Boat refit', '/projects/p1'],
  ['Shared links', '/settings#links'],
  ['Usage', '/settings#usage'],
])('the search leads to %s', (label, path) => {
  const result = renderDestinations()
  act(() => result.current.destinations.find((one) => one.label === label)?.onSelect())
  const { pathname, hash } = result.current.location
  expect(pathname + hash).toBe(path)
})

it('leads administrators, and nobody else, to the administration', () => {
  const hasIt = (account?: Partial<AccountRead>) =>
    renderDestinations(account).current.destinations.some(({ label }) => label === 'Administration')
  expect([hasIt(), hasIt({ is_admin: true })]).toEqual([false, true])
})
