import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import { callApi } from '../lib/call-api.ts'
import type { KnownConnections } from '../lib/known-connections.ts'
import { AuthContext } from '../features/auth/auth-context.ts'
import { TopBar } from './top-bar.tsx'

vi.mock('../lib/call-api.ts', () => ({ callApi: vi.fn<typeof callApi>() }))

it('TOP-01 TOP-02 TOP-03 TOP-04 TOP-05 stands in the order of the specification', async () => {
  const account = {
    profile: { display_name: 'Mika Korhonen', avatar_id: null },
    settings: { keep_conversations: true, store_uploads: true, theme: null },
  }
  vi.mocked(callApi).mockImplementation(async (name) =>
    name === 'integrations.list' || name === 'tools.list' ? { integrations: [] } : account,
  )
  const onOpenHistory = vi.fn<() => void>()
  const onConnections = vi.fn<(connections: KnownConnections | undefined) => void>()
  const user = { sub: 'u1', email: 'mika@roastery.example', fullName: 'Mika Korhonen' }
  const nothing = async () => undefined
  const auth = {
    state: { status: 'signed-in', user },
    refresh: nothing,
    endSession: nothing,
    signOut: nothing,
  } as const
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <AuthContext value={auth}>
          <TopBar user={user} onOpenHistory={onOpenHistory} onConnections={onConnections} />
        </AuthContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await screen.findByRole('link', { name: 'Connect Tools' }, { timeout: 4500 })
  expect(onConnections).toHaveBeenCalledWith({
    connectedTools: [],
    integrationContext: { connectedCount: 0, availableCapabilities: [], integrationList: [] },
  })
  const controls = screen.getByRole('banner').querySelectorAll('a, button')
  expect([...controls].map((one) => one.getAttribute('aria-label') ?? one.textContent)).toEqual([
    'Your Conversations',
    'Juno',
    'Connect Tools',
    'Tools',
    'MK, account menu',
  ])
  fireEvent.click(screen.getByRole('button', { name: 'Your Conversations' }))
  expect(onOpenHistory).toHaveBeenCalledOnce()
})
