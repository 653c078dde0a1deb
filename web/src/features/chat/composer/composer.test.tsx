import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createEvent, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AccountRead } from '#shared/contracts/account.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { createUploadQueue, type UploadQueue } from '../attachments/upload-queue.ts'
import { accountQuery } from '../../../lib/account/account-queries.ts'
import { NetworkError } from '../../../lib/api/api-errors.ts'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { Composer, useComposer } from './composer.tsx'

vi.mock(import('../../../components/ui/toast.ts'), { spy: true })

const onSend = vi.fn<(text: string, attachments: readonly Attachment[]) => boolean>()
let uploadQueue: UploadQueue
let uploads: PromiseWithResolvers<Attachment>[]
let queryClient: QueryClient
let conversation: ReturnType<typeof fakeConversation>
const onStop = vi.fn<() => Promise<boolean>>()

beforeEach(() => {
  uploads = []
  uploadQueue = createUploadQueue({
    upload: () => {
      const upload = Promise.withResolvers<Attachment>()
      uploads.push(upload)
      return upload.promise
    },
    restored: [],
    onChange: () => undefined,
  })
  queryClient = new QueryClient()
  onSend.mockReset().mockReturnValue(true)
  onStop.mockReset().mockResolvedValue(true)
  conversation = fakeConversation({}, { stop: onStop })
})

const createComposer = (props: Partial<Parameters<typeof Composer>[0]> = {}) => (
  <QueryClientProvider client={queryClient}>
    <Composer
      assistantName="Ada"
      draftKey="u/s"
      uploadQueue={uploadQueue}
      conversation={conversation}
      onSend={onSend}
      {...props}
    />
  </QueryClientProvider>
)
const setReplying = (isReplying: boolean) => act(() => conversation.setState({ isReplying }))
const getInput = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Message Ada...')
const typeText = (value: string) => fireEvent.change(getInput(), { target: { value } })
const press = (key: string, init: object = {}) => fireEvent.keyDown(getInput(), { key, ...init })

it('CHAT-30 CHAT-35 CHAT-36 names the assistant', () => {
  render(createComposer())
  expect(getInput()).toBeTruthy()
  expect(screen.getByText('Press Enter to send • Shift + Enter for new line')).toBeTruthy()
  expect(screen.getByText('Ada Online')).toBeTruthy()
})

it('a key in a long text neither measures nor stores the text', () => {
  render(createComposer())
  typeText('x'.repeat(100_000))
  const measure = vi.spyOn(Element.prototype, 'scrollHeight', 'get')
  const store = vi.spyOn(Storage.prototype, 'setItem')
  typeText('x'.repeat(100_001))
  expect(getInput().value).toHaveLength(100_001)
  expect([measure.mock.calls, store.mock.calls]).toEqual([[], []])
  typeText('')
})

/** Media queries of which only these match. */
const matchOnly =
  (...queries: string[]) =>
  (query: string) =>
    Object.assign(new EventTarget(), { matches: queries.includes(query) }) as MediaQueryList

it('has the focus in the moment it appears', () => {
  vi.stubGlobal('matchMedia', matchOnly('(pointer: fine)'))
  let focused: Element | null = null
  function Parent() {
    useLayoutEffect(() => {
      focused = document.activeElement
    }, [])
    return createComposer()
  }
  render(<Parent />)
  expect(focused).toBe(getInput())
})

it('CHAT-38 DEC-169 Enter queues a message while a reply is running, and says so', () => {
  setReplying(true)
  render(createComposer())
  expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull()
  typeText('Next')
  expect(screen.getByText(/^Ada is replying\. Your next message waits for the end/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send after this reply' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
  press('Enter')
  expect(onSend).toHaveBeenCalledWith('Next', [])
  expect(getInput().value).toBe('')
})

it('CHAT-31 LIM-04 grows between 52 and 120 px, also where the style sheet cannot size it', async () => {
  vi.spyOn(CSS, 'supports').mockReturnValue(false)
  const height = vi.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockReturnValue(26)
  render(createComposer())
  await waitFor(() => expect(getInput().style.height).toBe('52px'))
  height.mockReturnValue(80)
  typeText('a\nb')
  await waitFor(() => expect(getInput().style.height).toBe('80px'))
  height.mockReturnValue(400)
  typeText('a\nb\nc')
  await waitFor(() =>
    expect([getInput().style.height, getInput().style.overflowY]).toEqual(['120px', 'auto']),
  )
})

it('CHAT-32 Enter sends and empties the composer', () => {
  render(createComposer())
  typeText('Hi')
  expect(press('Enter')).toBe(false)
  expect(onSend).toHaveBeenCalledWith('Hi', [])
  expect(getInput().value).toBe('')
})

it('CHAT-33 Shift+Enter adds a line', () => {
  render(createComposer())
  typeText('Hi')
  expect(press('Enter', { shiftKey: true })).toBe(true)
  expect(onSend).not.toHaveBeenCalled()
})

describe('on a device without a mouse or a trackpad', () => {
  beforeEach(() => vi.spyOn(window, 'matchMedia').mockImplementation(matchOnly('(pointer: coarse)')))

  it('CHAT-32 DEC-162 Enter adds a line, and the button sends', () => {
    render(createComposer())
    typeText('One')
    expect(press('Enter')).toBe(true)
    expect(onSend).not.toHaveBeenCalled()
    expect(getInput().getAttribute('enterkeyhint')).toBe('enter')
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    expect(onSend).toHaveBeenCalledWith('One', [])
  })

  it('CHAT-32 DEC-162 Enter sends if there is a mouse or a trackpad too', () => {
    vi.mocked(window.matchMedia).mockImplementation(matchOnly('(pointer: coarse)', '(any-pointer: fine)'))
    render(createComposer())
    typeText('One')
    expect(press('Enter')).toBe(false)
    expect(onSend).toHaveBeenCalledWith('One', [])
    expect(getInput().getAttribute('enterkeyhint')).toBe('send')
  })
})

it.each([
  ['edits the last message', {}, 1],
  ['with Shift does nothing', { shiftKey: true }, 0],
  ['with Alt does nothing', { altKey: true }, 0],
  ['with Control does nothing', { ctrlKey: true }, 0],
  ['from an input method does nothing', { isComposing: true }, 0],
])('the up arrow in an empty composer %s', (_, init, times) => {
  const onEditLast = vi.fn<() => void>()
  render(createComposer({ onEditLast }))
  press('ArrowUp', init)
  expect(onEditLast).toHaveBeenCalledTimes(times)
})

it('the up arrow edits nothing while files are attached', async () => {
  const onEditLast = vi.fn<() => void>()
  render(createComposer({ onEditLast }))
  chooseFiles('a.txt')
  await screen.findByText('a.txt')
  press('ArrowUp')
  expect(onEditLast).not.toHaveBeenCalled()
})

it('a double click on Send does not stop the reply that it started', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000)
  render(createComposer())
  typeText('Hi')
  const send = screen.getByRole('button', { name: 'Send' })
  fireEvent.click(send)
  expect(onSend).toHaveBeenCalledTimes(1)
  setReplying(true)
  const stop = screen.getByRole('button', { name: 'Stop' })
  expect(stop).not.toBe(send)
  now.mockReturnValue(10_499)
  fireEvent.click(stop)
  expect(onStop).not.toHaveBeenCalled()
  now.mockReturnValue(10_500)
  fireEvent.click(stop)
  expect(onStop).toHaveBeenCalledTimes(1)
})

it('keeping a long paste as text preserves what was typed since then', async () => {
  render(createComposer())
  typeText('Look: ')
  getInput().setSelectionRange(6, 6)
  const pasted = 'x'.repeat(8_001)
  fireEvent.paste(getInput(), { clipboardData: { getData: () => pasted, files: [], items: [] } })
  typeText('Look: and see')
  getInput().setSelectionRange(6, 6)
  await vi.waitFor(() => expect(vi.mocked(showToast).mock.lastCall?.[2]?.action).toBeDefined())
  const [, , options] = vi.mocked(showToast).mock.lastCall ?? []
  act(() => options?.action?.onClick())
  expect(getInput().value).toBe(`Look: ${pasted}and see`)
})

it('keeping a long paste as text replaces nothing that is selected by then', async () => {
  render(createComposer())
  const pasted = 'x'.repeat(8_001)
  fireEvent.paste(getInput(), { clipboardData: { getData: () => pasted, files: [], items: [] } })
  typeText('Typed since')
  getInput().setSelectionRange(0, 5)
  await vi.waitFor(() => expect(vi.mocked(showToast).mock.lastCall?.[2]?.action).toBeDefined())
  act(() => vi.mocked(showToast).mock.lastCall?.[2]?.action?.onClick())
  expect(getInput().value).toBe(`Typed${pasted} since`)
})

it('a long paste is no longer offered as text once its file is sent', async () => {
  render(createComposer())
  const pasted = 'x'.repeat(8_001)
  fireEvent.paste(getInput(), { clipboardData: { getData: () => pasted, files: [], items: [] } })
  await vi.waitFor(() => expect(uploadQueue.files.getState()).toHaveLength(1))
  const toastId = vi.mocked(showToast).mock.results.at(-1)?.value
  typeText('Look at this')
  await act(async () =>
    uploads[0]?.resolve({ id: 'a', name: 'Pasted text.txt', type: 'text/plain', size: 8_001 } as Attachment),
  )
  expect(dismissToast).not.toHaveBeenCalled()
  press('Enter')
  expect(onSend).toHaveBeenCalledOnce()
  expect(vi.mocked(dismissToast).mock.calls).toEqual([[toastId]])
})

it.each([
  ['a composer that has replaced the one of the paste', true],
  ['the draft while no composer is shown', false],
])('keeping a long paste as text adds to %s', async (_name, isShown) => {
  const draft = { draftKey: `u/replaced ${isShown}` }
  const { unmount } = render(createComposer(draft))
  const pasted = 'x'.repeat(8_001)
  fireEvent.paste(getInput(), { clipboardData: { getData: () => pasted, files: [], items: [] } })
  await vi.waitFor(() => expect(uploadQueue.files.getState()).toHaveLength(1))
  unmount()
  const next = render(createComposer(draft))
  typeText('Newer words')
  getInput().setSelectionRange(5, 5)
  if (!isShown) next.unmount()
  const [, , options] = vi.mocked(showToast).mock.lastCall ?? []
  act(() => options?.action?.onClick())
  if (!isShown) render(createComposer(draft))
  expect(getInput().value).toBe(isShown ? `Newer${pasted} words` : `Newer words${pasted}`)
  expect(uploadQueue.files.getState()).toEqual([])
})

it.each([{ isComposing: true }, { keyCode: 229 }])('leaves Enter to an input method: %o', (init) => {
  render(createComposer())
  typeText('にほん')
  expect(press('Enter', init)).toBe(true)
  expect(onSend).not.toHaveBeenCalled()
})

it('CHAT-34 DEC-169 keeps the text when the message is not accepted', () => {
  onSend.mockReturnValue(false)
  setReplying(true)
  render(createComposer())
  typeText('Next')
  expect(press('Enter')).toBe(false)
  expect(getInput().value).toBe('Next')
})

it.each(['', '  \n '])('CHAT-37 CHAT-39 does not send %j', (text) => {
  render(createComposer())
  typeText(text)
  press('Enter')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  expect(onSend).not.toHaveBeenCalled()
})

it('CHAT-13 CHAT-47 DEC-157 Stop replaces Send, and Escape stops too', () => {
  setReplying(true)
  render(createComposer())
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(onStop).toHaveBeenCalledTimes(2)
  setReplying(false)
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(onStop).toHaveBeenCalledTimes(2)
})

it('Escape does not stop the reply when something else has handled it', () => {
  setReplying(true)
  render(createComposer())
  const handleEscape = (event: Event) => event.preventDefault()
  document.addEventListener('keydown', handleEscape, { capture: true })
  fireEvent.keyDown(document.body, { key: 'Escape' })
  document.removeEventListener('keydown', handleEscape, { capture: true })
  expect(onStop).not.toHaveBeenCalled()
})

it('keeps its text when sending was refused', () => {
  onSend.mockReturnValue(false)
  render(createComposer())
  typeText('Hi')
  press('Enter')
  expect(getInput().value).toBe('Hi')
})

it('keeps a draft per conversation across reloads', () => {
  render(createComposer()).unmount()
  render(createComposer())
  typeText('half a thou')
  const second = render(createComposer({ draftKey: 'u/other' }))
  expect(second.container.querySelector('textarea')?.value).toBe('')
  second.unmount()
  expect(render(createComposer()).container.querySelector('textarea')?.value).toBe('half a thou')
})

it('DEC-043 hides the online indicator and sends nothing while offline', async () => {
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new TypeError('offline')))
  render(createComposer())
  typeText('Hi')
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await act(async () => window.dispatchEvent(new Event('offline')))
  expect(screen.queryByText('Ada Online')).toBeNull()
  press('Enter')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  expect(screen.getByRole('status').textContent).toBe(
    'You are offline. Messages can be sent when the connection is back.',
  )
  expect([onSend.mock.calls.length, getInput().value]).toEqual([0, 'Hi'])
  onLine.mockReturnValue(true)
  await act(async () => window.dispatchEvent(new Event('online')))
  press('Enter')
  expect(onSend).toHaveBeenCalledWith('Hi', [])
})

it('sends if the service responds although the browser reports no network', async () => {
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockResolvedValue(Response.json({ ok: true, version: '1' })))
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  render(createComposer())
  typeText('Hi')
  await waitFor(() => {
    press('Enter')
    expect(onSend).toHaveBeenCalledWith('Hi', [])
  })
})

const storedFile = (name: string): Attachment => ({ id: `id-${name}`, name, type: 'text/plain', size: 5 })
const chooseFiles = (...names: string[]) =>
  fireEvent.change(screen.getByLabelText('Files to attach'), {
    target: { files: names.map((name) => new File(['hello'], name, { type: 'text/plain' })) },
  })

it('ATT-03 ATT-04 shows files as chips with name and size', async () => {
  render(createComposer())
  chooseFiles('a.txt', 'b.txt')
  expect(await screen.findByText('a.txt')).toBeTruthy()
  expect(screen.getAllByText('0.1 KB')).toHaveLength(2)
})

it('ATT-01 ATT-05 CHAT-37 a message with files alone can be sent, and files can be removed', async () => {
  render(createComposer())
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  chooseFiles('a.txt', 'b.txt')
  await screen.findByText('a.txt')
  await act(async () =>
    uploads.forEach((upload, index) => upload.resolve(storedFile(index === 0 ? 'a.txt' : 'b.txt'))),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Remove b.txt' }))
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(onSend).toHaveBeenCalledWith('', [storedFile('a.txt')])
  expect(uploadQueue.files.getState()).toEqual([])
})

it('sending waits for uploads, says so, and can be cancelled', () => {
  render(createComposer())
  chooseFiles('a.txt')
  typeText('Read this')
  press('Enter')
  expect(onSend).not.toHaveBeenCalled()
  expect(screen.getByText('Sends when the upload is finished.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByText('Sends when the upload is finished.')).toBeNull()
})

it('a failed file blocks the message, with the reason, until it is retried or removed', async () => {
  render(createComposer())
  chooseFiles('a.txt')
  typeText('Read this')
  press('Enter')
  await act(async () => uploads[0]?.reject(new NetworkError()))
  expect(onSend).not.toHaveBeenCalled()
  expect(screen.getByText('One file could not be attached. Retry or remove it.')).toBeTruthy()
  expect(await screen.findByText('The connection was lost.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Retry a.txt' }))
  await act(async () => uploads[1]?.resolve(storedFile('a.txt')))
  press('Enter')
  expect(onSend).toHaveBeenCalledWith('Read this', [storedFile('a.txt')])
})

it('keeps text and files when sending was refused', async () => {
  onSend.mockReturnValue(false)
  render(createComposer())
  chooseFiles('a.txt')
  await act(async () => uploads[0]?.resolve(storedFile('a.txt')))
  press('Enter')
  expect(uploadQueue.files.getState()).toHaveLength(1)
})

it('accepts files that are dropped or pasted anywhere, and turns long pasted text into a file', async () => {
  const listening = vi.spyOn(document, 'addEventListener')
  render(createComposer())
  await vi.waitFor(() =>
    expect(listening).toHaveBeenCalledWith('dragenter', expect.anything(), expect.anything()),
  )
  const file = new File(['x'], 'shot.png', { type: 'image/png' })
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }),
  )
  const data = { types: ['Files'], files: [file], items: [] }
  fireEvent.dragEnter(document.body, { dataTransfer: data })
  expect(await screen.findByText('Drop files to attach them')).toBeTruthy()
  fireEvent.drop(document.body, { dataTransfer: data })
  expect(screen.queryByText('Drop files to attach them')).toBeNull()
  fireEvent.paste(document.body, { clipboardData: data })
  fireEvent.paste(getInput(), {
    clipboardData: { getData: () => 'a'.repeat(9_000), types: ['text/plain'], files: [], items: [] },
  })
  await vi.waitFor(() =>
    expect(uploadQueue.files.getState().map(({ name }) => name)).toEqual([
      'shot.png',
      'shot.png',
      'Pasted text.txt',
    ]),
  )
  fireEvent.paste(getInput(), {
    clipboardData: { getData: () => 'short', types: ['text/plain'], files: [], items: [] },
  })
  expect(uploadQueue.files.getState()).toHaveLength(3)
})

it('what was chosen before the new chat had its id is attached once it has', () => {
  const next = createUploadQueue({
    upload: () => new Promise(() => undefined),
    restored: [],
    onChange: () => undefined,
  })
  const { result, rerender } = renderHook(
    (queue: UploadQueue) => useComposer({ conversation, draftKey: 'u/s', uploadQueue: queue, onSend }),
    {
      initialProps: uploadQueue,
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    },
  )
  const { attach } = result.current
  rerender(next)
  act(() => void attach([new File(['x'], 'screenshot.txt', { type: 'text/plain' })]))
  expect([uploadQueue, next].map(({ files }) => files.getState().length)).toEqual([0, 1])
})

it('the up arrow edits the last message only in an empty composer', () => {
  const onEditLast = vi.fn<() => void>()
  render(createComposer({ onEditLast }))
  typeText('text')
  press('ArrowUp')
  expect(onEditLast).not.toHaveBeenCalled()
  typeText('')
  press('ArrowUp')
  expect(onEditLast).toHaveBeenCalledOnce()
})

describe('where the user’s groups forbid files', () => {
  const file = new File(['x'], 'a.txt', { type: 'text/plain' })
  const withFiles = { types: ['Files'], items: [], files: [file], getData: () => '' }
  const refusals = () => vi.mocked(showToast).mock.calls.filter(([, text]) => /may not add files/.test(text))
  beforeEach(() => {
    vi.mocked(showToast).mockClear()
    queryClient.setQueryData(accountQuery.queryKey, { limits: { upload: false } } as AccountRead)
  })

  it('there is nothing to attach with', () => {
    render(createComposer())
    expect(screen.queryByRole('button', { name: /attach/i })).toBeNull()
    expect(screen.queryByLabelText(/to attach/)).toBeNull()
  })

  it.each(['drop', 'paste'] as const)('a %s of files is told and attaches none', async (kind) => {
    const listening = vi.spyOn(document, 'addEventListener')
    render(createComposer())
    await vi.waitFor(() =>
      expect(listening).toHaveBeenCalledWith('dragenter', expect.anything(), expect.anything()),
    )
    const event = createEvent[kind](document.body)
    const name = kind === 'drop' ? 'dataTransfer' : 'clipboardData'
    Object.defineProperty(event, name, { value: withFiles })
    // the browser does not open the file
    expect(fireEvent(document.body, event)).toBe(false)
    expect([uploadQueue.files.getState(), refusals().length]).toEqual([[], 1])
  })

  it('a drag says so, before the files are dropped', async () => {
    const listening = vi.spyOn(document, 'addEventListener')
    render(createComposer())
    await vi.waitFor(() =>
      expect(listening).toHaveBeenCalledWith('dragenter', expect.anything(), expect.anything()),
    )
    const event = createEvent.dragEnter(document.body)
    Object.defineProperty(event, 'dataTransfer', { value: withFiles })
    fireEvent(document.body, event)
    expect(await screen.findByText(/^Your group may not add files/)).toBeTruthy()
    expect(screen.queryByText('Drop files to attach them')).toBeNull()
  })

  it('a long text that is pasted stays text', () => {
    render(createComposer())
    const data = {
      getData: (type: string) => (type.startsWith('text/m') ? '' : 'x'.repeat(8_001)),
      files: [],
    }
    // the browser inserts it
    expect(fireEvent.paste(getInput(), { clipboardData: data })).toBe(true)
    expect([uploadQueue.files.getState(), refusals()]).toEqual([[], []])
  })
})
