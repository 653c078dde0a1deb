import { createContext, runInContext } from 'node:vm'
import { expect, it } from 'vitest'
import { sandboxHeaders, sandboxPage } from '../aws/app-sandbox-page.ts'
import { appPolicy, maxAppMessageCharacters } from '#shared/mcp-apps.ts'

interface PostedMessage {
  to: string
  data: { method?: string; params?: object }
  target: string
}

/** Runs the script of the sandbox with as much of a browser as it uses. */
function runSandbox() {
  const script = /<script>([\s\S]*)<\/script>/.exec(sandboxPage)?.[1] ?? ''
  const messages: PostedMessage[] = []
  const makeWindow = (to: string) => ({
    postMessage: (data: PostedMessage['data'], target: string) => void messages.push({ to, data, target }),
  })
  const parent = makeWindow('page')
  const appWindow = makeWindow('app')
  const frames: Record<string, unknown>[] = []
  let onMessage: (event: object) => void = () => undefined
  const clock = { nowMs: 0 }
  const createElement = (name: string) => {
    const attributes: Record<string, string> = {}
    const element: Record<string, unknown> = {
      attributes,
      contentWindow: appWindow,
      setAttribute: (key: string, value: string) => void (attributes[key] = value),
    }
    if (name === 'meta')
      Object.defineProperty(element, 'outerHTML', {
        get: () => `<meta ${String(element['httpEquiv'])} [${String(element['content'])}]>`,
      })
    return element
  }
  const context = createContext({
    parent,
    performance: { now: () => clock.nowMs },
    document: {
      createElement,
      body: { append: (frame: Record<string, unknown>) => void frames.push(frame) },
    },
    addEventListener: (_: string, listener: typeof onMessage) => (onMessage = listener),
  })
  runInContext(script, context)
  const fromPage = (data: unknown, origin = 'https://page.example') =>
    onMessage({ source: parent, origin, data })
  const fromApp = (data: unknown, source: object = appWindow) => onMessage({ source, origin: 'null', data })
  const load = () =>
    fromPage({ method: 'ui/notifications/sandbox-resource-ready', params: { html: '<p>', policy: 'x' } })
  return { messages, frames, clock, fromPage, fromApp, load }
}

it('announces itself, and shows one document in a frame without an origin, with its policy', () => {
  const { messages, frames, load } = runSandbox()
  expect(messages).toMatchObject([{ to: 'page', data: { method: 'ui/notifications/sandbox-proxy-ready' } }])
  load()
  load()
  expect(frames).toHaveLength(1)
  expect(frames[0]).toMatchObject({
    attributes: { sandbox: 'allow-scripts allow-forms' },
    srcdoc: expect.stringMatching(/^<!doctype html><meta Content-Security-Policy \[x\]><meta [^>]*><p>$/),
  })
})

it('forwards messages between the page and the app, and to nobody else', () => {
  const { messages, fromPage, fromApp, load } = runSandbox()
  fromApp({ id: 1, method: 'ping' })
  load()
  messages.length = 0
  fromPage({ id: 'a', result: {} })
  fromApp({ id: 1, method: 'ping' })
  // another window, and another page in the parent
  fromApp({ id: 2, method: 'ping' }, {})
  fromPage({ id: 'b', result: {} }, 'https://other.example')
  expect(messages).toEqual([
    { to: 'app', data: { id: 'a', result: {} }, target: '*' },
    { to: 'page', data: { id: 1, method: 'ping' }, target: 'https://page.example' },
  ])
})

it('refuses messages about the sandbox itself from either side', () => {
  const { messages, frames, fromPage, fromApp, load } = runSandbox()
  load()
  messages.length = 0
  fromApp({ method: 'ui/notifications/sandbox-resource-ready', params: { html: 'other', policy: '' } })
  fromApp({ method: 'ui/notifications/sandbox-proxy-ready', params: {} })
  fromPage({ method: 'ui/notifications/sandbox-anything' })
  expect(messages).toEqual([])
  expect(frames).toHaveLength(1)
})

it('drops messages that are too long, cannot be copied as JSON, or come too often', () => {
  const { messages, clock, fromApp, load } = runSandbox()
  load()
  messages.length = 0
  const cyclicMessage: Record<string, unknown> = {}
  cyclicMessage['self'] = cyclicMessage
  for (const data of ['text', null, 5, cyclicMessage, { text: 'a'.repeat(maxAppMessageCharacters) }])
    fromApp(data)
  expect(messages).toEqual([])
  for (let at = 0; at < 500; at += 1) fromApp({ at })
  const forwardedCount = messages.length
  expect(forwardedCount).toBeGreaterThan(50)
  expect(forwardedCount).toBeLessThanOrEqual(100)
  clock.nowMs = 1_000
  fromApp({ at: 'later' })
  expect(messages).toHaveLength(forwardedCount + 1)
})

it('DEC-185 an app reaches only the addresses that its server declared', () => {
  expect(appPolicy({ connect: [], resource: [] })).toBe(
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; " +
      "media-src data: blob:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'",
  )
  const policy = appPolicy({ connect: ['wss://a.example'], resource: ['https://*.b.example'] })
  expect(policy).toContain('; connect-src wss://a.example; ')
  expect(policy).toContain("; script-src 'unsafe-inline' 'unsafe-eval' blob: https://*.b.example; ")
})

it('only the named origins may embed the sandbox, and it has no browser features', () => {
  const headers = sandboxHeaders({ frameAncestors: 'http://127.0.0.1:3000' })
  expect(headers['content-security-policy']).toMatch(/; frame-ancestors http:\/\/127\.0\.0\.1:3000$/)
  expect(headers['permissions-policy']).toContain('geolocation=(), ')
  expect(headers).not.toHaveProperty('strict-transport-security')
})
