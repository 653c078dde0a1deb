import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import { assistantsQuery } from '../../../lib/assistants.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { AssistantLink } from './assistant-link.tsx'

const travel = {
  id: 'a',
  name: 'Travel rules',
  description: '',
  starters: [],
  version: 1,
  published_at: '2026-11-09T10:00:00Z',
  mine: false,
  publisher: { name: 'Mika' },
  tools: [],
}

it('an assistant that a reply has told to be gone leaves the lists, too', async () => {
  const list = { publishing: { allowed: true, groups: [] } }
  fakeApi({ 'assistants.list': () => ({ assistants: [], ...list }) })
  const client = new QueryClient()
  client.setQueryData(assistantsQuery.queryKey, { assistants: [travel], ...list })
  const show = (gone: boolean) => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <AssistantLink assistant={{ id: 'a', name: 'Travel rules', version: 1, ...(gone && { gone }) }} />
      </MemoryRouter>
    </QueryClientProvider>
  )
  const { rerender } = render(show(false))
  screen.getByRole('link', { name: 'Assistant: Travel rules, version 1' })
  rerender(show(true))
  screen.getByText('Goes on without Travel rules')
  await vi.waitFor(() => expect(client.getQueryState(assistantsQuery.queryKey)?.isInvalidated).toBe(true))
})
