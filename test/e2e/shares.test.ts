import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { expectFailures, forEachSizeAndTheme, newPage, screenshot } from '../support/browser.ts'
import { says } from '../support/fake-model-server.ts'
import { startStack } from '../support/local-stack.ts'
import {
  composer,
  openHistory,
  waitForReplyEnd,
  sendMessage,
  signedInPage,
  submitSignIn,
  tabTo,
  waitForFocus,
} from '../support/page-steps.ts'
import { printPages } from '../support/print-pages.ts'
import { openSettings } from '../support/settings-steps.ts'
import type { StackUser } from '../support/stack-user.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { settled } from '../support/settled.ts'

const { model, stack } = await scriptedStack('The answer.')

const formatted =
  '## Plan\n\nA **bold** word.\n\n- one\n- two\n\n```js\nconst a = 1\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |'

async function converse(user: StackUser, content: string, reply = 'The answer.'): Promise<string> {
  const sessionId = crypto.randomUUID()
  model.behave(says(reply))
  await user.call('chat.send', { body: { sessionId, messages: [{ role: 'user', content }] } })
  return sessionId
}
async function share(user: StackUser, sessionId: string): Promise<string> {
  const { share: link } = await user.call('shares.create', { params: { sessionId }, body: { days: 30 } })
  return `/shared#${link.secret}`
}
/** A page of a visitor without an account. */
const visitor = (options: Partial<Parameters<typeof newPage>[0]> = {}) =>
  newPage({ baseURL: stack.origin, ...options })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const notFound = { url: /\/api\/shared-conversation$/, status: 404 } as const

async function checkLooks(page: Page, name: string, at?: Locator): Promise<void> {
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect([name, look, await findViolations(page, ...rules)]).toEqual([name, look, []])
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      .toBe(true)
    await at?.scrollIntoViewIfNeeded()
    await screenshot(page, `share-${name}-${look}`)
  })
}

it('a conversation is shared from its menu with the keyboard; the link opens without an account, is hidden from search engines, and is printed as text only', async () => {
  const { page } = await signedInPage(stack)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  model.behave(says(formatted))
  await sendMessage(page, 'Make a <i>plan</i> & more')
  await waitForReplyEnd(page)
  await openHistory(page)
  const more = page.getByRole('button', { name: /^More for Make a/ })
  // Tab leads to the row, and the arrow keys to its buttons
  await tabTo(page, page.getByRole('button', { name: /^Make a/ }))
  await page.keyboard.press('ArrowRight')
  await waitForFocus(more)
  await page.keyboard.press('Enter')
  const entry = (name: string) => page.getByRole('menuitem', { name })
  await waitForFocus(entry('Rename'))
  await page.keyboard.press('ArrowDown')
  await waitForFocus(entry('Share'))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share by link' })
  await dialog.getByText('The link opens a copy', { exact: false }).waitFor()
  await dialog.getByText(/Your name, times of messages, files and images/).waitFor()
  await checkLooks(page, 'dialog')
  await dialog.getByRole('radio', { name: '7 days' }).click()
  await tabTo(page, dialog.getByRole('button', { name: 'Create link' }))
  await page.keyboard.press('Enter')
  const created = page.getByRole('dialog', { name: 'Link created' })
  const copy = created.getByRole('button', { name: 'Copy link' })
  await copy.waitFor()
  await waitForFocus(copy)
  await checkLooks(page, 'created')
  await page.keyboard.press('Enter')
  await page.getByText('Link copied', { exact: true }).waitFor()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  expect(address).toMatch(new RegExp(`^${stack.origin}/shared#[\\w-]{43}$`))
  await expect.poll(() => created.getByRole('textbox', { name: 'Link' }).inputValue()).toBe(address)
  await page.keyboard.press('Escape')
  await waitForFocus(more)

  const asked: string[] = []
  const other = await visitor()
  other.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`))
  await other.goto(address)
  await heading(other, 'Make a <i>plan</i> & more').waitFor()
  await other.getByRole('heading', { level: 3, name: 'Plan' }).waitFor()
  await other.getByRole('table').waitFor()
  await other.getByRole('button', { name: 'Copy code' }).waitFor()
  await expect.poll(() => other.title()).toContain('Make a <i>plan</i> & more')
  // no URL and no header contains the secret, and no request a token
  const secret = address.split('#')[1] ?? ''
  expect(asked.length).toBeGreaterThan(3)
  for (const request of asked) {
    expect(request).not.toContain(secret)
    expect(request).not.toMatch(/authorization/i)
    // the chat's own script is not loaded for it
    expect(request).not.toMatch(/\/assets\/chat-/)
  }
  await checkLooks(other, 'page')
  await expect
    .poll(() => other.locator('meta[name=robots]').getAttribute('content'))
    .toBe('noindex, nofollow, noarchive')

  await other.emulateMedia({ colorScheme: 'dark' })
  const text = (await printPages(other)).join('\n')
  for (const part of [
    'Make a <i>plan</i> & more',
    'A bold word.',
    'const a = 1',
    'A copy of a conversation with Juno',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('Copy code')
})

it(
  'a link for people asks a visitor to sign in, and opens then; the dialog offers what was chosen last',
  { tags: 'long' },
  async () => {
    const { page, user } = await signedInPage(stack)
    const sessionId = await converse(user, 'For the team')
    const { share: link } = await user.call('shares.create', {
      params: { sessionId },
      body: { days: 30, audience: 'people' },
    })
    const colleague = await stack.newUser()
    const other = await visitor({ expected: [{ url: /\/api\/shared-conversation$/, status: 401 }] })
    await other.goto(`/shared#${link.secret}`)
    const reason = other
      .getByRole('main')
      .getByText('This conversation is shared with people who have an account here.')
    await reason.waitFor()
    await other.getByRole('button', { name: 'Create account' }).click()
    await reason.waitFor()
    await other.getByRole('button', { name: 'Sign in' }).click()
    await checkLooks(other, 'sign-in')
    await submitSignIn(other, colleague)
    await heading(other, 'For the team').waitFor()
    expect(new URL(other.url()).hash).toBe(`#${link.secret}`)
    // signed in already
    await other.reload()
    await heading(other, 'For the team').waitFor()

    await page.reload()
    await openHistory(page)
    await page.getByRole('button', { name: 'More for For the team' }).click()
    await page.getByRole('menuitem', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share by link' })
    await dialog.getByRole('radio', { name: 'People here, signed in', checked: true }).waitFor()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await page
      .getByRole('dialog', { name: 'Link created' })
      .getByText('Only people with an account here can open it.')
      .waitFor()
    await screenshot(page, 'share-created-people')
  },
)

it('a visitor opens previews of a shared conversation, wide and on a phone', { tags: 'long' }, async () => {
  const user = await stack.newUser()
  const page = await visitor()
  await page.goto(
    await share(
      user,
      await converse(
        user,
        'Make it',
        '```html\n<h1>Counter</h1><button onclick="this.textContent=7">0</button>\n```',
      ),
    ),
  )
  const region = page.getByRole('region', { name: 'Preview' })
  const running = region.frameLocator('iframe[title^="Preview"]').frameLocator('iframe')
  const button = page.getByRole('button', { name: 'Preview', exact: true })
  await button.click()
  await running.getByRole('button', { name: '0' }).click()
  await running.getByRole('button', { name: '7' }).waitFor()
  await checkLooks(page, 'preview')
  await page.getByRole('button', { name: 'Close preview' }).click()
  await page.setViewportSize({ width: 390, height: 844 })
  await button.click()
  await running.getByRole('button', { name: '0' }).waitFor()
  await page.goBack()
  await expect.poll(() => region.count()).toBe(0)
  await button.waitFor()
})

it('search engines are told to ignore the page, which sends no referrer', async () => {
  const response = await fetch(`${stack.origin}/shared`)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })
  expect((await fetch(`${stack.origin}/`)).headers.has('x-robots-tag')).toBe(false)
})

it(
  'hostile text stays text, and a long title wraps; another link in the same tab opens the other conversation',
  { tags: 'long' },
  async () => {
    const user = await stack.newUser()
    const title = `<img src=x onerror=alert(1)>${'W'.repeat(120)}\u202Eevil`
    const sessionId = await converse(
      user,
      '<script>alert(1)</script> **not bold**',
      '<img src=x onerror=alert(1)> [x](javascript:alert(1)) ![y](https://example.org/y.png)\n\n# Big',
    )
    await user.call('sessions.update', { params: { sessionId }, body: { title } })
    const page = await visitor({ viewport: { width: 390, height: 844 } })
    page.on('dialog', () => expect.unreachable())
    await page.goto(await share(user, sessionId))
    await page.getByText('<script>alert(1)</script> **not bold**').waitFor()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(title)
    expect(await page.locator('main img').count()).toBe(0)
    const links = await page
      .locator('main a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
    expect(links).toEqual(['https://example.org/y.png'])
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      .toBe(true)
    await screenshot(page, 'share-hostile')

    const other = await share(user, await converse(user, 'Two'))
    await page.evaluate((address) => location.assign(address), other)
    await heading(page, 'Two').waitFor()
    await page.goBack()
    await heading(page, title).waitFor()
  },
)

it('a revoked, unknown or incomplete link opens the same plain page', { tags: 'trial' }, async () => {
  const user = await stack.newUser()
  const address = await share(user, await converse(user, 'Hi'))
  const page = await visitor()
  await page.goto(address)
  await heading(page, 'Hi').waitFor()
  const { shares } = await user.call('shares.list')
  await user.call('shares.revoke', { params: { shareId: shares[0]?.id ?? '' } })
  expectFailures(page, notFound)
  await page.reload()
  await heading(page, 'Link not found').waitFor()
  const notFoundText = await page.getByRole('main').innerText()
  for (const hash of [`#${'A'.repeat(43)}`, address.slice('/shared'.length, -1), '#', '']) {
    await page.goto(`/shared${hash}`)
    await heading(page, 'Link not found').waitFor()
    await expect.poll(() => page.getByRole('main').innerText()).toBe(notFoundText)
  }
  await expect.poll(() => page.title()).toContain('Link not found')
  await checkLooks(page, 'gone')
})

it(
  'offline a message is shown, and the page loads automatically once the connection is back',
  { tags: 'long' },
  async () => {
    const user = await stack.newUser()
    const address = await share(user, await converse(user, 'Hi'))
    const page = await visitor()
    await page.goto('/auth')
    await page.getByLabel('E-mail').waitFor()
    expectFailures(page, { url: /\/api\/shared-conversation$/, status: 'network' })
    await page.route('**/api/shared-conversation', (route) => route.abort())
    await page.clock.install()
    await page.goto(address)
    await page.getByRole('progressbar', { name: 'Loading the conversation' }).waitFor()
    await screenshot(page, 'share-loading')
    for (let tries = 0; tries < 4; tries += 1) await page.clock.runFor(10_000)
    await heading(page, 'This could not be loaded').waitFor()
    await page.getByText('The service could not be reached. Please try again.').waitFor()
    // its scripts and fonts too
    await settled(page)
    await page.context().setOffline(true)
    await page.getByText('You are offline. The conversation loads when you are back.').waitFor()
    await checkLooks(page, 'offline')
    await page.unroute('**/api/shared-conversation')
    await page.context().setOffline(false)
    await heading(page, 'Hi').waitFor()
  },
)

it('a long conversation is loaded in parts', { tags: 'trial' }, async () => {
  const user = await stack.newUser()
  const at = '2024-03-01T12:00:00.000Z'
  const messages = Array.from({ length: 24 }, (_, index) => ({
    turn: index + 1,
    role: 'user' as const,
    content: `Number ${index + 1}. ${'word '.repeat(18_000)}`,
    created_at: at,
  }))
  await user.call('imports.add', {
    body: {
      import_id: crypto.randomUUID(),
      source: 'chatgpt',
      conversations: [
        {
          source_id: 'long',
          title: 'Long',
          created_at: at,
          updated_at: at,
          turns: messages.length,
          message_count: messages.length,
          messages,
          complete: true,
        },
      ],
    },
  })
  const { sessions } = await user.call('sessions.list')
  const sessionId = sessions[0]?.id ?? ''
  const page = await visitor()
  await page.goto(await share(user, sessionId))
  await heading(page, 'Long').waitFor()
  await page.getByText('Number 2.', { exact: false }).waitFor()
  const more = page.getByRole('button', { name: 'Show more messages' })
  expect(await page.getByText('Number 24.', { exact: false }).count()).toBe(0)
  await more.click()
  await page.getByText('Number 22.', { exact: false }).waitFor()
  await more.click()
  await page.getByText('Number 24.', { exact: false }).waitFor()
  await more.waitFor({ state: 'detached' })
})

it('links are listed, copied and revoked in Settings, also in two tabs', { tags: 'trial' }, async () => {
  const { page, user } = await signedInPage(stack)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openSettings(page)
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Shared links' }) })
  await card.getByText('No links yet.', { exact: false }).waitFor()
  await card.scrollIntoViewIfNeeded()
  await screenshot(page, 'share-settings-empty')

  const [one, two] = [
    await share(user, await converse(user, 'One')),
    await share(user, await converse(user, 'Two')),
  ]
  await page.reload()
  const rows = card.getByRole('list', { name: 'Shared links' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(2)
  await expect
    .poll(() => rows.first().innerText())
    .toMatch(/Two\n+2 messages · shared .* · works until .* · anyone with the link$/m)
  await card.getByRole('button', { name: 'Copy link to Two' }).click()
  await page.getByText('Link copied', { exact: true }).waitFor()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(stack.origin + two)
  // a phone shows one section
  await page.getByRole('link', { name: 'Shared links' }).click()
  await checkLooks(page, 'settings', rows.last())

  const { page: tab } = await signedInPage(stack, {}, user)
  await tab.goto('/settings')
  const revokeOne = (at: Page) => at.getByRole('button', { name: 'Revoke link to One' })
  await revokeOne(tab).waitFor()
  await revokeOne(page).click()
  const question = page.getByRole('dialog', { name: 'Revoke this link?' })
  await screenshot(page, 'share-revoke')
  await question.getByRole('button', { name: 'Revoke link' }).click()
  await page.getByText('Link revoked', { exact: true }).waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  const other = await visitor({ expected: [notFound] })
  await other.goto(one)
  await heading(other, 'Link not found').waitFor()
  // the other tab still shows the link: revoking it again succeeds
  expectFailures(tab, { url: /\/api\/shares\//, status: 404 })
  await revokeOne(tab).click()
  await tab.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click()
  await tab.getByText('Link revoked', { exact: true }).waitFor()
  await revokeOne(tab).waitFor({ state: 'detached' })
})

it('failures to read, create or revoke are shown, and can be retried', { tags: 'trial' }, async () => {
  const { page, user } = await signedInPage(stack)
  await converse(user, 'Hi')
  await share(user, (await user.call('sessions.list')).sessions[0]?.id ?? '')
  expectFailures(page, { url: /\/api\/(shares|sessions\/.*\/shares)/, status: 503 })
  const fail = (pattern: string) =>
    page.route(pattern, (route) =>
      route.fulfill({
        status: 503,
        json: { success: false, error: 'Not now.', code: 'down', requestId: 'r' },
      }),
    )
  await openHistory(page)
  await page.getByRole('button', { name: 'More for Hi' }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  await fail('**/shares')
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('alert').getByText('Not now.').waitFor()
  await screenshot(page, 'share-failed')
  await page.unroute('**/shares')
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('dialog', { name: 'Link created' }).getByRole('link', { name: 'Settings' }).click()
  await fail('**/api/shares/*')
  await page.getByRole('button', { name: 'Revoke link to Hi' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click()
  await page.getByRole('dialog').getByRole('alert').getByText('Not now.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Revoke link to Hi' }).count()).toBe(2)
  await page.clock.install()
  await fail('**/api/shares')
  await page.reload()
  const alert = page.getByRole('alert').filter({ hasText: 'Your links could not be loaded.' })
  await page.getByRole('progressbar', { name: 'Loading your links' }).waitFor()
  for (let tries = 0; tries < 4; tries += 1) await page.clock.runFor(10_000)
  await alert.scrollIntoViewIfNeeded()
  await screenshot(page, 'share-settings-error')
  await page.unroute('**/api/shares')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Revoke link to Hi' }).first().waitFor()
})

it('with sharing switched off nothing offers it', { tags: 'trial' }, async () => {
  const off = await startStack({ env: { SHARING: 'off' } })
  try {
    const { page, user } = await signedInPage(off)
    await user.call('chat.send', {
      body: { sessionId: crypto.randomUUID(), messages: [{ role: 'user', content: '/echo Hi' }] },
    })
    await page.reload()
    await composer(page).waitFor()
    await openHistory(page)
    await page.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Share' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.goto('/settings')
    await page.getByRole('heading', { name: 'What the assistant did' }).waitFor()
    await settled(page)
    expect(await page.getByRole('heading', { name: 'Shared links' }).count()).toBe(0)
  } finally {
    await off.stop()
  }
})
