import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newPage, screenshot, withMotion } from '../support/browser.ts'
import {
  composer,
  submitSignIn,
  openHistory,
  sendMessage,
  sharePage,
  signedInPage,
  toastNamed,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

const phone = { ...withMotion, viewport: { width: 375, height: 667 } }
const phonePage = sharePage(() => signedInPage(stack, phone))

async function isClearOf(page: Page, title: string, target: Locator): Promise<boolean> {
  const [box, other] = await Promise.all([toastNamed(page, title).boundingBox(), target.boundingBox()])
  if (!box || !other) return false
  return (
    box.x + box.width <= other.x ||
    other.x + other.width <= box.x ||
    box.y + box.height <= other.y ||
    other.y + other.height <= box.y
  )
}

it('LIB-08 DEC-155 on a phone the toast of an error does not cover its Retry', async () => {
  const { page } = await phonePage()
  await sendMessage(page, '/markdown')
  await page.getByText('The small print').waitFor()
  await sendMessage(page, '/fail')
  const retry = page.getByRole('group', { name: 'Error' }).getByRole('button', { name: 'Retry' })
  await retry.waitFor()
  await toastNamed(page, 'Chat Error').waitFor()
  await expect.poll(() => isClearOf(page, 'Chat Error', retry)).toBe(true)
  await expect.poll(() => isClearOf(page, 'Chat Error', page.getByRole('banner'))).toBe(true)
  await screenshot(page, 'phone error toast')
})

it(
  'on a phone the toast of a new account does not cover the heading of the page that asks for the code',
  { tags: 'long' },
  async () => {
    const page = await newPage({ baseURL: stack.origin, viewport: phone.viewport })
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByLabel('Full name').fill('Mika Kaas')
    await page.getByLabel('E-mail').fill(`${crypto.randomUUID()}@example.com`)
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.keyboard.press('Enter')
    const heading = page.getByRole('heading', { name: 'Check your e-mail' })
    await heading.waitFor()
    await toastNamed(page, 'Account created').waitFor()
    await expect.poll(() => isClearOf(page, 'Account created', heading)).toBe(true)
  },
)

it(
  'ERR-01 on a wide screen the toast of an error covers nothing of its block, at the top and at the end of the window and beside a docked panel',
  { tags: 'long' },
  async () => {
    const { page } = await signedInPage(stack, { viewport: { width: 1280, height: 800 } })
    const error = page.getByRole('group', { name: 'Error' })
    await sendMessage(page, '/fail')
    await error.waitFor()
    await toastNamed(page, 'Chat Error').waitFor()
    await expect.poll(() => isClearOf(page, 'Chat Error', error)).toBe(true)
    await toastNamed(page, 'Chat Error').getByRole('button', { name: 'Close' }).click()
    await sendMessage(page, '/markdown')
    await page.getByText('The small print').waitFor()
    await sendMessage(page, '/fail')
    await error.getByRole('button', { name: 'Retry' }).waitFor()
    for (const width of [700, 1024, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      await expect.poll(() => isClearOf(page, 'Chat Error', error)).toBe(true)
    }
    const panel = page.getByRole('complementary', { name: 'Your Conversations' })
    for (const [width, isPanelShown] of [
      [1552, false],
      [1560, true],
      [1830, true],
      [1850, true],
    ] as const) {
      await page.setViewportSize({ width, height: 700 })
      if ((await panel.count()) > 0 !== isPanelShown) await openHistory(page)
      await expect.poll(() => panel.count()).toBe(Number(isPanelShown))
      await expect.poll(() => isClearOf(page, 'Chat Error', error)).toBe(true)
    }
  },
)

it('a toast is readable after a dialog was open before the first toast', { tags: 'long' }, async () => {
  const user = await stack.newUser()
  const page = await newPage({ ...withMotion, baseURL: stack.origin })
  const dialogOpened = Promise.withResolvers<void>()
  await page.route('**/assets/toasts-and-focus-*.js', async (route) => {
    await dialogOpened.promise
    await route.continue()
  })
  await page.goto('/auth')
  await submitSignIn(page, user)
  await openHistory(page)
  await page.getByRole('dialog').waitFor()
  dialogOpened.resolve()
  await page.getByRole('region', { name: 'Notifications' }).getByText('Welcome back!').waitFor()
})

it('LIB-08 DEC-155 a toast covers neither the top bar nor the composer, with any number of files, on a phone and on a wide screen', async () => {
  const { page } = await phonePage()
  const text = (name: string, content: string) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(content),
  })
  const picker = page.getByLabel('Files to attach')
  await picker.setInputFiles([text('nothing.txt', '')])
  await toastNamed(page, 'Not attached').waitFor()
  const uncovered = [page.getByRole('banner'), page.getByText(/^Start by typing a message/), composer(page)]
  for (const target of uncovered) await expect.poll(() => isClearOf(page, 'Not attached', target)).toBe(true)
  await screenshot(page, 'phone toast')
  await picker.setInputFiles([text('one.txt', '1'), text('two.txt', '2'), text('three.txt', '3')])
  const files = page.getByRole('list', { name: 'Attached files' })
  await files.getByText('three.txt').waitFor()
  await expect.poll(() => isClearOf(page, 'Not attached', files)).toBe(true)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(() => isClearOf(page, 'Not attached', files)).toBe(true)
  await page.setViewportSize(phone.viewport)
})
