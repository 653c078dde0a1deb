/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { screenshot, screenshotEachLook } from '../support/browser.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { signedInPage, toastNamed, waitForFocus } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { settled } from '../support/settled.ts'

const stack = await demoStack()
const phone = { width: 390, height: 844 }

/** A chat whose reply waits before it sends an e-mail. */
async function startWaiting(user: StackUser, to: string): Promise<string> {
  const sessionId = crypto.randomUUID()
  const content = `Send an email to ${to} with the subject "Lunch" saying "Shall we meet at noon?"`
  const body = { messages: [{ role: 'user' as const, content }], sessionId, messageId: crypto.randomUUID() }
  await user.call('chat.send', { body })
  return sessionId
}

async function countMails(user: StackUser, to: string): Promise<number> {
  const messages = [{ role: 'user' as const, content: `Show my recent emails to ${to}` }]
  const { toolCalls } = await user.call('chat.send', { body: { messages } })
  return JSON.stringify(toolCalls).split(`"to":"${to}"`).length - 1
}

const row = (page: Page, to: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: `E-mail to ${to}` }) })
const readIcon = (page: Page) =>
  page.locator('link[rel="icon"]').evaluate((link) => (link as HTMLLinkElement).href)

it('what waits in two conversations is counted, approved in place and denied on a phone', async () => {
  const user = await stack.newUser({ name: 'Ann' })
  // the mailbox belongs to all tests of the product
  const [one, two] = ['one', 'two'].map((name) => `${name}.${user.sub.slice(0, 8)}@example.org`) as [
    string,
    string,
  ]
  await connectProvider(stack, user, 'gmail')
  await startWaiting(user, one)
  const second = await startWaiting(user, two)
  const { page } = await signedInPage(stack, { viewport: { width: 1440, height: 900 } }, user)
  await expect.poll(() => page.title()).toMatch(/^\(2\) /)
  await expect.poll(() => readIcon(page)).toMatch(/^data:image\/svg/)
  await page.getByRole('link', { name: 'Waiting for you 2' }).click()
  await expect.poll(() => page.title()).toMatch(/^\(2\) Waiting for you/)
  // the newest is open, the other one shows what it is about
  await row(page, two).getByText('Shall we meet at noon?').waitFor()
  await row(page, one).getByText('Lunch').waitFor()
  expect(await page.getByRole('button', { name: 'Always allow' }).count()).toBe(0)
  await screenshotEachLook(page, 'waiting')

  // the same list on a phone, opened before the first decision
  const { page: onPhone } = await signedInPage(
    stack,
    { viewport: phone, expected: [{ url: /\/run\/answer$/, status: 404 }] },
    user,
  )
  await onPhone.goto('/waiting')
  await row(onPhone, one).waitFor()
  // what the page asks when it opens is answered before
  await settled(onPhone)

  await row(page, one).getByRole('button', { name: 'Review' }).click()
  await row(page, one).getByText('Shall we meet at noon?').waitFor()
  await row(page, one).getByRole('button', { name: 'Approve' }).click()
  await row(page, one).waitFor({ state: 'detached' })
  await expect.poll(() => page.title()).toMatch(/^\(1\) /)
  await waitForFocus(row(page, two))
  await expect.poll(() => countMails(user, one)).toBe(1)

  // decided elsewhere: it says so, and the row goes
  await row(onPhone, one).getByRole('button', { name: 'Deny' }).click()
  await toastNamed(onPhone, 'That no longer waits').waitFor()
  await row(onPhone, one).waitFor({ state: 'detached' })
  await screenshot(onPhone, 'waiting-phone-one')
  await row(onPhone, two).getByRole('button', { name: 'Deny' }).click()
  await onPhone.getByText('Nothing waits.').waitFor()
  await expect.poll(() => onPhone.title()).toMatch(/^Waiting for you/)
  await expect.poll(() => readIcon(onPhone)).toMatch(/favicon\.svg$/)
  await screenshot(onPhone, 'waiting-empty-phone')
  expect(await countMails(user, two)).toBe(0)
  const { run } = await user.call('sessions.read', { params: { sessionId: second } })
  expect(run).toBeNull()
})

it('the title of a row opens the conversation at its card, and signing out takes the count away', async () => {
  const user = await stack.newUser({ name: 'Ann' })
  await connectProvider(stack, user, 'gmail')
  const sessionId = await startWaiting(user, 'one@example.org')
  const { page } = await signedInPage(stack, {}, user)
  await page.goto('/waiting')
  await row(page, 'one@example.org').getByRole('link', { name: 'Open in the chat' }).click()
  await waitForFocus(page.getByRole('group', { name: 'Send an e-mail with Gmail?' }))
  expect(page.url()).toContain(sessionId)
  await expect.poll(() => page.title()).toMatch(/^\(1\) /)
  // decided in the chat
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect.poll(() => page.title()).not.toMatch(/^\(/)
  await startWaiting(user, 'two@example.org')
  await page.reload()
  await expect.poll(() => page.title()).toMatch(/^\(1\) /)
  await page.getByRole('button', { name: /account menu/i }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(/\/auth/)
  await expect.poll(() => page.title()).not.toMatch(/^\(/)
  expect(await readIcon(page)).toMatch(/favicon\.svg$/)
})
