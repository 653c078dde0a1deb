import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, type RouteHandlers } from '../../../../test/support/fake-api.ts'
import { ApiError } from '../api/api-errors.ts'
import { disablePush, enablePush, isThisReceiver } from './push.ts'

const toBytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
const firstKey = Buffer.alloc(65, 1).toString('base64url')
const secondKey = Buffer.alloc(65, 2).toString('base64url')

/** A browser with a push service that gives each subscription an address of its own. */
function openBrowser(handlers: RouteHandlers = {}) {
  let count = 0
  let current: PushSubscription | undefined
  const browser = { key: firstKey, unsubscribed: [] as string[], rotate: () => (current = make(browser.key)) }
  const make = (key: string) => {
    const endpoint = `https://push.example/${++count}`
    return {
      endpoint,
      options: { applicationServerKey: toBytes(key).buffer },
      toJSON: () => ({ endpoint, keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } }),
      async unsubscribe() {
        browser.unsubscribed.push(endpoint)
        current = undefined
        return true
      },
    } as unknown as PushSubscription
  }
  const pushManager = {
    getSubscription: async () => current ?? null,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) =>
      (current ??= make(Buffer.from(applicationServerKey).toString('base64url'))),
  }
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: async () => ({ pushManager }) },
  })
  const api = fakeApi({
    'push.key': () => ({ publicKey: browser.key, receivers: [] }),
    'push.subscribe': () => ({ success: true }),
    'push.unsubscribe': () => ({ success: true }),
    ...handlers,
  })
  return {
    browser,
    listAdded: () => api.requestsTo('push.subscribe').map(({ body }) => body?.endpoint),
    listRemoved: () =>
      api.requestsTo('push.unsubscribe').map(({ body }) => body && 'endpoint' in body && body.endpoint),
  }
}

beforeEach(() => localStorage.clear())

it('recognises this browser in the list of the service', async () => {
  const { listAdded } = openBrowser()
  const toId = async (endpoint: string) => {
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`receiver|${endpoint}`))
    return Buffer.from(bytes).toString('base64url').slice(0, 32)
  }
  expect(await isThisReceiver('x')).toBe(false)
  await enablePush('ann')
  expect(await isThisReceiver(await toId(listAdded()[0] ?? ''))).toBe(true)
  expect(await isThisReceiver(await toId('https://push.example/another'))).toBe(false)
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
  vi.restoreAllMocks()
})

// from reports about other products, each named by its repository and number
it('after a change of the key it subscribes anew, and the service forgets the address of before (hapi#1316, grappa-irc#1323)', async () => {
  const { browser, listAdded, listRemoved } = openBrowser()
  await enablePush('ann')
  browser.key = secondKey
  await enablePush('ann')
  expect(browser.unsubscribed).toEqual(['https://push.example/1'])
  expect(listAdded()).toEqual(['https://push.example/1', 'https://push.example/2'])
  expect(listRemoved()).toEqual(['https://push.example/1'])
})

it('what the service could not store is sent again with the next page (hapi#1316)', async () => {
  let isDown = true
  const { listAdded } = openBrowser({
    'push.subscribe': () => {
      if (isDown) throw new ApiError({ status: 400, code: 'bad_request', userMessage: 'No.' })
      return { success: true }
    },
  })
  await expect(enablePush('ann')).rejects.toThrow('bad_request')
  isDown = false
  await enablePush('ann')
  expect(listAdded().length).toBeGreaterThan(1)
})

it('the next user of a browser gets an address of their own (w3c/push-api#353, webpush-bundle#7)', async () => {
  const { browser, listAdded } = openBrowser()
  await enablePush('ann')
  await enablePush('bob')
  expect(browser.unsubscribed).toEqual(['https://push.example/1'])
  expect(listAdded()).toEqual(['https://push.example/1', 'https://push.example/2'])
})

it('an address that the browser has replaced by itself is told with the next page (zaru/webpush#69)', async () => {
  const { browser, listAdded } = openBrowser()
  await enablePush('ann')
  browser.rotate()
  await enablePush('ann')
  expect(listAdded()).toEqual(['https://push.example/1', 'https://push.example/2'])
  expect(browser.unsubscribed).toEqual([])
})

it('does not subscribe where it cannot note whose the subscription is: the sign-out would not end it', async () => {
  const { listAdded } = openBrowser()
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  await enablePush('ann')
  expect(listAdded()).toEqual([])
})

it('a sign-out ends a subscription that is being set up', async () => {
  let answer = () => {}
  const asked = Promise.withResolvers<void>()
  const { browser, listRemoved } = openBrowser({
    'push.subscribe': () => {
      asked.resolve()
      return new Promise((resolve) => (answer = () => resolve({ success: true })))
    },
  })
  const enabled = enablePush('ann')
  await asked.promise
  // what the sign-out looks at
  expect(localStorage.getItem('juno.push-owner')).toBe('ann')
  const disabled = disablePush()
  answer()
  await Promise.all([enabled, disabled])
  expect(localStorage.getItem('juno.push-owner')).toBeNull()
  expect(browser.unsubscribed).toEqual(['https://push.example/1'])
  expect(listRemoved()).toEqual(['https://push.example/1'])
})
