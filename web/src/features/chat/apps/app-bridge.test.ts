import { beforeEach, expect, it, vi } from 'vitest'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { createAppBridge, type AppHost } from './app-bridge.ts'

interface Message {
  id?: unknown
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number }
}

const call: ToolCall = {
  tool: 'shop_chart',
  action: 'Chart',
  integration: 'Shop',
  parameters: { week: 3 },
  result: { success: true, data: { days: [1] }, structured: true },
}
const app = { html: '<p>App</p>', domains: { connect: ['https://api.example'], resource: [] } }

const postedMessages: Message[] = []
const heights: number[] = []
beforeEach(() => {
  postedMessages.length = 0
  heights.length = 0
})

/** A bridge, and what sends a notification or a request of the app to it. */
function openBridge(host: Partial<AppHost> = {}) {
  const bridge = createAppBridge(
    { app, call },
    {
      version: '1.2.3',
      onUnguarded: () => undefined,
      post: (message) => postedMessages.push(message),
      setHeight: (heightPx) => heights.push(heightPx),
      callTool: vi.fn<AppHost['callTool']>(() => Promise.resolve({ success: true, data: 'made' })),
      openLink: () => Promise.resolve(true),
      suggestMessage: () => Promise.resolve(true),
      ...host,
    },
    { isDark: true },
  )
  const notify = (message: object) => bridge.receive({ jsonrpc: '2.0', ...message })
  const request = async (method: string, params: object = {}, id: unknown = postedMessages.length + 1) => {
    const before = postedMessages.length
    notify({ id, method, params })
    await vi.waitFor(() => expect(postedMessages.length).toBeGreaterThan(before))
    return postedMessages.at(-1)
  }
  return { bridge, notify, request }
}
const openInitialized = async (host: Partial<AppHost> = {}) => {
  const app = openBridge(host)
  await app.request('ui/initialize', {})
  return app
}

it('sends the document with its policy, and the call once the app is ready', async () => {
  const { notify, request } = openBridge()
  notify({ method: 'ui/notifications/sandbox-proxy-ready' })
  await vi.waitFor(() => expect(postedMessages).toHaveLength(1))
  expect(postedMessages).toMatchObject([
    {
      method: 'ui/notifications/sandbox-resource-ready',
      params: {
        html: expect.stringContaining(String.raw`"html":"\u003cp>App\u003c/p>"`),
        policy: expect.stringContaining('connect-src https://api.example;'),
      },
    },
  ])
  // not before its handshake
  notify({ method: 'ui/notifications/initialized' })
  expect(postedMessages).toHaveLength(1)
  expect(await request('ui/initialize', {}, 'first')).toMatchObject({
    id: 'first',
    result: {
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'juno-assistant', version: '1.2.3' },
      hostContext: { theme: 'dark', displayMode: 'inline' },
    },
  })
  notify({ method: 'ui/notifications/initialized' })
  notify({ method: 'ui/notifications/initialized' })
  expect(postedMessages.slice(2)).toEqual([
    { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { week: 3 } } },
    {
      jsonrpc: '2.0',
      method: 'ui/notifications/tool-result',
      params: {
        content: [{ type: 'text', text: '{"days":[1]}' }],
        structuredContent: { days: [1] },
      },
    },
  ])
})

it.each([
  ['sampling/createMessage', {}, -32_601],
  ['resources/read', { uri: 'ui://shop/other' }, -32_601],
  ['ui/update-model-context', { content: [] }, -32_601],
  ['tools/call', { name: 5 }, -32_602],
  ['tools/call', { name: 'order', arguments: [] }, -32_602],
  ['ui/open-link', { url: 'javascript:alert(1)' }, -32_602],
  ['ui/open-link', { url: 'https://user:key@example.com/' }, -32_602],
  ['ui/message', { content: [{ type: 'image' }] }, -32_602],
  ['ui/message', { content: { type: 'text', text: 'x'.repeat(4_001) } }, -32_602],
])('refuses %s with %j', async (method, params, code) => {
  const mustNotRun = () => Promise.reject(new Error('must not run'))
  const { request } = await openInitialized({
    callTool: mustNotRun,
    openLink: mustNotRun,
    suggestMessage: mustNotRun,
  })
  expect(await request(method, params)).toMatchObject({ error: { code } })
})

it('refuses tool calls before the handshake', async () => {
  const { request } = openBridge()
  expect(await request('tools/call', { name: 'order' })).toMatchObject({ error: { code: -32_600 } })
  expect(await request('ping')).toMatchObject({ result: {} })
})

it.each([
  null,
  'text',
  { id: 1, method: 'ping' },
  { jsonrpc: '1.0', id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: {}, method: 'ping' },
  { jsonrpc: '2.0', id: 'x'.repeat(201), method: 'ping' },
  { jsonrpc: '2.0', id: 1, method: 5 },
])('ignores %j', async (data) => {
  const { bridge } = openBridge()
  bridge.receive(data)
  await Promise.resolve()
  expect(postedMessages).toEqual([])
})

it('passes tool calls to the page, and their results to the app', async () => {
  const callTool = vi.fn<AppHost['callTool']>(() => Promise.resolve({ success: false, error: 'Denied.' }))
  const { request } = await openInitialized({ callTool })
  expect(await request('tools/call', { name: 'order', arguments: { what: 'tea' } })).toMatchObject({
    result: { content: [{ type: 'text', text: 'Denied.' }], isError: true },
  })
  expect(callTool.mock.calls).toEqual([['order', { what: 'tea' }, expect.any(AbortSignal)]])
})

it('tells the app what the user declined', async () => {
  const { request } = await openInitialized({
    openLink: () => Promise.resolve(false),
    suggestMessage: (text) => Promise.resolve(text === 'yes'),
  })
  expect(await request('ui/open-link', { url: 'https://example.com/' })).toMatchObject({
    error: { code: -32_000 },
  })
  expect(await request('ui/message', { content: [{ type: 'text', text: 'no' }] })).toMatchObject({
    error: { code: -32_000 },
  })
  expect(await request('ui/message', { content: { type: 'text', text: 'yes' } })).toMatchObject({
    result: {},
  })
})

it('does not say that the user declined what failed', async () => {
  const { request } = await openInitialized({ openLink: () => Promise.reject(new Error('a fault')) })
  expect(await request('ui/open-link', { url: 'https://example.com/' })).toMatchObject({
    error: { code: -32_603 },
  })
})

it('limits parallel requests and requests per minute', async () => {
  const { promise, resolve } = Promise.withResolvers<ToolCall['result']>()
  const { notify, request } = await openInitialized({ callTool: () => promise })
  for (let id = 10; id < 14; id += 1) notify({ id, method: 'tools/call', params: { name: 'order' } })
  expect(await request('tools/call', { name: 'order' })).toMatchObject({ error: { code: -32_000 } })
  // an id that is in use is invalid
  expect(await request('tools/call', { name: 'order' }, 10)).toMatchObject({ error: { code: -32_602 } })
  resolve({ success: true })
  await vi.waitFor(() => expect(postedMessages.filter(({ result }) => result?.['content'])).toHaveLength(4))
  postedMessages.length = 0
  for (let id = 20; id < 100; id += 1) {
    notify({ id, method: 'ping' })
    await Promise.resolve()
  }
  await vi.waitFor(() => expect(postedMessages).toHaveLength(80))
  expect(postedMessages.filter(({ error }) => error?.code === -32_000).length).toBeGreaterThanOrEqual(20)
})

it.each([
  [1e9, [700]],
  [-5, [40]],
  [120.2, [121]],
  ['100', []],
  [null, []],
])('turns a reported height of %s into %j', (height, expected) => {
  const { notify } = openBridge()
  notify({ method: 'ui/notifications/size-changed', params: { height } })
  expect(heights).toEqual(expected)
})

it('tells the app when the theme changes and before it is closed', async () => {
  const { bridge, notify } = await openInitialized()
  bridge.update({ isDark: false })
  expect(postedMessages.at(-1)).toMatchObject({
    method: 'ui/notifications/host-context-changed',
    params: { theme: 'light' },
  })
  const closing = bridge.close()
  expect(postedMessages.at(-1)).toMatchObject({ method: 'ui/resource-teardown' })
  notify({ id: postedMessages.at(-1)?.id, result: {} })
  await closing
})
