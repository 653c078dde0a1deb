import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { Link, MemoryRouter, useLocation, useNavigate } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChatEvent } from '#shared/chat-events.ts'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, NetworkError, NotSignedInError } from '../../lib/api-errors.ts'
import { canReloadSilently, requestLeave } from '../../lib/leave-guard.ts'
import { removeDrafts } from '../../lib/drafts.ts'
import { updateConversationTitle } from '../../lib/conversation-list.ts'
import { closeUserResources } from '../../lib/user-resources.ts'
import { chatApi, type ChatApi } from './stream/chat-api.ts'
import { ChatPage } from './chat-page.tsx'
import { preloadMessageList } from './conversation-view.tsx'
import { loadReplyStream } from './state/create-conversation.ts'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
vi.mock('./stream/chat-api.ts', () => ({
  chatApi: {
    send: vi.fn<ChatApi['send']>(),
    reattach: vi.fn<ChatApi['reattach']>(),
    answer: vi.fn<ChatApi['decide']>(),
    stop: vi.fn<ChatApi['stop']>(),
    read: vi.fn<ChatApi['read']>(),
  },
}))

const api = vi.mocked(chatApi)
const onSignInRequired = vi.fn<() => void>()
const clients: QueryClient[] = []
let write: ((event: ChatEvent | 'done') => void) | undefined

// loading code takes time that no fake timer passes
beforeAll(() => Promise.all([loadReplyStream(), preloadMessageList(), import('./leave-chat-dialog.tsx')]))
beforeEach(() => {
  vi.useFakeTimers()
  removeDrafts()
  onSignInRequired.mockReset()
  vi.mocked(showToast).mockReset()
  api.send.mockReset().mockImplementation(async (_request, signal) => stream(signal))
  api.reattach.mockReset().mockImplementation(async (_id, _position, signal) => stream(signal))
  api.read
    .mockReset()
    .mockRejectedValue(new ApiError({ status: 404, code: 'session_not_found', userMessage: 'x' }))
})
afterEach(() => {
  // as whoever signs out does
  cleanup()
  for (const client of clients.splice(0)) closeUserResources(client)
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

const noConnections = () => undefined

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

/** @param client of the user: the same one after a visit to another page */
async function open(at = '/', keeps = true, client = new QueryClient()) {
  clients.push(client)
  const view = render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[at]}>
          <ChatPage
            connectedIntegrations={undefined}
            readConnections={noConnections}
            userId="u"
            savesConversations={keeps}
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
const start: Extract<ChatEvent, { type: 'start' }> = {
  type: 'start',
  messageId: 'r1',
  messageMetadata: { runId: 'run' },
}
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

it('DEC-170 the chat that is made temporary is sent as one, and the next one is not', async () => {
  await open()
  const toggle = () => screen.getByRole('button', { name: 'Temporary chat' })
  fireEvent.change(screen.getByPlaceholderText('Message Juno...'), { target: { value: 'A secret' } })
  expect(JSON.stringify(localStorage)).toContain('A secret')
  fireEvent.click(toggle())
  expect(toggle().getAttribute('aria-pressed')).toBe('true')
  expect(JSON.stringify(localStorage)).not.toContain('A secret')
  await say('A secret')
  expect(api.send.mock.calls[0]?.[0]).toMatchObject({ keep: false })
  await hear(start, delta('Hello there'), finish, 'done')
  expect(address()).toBe('')
  fireEvent.click(screen.getByText('Fresh'))
  await pass(20)
  expect(toggle().getAttribute('aria-pressed')).toBe('false')
  await say('Stored')
  expect(api.send.mock.calls[1]?.[0]).not.toHaveProperty('keep')
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

it('ERR-01 ERR-08 DEC-049 shows an error in its block and as a toast, then a quiet retry', async () => {
  api.send.mockRejectedValueOnce(new ApiError({ status: 500, code: 'x', userMessage: 'Out of order.' }))
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
  api.send.mockRejectedValueOnce(new NotSignedInError('gone'))
  await open()
  await say('Hi')
  expect(showToast).toHaveBeenCalledWith('error', 'Authentication Required', expect.anything())
  await pass(2_900)
  expect(onSignInRequired).not.toHaveBeenCalled()
  await pass(100)
  expect(onSignInRequired).toHaveBeenCalledOnce()
})

it('CHAT-13 an accepted message clears the composer and replaces Send with Stop at once', async () => {
  await open()
  const input = screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...')
  fireEvent.change(input, { target: { value: 'Hi' } })
  expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...').value).toBe('')
  expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
  await pass(20)
})

it('CHAT-13 the reply grows in the message list while Stop is there, and Stop ends it', async () => {
  await open()
  await say('Hi')
  write?.({ type: 'start', messageId: 'r1', messageMetadata: { runId: 'run' } })
  write?.({ type: 'text-delta', id: 't', delta: 'One half' })
  await pass(500)
  expect(screen.getByText('One half')).toBeTruthy()
  const stop = screen.getByRole('button', { name: 'Stop' })
  write?.({ type: 'text-delta', id: 't', delta: ' and another' })
  await pass(500)
  expect(screen.getByText('One half and another')).toBeTruthy()
  fireEvent.click(stop)
  await pass(20)
  expect(api.stop).toHaveBeenCalled()
})

it('DEC-017 forgets the redirect when the user leaves', async () => {
  api.send.mockRejectedValueOnce(new NotSignedInError('gone'))
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

describe('earlier messages', () => {
  /** The sentinel at the top comes into view. */
  let reachTop: () => void
  beforeEach(() => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: IntersectionObserverCallback) {
          reachTop = () => callback([{ isIntersecting: true } as IntersectionObserverEntry], this as never)
        }
        observe() {}
        disconnect() {}
      },
    )
    api.read.mockImplementation((_id, before) =>
      before === undefined
        ? Promise.resolve({ session, messages: [message('m2', 'user', 'Later')], earlier: 'c1', run: null })
        : Promise.reject(new NetworkError(true)),
    )
  })
  const readEarlier = () => api.read.mock.calls.filter(([, before]) => before === 'c1').length

  it('are asked for again by the button that a failure leaves, and only by it', async () => {
    await open('/?c=s')
    await pass(20)
    act(() => reachTop())
    await pass(20)
    expect(readEarlier()).toBe(1)
    act(() => reachTop())
    await pass(20)
    expect(readEarlier()).toBe(1)
    api.read.mockResolvedValue({
      session,
      messages: [message('m1', 'user', 'Before')],
      earlier: null,
      run: null,
    })
    fireEvent.click(screen.getByRole('button', { name: 'Load earlier messages' }))
    await pass(20)
    expect(readEarlier()).toBe(2)
    expect(screen.getByText('Before')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Load earlier messages' })).toBeNull()
  })

  it.each([
    ['stays where the browser does not see to it', false, 1_120],
    ['is left to the browser that keeps it', true, 120],
  ] as const)('what is being read %s', async (_, isAnchored, top) => {
    // the day of the messages, which stands above them on every other
    vi.setSystemTime('2026-11-20T10:00:00Z')
    vi.stubGlobal('CSS', { supports: () => isAnchored })
    // each row is 1,000 px high, below 40 px of what leads to more
    vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
      return 40 + 1_000 * [...(this.parentElement?.children ?? [])].indexOf(this)
    })
    await open('/?c=s')
    await pass(20)
    const scroller = screen.getByRole('main')
    scroller.scrollTop = 120
    api.read.mockResolvedValue({
      session,
      messages: [message('m1', 'user', 'Before')],
      earlier: null,
      run: null,
    })
    act(() => reachTop())
    await pass(20)
    expect(screen.getByText('Before')).toBeTruthy()
    expect(scroller.scrollTop).toBe(top)
  })
})

it('says so when the conversation does not exist', async () => {
  await open('/?c=gone')
  await pass(20)
  expect(screen.getByText('This conversation no longer exists.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Start Fresh Chat' }))
  await pass(20)
  expect([address(), screen.getByText("Hi, I'm Juno").tagName]).toEqual(['', 'H1'])
})

it.each([true, false])(
  'DEC-147 a message sent from a conversation that is gone begins a new one under an id of its own (kept: %s)',
  async (keeps) => {
    await open('/?c=gone', keeps)
    await pass(20)
    await say('Plan a week in Rome')
    const { sessionId } = api.send.mock.calls[0]?.[0] ?? {}
    expect(sessionId).not.toBe('gone')
    expect(address()).toBe(keeps ? `?c=${sessionId}` : '')
    expect(screen.queryByText('This conversation no longer exists.')).toBeNull()
    expect(screen.getByText('Plan a week in Rome')).toBeTruthy()
    expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...').value).toBe('')
    await hear(start, delta('Hello'))
    expect(screen.getByText('Hello')).toBeTruthy()
  },
)

describe('a message that the service has not acknowledged', () => {
  /** Sends it without an answer, and gives the address that it stands at and its id. */
  async function sendInVain() {
    api.send.mockRejectedValueOnce(new NetworkError(false))
    const page = await open()
    await say('Plan a week in Rome')
    const at = `/${address()}`
    page.unmount()
    return { at, id: api.send.mock.calls[0]?.[0].messageId ?? '' }
  }

  it('DEC-049 DEC-146 is there after a reload, and goes again under its id', async () => {
    const { at, id } = await sendInVain()
    const page = await open(at)
    await pass(20)
    expect(screen.getByText('Plan a week in Rome')).toBeTruthy()
    expect(screen.getByText('Not saved.')).toBeTruthy()
    expect(screen.queryByText('This conversation no longer exists.')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await pass(20)
    expect(api.send.mock.calls[1]?.[0]).toMatchObject({ sessionId: at.slice(4), messageId: id })
    expect(JSON.stringify(localStorage)).toContain('Plan a week in Rome')
    await hear(start)
    expect(JSON.stringify(localStorage)).not.toContain('Plan a week in Rome')
    page.unmount()
  })

  it('DEC-146 stands once, and as saved, where the service had stored it after all', async () => {
    const { at, id } = await sendInVain()
    api.read.mockResolvedValue({
      session,
      messages: [message(id, 'user', 'Plan a week in Rome'), message('r1', 'assistant', 'With pleasure.')],
      earlier: null,
      run: null,
    })
    await open(at)
    await pass(20)
    expect(screen.getAllByText('Plan a week in Rome')).toHaveLength(1)
    expect(screen.queryByText('Not saved.')).toBeNull()
    expect(JSON.stringify(localStorage)).not.toContain('Plan a week in Rome')
  })

  it('DEC-146 goes along with the next one, as without a reload', async () => {
    const { at } = await sendInVain()
    await open(at)
    await pass(20)
    await say('And one in Naples')
    expect(api.send.mock.calls[1]?.[0].messages).toEqual([
      { role: 'user', content: 'Plan a week in Rome\n\nAnd one in Naples' },
    ])
  })

  it('DEC-033 DEC-146 leaves nothing in the browser when its chat is temporary', async () => {
    api.send.mockRejectedValueOnce(new NetworkError(false))
    await open('/', false)
    const write = vi.spyOn(Storage.prototype, 'setItem')
    await say('A secret')
    await pass(5_000)
    expect(screen.getByText('Not saved.')).toBeTruthy()
    expect(JSON.stringify(write.mock.calls)).not.toContain('A secret')
  })
})

it('marks the tab when a reply ends while the page is hidden', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  await open()
  await say('Hi')
  await hear(start, finish, 'done')
  expect(document.title).toBe('● Juno')
  hidden.mockReturnValue(false)
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await pass(20)
  expect(document.title).toBe('Juno')
  // looked for again on coming back, and deleted elsewhere meanwhile
  expect(screen.getByText('This conversation no longer exists.')).toBeTruthy()
})

it('DEC-033 SET-12 a temporary chat says so, has no address, sends everything along, and is never read back', async () => {
  await open('/', false)
  expect(screen.getByRole('note').textContent).toContain('This chat is temporary.')
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
  fireEvent(document, new Event('visibilitychange', { bubbles: true }))
  await pass(10)
  expect(api.read).not.toHaveBeenCalled()
  expect(screen.getByRole('note').textContent).toContain('gone when you leave')
})

it('DEC-033 a new chat discards the temporary chat', async () => {
  await open('/', false)
  await say('Hello')
  expect(screen.getAllByText('Hello').length).toBeGreaterThan(0)
  fireEvent.click(screen.getByText('Fresh'))
  await pass(10)
  expect(screen.queryByText('Hello')).toBeNull()
})

const temporaryChat = async () => {
  await open('/', false)
  await say('Hello')
  await hear(
    { type: 'start', messageId: 'a1', messageMetadata: { sessionId: 's', runId: 'r', kept: false } },
    { type: 'finish', messageMetadata: { success: true, content: 'Hi.', toolCalls: [], error: null } },
    'done',
  )
}

it('text typed into a temporary chat is never stored, and disappears with the chat', async () => {
  localStorage.clear()
  await open('/', false)
  const input = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...')
  fireEvent.change(input(), { target: { value: 'a half-written secret' } })
  expect(JSON.stringify(localStorage)).toBe('{}')
  await say('Hello')
  fireEvent.change(input(), { target: { value: 'another secret' } })
  expect(JSON.stringify(localStorage)).toBe('{}')
  fireEvent.click(screen.getByText('Fresh'))
  await pass(10)
  expect(input().value).toBe('')
  expect(JSON.stringify(localStorage)).toBe('{}')
})

it('leaving a temporary chat asks first, and what it says is lost only by Leave', async () => {
  await temporaryChat()
  let left = 0
  act(() => requestLeave(() => (left += 1)))
  await pass(100)
  const dialog = screen.getByRole('dialog', { name: 'Leave this temporary chat?' })
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await pass(300)
  expect([screen.queryByRole('dialog'), left]).toEqual([null, 0])
  expect(screen.getByText('Hi.')).toBeTruthy()
  act(() => requestLeave(() => (left += 1)))
  await pass(100)
  fireEvent.click(screen.getByRole('button', { name: 'Leave' }))
  expect(left).toBe(1)
})

it('a temporary chat is not reloaded away after a deployment, nor one that is only being written', async () => {
  await open('/', false)
  expect(canReloadSilently()).toBe(true)
  const input = screen.getByPlaceholderText('Message Juno...')
  fireEvent.change(input, { target: { value: 'half a message' } })
  expect(canReloadSilently()).toBe(false)
  await say('Hello')
  expect(canReloadSilently()).toBe(false)
})

it('leaving a saved chat needs no confirmation', async () => {
  await open()
  await say('Hello')
  let left = 0
  act(() => requestLeave(() => (left += 1)))
  expect([left, canReloadSilently()]).toEqual([1, true])
})

describe('a visit to another page', () => {
  it('ends no reply, and asks for nothing again', async () => {
    const client = new QueryClient()
    const page = await open('/', true, client)
    await say('First')
    await hear(start, delta('Hello'))
    const at = `/${address()}`
    page.unmount()
    await hear(delta(' there'))
    await open(at, true, client)
    expect(screen.getByText('First')).toBeTruthy()
    expect(screen.getByText('Hello there')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
    await hear(finish, 'done')
    expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
    expect([api.send.mock.calls.length, api.reattach.mock.calls.length, api.read.mock.calls.length]).toEqual([
      1, 0, 0,
    ])
  })

  it('shows a conversation that was read at once, while it is read again', async () => {
    const client = new QueryClient()
    const stored = {
      session,
      messages: [message('m1', 'user', 'Plan a week in Rome')],
      earlier: null,
      run: null,
    }
    api.read.mockResolvedValue(stored)
    const page = await open('/?c=s', true, client)
    await pass(20)
    page.unmount()
    const again = Promise.withResolvers<typeof stored>()
    api.read.mockReturnValue(again.promise)
    await open('/?c=s', true, client)
    expect(screen.getByText('Plan a week in Rome')).toBeTruthy()
    again.resolve({ ...stored, messages: [...stored.messages, message('r1', 'assistant', 'With pleasure.')] })
    await pass(20)
    expect(screen.getByText('With pleasure.')).toBeTruthy()
  })

  it('keeps a temporary chat, however long it takes, and what is typed into it', async () => {
    const client = new QueryClient()
    const page = await open('/', false, client)
    await say('Hello')
    await hear({ ...start, messageMetadata: { runId: 'run', kept: false } }, finish, 'done')
    fireEvent.change(screen.getByPlaceholderText('Message Juno...'), { target: { value: 'half a thought' } })
    page.unmount()
    // nobody reloads it away meanwhile
    expect(canReloadSilently()).toBe(false)
    await pass(3_600_000)
    await open('/', false, client)
    expect(screen.getByText('Hello there')).toBeTruthy()
    expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...').value).toBe('half a thought')
    expect(api.read).not.toHaveBeenCalled()
    fireEvent.click(screen.getByText('Fresh'))
    await pass(10)
    expect(screen.queryByText('Hello there')).toBeNull()
    expect(canReloadSilently()).toBe(true)
  })

  it('a temporary chat outlives pages that show no chat, and nothing else', async () => {
    await temporaryChat()
    let left = 0
    act(() => requestLeave(() => (left += 1), '/settings'))
    expect([left, screen.queryByRole('dialog')]).toEqual([1, null])
    act(() => requestLeave(() => (left += 1), '/'))
    await pass(100)
    expect(left).toBe(1)
    fireEvent.click(screen.getByRole('button', { name: 'Leave' }))
    await pass(300)
    expect([left, screen.queryByText('Hi.')]).toEqual([2, null])
  })
})

it('a title changed in the list becomes the title of the tab', async () => {
  const client = new QueryClient()
  api.read.mockResolvedValue({ session, messages: [message('m1', 'user', 'Hi')], earlier: null, run: null })
  await open('/?c=s', true, client)
  await pass(20)
  expect(document.title).toBe('Rome - Juno')
  act(() => updateConversationTitle(client, 's', 'Naples'))
  await pass(20)
  expect(document.title).toBe('Naples - Juno')
})
