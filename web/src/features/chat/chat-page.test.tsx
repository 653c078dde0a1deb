import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { Link, Router, Routes, useLocation } from '../../lib/navigation/router.tsx'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ChatEvent } from '#shared/chat-events.ts'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, NetworkError, NotSignedInError } from '../../lib/api/api-errors.ts'
import { errorBlockMs } from '../../lib/browser/limits.ts'
import { requestLeave } from '../../lib/input/leave-guard.ts'
import { canReloadSilently } from '../../lib/browser/reload-page.ts'
import { removeInputs } from '../../lib/input/inputs.ts'
import { useStartNewChat } from '../../lib/navigation/new-chat.ts'
import { createConversationCache } from '../../lib/conversations/conversation-cache.ts'
import { conversationListKey, type ConversationList } from '../../lib/conversations/conversation-list.ts'
import { replyingConversations } from '../../lib/conversations/replying-conversations.ts'
import { createActions } from '../../lib/actions/actions.ts'
import { deletionKey } from '../../lib/actions/running-actions.ts'
import { closeUserResources, getUserResource } from '../../lib/actions/user-resources.ts'
import { chatApi, type ChatApi } from './stream/chat-api.ts'
import { ChatPage } from './chat-page.tsx'
import { TemporarySwitch } from './temporary-switch.tsx'
import { preloadMessageList } from './conversation-view.tsx'
import { loadRunner } from './state/conversation-store.ts'
import { delta, start } from '../../../../test/support/chat-server.ts'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
vi.mock('./stream/chat-api.ts', () => ({
  chatApi: {
    send: vi.fn<ChatApi['send']>(),
    reattach: vi.fn<ChatApi['reattach']>(),
    decide: vi.fn<ChatApi['decide']>(),
    stop: vi.fn<ChatApi['stop']>(),
    read: vi.fn<ChatApi['read']>(),
  },
}))

const api = vi.mocked(chatApi)
const onSignInRequired = vi.fn<() => void>()
const queryClients: QueryClient[] = []
/** Writes to the newest stream. */
let write: ((event: ChatEvent | 'done') => void) | undefined

// fake timers do not advance the loading of code
beforeAll(() =>
  Promise.all([
    loadRunner(),
    preloadMessageList(),
    import('./leave-chat-dialog.tsx'),
    import('./messages/failed-attempt.tsx'),
    import('./messages/message-editor.tsx'),
    import('./messages/delete-message-dialog.tsx'),
    import('./attachments/upload-file.ts'),
  ]),
)
beforeEach(() => {
  vi.useFakeTimers()
  removeInputs()
  onSignInRequired.mockReset()
  vi.mocked(showToast).mockReset()
  api.send.mockReset().mockImplementation(async (_request, signal) => createStream(signal))
  api.reattach.mockReset().mockImplementation(async (_id, _position, signal) => createStream(signal))
  api.stop.mockReset().mockResolvedValue(undefined)
  api.read
    .mockReset()
    .mockRejectedValue(new ApiError({ status: 404, code: 'session_not_found', userMessage: 'x' }))
})
afterEach(() => {
  // like signing out
  cleanup()
  for (const client of queryClients.splice(0)) closeUserResources(client)
  vi.useRealTimers()
})

function createStream(signal: AbortSignal) {
  let position = 0
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(new TextEncoder().encode(text))
      write = (event) => {
        if (event === 'done') return send('data: [DONE]\n\n')
        position += event.type === 'text-delta' ? event.delta.length : 1
        send(`id: ${position}\ndata: ${JSON.stringify(event)}\n\n`)
      }
      signal.addEventListener('abort', () => controller.error(signal.reason))
    },
  })
}

let finishUpload: ((attachment: Attachment) => void) | undefined
vi.mock('./attachments/upload-file.ts', () => ({
  uploadFile: () => new Promise<Attachment>((resolve) => (finishUpload = resolve)),
}))
const storedFile = { id: 'f1', name: 'a.mp3', type: 'audio/mpeg', size: 1 }

const noConnections = () => undefined

/** Shows the query of the address, and navigates to other ones. */
function Navigation() {
  const { search } = useLocation()
  const startNewChat = useStartNewChat()
  return (
    <nav>
      <output>{search}</output>
      <Link to="/">Fresh</Link>
      <button onClick={() => startNewChat()}>Shortcut</button>
      <Link to="/?c=s">Rome</Link>
      <Link to="/tools">Tools</Link>
      <button onClick={() => history.back()}>Back</button>
    </nav>
  )
}

/** @param client the same one for a second visit of the same user */
async function openPage(path = '/', savesConversations = true, client = new QueryClient()) {
  queryClients.push(client)
  history.replaceState({ idx: 0 }, '', path)
  const view = render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Router>
          <Routes
            pages={{
              '/': (
                <>
                  <TemporarySwitch />
                  <ChatPage
                    connectedCount={undefined}
                    readConnections={noConnections}
                    userId="u"
                    savesConversations={savesConversations}
                    onSignInRequired={onSignInRequired}
                  />
                </>
              ),
              '/tools': null,
            }}
          />
          <Navigation />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  )
  await advanceTime(0)
  return view
}

const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const getQuery = () => document.querySelector('output')?.textContent
async function sendMessage(text: string) {
  const input = screen.getByPlaceholderText('Message Juno...')
  fireEvent.change(input, { target: { value: text } })
  fireEvent.keyDown(input, { key: 'Enter' })
  await advanceTime(20)
}
/** Agrees to lose the temporary chat. */
async function confirmLeave() {
  await advanceTime(100)
  fireEvent.click(screen.getByRole('button', { name: 'Leave' }))
}
const receive = async (...events: (ChatEvent | 'done')[]) => {
  for (const event of events) write?.(event)
  await advanceTime(300)
}
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

it('DEC-170 sends a chat that the user made temporary as one, and the next chat as a saved one', async () => {
  await openPage()
  const getToggle = () => screen.getByRole('button', { name: 'Temporary chat' })
  fireEvent.change(screen.getByPlaceholderText('Message Juno...'), { target: { value: 'A secret' } })
  await advanceTime(1000)
  expect(JSON.stringify(localStorage)).toContain('A secret')
  fireEvent.click(getToggle())
  expect(getToggle().getAttribute('aria-pressed')).toBe('true')
  expect(JSON.stringify(localStorage)).not.toContain('A secret')
  await sendMessage('A secret')
  expect(api.send.mock.calls[0]?.[0]).toMatchObject({ keep: false })
  await receive(
    { ...start, messageMetadata: { runId: 'run', kept: false } },
    delta('Hello there'),
    finish,
    'done',
  )
  expect(getQuery()).toBe('')
  fireEvent.click(screen.getByText('Fresh'))
  await confirmLeave()
  await advanceTime(20)
  expect(getToggle().getAttribute('aria-pressed')).toBe('false')
  await sendMessage('Stored')
  expect(api.send.mock.calls[1]?.[0]).not.toHaveProperty('keep')
})

it('CHAT-08 CHAT-11 CHAT-44 sends a quick prompt, shows the thinking indicator and the reply, and puts the conversation into the address', async () => {
  await openPage()
  fireEvent.click(screen.getByRole('button', { name: 'Show my recent emails' }))
  await advanceTime(20)
  expect(screen.getByText('Juno is thinking...')).toBeTruthy()
  expect(getQuery()).toMatch(/^\?c=[0-9a-f-]{36}$/)
  expect(api.send).toHaveBeenCalledOnce()
  await receive(start, delta('Hello'))
  expect(screen.queryByText('Juno is thinking...')).toBeNull()
  expect(screen.getByText('Reply started')).toBeTruthy()
  await receive(finish, 'done')
  expect(screen.getByText('Hello there')).toBeTruthy()
  expect(screen.getByText('Reply finished')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
})

it.each([
  ['failed', { type: 'error' as const, errorText: 'Service error: Out of order.' }, ''],
  ['was stopped', { type: 'abort' as const }, 'Generation stopped by user.'],
])('does not announce a reply that %s as finished', async (_, end, announced) => {
  await openPage()
  await sendMessage('Hi')
  await receive(start, delta('Hello'))
  const status = screen.getByText('Reply started')
  await receive(end, 'done')
  expect(status.textContent).toBe(announced)
})

it('announces the end of a reply that arrives in one piece', async () => {
  await openPage()
  await sendMessage('Hi')
  await receive(start, delta('Hello'), finish, 'done')
  expect(screen.getByText('Reply finished')).toBeTruthy()
})

it('DEC-008 keeps a reply in its own conversation while another one is shown', async () => {
  await openPage()
  await sendMessage('First')
  await receive(start, delta('Hello'))
  const id = api.send.mock.calls[0]?.[0].messageId ?? ''
  api.read.mockResolvedValue({
    session,
    messages: [message(id, 'user', 'First'), message('r1', 'assistant', 'Hello there')],
    earlier: null,
    run: null,
  })
  fireEvent.click(screen.getByRole('link', { name: 'Fresh' }))
  await advanceTime(20)
  expect(screen.getByText("Hi, I'm Juno")).toBeTruthy()
  await receive(delta(' there'), finish, 'done')
  expect(screen.queryByText('Hello there')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Back' }))
  await advanceTime(20)
  expect(screen.getByText('Hello there')).toBeTruthy()
})

it('ERR-01 ERR-08 DEC-049 shows an error in its block and as a toast, then offers a retry', async () => {
  api.send.mockRejectedValueOnce(new ApiError({ status: 500, code: 'x', userMessage: 'Out of order.' }))
  await openPage()
  await sendMessage('Hi')
  expect(screen.getByRole('group', { name: 'Error' }).textContent).toContain('Service error: Out of order.')
  expect(showToast).toHaveBeenCalledWith(
    'error',
    'Chat Error',
    expect.objectContaining({ description: 'Service error: Out of order.' }),
  )
  await advanceTime(5_000)
  expect(screen.queryByRole('group', { name: 'Error' })).toBeNull()
  expect(screen.getByText('Not saved.').textContent).toBe(
    'Not saved. Service error: Out of order. Retry Copy details',
  )
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await advanceTime(20)
  expect(api.send).toHaveBeenCalledTimes(2)
  expect(onSignInRequired).not.toHaveBeenCalled()
})

it('ERR-01 an error of a begun reply is told by its block and its toast alone, and by the reply once they are gone', async () => {
  await openPage('/', false)
  await sendMessage('Hi')
  await receive(
    { type: 'start', messageId: 'a1', messageMetadata: { sessionId: 's', runId: 'r', kept: true } },
    delta('Half a reply'),
    { type: 'data-run', data: { run_id: 'r', message_id: 'm', reply_id: 'a1', status: 'failed' } },
    { type: 'error', errorText: 'Service error: Out of order.' },
    'done',
  )
  expect(screen.getByRole('group', { name: 'Error' }).textContent).toContain('Service error: Out of order.')
  expect(screen.queryByText('The reply was cut off.')).toBeNull()
  expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy()
  await advanceTime(5_000)
  expect(screen.queryByRole('group', { name: 'Error' })).toBeNull()
  expect(screen.getByText('Service error: Out of order.')).toBeTruthy()
})

describe('an edit that gets no reply', () => {
  const turns = [
    message('m1', 'user', 'Flights to Oslo'),
    message('a1', 'assistant', 'From 90 euro'),
    message('m2', 'user', 'And hotels?'),
    message('a2', 'assistant', 'From 120 euro'),
  ]
  const read = { session, messages: turns, earlier: null, run: null }
  const readPage = () => screen.getByRole('main').textContent

  it('DEC-163 is told once, in its place, with Retry, and the earlier version stays', async () => {
    api.read.mockResolvedValue(read)
    await openPage('/?c=s')
    const [edit] = screen.getAllByRole('button', { name: 'Edit message' })
    if (edit) fireEvent.click(edit)
    await advanceTime(100)
    const field = screen.getByRole('textbox', { name: 'Edit your message' })
    fireEvent.change(field, { target: { value: 'Flights to Bergen' } })
    fireEvent.keyDown(field, { key: 'Enter' })
    await advanceTime(20)
    await receive(start, { type: 'error', errorText: 'Service error: Out of order.' }, 'done')
    const places = [
      'Flights to Oslo',
      'From 90',
      'Flights to Bergen',
      'Out of order.',
      'And hotels?',
      'From 120',
    ]
    const offsets = places.map((text) => readPage()?.indexOf(text) ?? -1)
    expect(offsets).toEqual(offsets.filter((at) => at >= 0).toSorted((a, b) => a - b))
    expect(readPage()?.split('Out of order.')).toHaveLength(2)
    await advanceTime(errorBlockMs + 100)
    const note = screen.getByText('Your edit got no reply, so the message stays as it was.')
    expect(note.textContent).toContain('Service error: Out of order. Retry')
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await advanceTime(20)
    await receive(start, delta('From 80 euro'), finish, 'done')
    expect(readPage()).toContain('Flights to Bergen')
    expect(readPage()).not.toContain('Flights to Oslo')
  })

  it('DEC-163 is told after a reload, too, and another reply without its question', async () => {
    const failed = {
      run_id: 'run',
      message_id: 'm3',
      reply_id: 'r3',
      replaces: 'm2',
      status: 'stopped' as const,
    }
    api.read.mockResolvedValue({ ...read, run: failed, attempt: message('m3', 'user', 'And hotels?') })
    await openPage('/?c=s')
    await advanceTime(100)
    expect(screen.getAllByText('And hotels?')).toHaveLength(1)
    expect(screen.getByText('Another reply was not written, so this one stays.').textContent).toContain(
      'Generation stopped by user. Retry',
    )
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await advanceTime(20)
    const request = api.send.mock.calls.at(-1)?.[0]
    expect(request).toMatchObject({ replaces: 'm2', messages: [{ content: 'And hotels?' }] })
    // it was stopped, so this is another one
    expect(request?.messageId).not.toBe('m3')
  })
})

it('a message that was never answered can be deleted', async () => {
  const lonely = message('m0', 'user', 'Anybody?')
  const turn = [message('m1', 'user', 'Hello'), message('r1', 'assistant', 'Hi')]
  api.read.mockResolvedValue({ session, messages: [lonely, ...turn], earlier: null, run: null })
  await openPage('/?c=s')
  fireEvent.click(screen.getByRole('button', { name: 'Delete…' }))
  await advanceTime(100)
  expect(screen.getByRole('dialog').textContent).toMatch(
    /^Delete this message\?It is deleted for good, from links/,
  )
})

it('ERR-10 ERR-11 LIM-03 opens the sign-in page after 3 s if the user has to sign in', async () => {
  api.send.mockRejectedValueOnce(new NotSignedInError('gone'))
  await openPage()
  await sendMessage('Hi')
  expect(showToast).toHaveBeenCalledWith('error', 'Authentication Required', expect.anything())
  await advanceTime(2_900)
  expect(onSignInRequired).not.toHaveBeenCalled()
  await advanceTime(100)
  expect(onSignInRequired).toHaveBeenCalledOnce()
})

it('CHAT-13 an accepted message clears the composer and replaces Send with Stop at once', async () => {
  await openPage()
  const input = screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...')
  fireEvent.change(input, { target: { value: 'Hi' } })
  expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...').value).toBe('')
  expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
  await advanceTime(20)
})

it('CHAT-13 the reply grows in the message list while Stop is shown, and Stop stops it', async () => {
  await openPage()
  await sendMessage('Hi')
  write?.({ type: 'start', messageId: 'r1', messageMetadata: { runId: 'run' } })
  write?.({ type: 'text-delta', id: 't', delta: 'One half' })
  await advanceTime(500)
  expect(screen.getByText('One half')).toBeTruthy()
  const stop = screen.getByRole('button', { name: 'Stop' })
  write?.({ type: 'text-delta', id: 't', delta: ' and another' })
  await advanceTime(500)
  expect(screen.getByText('One half and another')).toBeTruthy()
  fireEvent.click(stop)
  await advanceTime(20)
  expect(api.stop).toHaveBeenCalled()
})

it('DEC-017 cancels the redirect when the user leaves', async () => {
  api.send.mockRejectedValueOnce(new NotSignedInError('gone'))
  const view = await openPage()
  await sendMessage('Hi')
  view.unmount()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onSignInRequired).not.toHaveBeenCalled()
})

it('opens the conversation of the address, and follows its running reply', async () => {
  const run = { run_id: 'run', status: 'running' as const, message_id: 'm1', reply_id: 'r1' }
  api.read.mockResolvedValue({
    session,
    messages: [message('m1', 'user', 'Plan a week in Rome')],
    earlier: null,
    run,
  })
  const view = await openPage('/?c=s')
  await advanceTime(20)
  expect(screen.getByText('Plan a week in Rome')).toBeTruthy()
  expect(api.reattach.mock.calls.at(-1)?.slice(0, 2)).toEqual(['s', 0])
  await receive(start, delta('Hello there'), finish, 'done')
  expect(screen.getByText('Hello there')).toBeTruthy()
  expect(document.title).toBe('Rome - Juno')
  view.unmount()
})

describe('earlier messages', () => {
  /** Reports that the sentinel at the top is in view. */
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
        : Promise.reject(new NetworkError({ hasTimedOut: true })),
    )
  })
  const countEarlierReads = () => api.read.mock.calls.filter(([, before]) => before === 'c1').length

  it('are requested again only by the button that is shown after a failure', async () => {
    await openPage('/?c=s')
    await advanceTime(20)
    act(() => reachTop())
    await advanceTime(20)
    expect(countEarlierReads()).toBe(1)
    act(() => reachTop())
    await advanceTime(20)
    expect(countEarlierReads()).toBe(1)
    api.read.mockResolvedValue({
      session,
      messages: [message('m1', 'user', 'Before')],
      earlier: null,
      run: null,
    })
    fireEvent.click(screen.getByRole('button', { name: 'Load earlier messages' }))
    await advanceTime(20)
    expect(countEarlierReads()).toBe(2)
    expect(screen.getByText('Before')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Load earlier messages' })).toBeNull()
  })

  it.each([
    ['without scroll anchoring', false, 1_120],
    ['with scroll anchoring', true, 120],
  ] as const)('do not move the visible messages in a browser %s', async (_, isAnchored, scrollTop) => {
    // the day of the messages: on another day a separator would be shown above them
    vi.setSystemTime('2026-11-20T10:00:00Z')
    vi.stubGlobal('CSS', { supports: () => isAnchored })
    // each row is 1,000 px high, below a sentinel of 40 px
    vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
      return 40 + 1_000 * [...(this.parentElement?.children ?? [])].indexOf(this)
    })
    await openPage('/?c=s')
    await advanceTime(20)
    const scroller = screen.getByRole('main')
    scroller.scrollTop = 120
    api.read.mockResolvedValue({
      session,
      messages: [message('m1', 'user', 'Before')],
      earlier: null,
      run: null,
    })
    act(() => reachTop())
    await advanceTime(20)
    expect(screen.getByText('Before')).toBeTruthy()
    expect(scroller.scrollTop).toBe(scrollTop)
  })
})

it('says that a conversation does not exist, and offers a new one', async () => {
  await openPage('/?c=gone')
  await advanceTime(20)
  expect(screen.getByText('This conversation no longer exists.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Start Fresh Chat' }))
  await advanceTime(20)
  expect([getQuery(), screen.getByText("Hi, I'm Juno").tagName]).toEqual(['', 'H1'])
})

it.each([true, false])(
  'DEC-147 a message sent in a conversation that no longer exists starts a new one with a new id (saved: %s)',
  async (savesConversations) => {
    await openPage('/?c=gone', savesConversations)
    await advanceTime(20)
    await sendMessage('Plan a week in Rome')
    const { sessionId } = api.send.mock.calls[0]?.[0] ?? {}
    expect(sessionId).not.toBe('gone')
    expect(getQuery()).toBe(savesConversations ? `?c=${sessionId}` : '')
    expect(screen.queryByText('This conversation no longer exists.')).toBeNull()
    expect(screen.getByText('Plan a week in Rome')).toBeTruthy()
    expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...').value).toBe('')
    await receive(start, delta('Hello'))
    expect(screen.getByText('Hello')).toBeTruthy()
  },
)

describe('a message whose file is still being uploaded', () => {
  /** Presses Enter during the upload. */
  async function sendDuringUpload() {
    api.read.mockResolvedValue({ session, messages: [], earlier: null, run: null })
    const chooser = document.querySelector('input[type="file"]')
    if (!chooser) throw new Error('There is no file chooser.')
    fireEvent.change(chooser, { target: { files: [new File(['a'], 'a.mp3', { type: 'audio/mpeg' })] } })
    await sendMessage('Read this')
    expect(screen.getByText('Sends when the upload is finished.')).toBeTruthy()
  }
  const finish = async () => {
    await act(async () => finishUpload?.(storedFile))
    await advanceTime(20)
  }
  const listSent = () => api.send.mock.calls.map(([{ messages }]) => messages.at(-1))
  const sentMessage = { role: 'user', content: 'Read this', attachments: [storedFile] }

  it('is sent when another page is shown by then, and its chat has its address when the user is back', async () => {
    await openPage()
    await sendDuringUpload()
    fireEvent.click(screen.getByText('Tools'))
    await finish()
    expect(listSent()).toEqual([sentMessage])
    fireEvent.click(screen.getByText('Back'))
    await advanceTime(20)
    expect(getQuery()).toBe(`?c=${api.send.mock.lastCall?.[0].sessionId}`)
    expect(screen.getByText('Read this')).toBeTruthy()
    expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...').value).toBe('')
  })

  it('is sent when another conversation is shown by then, and the next new chat is empty', async () => {
    await openPage()
    await sendDuringUpload()
    fireEvent.click(screen.getByText('Rome'))
    await advanceTime(20)
    await finish()
    expect(listSent()).toEqual([sentMessage])
    expect(getQuery()).toBe('?c=s')
    fireEvent.click(screen.getByText('Fresh'))
    await advanceTime(20)
    expect([getQuery(), screen.queryByText('Read this')]).toEqual(['', null])
    fireEvent.click(screen.getByText('Back'))
    await advanceTime(20)
    expect(getQuery()).toBe('?c=s')
  })

  it('is not sent when its temporary chat was left for another', async () => {
    await openPage('/', false)
    await sendMessage('Hello')
    await receive(
      { ...start, messageMetadata: { runId: 'run', kept: false } },
      { type: 'finish', messageMetadata: { success: true, content: 'Hi.', toolCalls: [], error: null } },
      'done',
    )
    await sendDuringUpload()
    fireEvent.click(screen.getByText('Fresh'))
    await confirmLeave()
    await finish()
    expect(api.send).toHaveBeenCalledOnce()
  })
})

describe('a message that the service has not acknowledged', () => {
  /** Sends it without an answer. @returns the path of its page, and its id */
  async function sendUnacknowledged() {
    api.send.mockRejectedValueOnce(new NetworkError())
    const page = await openPage()
    await sendMessage('Plan a week in Rome')
    const path = `/${getQuery()}`
    page.unmount()
    return { path, id: api.send.mock.calls[0]?.[0].messageId ?? '' }
  }

  it('DEC-049 DEC-146 is shown after a reload, and is sent again with the same id', async () => {
    const { path, id } = await sendUnacknowledged()
    const page = await openPage(path)
    await advanceTime(20)
    expect(screen.getByText('Plan a week in Rome')).toBeTruthy()
    expect(screen.getByText('Not saved.')).toBeTruthy()
    expect(screen.queryByText('This conversation no longer exists.')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await advanceTime(20)
    expect(api.send.mock.calls[1]?.[0]).toMatchObject({ sessionId: path.slice(4), messageId: id })
    expect(JSON.stringify(localStorage)).toContain('Plan a week in Rome')
    await receive(start)
    expect(JSON.stringify(localStorage)).not.toContain('Plan a week in Rome')
    page.unmount()
  })

  it('DEC-146 is shown once, and as saved, if the service had stored it after all', async () => {
    const { path, id } = await sendUnacknowledged()
    api.read.mockResolvedValue({
      session,
      messages: [message(id, 'user', 'Plan a week in Rome'), message('r1', 'assistant', 'With pleasure.')],
      earlier: null,
      run: null,
    })
    await openPage(path)
    await advanceTime(20)
    expect(screen.getAllByText('Plan a week in Rome')).toHaveLength(1)
    expect(screen.queryByText('Not saved.')).toBeNull()
    expect(JSON.stringify(localStorage)).not.toContain('Plan a week in Rome')
  })

  it('DEC-146 stays a failed message of its own when the next one is sent and answered, also after reloads', async () => {
    const { path, id } = await sendUnacknowledged()
    const page = await openPage(path)
    await advanceTime(20)
    await sendMessage('And one in Naples')
    expect(api.send.mock.calls[1]?.[0].messages).toEqual([{ role: 'user', content: 'And one in Naples' }])
    await receive(start, finish, 'done')
    page.unmount()
    await openPage(path)
    await advanceTime(20)
    const rows = [...document.querySelectorAll('[data-message]')].map(({ textContent }) => textContent)
    expect(rows[0]).toContain('Plan a week in Rome')
    expect(rows[0]).toContain('Not saved.')
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await advanceTime(20)
    expect(api.send.mock.calls[2]?.[0]).toMatchObject({
      messageId: id,
      messages: [{ role: 'user', content: 'Plan a week in Rome' }],
    })
  })

  it('DEC-033 DEC-146 leaves nothing in the browser when its chat is temporary', async () => {
    api.send.mockRejectedValueOnce(new NetworkError())
    await openPage('/', false)
    const setItem = vi.spyOn(Storage.prototype, 'setItem')
    await sendMessage('A secret')
    await advanceTime(5_000)
    expect(screen.getByText('Not saved.')).toBeTruthy()
    expect(JSON.stringify(setItem.mock.calls)).not.toContain('A secret')
  })
})

it('marks the tab when a reply ends while the page is hidden', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  await openPage()
  await sendMessage('Hi')
  await receive(start, finish, 'done')
  expect(document.title).toBe('● Juno')
  hidden.mockReturnValue(false)
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await advanceTime(20)
  expect(document.title).toBe('Juno')
  // the conversation is read again when the page is shown, and was deleted elsewhere meanwhile
  expect(screen.getByText('This conversation no longer exists.')).toBeTruthy()
})

it('DEC-033 SET-12 a temporary chat says so, has no address, sends its whole history, and is never read from the server', async () => {
  await openPage('/', false)
  expect(screen.getByRole('note').textContent).toContain('This chat is temporary.')
  expect(screen.queryByRole('button', { name: 'Temporary chat' })).toBeNull()
  await sendMessage('Hello')
  expect(getQuery()).toBe('')
  await receive(
    { type: 'start', messageId: 'a1', messageMetadata: { sessionId: 's', runId: 'r', kept: false } },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Hi.' },
    { type: 'finish', messageMetadata: { success: true, content: 'Hi.', toolCalls: [], error: null } },
    'done',
  )
  await sendMessage('And now?')
  const { messages, keep } = api.send.mock.calls.at(-1)?.[0] ?? { messages: [] }
  expect(keep).toBe(false)
  expect(messages).toEqual([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi.' },
    { role: 'user', content: 'And now?' },
  ])
  fireEvent(document, new Event('visibilitychange', { bubbles: true }))
  await advanceTime(10)
  expect(api.read).not.toHaveBeenCalled()
  expect(screen.getByRole('note').textContent).toContain('gone when you leave')
})

it.each(['incomplete', 'failed', 'stopped'] as const)(
  'DEC-033 in a temporary chat, a reply that is %s can be continued, or written anew without its beginning',
  async (status) => {
    await openPage('/', false)
    await sendMessage('Hello')
    const run = { run_id: 'r', message_id: 'm', reply_id: 'a1', status }
    const error = 'Service error: The model is busy.'
    await receive(
      { type: 'start', messageId: 'a1', messageMetadata: { sessionId: 's', runId: 'r', kept: false } },
      { type: 'text-delta', id: 't', delta: 'Half' },
      { type: 'data-run', data: run },
      status === 'failed'
        ? { type: 'error', errorText: error }
        : status === 'stopped'
          ? { type: 'abort' }
          : {
              type: 'finish',
              messageMetadata: { success: true, content: 'Half', toolCalls: [], error: null },
            },
      'done',
    )
    expect(screen.getAllByRole('button', { name: 'Continue' })).not.toEqual([])
    fireEvent.keyDown(screen.getByRole('button', { name: 'More for this reply' }), { key: 'Enter' })
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Retry',
      'Export as Word',
    ])
    fireEvent.click(screen.getByRole('menuitem', { name: 'Retry' }))
    await advanceTime(10)
    const { messages, keep } = api.send.mock.calls.at(-1)?.[0] ?? { messages: [] }
    expect([keep, messages]).toEqual([false, [{ role: 'user', content: 'Hello' }]])
    expect(api.send).toHaveBeenCalledTimes(2)
  },
)

it('DEC-033 a new chat discards the temporary chat', async () => {
  await openPage('/', false)
  await sendMessage('Hello')
  expect(screen.getAllByText('Hello').length).toBeGreaterThan(0)
  fireEvent.click(screen.getByText('Fresh'))
  await confirmLeave()
  await advanceTime(10)
  expect(screen.queryByText('Hello')).toBeNull()
})

const startTemporaryChat = async () => {
  await openPage('/', false)
  await sendMessage('Hello')
  await receive(
    { type: 'start', messageId: 'a1', messageMetadata: { sessionId: 's', runId: 'r', kept: false } },
    { type: 'finish', messageMetadata: { success: true, content: 'Hi.', toolCalls: [], error: null } },
    'done',
  )
}

it('text typed into a temporary chat is never stored, and disappears with the chat', async () => {
  localStorage.clear()
  await openPage('/', false)
  const getInput = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...')
  fireEvent.change(getInput(), { target: { value: 'a half-written secret' } })
  expect(JSON.stringify(localStorage)).toBe('{}')
  await sendMessage('Hello')
  fireEvent.change(getInput(), { target: { value: 'another secret' } })
  expect(JSON.stringify(localStorage)).toBe('{}')
  fireEvent.click(screen.getByText('Fresh'))
  await confirmLeave()
  await advanceTime(10)
  expect(getInput().value).toBe('')
  expect(JSON.stringify(localStorage)).toBe('{}')
})

it('leaving a temporary chat asks for confirmation, and only Leave leaves it', async () => {
  await startTemporaryChat()
  let leaveCount = 0
  act(() => requestLeave(() => (leaveCount += 1)))
  await advanceTime(100)
  const dialog = screen.getByRole('dialog', { name: 'Leave this temporary chat?' })
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await advanceTime(300)
  expect([screen.queryByRole('dialog'), leaveCount]).toEqual([null, 0])
  expect(screen.getByText('Hi.')).toBeTruthy()
  act(() => requestLeave(() => (leaveCount += 1)))
  await advanceTime(100)
  fireEvent.click(screen.getByRole('button', { name: 'Leave' }))
  expect(leaveCount).toBe(1)
})

it('does not reload the page silently while a temporary chat, or the draft of one, would be lost', async () => {
  await openPage('/', false)
  expect(canReloadSilently()).toBe(true)
  const input = screen.getByPlaceholderText('Message Juno...')
  fireEvent.change(input, { target: { value: 'half a message' } })
  expect(canReloadSilently()).toBe(false)
  await sendMessage('Hello')
  expect(canReloadSilently()).toBe(false)
})

it('leaving a saved chat needs no confirmation', async () => {
  await openPage()
  await sendMessage('Hello')
  let leaveCount = 0
  act(() => requestLeave(() => (leaveCount += 1)))
  expect([leaveCount, canReloadSilently()]).toEqual([1, true])
})

describe('a visit to another page', () => {
  it('does not end a reply, and repeats no request', async () => {
    const client = new QueryClient()
    const page = await openPage('/', true, client)
    await sendMessage('First')
    await receive(start, delta('Hello'))
    const path = `/${getQuery()}`
    page.unmount()
    await receive(delta(' there'))
    await openPage(path, true, client)
    expect(screen.getByText('First')).toBeTruthy()
    expect(screen.getByText('Hello there')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
    await receive(finish, 'done')
    expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
    expect([api.send.mock.calls.length, api.reattach.mock.calls.length, api.read.mock.calls.length]).toEqual([
      1, 0, 0,
    ])
  })

  it('shows a conversation from the cache at once, while it is read again', async () => {
    const client = new QueryClient()
    const storedRead = {
      session,
      messages: [message('m1', 'user', 'Plan a week in Rome')],
      earlier: null,
      run: null,
    }
    api.read.mockResolvedValue(storedRead)
    const page = await openPage('/?c=s', true, client)
    await advanceTime(20)
    page.unmount()
    const secondRead = Promise.withResolvers<typeof storedRead>()
    api.read.mockReturnValue(secondRead.promise)
    await openPage('/?c=s', true, client)
    expect(screen.getByText('Plan a week in Rome')).toBeTruthy()
    secondRead.resolve({
      ...storedRead,
      messages: [...storedRead.messages, message('r1', 'assistant', 'With pleasure.')],
    })
    await advanceTime(20)
    expect(screen.getByText('With pleasure.')).toBeTruthy()
  })
})

it('a title changed in the list becomes the title of the tab', async () => {
  const client = new QueryClient()
  api.read.mockResolvedValue({ session, messages: [message('m1', 'user', 'Hi')], earlier: null, run: null })
  await openPage('/?c=s', true, client)
  await advanceTime(20)
  expect(document.title).toBe('Rome - Juno')
  act(() => createConversationCache(client).retitle('s', 'Naples'))
  await advanceTime(20)
  expect(document.title).toBe('Naples - Juno')
})

describe('a new chat', () => {
  const client = () => {
    const queryClient = new QueryClient()
    queryClient.setQueryData<ConversationList>(conversationListKey('active'), { sessions: [], total: 0 })
    return queryClient
  }
  const type = (text: string) =>
    fireEvent.change(screen.getByPlaceholderText('Message Juno...'), { target: { value: text } })
  const chooseTemporary = () => fireEvent.click(screen.getByRole('button', { name: 'Temporary chat' }))
  const answer = () => receive({ ...start, messageMetadata: { runId: 'run' } }, finish, 'done')
  /** What the chat was in when it was left, whether that asks, and what the new one begins with. */
  const states = {
    plain: { prepare: async () => undefined, asks: false, draft: '' },
    'answered chat': { prepare: () => sendMessage('Old words').then(answer), asks: false, draft: '' },
    // stored in the browser, for the next new chat
    draft: { prepare: async () => void type('half a thought'), asks: false, draft: 'half a thought' },
    // goes on, and is in the list
    'running reply': {
      prepare: () => sendMessage('Old words').then(() => receive(start)),
      asks: false,
      draft: '',
    },
    // stored in the browser, at its address
    'failed first message': {
      prepare: async () => {
        api.send.mockRejectedValueOnce(new NetworkError())
        await sendMessage('Old words')
      },
      asks: false,
      draft: '',
    },
    'temporary draft': {
      prepare: async () => {
        chooseTemporary()
        type('half a thought')
        await advanceTime(20)
      },
      asks: true,
      draft: '',
    },
    'temporary chat': {
      prepare: async () => {
        chooseTemporary()
        await sendMessage('Old words')
        await receive({ ...start, messageMetadata: { runId: 'run', kept: false } }, finish, 'done')
      },
      asks: true,
      draft: '',
    },
    'temporary running reply': {
      prepare: async () => {
        chooseTemporary()
        await sendMessage('Old words')
        await receive({ ...start, messageMetadata: { runId: 'run', kept: false } })
      },
      asks: true,
      draft: '',
    },
  }
  const entries = ['Fresh', 'Shortcut'] as const
  const table = entries.flatMap((entry) =>
    Object.keys(states).flatMap((name) =>
      [false, true].map((isElsewhere) => ({ entry, name: name as keyof typeof states, isElsewhere })),
    ),
  )
  it.each(table)(
    '$entry begins one after: $name (from another page: $isElsewhere)',
    async ({ entry, name, isElsewhere }) => {
      const { prepare, asks, draft } = states[name]
      await openPage('/', true, client())
      await prepare()
      const sent = api.send.mock.calls.length
      fireEvent.click(screen.getByText(isElsewhere ? 'Tools' : entry))
      await advanceTime(100)
      const leave = screen.queryByRole('button', { name: 'Leave' })
      // nothing is lost before the answer
      const question = screen.queryByText('This chat is temporary.', { exact: false })
      expect([leave !== null, question !== null]).toEqual([asks, asks])
      if (leave) fireEvent.click(leave)
      await advanceTime(300)
      if (isElsewhere) fireEvent.click(screen.getByText(entry))
      await advanceTime(300)
      expect(screen.queryByText('Old words')).toBeNull()
      expect(screen.getByText("Hi, I'm Juno")).toBeTruthy()
      expect(getQuery()).toBe('')
      expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...').value).toBe(draft)
      expect(screen.getByRole('button', { name: 'Temporary chat' }).getAttribute('aria-pressed')).toBe(
        'false',
      )
      await sendMessage('New words')
      const request = api.send.mock.calls[sent]?.[0]
      expect([request?.keep, request?.messages]).toEqual([
        undefined,
        [{ role: 'user', content: 'New words' }],
      ])
    },
  )

  it('is gone when the page is closed, signed out of, or kept by the browser', async () => {
    await openPage()
    await states['temporary chat'].prepare()
    act(() => void dispatchEvent(new Event('pagehide')))
    await advanceTime(20)
    expect(screen.queryByText('Old words')).toBeNull()
  })

  it('is in the list, as one that is being written, when the service has its first message, wherever one goes', async () => {
    const queryClient = client()
    const list = () => queryClient.getQueryData<ConversationList>(conversationListKey('active'))
    await openPage('/', true, queryClient)
    await sendMessage('Plan a week in Rome')
    expect(list()?.sessions).toEqual([])
    fireEvent.click(screen.getByText('Rome'))
    await advanceTime(20)
    await receive(start)
    const { sessionId } = api.send.mock.calls[0]?.[0] ?? {}
    expect(list()).toMatchObject({
      total: 1,
      sessions: [{ id: sessionId, title: 'Plan a week in Rome', message_count: 1 }],
    })
    expect([...replyingConversations.getState()]).toEqual([sessionId])
    await receive(finish, 'done')
    expect([...replyingConversations.getState()]).toEqual([])
  })

  it('that is temporary is not in the list', async () => {
    const queryClient = client()
    await openPage('/', true, queryClient)
    await states['temporary running reply'].prepare()
    expect(queryClient.getQueryData(conversationListKey('active'))).toEqual({ sessions: [], total: 0 })
    expect(replyingConversations.getState().size).toBe(0)
  })
})

describe('a conversation that is being deleted does not open by its address, and what is written there', () => {
  const getInput = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Message Juno...')
  async function openDeleted() {
    api.read.mockResolvedValue({
      session,
      messages: [message('m', 'user', 'Rome?')],
      earlier: null,
      run: null,
    })
    const client = new QueryClient()
    const actions = getUserResource(client, createActions)
    const run = async () => {
      api.read.mockRejectedValue(new ApiError({ status: 404, code: 'session_not_found', userMessage: 'x' }))
      createConversationCache(client).remove('s')
    }
    const deletion = actions.postpone(deletionKey('s'), { run, undo: () => undefined })
    await openPage('/?c=s', true, client)
    await advanceTime(100)
    expect(screen.getByText('This conversation no longer exists.')).toBeTruthy()
    fireEvent.change(getInput(), { target: { value: 'I go on here' } })
    return deletion
  }

  it('belongs to a new chat after an undo', async () => {
    const deletion = await openDeleted()
    act(() => deletion.undo())
    await advanceTime(100)
    expect(screen.getByText('Rome?')).toBeTruthy()
    expect(getInput().value).toBe('')
    fireEvent.click(screen.getByText('Fresh'))
    await advanceTime(100)
    expect(getInput().value).toBe('I go on here')
    fireEvent.change(getInput(), { target: { value: '' } })
  })

  it('is still there when the deletion is over', async () => {
    const deletion = await openDeleted()
    await act(async () => deletion.commit())
    await advanceTime(100)
    expect(screen.getByText('This conversation no longer exists.')).toBeTruthy()
    expect(getInput().value).toBe('I go on here')
    fireEvent.change(getInput(), { target: { value: '' } })
  })
})
