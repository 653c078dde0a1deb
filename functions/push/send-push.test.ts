import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { startPushService } from '../../test/support/push-service.ts'
import { openTestTable } from '../../test/support/table.ts'
import { wait } from '../platform/clock.ts'
import { outboundHttp } from '../platform/net/outbound-http.ts'
import { sealer } from '../platform/secrets/seal.ts'
import { sendPush } from './send-push.ts'
import { vapidKey } from './vapid-key.ts'

vi.mock('../platform/clock.ts', () => ({ wait: vi.fn<() => Promise<void>>(() => Promise.resolve()) }))
afterEach(() => vi.clearAllMocks())

let service: Awaited<ReturnType<typeof startPushService>>
let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  ;[service, table] = await Promise.all([startPushService(), openTestTable()])
})
afterAll(async () => {
  await Promise.all([service.close(), table.close()])
})

const message = { text: '{"title":"Rent"}', topic: 'topic', isUrgent: true }
const openKey = () => vapidKey(table, sealer({ read: () => Promise.resolve('a sealing key') }, 'key'))

async function send(endpoint: { endpoint: string; keys: { p256dh: string; auth: string } }) {
  const key = openKey()
  const publicKey = await key.loadPublicKey()
  const sign = await key.openSigner('https://juno.example')
  const http = outboundHttp({ allow: [service.host], timeoutMs: 2_000 })
  if (!sign) throw new Error('no key')
  const result = await sendPush({ http, sign }, { ...endpoint, created_at: '' }, message)
  await http.close()
  return { ...result, publicKey }
}

it('sends what the browser opens, signed by the key that it subscribed with', async () => {
  const browser = service.newBrowser()
  const { outcome, publicKey } = await send(browser.subscription)
  expect(outcome).toBe('sent')
  const [received] = browser.open(publicKey)
  expect(received?.message).toEqual({ title: 'Rent' })
  expect(received?.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '86400',
    urgency: 'high',
    topic: 'topic',
  })
  expect(received?.claims).toMatchObject({ aud: `http://${service.host}`, sub: 'https://juno.example' })
  const lifetime = Number(received?.claims['exp']) - Date.now() / 1_000
  expect(lifetime).toBeGreaterThan(3_600)
  expect(lifetime).toBeLessThan(86_400)
})

it.each(['http://localhost:3000', 'https://localhost', 'http://assistant.lan'])(
  'names an address that push services accept where the product has none: %s',
  async (origin) => {
    const key = openKey()
    await key.loadPublicKey()
    const sign = await key.openSigner(origin)
    const token = (await sign?.('https://push.example'))?.slice('vapid t='.length).split(',')[0] ?? ''
    expect(decodeJwt(token).sub).toBe('mailto:nobody@example.org')
  },
)

it('makes one key, whoever asks first, and stores its private part sealed', async () => {
  const keys = await Promise.all([openKey().loadPublicKey(), openKey().loadPublicKey()])
  expect(new Set(keys).size).toBe(1)
  expect(Buffer.from(keys[0], 'base64url')).toHaveLength(65)
})

it.each([
  [[404], 'gone', 1, []],
  [[410], 'gone', 1, []],
  [[503, 429], 'sent', 3, [2_000, 4_000]],
  [[500, 502, 503], 'failed', 3, [2_000, 4_000]],
  [[400], 'failed', 1, []],
  [[403], 'failed', 1, []],
  [[413], 'failed', 1, []],
] as const)('answers of %j end as %s after %i attempts', async (statuses, outcome, attempts, pauses) => {
  const browser = service.newBrowser(...statuses.map((status) => ({ status })))
  expect(await send(browser.subscription)).toMatchObject({ outcome })
  expect(browser.count()).toBe(attempts)
  expect(vi.mocked(wait).mock.calls.map(([ms]) => ms)).toEqual(pauses)
})

it.each([
  ['3', 'sent', 2, [3_000]],
  ['3600', 'failed', 1, []],
])('waits as long as it is asked, but not for long: %s s', async (after, outcome, attempts, pauses) => {
  const browser = service.newBrowser({ status: 429, headers: { 'retry-after': after } })
  expect(await send(browser.subscription)).toMatchObject({ outcome })
  expect(browser.count()).toBe(attempts)
  expect(vi.mocked(wait).mock.calls.map(([ms]) => ms)).toEqual(pauses)
})

it('follows no redirect, and calls no private address', async () => {
  const elsewhere = service.newBrowser()
  const headers = { location: elsewhere.subscription.endpoint }
  const browser = service.newBrowser(...[1, 2, 3].map(() => ({ status: 307, headers })))
  expect(await send(browser.subscription)).toMatchObject({ outcome: 'failed' })
  expect(elsewhere.count()).toBe(0)
  const { keys } = browser.subscription
  expect(await send({ endpoint: 'https://127.0.0.1:1/x', keys })).toMatchObject({ outcome: 'failed' })
})
