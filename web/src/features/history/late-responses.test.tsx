import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Session } from '#shared/contracts/messages.ts'
import type { showToast } from '../../components/ui/toast.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { NetworkError } from '../../lib/api/api-errors.ts'
import { closeUserResources } from '../../lib/actions/user-resources.ts'
import { useExportConversation } from './export-conversation.ts'
import { useFlagConversation, useRenameConversation } from './use-update-conversation.ts'

const mocks = vi.hoisted(() => ({
  showToast: vi.fn<typeof showToast>(),
  dismissToast: vi.fn<(id: string) => void>(),
  downloadBlob: vi.fn<(blob: Blob, name: string) => void>(),
}))
vi.mock('../../components/ui/toast.ts', () => mocks)
vi.mock('../../lib/browser/download.ts', () => mocks)
beforeEach(() => vi.clearAllMocks())

const conversation: Session = {
  id: 's1',
  user_id: 'ann',
  title: 'Trip to Oslo',
  created_at: '2026-11-29T00:00:00Z',
  updated_at: '2026-11-29T00:00:00Z',
  message_count: 2,
}

/** Calls what a hook returns, signs the user out, and only then lets the request end. */
async function actAcrossSignOut<Result>(
  useHook: () => Result,
  call: (result: Result) => void,
  end: () => void,
): Promise<void> {
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(useHook, { wrapper })
  await act(async () => call(result.current))
  mocks.showToast.mockClear()
  closeUserResources(client)
  await act(async () => end())
}

it.each([
  ['pinned', () => useFlagConversation(() => undefined), { pinned: true }],
  ['archived', () => useFlagConversation(() => undefined), { archived: true }],
] as const)('no toast is about a conversation that could not be %s', async (_, useHook, flags) => {
  const update = Promise.withResolvers<never>()
  fakeApi({ 'sessions.update': () => update.promise })
  await actAcrossSignOut(
    useHook,
    (flag) => flag(conversation, flags),
    () => update.reject(new NetworkError()),
  )
  expect(mocks.showToast).not.toHaveBeenCalled()
})

it('the last change of a conversation is stored last, also if the request before it is slow', async () => {
  const slow = Promise.withResolvers<void>()
  const stored = { ...conversation }
  let requests = 0
  fakeApi({
    'sessions.update': async ({ body }) => {
      requests += 1
      if (requests === 1) await slow.promise
      Object.assign(stored, body)
      return { success: true, session: { ...stored } }
    },
  })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  )
  const useChanges = () => ({ flag: useFlagConversation(() => undefined), rename: useRenameConversation() })
  const { result } = renderHook(useChanges, { wrapper })
  await act(async () => {
    result.current.flag(conversation, { pinned: true })
    result.current.rename(conversation, 'Oslo')
    result.current.flag({ ...conversation, pinned: true }, { pinned: false })
    result.current.rename({ ...conversation, title: 'Oslo' }, 'Bergen')
  })
  await act(async () => slow.resolve())
  await vi.waitFor(() => expect(requests).toBe(4))
  expect([stored.pinned, stored.title]).toEqual([false, 'Bergen'])
})

it('no toast is about a title that could not be changed', async () => {
  const update = Promise.withResolvers<never>()
  fakeApi({ 'sessions.update': () => update.promise })
  await actAcrossSignOut(
    useRenameConversation,
    (rename) => rename(conversation, 'Oslo'),
    () => update.reject(new NetworkError()),
  )
  expect(mocks.showToast).not.toHaveBeenCalled()
})

it.each([null, 'more'])('an export is not downloaded whose part (the next: %s) came late', async (next) => {
  const part = Promise.withResolvers<RouteResponse<'sessions.export'>>()
  fakeApi({ 'sessions.export': () => part.promise })
  await actAcrossSignOut(
    useExportConversation,
    (start) => start('s1', 'markdown'),
    () =>
      part.resolve({ success: true, content: '# Trip', next, type: 'text/markdown', file_name: 'trip.md' }),
  )
  expect([mocks.downloadBlob.mock.calls, mocks.showToast.mock.calls]).toEqual([[], []])
})
