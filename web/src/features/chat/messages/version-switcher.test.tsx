import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { MessageWithVersions } from '#shared/contracts/messages.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import { conversationKey } from '../../../lib/conversation-key.ts'
import { emptyConversation, mergeNewest, type StoredConversation } from '../state/stored-conversation.ts'
import { VersionSwitcher } from './version-switcher.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const message = (id: string, versions?: MessageWithVersions['versions']): MessageWithVersions => ({
  id,
  session_id: 's',
  role: 'user',
  content: id,
  attachments: [],
  tool_calls: [],
  created_at: '2026-11-20T09:00:00Z',
  ...(versions && { versions }),
})
const session = { id: 's', user_id: 'u', title: 'Rome', created_at: '', updated_at: '', message_count: 2 }
/** The conversation with one of three versions of its second message. */
const withVersion = (shown: number): SessionRead => ({
  session,
  messages: [message('m1'), message(`m2-v${shown}`, { shown, count: 3 })],
  earlier: null,
  run: null,
})

let client: QueryClient
let answer: (version: number) => SessionRead | Promise<SessionRead>
const asked: unknown[] = []
beforeEach(() => {
  asked.length = 0
  vi.mocked(showToast).mockReset()
  client = new QueryClient()
  answer = withVersion
  fakeApi({
    'sessions.showVersion': ({ params, body }) => {
      asked.push([params.sessionId, body.message_id, body.version])
      return answer(body.version ?? 0)
    },
  })
})

function Shown({ replying }: { replying: boolean }) {
  const { data } = useQuery<StoredConversation>({
    queryKey: conversationKey('s'),
    queryFn: () => emptyConversation,
    enabled: false,
  })
  return (
    <>
      {data?.messages.map(({ id }) => (
        <p key={id}>{id}</p>
      ))}
      {data?.messages[1] && <VersionSwitcher message={data.messages[1]} replying={replying} />}
    </>
  )
}
function show(version: number, replying = false) {
  client.setQueryData(conversationKey('s'), mergeNewest(undefined, withVersion(version)))
  render(
    <QueryClientProvider client={client}>
      <Shown replying={replying} />
    </QueryClientProvider>,
  )
  const group = within(screen.getByRole('group', { name: 'Versions of this message' }))
  return {
    previous: group.getByRole('button', { name: 'Previous version' }),
    next: group.getByRole('button', { name: 'Next version' }),
    number: () => group.getByRole('status').textContent,
  }
}

describe('the versions of a message', () => {
  it('say which one is shown, and lead to the next, whose number shows at once', async () => {
    const { next, number } = show(1)
    expect(number()).toBe('1 of 3')
    const answered = Promise.withResolvers<SessionRead>()
    answer = () => answered.promise
    fireEvent.click(next)
    expect(number()).toBe('2 of 3')
    expect(screen.getByText('m2-v1')).toBeTruthy()
    answered.resolve(withVersion(2))
    await screen.findByText('m2-v2')
    expect(asked).toEqual([['s', 'm2-v1', 2]])
    expect(number()).toBe('2 of 3')
    expect(screen.getAllByText('m1')).toHaveLength(1)
  })

  it('pressing twice shows the last version, with one request after the other', async () => {
    const { next, number } = show(1)
    const first = Promise.withResolvers<SessionRead>()
    answer = (version) => (version === 2 ? first.promise : withVersion(version))
    fireEvent.click(next)
    fireEvent.click(next)
    expect(number()).toBe('3 of 3')
    await waitFor(() => expect(asked).toHaveLength(1))
    first.resolve(withVersion(2))
    await screen.findByText('m2-v3')
    expect(asked.map((one) => (one as unknown[])[2])).toEqual([2, 3])
    expect(number()).toBe('3 of 3')
  })

  it.each([
    ['first', 1, 'previous', 'This is the first version.'],
    ['last', 3, 'next', 'This is the newest version.'],
  ] as const)(
    'the way out of the %s one is off, says why, and keeps the focus',
    (_, version, way, reason) => {
      const buttons = show(version)
      act(() => buttons[way].focus())
      expect(screen.getByRole('tooltip').textContent).toContain(reason)
      fireEvent.click(buttons[way])
      expect(buttons[way].getAttribute('aria-disabled')).toBe('true')
      expect(document.activeElement).toBe(buttons[way])
      expect(asked).toEqual([])
      expect(buttons[way === 'next' ? 'previous' : 'next'].getAttribute('aria-disabled')).toBe('false')
    },
  )

  it('are disabled while a reply is running', () => {
    const { previous, next } = show(2, true)
    for (const button of [previous, next]) {
      fireEvent.click(button)
      expect(button.getAttribute('aria-disabled')).toBe('true')
    }
    expect(asked).toEqual([])
  })

  it.each([
    [
      new ApiError({ status: 409, code: 'run_in_progress', userMessage: 'A reply is still being written.' }),
      'A reply is still being written.',
    ],
    [new NetworkError(false), 'The service could not be reached. Please try again.'],
  ])(
    'one that could not be shown is reported, and the number is what is shown: %s',
    async (error, description) => {
      const { next, number } = show(1)
      answer = () => Promise.reject(error)
      fireEvent.click(next)
      await waitFor(() => expect(number()).toBe('1 of 3'))
      expect(vi.mocked(showToast).mock.calls).toEqual([
        ['error', 'This version could not be shown', { description }],
      ])
      expect(screen.getByText('m2-v1')).toBeTruthy()
      answer = withVersion
      fireEvent.click(next)
      await screen.findByText('m2-v2')
    },
  )
})
