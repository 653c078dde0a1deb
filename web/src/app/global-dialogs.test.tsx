import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { closeUserResources } from '../lib/user-resources.ts'
import { GlobalDialogs } from './global-dialogs.tsx'
import { setOpenDialog } from './open-dialog.ts'

const nothing = () => undefined
const terminated = vi.fn<() => void>()

afterEach(() => {
  vi.unstubAllGlobals()
})

it('the conversations that were loaded for a search are not loaded again after a visit to another page', async () => {
  vi.stubGlobal(
    'Worker',
    class {
      postMessage() {}
      addEventListener() {}
      terminate() {
        terminated()
      }
    },
  )
  const as_of = '2026-11-20T09:00:00Z'
  const api = fakeApi({
    'sessions.corpus': () => ({ sessions: null, changed: null, messages: [], next: null, as_of }),
  })
  const client = new QueryClient()
  const search = async () => {
    render(
      <QueryClientProvider client={client}>
        <GlobalDialogs
          onClose={() => setOpenDialog(null)}
          onOpenConversation={nothing}
          onStartFresh={nothing}
        />
      </QueryClientProvider>,
    )
    act(() => setOpenDialog('search'))
    await screen.findByRole('dialog', { name: 'Search' })
    await vi.waitFor(() => expect(screen.queryByText('Loading your conversations…')).toBeNull())
  }
  await search()
  cleanup()
  await search()
  expect(api.requestsTo('sessions.corpus').map(({ query }) => query)).toEqual([{}, { since: as_of }])
  expect(terminated).not.toHaveBeenCalled()
  cleanup()
  closeUserResources(client)
  expect(terminated).toHaveBeenCalledOnce()
})
