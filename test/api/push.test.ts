/** @module-tag long */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ReceivedPush } from '../../infra/local/push-service.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { startPushService } from '../support/push-service.ts'
import type { StackUser } from '../support/stack-user.ts'

let service: Awaited<ReturnType<typeof startPushService>>
let stack: LocalStack
beforeAll(async () => {
  service = await startPushService()
  stack = await startStack({ env: { OUTBOUND_ALLOW: service.host } })
})
afterAll(async () => {
  await Promise.all([service.close(), stack.stop()])
})

const say = (user: StackUser, sessionId: string, content: string) =>
  user.call('chat.send', { body: { sessionId, messages: [{ role: 'user', content }] } })

async function subscribe(user: StackUser) {
  const browser = service.newBrowser()
  const { publicKey } = await user.call('push.key', {})
  await user.call('push.subscribe', { body: browser.subscription })
  return { ...browser, publicKey }
}

it('tells a browser that a reply is ready, by its name alone', async () => {
  const user = await stack.newUser()
  const browser = await subscribe(user)
  const sessionId = crypto.randomUUID()
  await say(user, sessionId, '/echo The secret of the rent')
  await expect.poll(() => browser.count()).toBe(1)
  const [received] = browser.open(browser.publicKey)
  expect(received?.message).toMatchObject({ body: 'The reply is ready', path: `/?c=${sessionId}` })
  expect(received?.claims).toMatchObject({ aud: `http://${service.host}` })
})

it('tells nobody who has unsubscribed, and nobody can unsubscribe others', async () => {
  const [ann, ben, eve] = await Promise.all([stack.newUser(), stack.newUser(), stack.newUser()])
  const [annBrowser, benBrowser, eveBrowser] = await Promise.all([ann, ben, eve].map(subscribe))
  const { endpoint } = annBrowser!.subscription
  // another user's endpoint is nobody's
  await ann.call('push.unsubscribe', { body: { endpoint } })
  await ben.call('push.unsubscribe', { body: { endpoint: eveBrowser!.subscription.endpoint } })
  await ann.call('push.unsubscribe', { body: { endpoint } })
  for (const user of [ann, ben, eve]) await say(user, crypto.randomUUID(), '/echo Hi')
  await expect.poll(() => eveBrowser!.count()).toBe(1)
  await expect.poll(() => benBrowser!.count()).toBe(1)
  expect(annBrowser!.count()).toBe(0)
})

it.each([
  ['a private address', { endpoint: 'https://10.0.0.1/x' }, 'address_forbidden'],
  ['plain http', { endpoint: 'http://push.example/x' }, 'address_forbidden'],
  ['no address', { endpoint: 'push' }, 'bad_request'],
  ['a short secret', { auth: 'AAAA' }, 'bad_request'],
  ['no point', { p256dh: 'B'.repeat(87) }, 'bad_request'],
])(
  'refuses to call or to encrypt for %s',
  async (_, { endpoint, ...changed }: Record<string, string>, code) => {
    const user = await stack.newUser()
    const { subscription } = service.newBrowser()
    const body = {
      endpoint: endpoint ?? subscription.endpoint,
      keys: { ...subscription.keys, ...changed },
      expirationTime: null,
    }
    const response = await user.send('push.subscribe', { body })
    expect(response).toMatchObject({ status: 400, body: { code } })
  },
)

it('writes to a user who wants mails, with the title and the way to the conversation', async () => {
  const user = await stack.newUser()
  await user.call('account.settings', { body: { language: 'fr', notifications: { mail: true } } })
  const sessionId = crypto.randomUUID()
  await say(user, sessionId, '/echo Bonjour')
  const sent = async () => (await stack.mail(user.email)).filter(({ text }) => text.includes(sessionId))
  await expect.poll(async () => (await sent()).length).toBe(1)
  const [mail] = await sent()
  expect(mail).toMatchObject({ subject: 'Réponse prête : /echo Bonjour' })
  expect(mail?.text).toContain(`${stack.origin}/?c=${sessionId}`)
})

const listPushes = async (to: string) => {
  const response = await fetch(`${stack.origin}/local/push.json?${new URLSearchParams({ to })}`)
  return (await response.json()) as ReceivedPush[]
}

const submitForm = (email: string, headers: Record<string, string> = {}) =>
  fetch(`${stack.origin}/local/push`, {
    method: 'POST',
    body: new URLSearchParams({ email }),
    headers,
    redirect: 'manual',
  })

it('on a laptop an account’s pushes arrive at its own push service, after the form of the page of mails', async () => {
  const user = await stack.newUser()
  const submitted = await submitForm(user.email.toUpperCase())
  expect(submitted.status).toBe(303)
  expect(submitted.headers.get('location')).toBe('/local/mail#push')
  const sessionId = crypto.randomUUID()
  await say(user, sessionId, '/echo The secret of the rent')
  await expect.poll(() => listPushes(user.email)).toHaveLength(1)
  const [push] = await listPushes(user.email)
  expect(push).toMatchObject({ to: user.email, body: 'The reply is ready', path: `/?c=${sessionId}` })
  const page = await (await fetch(`${stack.origin}/local/mail`)).text()
  expect(page).toContain('The reply is ready')
  expect(page).toContain(`href="/?c=${sessionId}"`)
})

it('the push service of a laptop refuses other sites, unknown accounts and what the product did not sign', async () => {
  const user = await stack.newUser()
  expect((await submitForm(user.email, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const unknown = await submitForm('nobody@example.org')
  expect(unknown.headers.get('location')).toBe('/local/mail?refused=nobody%40example.org#push')
  const send = (path: string, bytes = 100) =>
    fetch(`${stack.origin}/local/push/${path}`, { method: 'POST', body: Buffer.alloc(bytes) })
  expect((await send('unknown')).status).toBe(410)
  expect((await send('unknown', 5_000)).status).toBe(413)
  expect(await listPushes(user.email)).toEqual([])
  // the rest of the origin cannot be called
  const refused = await user.send('push.subscribe', {
    body: { ...service.newBrowser().subscription, endpoint: `${stack.origin}/local/mail.json` },
  })
  expect(JSON.stringify(refused.body)).toContain('address_forbidden')
})
