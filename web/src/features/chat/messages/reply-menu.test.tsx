import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { Link, Router, Routes, useLocation } from '../../../lib/navigation/router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { aChatMessage, fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { ReplyMenu } from './reply-menu.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const session = { id: 'b', user_id: 'u', title: 'Rome', created_at: '', updated_at: '', message_count: 2 }
const messages = [
  aChatMessage({ id: 'u1', role: 'user' }),
  aChatMessage(),
  aChatMessage({ id: 'u2', role: 'user' }),
]
let response: PromiseWithResolvers<void>
beforeEach(() => {
  vi.mocked(showToast).mockReset()
  response = Promise.withResolvers()
  fakeApi({
    'sessions.copy': async () => {
      await response.promise
      return { success: true, session }
    },
    'sessions.list': () => ({ sessions: [] }),
  })
  history.replaceState({ idx: 0 }, '', '/?c=s1')
})

function Place() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}
const where = () => screen.getByRole('status').textContent

async function continueInNewChat() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Router>
        <Place />
        <Link to="/integrations">Tools</Link>
        <Routes
          pages={{
            '/': <ReplyMenu conversation={fakeConversation({ messages })} message={messages[1]!} />,
            '*': null,
          }}
        />
      </Router>
    </QueryClientProvider>,
  )
  fireEvent.keyDown(screen.getByRole('button', { name: 'More for this reply' }), { key: 'Enter' })
  const item = await screen.findByRole('menuitem', { name: 'Continue in a new chat' })
  await act(async () => fireEvent.click(item))
}

it('takes a user who has waited to the new chat', async () => {
  await continueInNewChat()
  await act(async () => response.resolve())
  await vi.waitFor(() => expect(where()).toBe('/?c=b'))
  expect(showToast).not.toHaveBeenCalled()
})

it('offers the new chat to a user who has gone on', async () => {
  await continueInNewChat()
  await act(async () => fireEvent.click(screen.getByText('Tools')))
  expect(where()).toBe('/integrations')
  await act(async () => response.resolve())
  await vi.waitFor(() => expect(showToast).toHaveBeenCalledOnce())
  const [kind, title, options] = vi.mocked(showToast).mock.lastCall ?? []
  expect([where(), kind, title]).toEqual(['/integrations', 'success', 'The new chat is ready'])
  await act(async () => options?.action?.onClick())
  expect(where()).toBe('/?c=b')
})
