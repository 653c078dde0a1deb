import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { showToast } from '../../components/ui/toast.ts'
import { emptyDataCounts } from '#shared/contracts/account.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { type RouteHandlers, fakeApi } from '../../../../test/support/fake-api.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { closeUserResources } from '../../lib/actions/user-resources.ts'
import { YourData } from './your-data.tsx'

type AccountExport = RouteResponse<'account.export'>

const translations = vi.hoisted(() => new Map<string, string>())
vi.mock('../../lib/text/translate.ts', async (original) => ({
  ...(await original<object>()),
  translateSentence: ({ code, text }: { code: string; text: string }) => translations.get(code) ?? text,
}))
vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

let openedUrls: string[]
beforeEach(() => {
  vi.mocked(showToast).mockReset()
  openedUrls = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    openedUrls.push(this.href)
  })
})

function clickExport(respond: RouteHandlers['account.export']) {
  fakeApi({ 'account.storedData': () => emptyDataCounts, ...(respond && { 'account.export': respond }) })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <YourData email="ann@example.org" isAdmin={false} onOpenFiles={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Export everything' }))
  return client
}

it('DEC-033 downloads a finished export from its link', async () => {
  const url = 'https://bucket.example/exports/ann.zip?X-Amz-Signature=s'
  clickExport(() => ({
    success: true,
    file_name: 'export.zip',
    size: 1,
    url,
    ends_at: '2026-11-20T09:00:00Z',
  }))
  await waitFor(() => expect(openedUrls).toEqual([url]))
  expect(vi.mocked(showToast).mock.calls[0]?.slice(0, 2)).toEqual(['success', 'Export ready'])
})

it('data that could not be counted says why, with details', async () => {
  fakeApi({
    'account.storedData': () => {
      throw new ApiError({ status: 500, code: 'internal_error', userMessage: 'Out of order.' })
    },
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <YourData email="ann@example.org" isAdmin={false} onOpenFiles={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  expect(await screen.findByText(/Out of order/)).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Copy details' })).toBeDefined()
})

it('downloads nothing once the user has signed out while the archive was made', async () => {
  const archive = Promise.withResolvers<AccountExport>()
  const client = clickExport(() => archive.promise)
  await screen.findByRole('button', { name: 'Exporting…' })
  closeUserResources(client)
  const url = 'https://bucket.example/exports/ann.zip?X-Amz-Signature=s'
  await act(async () =>
    archive.resolve({
      success: true,
      file_name: 'export.zip',
      size: 1,
      url,
      ends_at: '2026-11-20T09:00:00Z',
    }),
  )
  expect(openedUrls).toEqual([])
  expect(vi.mocked(showToast)).not.toHaveBeenCalled()
})

it('shows the server’s message when an export failed, and opens nothing', async () => {
  const error = 'Files cannot be reached right now. Please try again in a moment.'
  clickExport(() => ({ success: false, error, code: 'store_unavailable', requestId: 'r' }))
  await waitFor(() => expect(vi.mocked(showToast)).toHaveBeenCalled())
  expect(vi.mocked(showToast).mock.calls[0]).toEqual([
    'error',
    'Export failed',
    { error: expect.objectContaining({ userMessage: error }) as unknown },
  ])
  expect(openedUrls).toEqual([])
  // it can be tried again
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export everything' }).disabled).toBe(false)
})

it('says in the language of the page why an export failed', async () => {
  translations.set('export_unfinished', 'Nicht fertig geworden.')
  clickExport(() => ({ success: false, error: 'Not finished.', code: 'export_unfinished', requestId: 'r' }))
  await waitFor(() => expect(vi.mocked(showToast)).toHaveBeenCalled())
  expect(vi.mocked(showToast).mock.lastCall?.[2]).toMatchObject({
    error: { userMessage: 'Nicht fertig geworden.' },
  })
})
