/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, newPage, screenshot } from '../support/browser.ts'
import { says } from '../support/fake-model-server.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { composer, waitForReplyEnd, sendMessage, signedInPage, stopButton } from '../support/page-steps.ts'
import { backButton, openSettings } from '../support/settings-steps.ts'
import { stackWithModel } from '../support/stack-with-model.ts'

const { model, stack } = await stackWithModel('The answer.', { OPENAI_MODEL: 'fake', BRAND_NAME: 'Acme' })

const withWorker = { serviceWorkers: 'allow' } as const
/** Resolves when the service worker answers the page's navigations. */
const workerIsActive = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
  })

it('can be installed under the deployment’s name, with icons of the declared sizes', async () => {
  const page = await newPage({ baseURL: stack.origin, ...withWorker })
  await page.goto('/auth')
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const response = await fetch(new URL(address ?? '', stack.origin))
  expect(response.headers.get('content-type')).toContain('application/json')
  const manifest = (await response.json()) as {
    name: string
    start_url: string
    display: string
    icons: { src: string; sizes: string; purpose: string; type: string }[]
  }
  expect(manifest).toMatchObject({ name: 'Acme', short_name: 'Acme', start_url: '/', display: 'standalone' })
  expect(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 192x192',
    'maskable 512x512',
  ])
  const touch = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
  for (const { src, sizes } of [...manifest.icons, { src: touch ?? '', sizes: '180x180' }]) {
    const icon = await fetch(new URL(src, stack.origin))
    expect(icon.headers.get('content-type')).toBe('image/png')
    const bytes = Buffer.from(await icon.arrayBuffer())
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
  }
  // Chromium's own reasons against it
  await workerIsActive(page)
  const session = await page.context().newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // a test's context is private, and private windows can install nothing
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  const { errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
})

it('tells link previews and search engines what it is, and keeps them out of the rest', async () => {
  const read = async (path: string) => {
    const response = await fetch(new URL(path, stack.origin))
    return { type: response.headers.get('content-type'), text: await response.text() }
  }
  expect(await read('/robots.txt')).toMatchObject({
    type: expect.stringContaining('text/plain') as string,
    text: expect.stringContaining('Disallow: /\n') as string,
  })
  expect((await read('/favicon.ico')).type).toBe('image/x-icon')
  const { text } = await read('/auth')
  for (const name of ['name="description"', 'property="og:title"', 'property="og:image"'])
    expect(text).toContain(name)
})

it('the service worker is revalidated each time, caches the offline page and its scripts only, and does not replace an open page that loses its connection', async () => {
  const expected = [{ url: /\/(api|assets)\//, status: 'network' }] as const
  const { page } = await signedInPage(stack, { ...withWorker, expected })
  await workerIsActive(page)
  await sendMessage(page, 'Hello')
  await waitForReplyEnd(page)
  await page.reload()
  await composer(page).waitFor()
  expect((await fetch(`${stack.origin}/sw.js`)).headers.get('cache-control')).toBe('no-cache')
  const stored = await page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
    return found
  })
  expect(stored.toSorted()).toEqual(['/offline.html', '/offline.js', '/theme.js'])

  await composer(page).fill('Half a thought')
  // parts that the page preloads when it is idle
  await page.waitForFunction(() => {
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return ['message-files', 'tool-call-list', 'approval-cards', 'reasoning-line', 'forms'].every((part) =>
      loaded.some(({ name, responseEnd }) => name.includes(`/${part}-`) && responseEnd > 0),
    )
  })
  await page.context().setOffline(true)
  await page
    .getByText(/You are offline/)
    .first()
    .waitFor()
  await expect.poll(() => composer(page).inputValue()).toBe('Half a thought')
  await page.context().setOffline(false)
})

/** A page with the worker that is opened at an address without a connection, as somebody who had chosen these settings before. */
async function openOffline(
  path: string,
  { locale, chosen = {} }: { locale?: string; chosen?: Record<string, string> } = {},
): Promise<Page> {
  const page = await newPage({
    baseURL: stack.origin,
    ...withWorker,
    ...(locale && { locale }),
    expected: [{ url: /./, status: 'network' }],
  })
  await page.goto('/auth')
  await workerIsActive(page)
  await page.evaluate((settings) => {
    for (const [key, value] of Object.entries(settings)) localStorage.setItem(key, value)
  }, chosen)
  await page.context().setOffline(true)
  await page.goto(path)
  return page
}

it('opening the page offline shows a message, and the page loads once the connection is back', async () => {
  const page = await openOffline('/settings?from=mail')
  await page.getByRole('heading', { name: 'No connection', level: 1 }).waitFor()
  await expect.poll(() => page.title()).toBe('No connection')
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect([look, await findViolations(page, ...rules)]).toEqual([look, []])
    await screenshot(page, `offline-${look}`)
  })
  const again = page.getByRole('link', { name: 'Try again' })
  await again.focus()
  await page.keyboard.press('Enter')
  // still offline
  await again.waitFor()
  await page.context().setOffline(false)
  // the requested address
  await page.getByLabel('E-mail').waitFor()
})

it('the page that is shown offline loads what was asked for by itself when the connection is back', async () => {
  const page = await openOffline('/settings')
  await page.getByRole('heading', { name: 'No connection', level: 1 }).waitFor()
  await page.context().setOffline(false)
  await page.getByLabel('E-mail').waitFor()
})

it('the page that is shown offline speaks the language of the browser', async () => {
  const page = await openOffline('/settings', { locale: 'ar-EG' })
  await page.getByRole('heading', { name: 'لا يوجد اتصال', level: 1 }).waitFor()
  await page.locator('html[dir=rtl]').waitFor()
  await page.getByRole('link', { name: 'المحاولة مرة أخرى' }).waitFor()
  // nothing is left in English
  await expect.poll(() => page.getByRole('main').innerText()).not.toMatch(/[a-z]/i)
})

it('the page that is shown offline has the language and the theme that were chosen', async () => {
  const page = await openOffline('/', {
    locale: 'ar-EG',
    chosen: { 'juno.language': 'pt-BR', 'juno.theme': 'dark' },
  })
  await page.getByRole('heading', { name: 'Sem conexão', level: 1 }).waitFor()
  await page.locator('html[lang=pt-BR][dir=ltr]').waitFor()
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await expect.poll(background).toBe('rgb(21, 20, 18)')
})

const toggle = (page: Page) => page.getByRole('switch', { name: 'In this browser' })

/** In the page: counts notifications, answers the permission prompt, and lets the page be hidden. */
function doubles(answer: NotificationPermission): void {
  const shown: [string, NotificationOptions | undefined][] = []
  let permission: NotificationPermission = answer === 'denied' ? 'denied' : 'default'
  let permissionRequests = 0
  class FakeNotification extends EventTarget {
    static get permission() {
      return permission
    }
    static requestPermission() {
      permissionRequests += 1
      permission = answer
      return Promise.resolve(permission)
    }
    constructor(title: string, options?: NotificationOptions) {
      super()
      shown.push([title, options])
    }
    close() {
      return undefined
    }
  }
  Object.assign(globalThis, {
    Notification: FakeNotification,
    shown,
    countPermissionRequests: () => permissionRequests,
  })
  let hidden = false
  Object.defineProperty(document, 'hidden', { get: () => hidden })
  Object.assign(globalThis, {
    hide(value: boolean) {
      hidden = value
      document.dispatchEvent(new Event('visibilitychange'))
    },
  })
}
interface Doubled {
  shown: [string, NotificationOptions][]
  countPermissionRequests(): number
  hide(value: boolean): void
}
const readNotifications = (page: Page) => page.evaluate(() => (globalThis as unknown as Doubled).shown)
const countPermissionRequests = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as Doubled).countPermissionRequests())
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((value) => (globalThis as unknown as Doubled).hide(value), hidden)

it(
  'a user who asked for it is notified of a long reply that ends in a hidden tab, and of nothing else',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await page.addInitScript(doubles, 'granted' as const)
    await page.clock.install()
    await page.reload()
    await composer(page).waitFor()
    /** a reply that takes this long, in a tab that is hidden or not when it ends */
    const reply = async (seconds: number, hidden: boolean) => {
      const pausable = pausableReply('One,')
      model.behave(pausable.behaviour)
      await sendMessage(page, 'My secret plan')
      await pausable.modelCalled
      await stopButton(page).waitFor()
      await hide(page, hidden)
      await page.clock.fastForward(seconds * 1_000)
      pausable.finish(' two.')
      await waitForReplyEnd(page)
      await hide(page, false)
    }
    await reply(9, true)
    expect([await countPermissionRequests(page), await readNotifications(page)]).toEqual([0, []])

    await openSettings(page)
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('false')
    await toggle(page).click()
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('true')
    await expect.poll(() => countPermissionRequests(page)).toBe(1)
    await toggle(page).scrollIntoViewIfNeeded()
    await screenshot(page, 'notifications-on')
    await backButton(page).click()
    await composer(page).waitFor()
    await reply(2, true)
    await reply(9, false)
    await expect.poll(() => readNotifications(page)).toEqual([])
    await reply(9, true)
    await expect.poll(async () => (await readNotifications(page)).length).toBe(1)
    const [[title, options] = []] = await readNotifications(page)
    expect([title, options?.body]).toEqual(['Acme', 'Your reply is ready.'])
    // only the link contains the conversation, by its id
    expect(JSON.stringify({ ...options, data: '' })).not.toMatch(/secret|One/)

    await openSettings(page)
    await toggle(page).click()
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('false')
    await backButton(page).click()
    await composer(page).waitFor()
    await reply(9, true)
    await expect.poll(() => readNotifications(page)).toHaveLength(1)
    expect((await user.call('sessions.list')).sessions.length).toBeGreaterThan(0)
  },
)

it(
  'a browser that blocks notifications or does not support them is explained',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack)
    await page.addInitScript(doubles, 'denied' as const)
    await page.reload()
    await openSettings(page)
    await page.getByText(/This browser blocks notifications of this site/).waitFor()
    expect([await toggle(page).isDisabled(), await countPermissionRequests(page)]).toEqual([true, 0])
    expect(await findViolations(page)).toEqual([])
    await toggle(page).scrollIntoViewIfNeeded()
    await screenshot(page, 'notifications-blocked')
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Notification'))
    await page.reload()
    await page.getByText(/This browser has no notifications for this site/).waitFor()
  },
)

it(
  'declining the browser’s permission leaves the switch off, with the reason',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack)
    await page.addInitScript(() => {
      let permission: NotificationPermission = 'default'
      const requestPermission = () => {
        permission = 'denied'
        return Promise.resolve(permission)
      }
      const Double = Object.defineProperty({ requestPermission }, 'permission', { get: () => permission })
      Object.assign(globalThis, { Notification: Double })
    })
    await page.reload()
    model.behave(says('Hi'))
    await openSettings(page)
    await toggle(page).click()
    await page.getByText(/This browser blocks notifications of this site/).waitFor()
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('false')
  },
)
