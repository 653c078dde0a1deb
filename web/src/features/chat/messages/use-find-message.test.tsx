import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { useRef } from 'react'
import { MemoryRouter } from '../../../../../test/support/memory-router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { emptyConversation } from '../state/stored-conversation.ts'
import { useFindMessage } from './use-find-message.ts'

vi.mock(import('../../../components/ui/toast.ts'), { spy: true })

beforeEach(() => {
  vi.mocked(showToast).mockClear()
  vi.mocked(dismissToast).mockClear()
})

const noop = () => undefined

/** Opens `/?c=s1&m=gone`, whose message is not among those that are loaded. */
function openMissingMessage() {
  const conversation = fakeConversation({ messages: [aChatMessage({ id: 'r1' })] })
  conversation.query.queryFn = () => emptyConversation
  function Page() {
    const rows = useRef<HTMLDivElement>(null)
    useFindMessage(conversation, rows, rows, noop)
    return <div ref={rows} />
  }
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter path="/?c=s1&m=gone">
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

it('shows the message although the conversation ends with one that was not sent', async () => {
  const refused = { ...aChatMessage({ id: 'u2', role: 'user' }), unacknowledged: true as const }
  const conversation = fakeConversation({ messages: [aChatMessage({ id: 'r1' }), refused] })
  const onShow = vi.fn<(fromEnd: number) => void>()
  function Page() {
    const rows = useRef<HTMLDivElement>(null)
    useFindMessage(conversation, rows, rows, onShow)
    return <div ref={rows} />
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter path="/?c=s1&m=r1">
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await expect.poll(() => onShow.mock.calls).toEqual([[2]])
})

it('does not say that a message is missing once another conversation is shown', async () => {
  const answers = [Promise.withResolvers<never>(), Promise.withResolvers<never>()] as const
  let count = 0
  fakeApi({ 'sessions.showVersion': () => answers[count++ % 2]!.promise })
  const missing = new ApiError({ status: 404, code: 'message_not_found', userMessage: 'gone' })
  const { unmount } = openMissingMessage()
  await expect.poll(() => count).toBe(1)
  unmount()
  answers[0].reject(missing)
  openMissingMessage()
  await expect.poll(() => count).toBe(2)
  answers[1].reject(new NetworkError())
  await expect
    .poll(() => vi.mocked(showToast).mock.calls.map(([, title]) => title))
    .toEqual(['The message could not be loaded'])
})

it('a failure is told with a button, and the toast leaves with the conversation', async () => {
  fakeApi({
    'sessions.showVersion': () => {
      throw new NetworkError()
    },
  })
  const { unmount } = openMissingMessage()
  await expect.poll(() => vi.mocked(showToast).mock.lastCall?.[1]).toBe('The message could not be loaded')
  const id = vi.mocked(showToast).mock.lastCall?.[2]?.id
  unmount()
  expect(vi.mocked(dismissToast).mock.calls).toContainEqual([id])
})
