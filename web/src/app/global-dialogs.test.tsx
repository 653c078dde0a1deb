import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { MemoryRouter } from '../../../test/support/memory-router.tsx'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { closeUserResources } from '../lib/actions/user-resources.ts'
import { GlobalDialogs } from './global-dialogs.tsx'
import { setCurrentDialog } from './current-dialog.ts'

const terminate = vi.fn<() => void>()

afterEach(() => {
  // it is shared by the tests of a worker
  setCurrentDialog(null)
  vi.unstubAllGlobals()
})

it('does not load the conversations for the search again after another page was open', async () => {
  vi.stubGlobal(
    'Worker',
    class {
      postMessage() {}
      addEventListener() {}
      terminate() {
        terminate()
      }
    },
  )
  const as_of = '2026-11-20T09:00:00Z'
  const api = fakeApi({
    'sessions.corpus': () => ({ sessions: null, changed: null, messages: [], next: null, as_of }),
    'projects.list': () => ({ projects: [] }),
  })
  const client = new QueryClient()
  const openSearch = async () => {
    render(
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <GlobalDialogs />
        </MemoryRouter>
      </QueryClientProvider>,
    )
    act(() => setCurrentDialog('search'))
    await screen.findByRole('dialog', { name: 'Search' })
    await vi.waitFor(() => expect(screen.queryByText('Loading your conversations…')).toBeNull())
  }
  await openSearch()
  cleanup()
  await openSearch()
  expect(api.requestsTo('sessions.corpus').map(({ query }) => query)).toEqual([{}, { since: as_of }])
  expect(terminate).not.toHaveBeenCalled()
  cleanup()
  closeUserResources(client)
  expect(terminate).toHaveBeenCalledOnce()
})

it('what is typed while the search loads is searched for, and does not go into the message', async () => {
  vi.stubGlobal(
    'Worker',
    class {
      postMessage() {}
      addEventListener() {}
      terminate() {}
    },
  )
  const as_of = '2026-11-20T09:00:00Z'
  fakeApi({
    'sessions.corpus': () => ({ sessions: null, changed: null, messages: [], next: null, as_of }),
    'projects.list': () => ({ projects: [] }),
  })
  // a dialog that is not loaded yet
  vi.resetModules()
  const fresh = await import('./global-dialogs.tsx')
  const { setCurrentDialog: open } = await import('./current-dialog.ts')
  const { MemoryRouter: FreshRouter } = await import('../../../test/support/memory-router.tsx')
  render(
    <QueryClientProvider client={new QueryClient()}>
      <FreshRouter>
        <textarea aria-label="Message" />
        <fresh.GlobalDialogs />
      </FreshRouter>
    </QueryClientProvider>,
  )
  screen.getByLabelText('Message').focus()
  act(() => open('search'))
  const field = screen.getByLabelText<HTMLInputElement>('Search')
  expect(document.activeElement).toBe(field)
  fireEvent.change(field, { target: { value: 'rome' } })
  const dialog = await screen.findByRole('dialog', { name: 'Search' })
  expect(within(dialog).getByRole<HTMLInputElement>('combobox').value).toBe('rome')
  act(() => open(null))
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Message'))
})
