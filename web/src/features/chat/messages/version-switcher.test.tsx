import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from '../../../../../test/support/memory-router.tsx'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { MessageWithVersions } from '#shared/contracts/messages.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { conversationKey } from '../../../lib/conversations/conversation-key.ts'
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
/** The conversation with one of the three versions of its second message. */
const createRead = (shown: number): SessionRead => ({
  session,
  messages: [message('m1'), message(`m2-v${shown}`, { shown, count: 3 })],
  earlier: null,
  run: null,
})

let client: QueryClient
let respond: (version: number) => SessionRead | Promise<SessionRead>
const requests: unknown[] = []
beforeEach(() => {
  requests.length = 0
  vi.mocked(showToast).mockReset()
  client = new QueryClient()
  respond = createRead
  fakeApi({
    'sessions.showVersion': ({ params, body }) => {
      requests.push([params.sessionId, body.message_id, body.version])
      return respond(body.version ?? 0)
    },
  })
})

function Messages({ replying }: { replying: boolean }) {
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
      {data?.messages[1] && <VersionSwitcher message={data.messages[1]} isReplying={replying} />}
    </>
  )
}
function renderSwitcher(version: number, replying = false) {
  client.setQueryData(conversationKey('s'), mergeNewest(undefined, createRead(version)))
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Messages replying={replying} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const group = within(screen.getByRole('group', { name: 'Versions of this message' }))
  return {
    previous: group.getByRole('button', { name: 'Previous version' }),
    next: group.getByRole('button', { name: 'Next version' }),
    getPosition: () => group.getByRole('status').textContent,
  }
}

describe('the versions of a message', () => {
  it('are switched by a button; the new number is shown at once', async () => {
    const { next, getPosition } = renderSwitcher(1)
    expect(getPosition()).toBe('1 of 3')
    const response = Promise.withResolvers<SessionRead>()
    respond = () => response.promise
    fireEvent.click(next)
    expect(getPosition()).toBe('2 of 3')
    expect(screen.getByText('m2-v1')).toBeTruthy()
    response.resolve(createRead(2))
    await screen.findByText('m2-v2')
    expect(requests).toEqual([['s', 'm2-v1', 2]])
    expect(getPosition()).toBe('2 of 3')
    expect(screen.getAllByText('m1')).toHaveLength(1)
  })

  it('pressing twice shows the last version, with one request after the other', async () => {
    const { next, getPosition } = renderSwitcher(1)
    const firstResponse = Promise.withResolvers<SessionRead>()
    respond = (version) => (version === 2 ? firstResponse.promise : createRead(version))
    fireEvent.click(next)
    await waitFor(() => expect(requests).toHaveLength(1))
    fireEvent.click(next)
    expect(getPosition()).toBe('3 of 3')
    firstResponse.resolve(createRead(2))
    await screen.findByText('m2-v3')
    expect(requests.map((one) => (one as unknown[])[2])).toEqual([2, 3])
    expect(getPosition()).toBe('3 of 3')
  })

  it.each([
    ['first', 1, 'previous', 'This is the first version.'],
    ['last', 3, 'next', 'This is the newest version.'],
  ] as const)(
    'the button beyond the %s one is disabled, says why, and keeps the focus',
    (_, version, direction, reason) => {
      const buttons = renderSwitcher(version)
      act(() => buttons[direction].focus())
      expect(screen.getByRole('tooltip').textContent).toContain(reason)
      fireEvent.click(buttons[direction])
      expect(buttons[direction].getAttribute('aria-disabled')).toBe('true')
      expect(document.activeElement).toBe(buttons[direction])
      expect(requests).toEqual([])
      expect(buttons[direction === 'next' ? 'previous' : 'next'].getAttribute('aria-disabled')).toBe('false')
    },
  )

  it('are disabled while a reply is running', () => {
    const { previous, next } = renderSwitcher(2, true)
    for (const button of [previous, next]) {
      fireEvent.click(button)
      expect(button.getAttribute('aria-disabled')).toBe('true')
    }
    expect(requests).toEqual([])
  })

  it.each([
    new ApiError({ status: 409, code: 'run_in_progress', userMessage: 'A reply is still being written.' }),
    new NetworkError(),
  ])('one that could not be shown is reported, and the number is reset: %s', async (error) => {
    const { next, getPosition } = renderSwitcher(1)
    respond = () => Promise.reject(error)
    fireEvent.click(next)
    await waitFor(() => expect(getPosition()).toBe('1 of 3'))
    expect(vi.mocked(showToast).mock.calls).toEqual([
      [
        'error',
        'This version could not be shown',
        { error: expect.objectContaining({ message: error.message }) as unknown },
      ],
    ])
    expect(screen.getByText('m2-v1')).toBeTruthy()
    respond = createRead
    fireEvent.click(next)
    await screen.findByText('m2-v2')
  })
})
