/** @module-tag long */
import type { Page, Worker } from 'playwright-core'
import { expect, it } from 'vitest'
import type { ReceivedPush } from '../../infra/local/push-service.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { newPage } from '../support/browser.ts'
import { signedInPage, waitForFocus } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'

const stack = await demoStack()

/** What the worker has asked the browser to do. */
interface Recorded {
  shown: { title: string; options: NotificationOptions }[]
  opened: string[]
  focused: string[]
}

/**
 * The browser of the tests has no notifications and denies their permission, and only a click on one may open or focus a window: these three
 * are recorded instead. Everything else is the worker's own.
 */
const recordBrowser = (worker: Worker) =>
  worker.evaluate(() => {
    const recorded: Recorded = { shown: [], opened: [], focused: [] }
    const scope = globalThis as unknown as {
      recorded: Recorded
      registration: { showNotification: unknown }
      clients: { openWindow: unknown }
      WindowClient: { prototype: { focus: unknown } }
    }
    scope.recorded = recorded
    scope.registration.showNotification = async (title: string, options: NotificationOptions) =>
      void recorded.shown.push({ title, options })
    scope.clients.openWindow = async (address: string) => void recorded.opened.push(address)
    scope.WindowClient.prototype.focus = async function (this: { url: string }) {
      recorded.focused.push(this.url)
    }
  })

const readRecorded = (worker: Worker) =>
  worker.evaluate(() => (globalThis as unknown as { recorded: Recorded }).recorded)

/** Clicks the notification that was shown last. @returns whether it was closed */
const clickNotification = (worker: Worker) =>
  worker.evaluate(async () => {
    const { recorded } = globalThis as unknown as { recorded: Recorded }
    let isClosed = false
    const notification = {
      data: recorded.shown.at(-1)?.options.data as unknown,
      close: () => (isClosed = true),
    }
    const waits: Promise<unknown>[] = []
    // an event that a script dispatches cannot be waited for
    const waitUntil = (work: Promise<unknown>) => waits.push(work)
    dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
    await Promise.all(waits)
    return isClosed
  })

/** Delivers a push to the worker of a page as the browser does, once its push service has decrypted it. */
async function deliverPush(page: Page, message: object | null): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { promise: found, resolve } = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [registration] = registrations
    if (registration) resolve(registration.registrationId)
  })
  await session.send('ServiceWorker.enable')
  const data = JSON.stringify(message)
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: stack.origin,
    registrationId: await found,
    data,
  })
  await session.detach()
}

const listPushes = async (email: string) => {
  const response = await fetch(`${stack.origin}/local/push.json?${new URLSearchParams({ to: email })}`)
  return (await response.json()) as ReceivedPush[]
}

/** Has a schedule of the user wait before it sends a mail. @returns the push about it */
async function receivePush(user: StackUser): Promise<ReceivedPush> {
  await connectProvider(stack, user, 'gmail')
  const laptop = await newPage({ baseURL: stack.origin })
  await laptop.goto('/local/mail')
  await laptop.getByRole('textbox', { name: 'Account’s e-mail address' }).fill(user.email)
  await laptop.getByRole('button', { name: 'Receive pushes here' }).click()
  await laptop.waitForURL(/#push$/)
  const { schedule } = await user.call('schedules.create', {
    body: {
      prompt: 'Send an email to ben@example.org with the subject "Monday" saying "It is drafted."',
      rule: { kind: 'weekly', days: ['mo'], time: '08:00' },
      time_zone: 'Europe/Vienna',
      notify: ['push'],
    },
  })
  await user.call('schedules.run', { params: { scheduleId: schedule.id } })
  await expect.poll(() => listPushes(user.email)).toHaveLength(1)
  const [push] = await listPushes(user.email)
  if (!push) throw new Error('no push')
  return push
}

it('a push shows a notification, and a click on it opens the conversation at its card, or its tab', async () => {
  const user = await stack.newUser({ name: 'Ann' })
  const { title, body, path } = await receivePush(user)
  const { page } = await signedInPage(stack, { serviceWorkers: 'allow' }, user)
  await page.evaluate(() => navigator.serviceWorker.ready)
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('no worker')
  await recordBrowser(worker)
  await deliverPush(page, { title, body, path, tag: 'one', language: 'en' })
  await expect.poll(async () => (await readRecorded(worker)).shown).toHaveLength(1)
  const address = new URL(path, stack.origin).href
  const [notification] = (await readRecorded(worker)).shown
  expect(notification).toMatchObject({
    title,
    options: { body: 'Waiting for you', tag: 'one', data: address },
  })
  expect(JSON.stringify(notification)).not.toContain('drafted')

  expect(await clickNotification(worker)).toBe(true)
  // a page about something else stays as it is
  expect(await readRecorded(worker)).toMatchObject({ opened: [address], focused: [] })
  await page.goto(path)
  await waitForFocus(page.getByRole('group', { name: 'Send an e-mail with Gmail?' }))
  await clickNotification(worker)
  expect(await readRecorded(worker)).toMatchObject({ opened: [address], focused: [address] })
})

it('a push that cannot be read still shows a notification, and opens the product', async () => {
  const { page } = await signedInPage(stack, { serviceWorkers: 'allow' })
  await page.evaluate(() => navigator.serviceWorker.ready)
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('no worker')
  await recordBrowser(worker)
  const messages = [null, { path: 'https://elsewhere.example/' }, { path: 'https://' }]
  for (const [index, message] of messages.entries()) {
    await deliverPush(page, message)
    await expect.poll(async () => (await readRecorded(worker)).shown).toHaveLength(index + 1)
    await clickNotification(worker)
  }
  // the page itself is a new chat
  const { opened, focused } = await readRecorded(worker)
  expect([...opened, ...focused]).toEqual(messages.map(() => `${stack.origin}/`))
})

it('each kind of notification is switched off and on in Settings, and stays so', async () => {
  const { page, user } = await signedInPage(stack)
  await page.goto('/settings#notifications')
  const kinds = [
    ['A reply waits for me', 'waiting', false],
    ['A reply is ready', 'ended', false],
    ['A scheduled run has ended', 'scheduled', false],
    ['Also by e-mail', 'mail', true],
  ] as const
  const read = async () => (await user.call('account.read')).settings.notifications ?? {}
  for (const [label, name, isOn] of kinds) {
    const choice = page.getByRole('switch', { name: label })
    await expect.poll(() => choice.isChecked()).toBe(!isOn)
    await choice.press('Space')
    await expect.poll(async () => (await read())[name]).toBe(isOn)
    await expect.poll(() => choice.isEnabled()).toBe(true)
  }
  await page.reload()
  for (const [label, , isOn] of kinds)
    await expect.poll(() => page.getByRole('switch', { name: label }).isChecked()).toBe(isOn)
  await page.getByRole('switch', { name: 'A reply waits for me' }).press('Space')
  await expect.poll(read).toMatchObject({ waiting: true, ended: false, scheduled: false, mail: true })
})
