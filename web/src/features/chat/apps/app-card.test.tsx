import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { type RouteHandlers, fakeApi } from '../../../../../test/support/fake-api.ts'
import { fakeConversation } from '../../../../../test/support/fake-conversation.ts'
import { unlockCards } from '../../../../../test/support/unlock-cards.ts'
import { loadConfig } from '../../../lib/api/config.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { announcementStore } from '../../../lib/browser/announce.ts'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { SidePanel } from '../../../components/ui/side-panel.tsx'
import { ImageViewer } from '../../../components/image-viewer.tsx'
import { PasswordField } from '../../../components/ui/password-field.tsx'
import { AppCard } from './app-card.tsx'
import { AppContext } from './app-context.ts'
import { useInput } from '../../../lib/input/use-input.ts'

const origin = 'https://apps.example'
const call: ToolCall = {
  tool: 'shop_chart',
  action: 'Chart',
  integration: 'Shop',
  parameters: { week: 3 },
  result: { success: true, data: 'Monday', app: { mcp_id: 'shop' } },
}
const openedApp = {
  integration: 'Shop',
  html: '<p>App</p>',
  domains: { connect: ['https://api.example'], resource: [] as string[] },
}
const approval = {
  fingerprint: 'f1',
  title: 'Order',
  description: 'Orders it',
  arguments: { what: 'ten pizzas' },
}

let api: ReturnType<typeof fakeApi>
let handlers: RouteHandlers
beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined
  handlers = { 'apps.open': () => openedApp }
})
afterEach(() => {
  localStorage.clear()
})

async function renderCard({ isTemporary = false } = {}) {
  api = fakeApi(handlers, { config: { appsOrigin: origin } })
  await loadConfig()
  const conversation = fakeConversation({ disabledTools: [{ mcp_id: 'other' }] })
  const composer = document.createElement('textarea')
  composer.dataset['composer'] = ''
  document.body.append(composer)
  onTestFinished(() => composer.remove())
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const view = render(
    <QueryClientProvider client={queryClient}>
      <AppContext value={{ userId: 'u1', conversation, isTemporary }}>
        <AppCard call={call} mcpId="shop" />
      </AppContext>
    </QueryClientProvider>,
  )
  return { ...view, composer, conversation }
}
const press = async (name: string) => {
  const button = await screen.findByRole('button', { name })
  unlockCards()
  await act(async () => fireEvent.click(button))
}

/** Opens the app, and returns what posts messages as the app. */
async function openApp(options?: { isTemporary?: boolean }) {
  const card = await renderCard(options)
  await press('Show app from Shop')
  const button = await screen.findByRole('button', { name: 'Show app' })
  act(() => button.focus())
  await press('Show app')
  const frame = await screen.findByTitle<HTMLIFrameElement>('App from Shop')
  const sentMessages: Record<string, unknown>[] = []
  const source = frame.contentWindow!
  vi.spyOn(source, 'postMessage').mockImplementation(((message: Record<string, unknown>, target: string) => {
    expect(target).toBe(origin)
    sentMessages.push(message)
  }) as never)
  const post = async (data: object, from: { source?: unknown; origin?: string } = {}) => {
    const event = new MessageEvent('message', { data: { jsonrpc: '2.0', ...data } })
    Object.defineProperties(event, {
      source: { value: from.source ?? source },
      origin: { value: from.origin ?? origin },
    })
    await act(async () => void dispatchEvent(event))
  }
  await post({ id: 'init', method: 'ui/initialize' })
  return { ...card, frame, sentMessages, post }
}
const waitForResponse = async (sentMessages: Record<string, unknown>[], id: string) => {
  await waitFor(() => expect(sentMessages.find((message) => message['id'] === id)).toBeTruthy())
  return sentMessages.find((message) => message['id'] === id)
}

it('loads nothing of an app before the user opens it, and asks for consent once per server and set of origins', async () => {
  const firstView = await renderCard()
  expect(api.requestsTo('apps.open')).toEqual([])
  await press('Show app from Shop')
  expect(screen.getByText('Loading the app').role).toBe('status')
  expect(api.requestsTo('apps.open')).toEqual([{ body: { mcp_id: 'shop', tool: 'shop_chart' } }])
  await screen.findByText('https://api.example')
  expect(screen.queryByTitle('App from Shop')).toBeNull()
  await press('Not now')
  await press('Show app from Shop')
  await press('Show app')
  expect(screen.getByTitle('App from Shop')).toMatchObject({ src: `${origin}/` })
  expect(screen.getByTitle('App from Shop').getAttribute('sandbox')).toBe(
    'allow-scripts allow-same-origin allow-forms',
  )
  firstView.unmount()
  const secondView = await renderCard()
  await press('Show app from Shop')
  await screen.findByTitle('App from Shop')
  secondView.unmount()
  // the app reaches another origin now
  handlers['apps.open'] = () => ({
    ...openedApp,
    domains: { connect: [], resource: ['https://cdn.example'] },
  })
  await renderCard()
  await press('Show app from Shop')
  await screen.findByText('https://cdn.example')
  expect(screen.queryByTitle('App from Shop')).toBeNull()
})

it('keeps the focus in the app at each step', async () => {
  const pressFocused = async (name: string) => {
    const button = await screen.findByRole('button', { name })
    act(() => button.focus())
    await press(name)
  }
  handlers['apps.call'] = () => ({ status: 'approval_required', approval })
  await renderCard()
  await pressFocused('Show app from Shop')
  const section = screen.getByRole('region', { name: 'App from Shop' })
  expect(document.activeElement).toBe(section)
  await pressFocused('Not now')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show app from Shop' }))
  cleanup()

  const { frame, post } = await openApp()
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'App from Shop' })),
  )
  await post({ id: 'c1', method: 'tools/call', params: { name: 'order' } })
  await pressFocused('Deny')
  expect(document.activeElement).toBe(frame)
  await pressFocused('Close app')
  const showButton = await screen.findByRole('button', { name: 'Show app from Shop' })
  await waitFor(() => expect(document.activeElement).toBe(showButton))
})

it('says why an app cannot be shown', async () => {
  handlers['apps.open'] = () => {
    throw new ApiError({
      status: 502,
      code: 'app_not_shown',
      userMessage: 'Shop has no app for this any more.',
    })
  }
  await renderCard()
  await press('Show app from Shop')
  await screen.findByText('Shop has no app for this any more.')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})

it('a call waits for an approval that cannot be clicked by accident, and is sent with the decision', async () => {
  handlers['apps.call'] = ({ body }) =>
    body.decision
      ? { status: 'done', result: { success: true, data: 'ordered' } }
      : { status: 'approval_required', approval }
  const { sentMessages, post, composer } = await openApp({ isTemporary: true })
  composer.focus()
  await post({
    id: 'c1',
    method: 'tools/call',
    params: { name: 'order', arguments: { what: 'ten pizzas' } },
  })
  await screen.findByRole('group', { name: 'Order with Shop?' })
  expect(screen.getByText('ten pizzas')).toBeTruthy()
  // the focus stays where the user types
  expect(document.activeElement).toBe(composer)
  expect(announcementStore.getState().text).toBe('Order with Shop?')
  for (const name of ['Approve', 'Always allow'])
    await act(async () => fireEvent.click(screen.getByRole('button', { name })))
  expect(api.requestsTo('apps.call')).toHaveLength(1)
  // the frame does not change its size under the pointer, and nothing else is asked meanwhile
  const frame = screen.getByTitle('App from Shop')
  const { height } = frame.style
  await post({ method: 'ui/notifications/size-changed', params: { height: 50 } })
  expect(frame.style.height).toBe(height)
  await post({ id: 'm1', method: 'ui/message', params: { content: { type: 'text', text: 'Hi' } } })
  expect(await waitForResponse(sentMessages, 'm1')).toMatchObject({ error: { code: -32_000 } })
  await press('Approve')
  expect(await waitForResponse(sentMessages, 'c1')).toMatchObject({
    result: { content: [{ type: 'text', text: 'ordered' }] },
  })
  expect(frame.style.height).toBe('50px')
  const callBody = {
    mcp_id: 'shop',
    name: 'order',
    arguments: { what: 'ten pizzas' },
    disabledTools: [{ mcp_id: 'other' }],
    keep: false,
  }
  expect(api.requestsTo('apps.call')).toEqual([
    { body: callBody },
    { body: { ...callBody, decision: { approved: true, fingerprint: 'f1' } } },
  ])
  expect(screen.queryByRole('group', { name: /\?$/ })).toBeNull()
})

it('names the conversation; where "Always allow" does not count it is not offered', async () => {
  handlers['apps.call'] = () => ({ status: 'approval_required', approval: { ...approval, once: true } })
  const { post, conversation } = await openApp()
  await post({ id: 'c1', method: 'tools/call', params: { name: 'order' } })
  await screen.findByRole('button', { name: 'Approve' })
  expect(screen.queryByRole('button', { name: 'Always allow' })).toBeNull()
  expect(api.requestsTo('apps.call')).toMatchObject([{ body: { session_id: conversation.id } }])
})

it('sends the tools that the user has turned off since the app was opened', async () => {
  handlers['apps.call'] = () => ({ status: 'done', result: { success: true, data: 1 } })
  const { sentMessages, post, conversation } = await openApp()
  const disabledTools = [{ mcp_id: 'shop' }]
  conversation.setState({ disabledTools })
  await post({ id: 'c1', method: 'tools/call', params: { name: 'order' } })
  await waitForResponse(sentMessages, 'c1')
  expect(api.requestsTo('apps.call').at(-1)).toMatchObject({ body: { disabledTools } })
})

it('reports a denied call to the server and to the app', async () => {
  handlers['apps.call'] = ({ body }) =>
    body.decision
      ? { status: 'done', result: { success: false, error: 'The user denied this call.' } }
      : { status: 'approval_required', approval }
  const { sentMessages, post } = await openApp()
  await post({ id: 'c1', method: 'tools/call', params: { name: 'order' } })
  await press('Deny')
  expect(await waitForResponse(sentMessages, 'c1')).toMatchObject({ result: { isError: true } })
  expect(api.requestsTo('apps.call').at(-1)).toMatchObject({ body: { decision: { approved: false } } })
})

it('tells the app that the tool has changed since the user was asked', async () => {
  handlers['apps.call'] = () => ({ status: 'approval_required', approval })
  const { sentMessages, post } = await openApp()
  await post({ id: 'c1', method: 'tools/call', params: { name: 'order' } })
  await press('Deny')
  expect(await waitForResponse(sentMessages, 'c1')).toMatchObject({
    result: { isError: true, content: [{ text: 'Not done: the tool has changed meanwhile. Try again.' }] },
  })
})

it('neither asks about nor makes a call that the app has cancelled', async () => {
  handlers['apps.call'] = () => ({ status: 'approval_required', approval })
  const { sentMessages, post } = await openApp()
  await post({ id: 'c1', method: 'tools/call', params: { name: 'order' } })
  await screen.findByRole('group', { name: 'Order with Shop?' })
  await post({ method: 'notifications/cancelled', params: { requestId: 'c1' } })
  await waitFor(() => expect(screen.queryByRole('group', { name: /\?$/ })).toBeNull())
  expect(await waitForResponse(sentMessages, 'c1')).toMatchObject({ result: { isError: true } })
  expect(api.requestsTo('apps.call')).toHaveLength(1)
})

it('asks nothing for an app that was closed while its call was being sent', async () => {
  const sent = Promise.withResolvers<void>()
  handlers['apps.call'] = async () => {
    await sent.promise
    return { status: 'approval_required', approval }
  }
  const { post } = await openApp()
  announcementStore.setState({ text: '', id: 0 })
  await post({ id: 'c1', method: 'tools/call', params: { name: 'order' } })
  await press('Close app')
  await screen.findByRole('button', { name: 'Show app from Shop' })
  await act(async () => sent.resolve())
  expect(announcementStore.getState().text).toBe('')
  expect(api.requestsTo('apps.call')).toHaveLength(1)
})

it('puts a suggested message into the composer, and never sends it', async () => {
  const { sentMessages, post, composer } = await openApp()
  composer.value = 'Before'
  await post({
    id: 'm1',
    method: 'ui/message',
    params: { content: [{ type: 'text', text: 'Order tea' }] },
  })
  await screen.findByText('Order tea')
  await press('Use text')
  expect(await waitForResponse(sentMessages, 'm1')).toMatchObject({ result: {} })
  expect(composer.value).toBe('Before\nOrder tea')
})

it('shows where a link leads, and lets only the user open it', async () => {
  const { sentMessages, post } = await openApp()
  await post({ id: 'l1', method: 'ui/open-link', params: { url: 'https://shop.example/pay?a=1' } })
  await screen.findByText('https://shop.example/pay?a=1')
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Open shop.example' })
  expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer'])
  await press('Dismiss')
  expect(await waitForResponse(sentMessages, 'l1')).toMatchObject({ error: { code: -32_000 } })
})

it('takes a link that the user opens in another tab with the middle button as opened', async () => {
  const { sentMessages, post } = await openApp()
  await post({ id: 'l1', method: 'ui/open-link', params: { url: 'https://shop.example/pay?a=1' } })
  await screen.findByRole('link')
  unlockCards()
  // the right button opens the browser's menu only
  fireEvent(screen.getByRole('link'), new MouseEvent('auxclick', { bubbles: true, button: 2 }))
  expect(screen.queryByRole('link')).not.toBeNull()
  fireEvent(screen.getByRole('link'), new MouseEvent('auxclick', { bubbles: true, button: 1 }))
  expect(await waitForResponse(sentMessages, 'l1')).toMatchObject({ result: {} })
  expect(screen.queryByRole('link')).toBeNull()
})

it('accepts messages only from its own frame and origin', async () => {
  const { sentMessages, post } = await openApp()
  const before = sentMessages.length
  await post({ id: 'x1', method: 'ping' }, { source: window })
  await post({ id: 'x2', method: 'ping' }, { origin: 'https://other.example' })
  await post({ id: 'x3', method: 'ping' }, { origin: 'null' })
  await post({ id: 'x4', method: 'ping' })
  expect(await waitForResponse(sentMessages, 'x4')).toMatchObject({ result: {} })
  expect(sentMessages).toHaveLength(before + 1)
})

it('says so when it was not opened', async () => {
  const { post } = await openApp()
  await post({ method: 'frame/unguarded' })
  expect(screen.queryByTitle('App from Shop')).toBeNull()
  screen.getByText(
    'The app from Shop was not opened: in this browser it might reach more addresses than it names.',
  )
})

describe('the keyboard', () => {
  const takeover = 'The app from Shop was closed: it took the keyboard while you were elsewhere on this page.'
  const blocked = 'Apps are closed while a dialog or a field for a password or key is shown.'
  const findFrame = () => screen.queryByTitle('App from Shop')
  /** What a page notices when a frame takes the focus. */
  const takeFocus = (frame: HTMLElement, event: Event) =>
    act(() => {
      frame.focus()
      ;(event.type === 'blur' ? window : document).dispatchEvent(event)
    })

  const setActiveElement = (element: HTMLElement) => {
    Object.defineProperty(document, 'activeElement', { configurable: true, get: () => element })
    onTestFinished(() => void Reflect.deleteProperty(document, 'activeElement'))
  }
  const useManualTimer = () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: false })
    onTestFinished(() => void vi.useRealTimers())
  }

  it.each([new Event('blur'), new Event('visibilitychange')])(
    'is not taken from the composer: the app is closed ($type), and can be opened again',
    async (event) => {
      const { frame, composer } = await openApp()
      act(() => composer.focus())
      takeFocus(frame, event)
      expect(findFrame()).toBeNull()
      expect(document.activeElement).toBe(composer)
      expect(screen.getByText(takeover)).toBeTruthy()
      await press('Show app from Shop')
      await screen.findByTitle('App from Shop')
      expect(screen.queryByText(takeover)).toBeNull()
    },
  )

  it('is not taken after a press elsewhere on the page, even if nothing there has the focus', async () => {
    const { frame } = await openApp()
    act(() => void fireEvent.pointerDown(document.body))
    takeFocus(frame, new Event('blur'))
    expect(findFrame()).toBeNull()
  })

  describe('after a press elsewhere that does not move it, as on a touch screen', () => {
    it('stays in the app, also if the chat is scrolled', async () => {
      useManualTimer()
      const { frame } = await openApp()
      takeFocus(frame, new Event('blur'))
      fireEvent.pointerDown(document.body)
      act(() => void vi.advanceTimersByTime(1_000))
      expect(findFrame()).toBe(frame)
      const button = screen.getByRole('button', { name: 'Use app from Shop' })
      expect(button.classList.contains('pointer-events-none')).toBe(true)
    })

    it.each([
      ['the window tells', () => dispatchEvent(new Event('focus'))],
      ['only the timer sees', () => vi.advanceTimersByTime(200)],
    ])('is not taken once it has left the app, which %s', async (_, notice) => {
      useManualTimer()
      const { frame } = await openApp()
      takeFocus(frame, new Event('blur'))
      fireEvent.pointerDown(document.body)
      // jsdom does not take the focus from a frame
      setActiveElement(document.body)
      act(() => void notice())
      Reflect.deleteProperty(document, 'activeElement')
      const button = screen.getByRole('button', { name: 'Use app from Shop' })
      expect(button.classList.contains('pointer-events-none')).toBe(false)
      takeFocus(frame, new Event('blur'))
      expect(findFrame()).toBeNull()
    })
  })

  it('is not taken while another window has the focus, which no event tells', async () => {
    useManualTimer()
    const { frame, composer } = await openApp()
    act(() => composer.focus())
    setActiveElement(frame)
    act(() => void vi.advanceTimersByTime(200))
    expect(findFrame()).toBeNull()
  })

  it('is given by the user: from the card of the app, by a press on it, or by its button', async () => {
    const { frame, composer } = await openApp()
    const button = screen.getByRole('button', { name: 'Use app from Shop' })
    // opened by the user, whose focus is in the card
    expect(button.classList.contains('pointer-events-none')).toBe(true)
    takeFocus(frame, new Event('blur'))
    expect(findFrame()).toBe(frame)
    // elsewhere: the button covers the frame
    act(() => composer.focus())
    expect(button.classList.contains('pointer-events-none')).toBe(false)
    act(() => void fireEvent.pointerDown(button))
    expect(button.classList.contains('pointer-events-none')).toBe(true)
    takeFocus(frame, new Event('blur'))
    expect(findFrame()).toBe(frame)
    act(() => composer.focus())
    act(() => button.focus())
    fireEvent.click(button)
    expect(document.activeElement).toBe(frame)
    expect(findFrame()).toBe(frame)
  })

  it('belongs to a field for a secret: the app is closed while one is shown, and stays closed', async () => {
    await openApp()
    const Field = () => <PasswordField label="New key of Bank" input={useInput('key')} />
    const field = render(<Field />)
    expect(findFrame()).toBeNull()
    expect(screen.getByText(blocked)).toBeTruthy()
    await press('Show app from Shop')
    expect(findFrame()).toBeNull()
    field.unmount()
    expect(findFrame()).toBeNull()
    await press('Show app from Shop')
    await screen.findByTitle('App from Shop')
    expect(screen.queryByText(blocked)).toBeNull()
  })

  it.each<[string, ReactNode]>([
    [
      'a dialog',
      <Dialog key="a" open title="Settings" onOpenChange={() => undefined}>
        <input />
      </Dialog>,
    ],
    [
      'a panel',
      <SidePanel key="b" open title="Conversations" onOpenChange={() => undefined}>
        <input />
      </SidePanel>,
    ],
    [
      'a picture',
      <ImageViewer
        key="c"
        image={{ name: 'a.png', url: 'data:image/png;base64,' } as never}
        onClose={() => undefined}
      />,
    ],
  ])('belongs to %s: the app is closed', async (_, element) => {
    await openApp()
    const view = render(<QueryClientProvider client={new QueryClient()}>{element}</QueryClientProvider>)
    expect(findFrame()).toBeNull()
    view.unmount()
    expect(screen.getByText(blocked)).toBeTruthy()
  })
})
