import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { Link, MemoryRouter, useLocation, useNavigate } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { ChatEvent } from '#shared/chat-events.ts'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, NoSessionError } from '../../lib/api-errors.ts'
import { chatApi, type ChatApi } from './chat-api.ts'
import { ChatPage } from './chat-page.tsx'
import { preloadMessageList } from './conversation-view.tsx'
import { loadFollowing } from './conversation.ts'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
vi.mock('./chat-api.ts', () => ({
  chatApi: {
    send: vi.fn<ChatApi['send']>(),
    reattach: vi.fn<ChatApi['reattach']>(),
    answer: vi.fn<ChatApi['answer']>(),
    stop: vi.fn<ChatApi['stop']>(),
    read: vi.fn<ChatApi['read']>(),
  },
}))

const api = vi.mocked(chatApi)
const onSignInRequired = vi.fn<() => void>()
let write: ((event: ChatEvent | 'done') => void) | undefined

// loading code takes time that no fake timer passes
beforeAll(() => Promise.all([loadFollowing(), preloadMessageList()]))
beforeEach(() => {
  vi.useFakeTimers()
  onSignInRequired.mockReset()
  vi.mocked(showToast).mockReset()
  api.send.mockReset().mockImplementation(async (_request, signal) => stream(signal))
  api.reattach.mockReset().mockImplementation(async (_id, _position, signal) => stream(signal))
  api.read
    .mockReset()
    .mockRejectedValue(new ApiError({ status: 404, code: 'session_not_found', sentence: 'x' }))
})
afterEach(() => {
  vi.useRealTimers()
})

function stream(signal: AbortSignal) {
  let at = 0
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(new TextEncoder().encode(text))
      write = (event) => {
        if (event === 'done') return send('data: [DONE]\n\n')
        at += event.type === 'text-delta' ? event.delta.length : 1
        send(`id: ${at}\ndata: ${JSON.stringify(event)}\n\n`)
      }
      signal.addEventListener('abort', () => controller.error(signal.reason))
    },
  })
}

/** The address, and ways to other ones. */
function Address() {
  const { search } = useLocation()
  const navigate = useNavigate()
  return (
    <nav>
      <output>{search}</output>
      <Link to="/">Fresh</Link>
      <button onClick={() => void navigate(-1)}>Back</button>
    </nav>
  )
}

async function open(at = '/', keeps = true) {
  const view = render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={[at]}>
          <ChatPage
            connections={undefined}
            userId="u"
            keepsConversations={keeps}
            onSignInRequired={onSignInRequired}
          />
          <Address />
        </MemoryRouter>
      </QueryClientProvider>
    </StrictMode>,
  )
  await pass(0)
  return view
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const address = () => document.querySelector('output')?.textContent
async function say(text: string) {
  const input = screen.getByPlaceholderText('Message Juno...')
  fireEvent.change(input, { target: { value: text } })
  fireEvent.keyDown(input, { key: 'Enter' })
  await pass(20)
}
const hear = async (...events: (ChatEvent | 'done')[]) => {
  for (const event of events) write?.(event)
  await pass(300)
}
const start: ChatEvent = { type: 'start', messageId: 'r1', messageMetadata: { runId: 'run' } }
const delta = (text: string): ChatEvent => ({ type: 'text-delta', id: 't', delta: text })
const finish: ChatEvent = {
  type: 'finish',
  messageMetadata: { success: true, content: 'Hello there', toolCalls: [], error: null },
}

const session = { id: 's', user_id: 'u', title: 'Rome', created_at: '', updated_at: '', message_count: 1 }
const message = (id: string, role: 'user' | 'assistant', content: string) => ({
  id,
  session_id: 's',
  role,
  content,
  attachments: [],
  tool_calls: [],
  created_at: '2026-11-20T09:00:00Z',
})

it('CHAT-08 CHAT-11 CHAT-44 sends a quick prompt, thinks, streams, and puts the conversation into the address', async () => {
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Show my recent emails' }))
  await pass(20)
  expect(screen.getByText('Juno is thinking...')).toBeTruthy()
  expect(address()).toMatch(/^\?c=[0-9a-f-]{36}$/)
  expect(api.send).toHaveBeenCalledOnce()
  await hear(start, delta('Hello'))
  expect(screen.queryByText('Juno is thinking...')).toBeNull()
  expect(screen.getByText('Reply started')).toBeTruthy()
  await hear(finish, 'done')
  expect(screen.getByText('Hello there')).toBeTruthy()
  expect(screen.getByText('Reply finished')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
})

it('DEC-008 keeps a reply in its own conversation while another one is shown', async () => {
  await open()
  await say('First')
  await hear(start, delta('Hello'))
  const id = api.send.mock.calls[0]?.[0].messageId ?? ''
  api.read.mockResolvedValue({
    session,
    messages: [message(id, 'user', 'First'), message('r1', 'assistant', 'Hello there')],
    earlier: null,
    run: null,
  })
  fireEvent.click(screen.getByRole('link', { name: 'Fresh' }))
  await pass(20)
  expect(screen.getByText("Hi, I'm Juno")).toBeTruthy()
  await hear(delta(' there'), finish, 'done')
  expect(screen.queryByText('Hello there')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Back' }))
  await pass(20)
  expect(screen.getByText('Hello there')).toBeTruthy()
})

it('ERR-01 ERR-08 CHAT-12 DEC-049 shows an error in its block and as a toast, then a quiet retry', async () => {
  api.send.mockRejectedValueOnce(new ApiError({ status: 500, code: 'x', sentence: 'Out of order.' }))
  await open()
  await say('Hi')
  expect(screen.getByRole('alert').textContent).toContain('Service error: Out of order.')
  expect(showToast).toHaveBeenCalledWith(
    'error',
    'Chat Error',
    expect.objectContaining({ description: 'Service error: Out of order.' }),
  )
  await pass(5_000)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByText('Not saved.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await pass(20)
  expect(api.send).toHaveBeenCalledTimes(2)
  expect(onSignInRequired).not.toHaveBeenCalled()
})

it('ERR-10 ERR-11 LIM-03 takes who has to sign in there after 3 s', async () => {
  api.send.mockRejectedValueOnce(new NoSessionError('gone'))
  await open()
  await say('Hi')
  expect(showToast).toHaveBeenCalledWith('error', 'Authentication Required', expect.anything())
  await pass(2_900)
  expect(onSignInRequired).not.toHaveBeenCalled()
  await pass(100)
  expect(onSignInRequired).toHaveBeenCalledOnce()
})

it('DEC-017 forgets the redirect when the user leaves', async () => {
  api.send.mockRejectedValueOnce(new NoSessionError('gone'))
  const view = await open()
  await say('Hi')
  view.unmount()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onSignInRequired).not.toHaveBeenCalled()
})

it('opens the conversation of the address, and watches its running reply', async () => {
  const run = { run_id: 'run', status: 'running' as const, message_id: 'm1', reply_id: 'r1' }
  api.read.mockResolvedValue({
    session,
    messages: [message('m1', 'user', 'Plan a week in Rome')],
    earlier: null,
    run,
  })
  const view = await open('/?c=s')
  await pass(20)
  expect(screen.getByText('Plan a week in Rome')).toBeTruthy()
  expect(api.reattach.mock.calls.at(-1)?.slice(0, 2)).toEqual(['s', 0])
  await hear(start, delta('Hello there'), finish, 'done')
  expect(screen.getByText('Hello there')).toBeTruthy()
  expect(document.title).toBe('Rome - Juno')
  view.unmount()
})

it('says so when the conversation is not there', async () => {
  await open('/?c=gone')
  await pass(20)
  expect(screen.getByText('This conversation is not there any more.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Start Fresh Chat' }))
  await pass(20)
  expect([address(), screen.getByText("Hi, I'm Juno").tagName]).toEqual(['', 'H1'])
})

it('marks the tab when a reply ended while nobody looked', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  await open()
  await say('Hi')
  await hear(start, finish, 'done')
  expect(document.title).toBe('● Juno')
  hidden.mockReturnValue(false)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await pass(20)
  expect(document.title).toBe('Juno')
  // looked for again on coming back, and deleted elsewhere meanwhile
  expect(screen.getByText('This conversation is not there any more.')).toBeTruthy()
})

it('DEC-033 SET-12 a chat that is not kept says so, has no address, sends everything along, and is never read back', async () => {
  await open('/', false)
  expect(screen.getByRole('note').textContent).toContain('This chat is not kept.')
  await say('Hello')
  expect(address()).toBe('')
  await hear(
    { type: 'start', messageId: 'a1', messageMetadata: { sessionId: 's', runId: 'r', kept: false } },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Hi.' },
    { type: 'finish', messageMetadata: { success: true, content: 'Hi.', toolCalls: [], error: null } },
    'done',
  )
  await say('And now?')
  const { messages, keep } = api.send.mock.calls.at(-1)?.[0] ?? { messages: [] }
  expect(keep).toBe(false)
  expect(messages).toEqual([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi.' },
    { role: 'user', content: 'And now?' },
  ])
  fireEvent(document, new Event('visibilitychange'))
  await pass(10)
  expect(api.read).not.toHaveBeenCalled()
  expect(screen.getByRole('note').textContent).toContain('gone when you leave')
})

it('DEC-033 starting fresh leaves a chat that is not kept behind', async () => {
  await open('/', false)
  await say('Hello')
  expect(screen.getAllByText('Hello').length).toBeGreaterThan(0)
  fireEvent.click(screen.getByText('Fresh'))
  await pass(10)
  expect(screen.queryByText('Hello')).toBeNull()
})
