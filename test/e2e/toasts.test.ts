import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newPage, screenshot, withMotion } from '../support/browser.ts'
import {
  composer,
  fillSignIn,
  holdToasts,
  openHistory,
  say,
  signedInPage,
  signInOnPage,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

const phone = { ...withMotion, viewport: { width: 375, height: 667 } }

async function standsClear(page: Page, title: string, target: Locator): Promise<boolean> {
  const toast = page.locator('[data-sonner-toast]').filter({ hasText: title })
  const [box, other] = await Promise.all([toast.boundingBox(), target.boundingBox()])
  if (!box || !other) return false
  return (
    box.x + box.width <= other.x ||
    other.x + other.width <= box.x ||
    box.y + box.height <= other.y ||
    other.y + other.height <= box.y
  )
}

it('LIB-08 DEC-155 on a phone the toast of an error leaves its Retry free', async () => {
  const { page } = await signedInPage(stack, phone)
  await holdToasts(page)
  await say(page, '/markdown')
  await page.getByText('The small print').waitFor()
  await say(page, '/fail')
  const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' })
  await retry.waitFor()
  await page.locator('[data-sonner-toast]').filter({ hasText: 'Chat Error' }).waitFor()
  await expect.poll(() => standsClear(page, 'Chat Error', retry)).toBe(true)
  await expect.poll(() => standsClear(page, 'Chat Error', page.getByRole('banner'))).toBe(true)
  await screenshot(page, 'phone error toast')
})

it('LIB-08 DEC-155 on a phone a toast leaves the top bar and what stands above the composer free', async () => {
  const page = await newPage({ baseURL: stack.origin, ...phone })
  await holdToasts(page)
  await signInOnPage(page, await stack.newUser())
  const welcome = page.locator('[data-sonner-toast]').filter({ hasText: 'Welcome back!' })
  await welcome.waitFor()
  const free = [page.getByRole('banner'), page.getByText(/^Start by typing a message/), composer(page)]
  for (const target of free) await expect.poll(() => standsClear(page, 'Welcome back!', target)).toBe(true)
  await screenshot(page, 'phone welcome toast')
})

it('a toast can be read where a dialog was open before toasts could be shown', async () => {
  const user = await stack.newUser()
  const page = await newPage({ ...withMotion, baseURL: stack.origin })
  const opened = Promise.withResolvers<void>()
  await page.route('**/assets/toaster-*.js', async (route) => {
    await opened.promise
    await route.continue()
  })
  await page.goto('/auth')
  await fillSignIn(page, user)
  await openHistory(page)
  await page.getByRole('dialog').waitFor()
  opened.resolve()
  await page.getByRole('region', { name: 'Notifications' }).getByText('Welcome back!').waitFor()
})

it.each([
  ['a phone', phone],
  ['a wide screen', {}],
] as const)(
  'LIB-08 on %s a toast stands above the composer, however many files it holds',
  async (_, look) => {
    const { page } = await signedInPage(stack, look)
    await holdToasts(page)
    const text = (name: string, content: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(content),
    })
    const picker = page.getByLabel('Files to attach')
    await picker.setInputFiles([text('one.txt', '1'), text('two.txt', '2'), text('three.txt', '3')])
    const files = page.getByRole('list', { name: 'Attached files' })
    await files.getByText('three.txt').waitFor()
    await picker.setInputFiles([text('nothing.txt', '')])
    await page.locator('[data-sonner-toast]').filter({ hasText: 'Not attached' }).waitFor()
    await expect.poll(() => standsClear(page, 'Not attached', files)).toBe(true)
  },
)
