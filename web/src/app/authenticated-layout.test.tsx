import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { MemoryRouter } from '../../../test/support/memory-router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import type { AccountRead } from '#shared/contracts/account.ts'
import { type RouteHandlers, fakeApi } from '../../../test/support/fake-api.ts'
import { accountQuery } from '../lib/account/account-queries.ts'
import { saveSettings } from '../lib/account/save-settings.ts'
import { useUserResource } from '../lib/actions/user-resources.ts'
import { AuthenticatedLayout } from './authenticated-layout.tsx'

const account = (name: string): AccountRead => ({
  profile: { display_name: name, avatar_id: null },
  settings: { keep_conversations: true, store_uploads: true, theme: null },
})
/** Responses for what starts once the page is idle. */
const idleRoutes: RouteHandlers = {
  'integrations.cleanup': () => ({ success: true, deleted: [] }),
  'integrations.list': () => ({ integrations: [] }),
  'waiting.list': () => ({ waiting: [], total: 0, is_scheduled: false }),
}
const clients: QueryClient[] = []

function Name() {
  const { data } = useQuery(accountQuery)
  clients.push(useQueryClient())
  useUserResource(createResource)
  return <output>{data?.profile.display_name ?? 'nobody yet'}</output>
}

const page = (sub: string) => (
  // a page without the frame, whose parts have tests of their own
  <MemoryRouter path="/files">
    <AuthenticatedLayout key={sub} user={{ sub, email: `${sub}@x.example`, fullName: sub }}>
      <Name />
    </AuthenticatedLayout>
  </MemoryRouter>
)

const close = vi.fn<() => void>()
const createResource = () => ({ close })

beforeEach(() => {
  close.mockReset()
  clients.length = 0
})

it('does not show a response that arrives after signing out to the next user', async () => {
  const lateResponse = Promise.withResolvers<AccountRead>()
  const never = new Promise<AccountRead>(() => undefined)
  const api = fakeApi({
    ...idleRoutes,
    // the response for the next user never arrives
    'account.read': () => (api.requestsTo('account.read').length === 1 ? account('Ann') : never),
    'account.settings': () => lateResponse.promise,
  })
  const view = render(page('ann'))
  expect(await screen.findByText('Ann')).toBeDefined()
  const [annClient] = clients
  if (!annClient) throw new Error('no client')
  const saving = saveSettings(annClient, { theme: 'dark' })
  view.rerender(page('ben'))
  lateResponse.resolve(account('Ann'))
  await saving

  // parts of the layout that load show a status, too
  expect(await screen.findByText('nobody yet')).toBeDefined()
  expect(screen.queryByText('Ann')).toBeNull()
  expect(clients.at(-1)?.getQueryData(accountQuery.queryKey)).toBeUndefined()
})

it('keeps what belongs to the user while React mounts twice, and closes it once they have left', async () => {
  fakeApi({ ...idleRoutes, 'account.read': () => account('Ann') })
  const view = render(<StrictMode>{page('ann')}</StrictMode>)
  expect(await screen.findByText('Ann')).toBeDefined()
  expect(close).not.toHaveBeenCalled()
  view.unmount()
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
})
