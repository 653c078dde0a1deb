import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { expect, it } from 'vitest'
import type { Share } from '#shared/contracts/shares.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { sharesQuery } from '../../lib/queries/share-queries.ts'
import { SharedLinksCard } from './shared-links-card.tsx'

const share: Share = {
  id: 's1',
  session_id: 'c1',
  secret: 'x'.repeat(43),
  audience: 'people',
  title: 'Oslo',
  message_count: 2,
  created_at: '2026-11-20T09:00:00Z',
  ends_at: '2026-12-20T09:00:00Z',
}

it('says who can open a link, unless this page does not know it', () => {
  const later = { ...share, id: 's2', title: 'Bergen', audience: 'constructor' as Share['audience'] }
  fakeApi({ 'shares.list': () => Promise.withResolvers<never>().promise })
  const client = new QueryClient()
  client.setQueryData(sharesQuery.queryKey, [share, later])
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <SharedLinksCard />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const [first, second] = screen.getAllByRole('listitem').map((item) => item.textContent)
  expect(first).toMatch(/Dec 20, 2026 · people here, signed in/)
  expect(second).toMatch(/Dec 20, 2026Copy link/)
})
