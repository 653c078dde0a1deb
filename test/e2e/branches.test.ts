/** @module-tag long */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import {
  openHistory,
  waitForReplyEnd,
  sendMessage,
  sharePage,
  signedInPage,
  waitForFocus,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()
const sharedPage = sharePage(() => signedInPage(stack))

const versions = (page: Page) => page.getByRole('group', { name: 'Versions of this message' })
const previous = (page: Page) => versions(page).getByRole('button', { name: 'Previous version' })
const next = (page: Page) => versions(page).getByRole('button', { name: 'Next version' })
const waitForVersion = (page: Page, text: string) => versions(page).getByText(text, { exact: true }).waitFor()
const waitForReply = (page: Page, text: string) =>
  page.locator('.is-reply').getByText(text, { exact: true }).waitFor()
const replies = (page: Page) => page.locator('.is-reply .prose p').allTextContents()

async function edit(page: Page, index: number, text: string) {
  await page.getByRole('button', { name: 'Edit message' }).nth(index).click()
  await page.getByLabel('Edit your message').fill(text)
  await page.keyboard.press('Enter')
  await waitForReplyEnd(page)
}

it('DEC-163 an edited message keeps its earlier version, which can be shown again, survives a reload and can be continued', async () => {
  const { page } = await sharedPage()
  for (const text of ['/echo One', '/echo Two', '/echo Three']) {
    await sendMessage(page, text)
    await waitForReplyEnd(page)
  }
  await edit(page, 1, '/echo Two, better')
  await waitForVersion(page, '2 of 2')
  await expect.poll(() => replies(page)).toEqual(['One', 'Two, better'])
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolations(page, ...rules)).toEqual([])
    await screenshot(page, `versions-${look}`)
  })
  // on the smallest phone the buttons are large enough for a finger, and nothing is wider than the page
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 700 })
  for (const button of [previous(page), next(page)]) {
    await expect.poll(async () => (await button.boundingBox())?.width).toBeGreaterThanOrEqual(44)
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)
  if (size) await page.setViewportSize(size)

  await previous(page).click()
  await waitForReply(page, 'Three')
  await waitForVersion(page, '1 of 2')
  await expect.poll(() => replies(page)).toEqual(['One', 'Two', 'Three'])
  // a button that cannot be used any more keeps the focus, so that keyboard users stay there
  await expect.poll(() => previous(page).getAttribute('aria-disabled')).toBe('true')
  await waitForFocus(previous(page))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await waitForReply(page, 'Two, better')
  await waitForVersion(page, '2 of 2')
  await expect.poll(() => replies(page)).toEqual(['One', 'Two, better'])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await waitForReply(page, 'Three')

  await page.reload()
  await waitForReply(page, 'Three')
  await waitForVersion(page, '1 of 2')
  await sendMessage(page, '/echo Four')
  await waitForReplyEnd(page)
  await expect.poll(() => replies(page)).toEqual(['One', 'Two', 'Three', 'Four'])
  await next(page).click()
  await waitForReply(page, 'Two, better')
  await previous(page).click()
  await waitForReply(page, 'Four')
  await expect.poll(() => replies(page)).toEqual(['One', 'Two', 'Three', 'Four'])
})

it(
  'DEC-163 DEC-168 a search result in an earlier version shows that version',
  { tags: 'trial' },
  async () => {
    const { page } = await sharedPage()
    for (const text of ['/echo One', '/echo Lighthouse']) {
      await sendMessage(page, text)
      await waitForReplyEnd(page)
    }
    await edit(page, 1, '/echo Two')
    await waitForVersion(page, '2 of 2')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Lighthouse')
    await page.getByRole('option', { name: /Lighthouse/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await waitForReply(page, 'Lighthouse')
    await waitForVersion(page, '1 of 2')
    expect(await page.getByText('Message not found').count()).toBe(0)
  },
)

it('an export starts with the shown version, and marks the other one', { tags: 'trial' }, async () => {
  const { page } = await signedInPage(stack)
  await sendMessage(page, '/echo One')
  await waitForReplyEnd(page)
  await edit(page, 0, '/echo Uno')
  await waitForVersion(page, '2 of 2')
  await previous(page).click()
  await waitForReply(page, 'One')
  await openHistory(page)
  const save = async (item: string) => {
    await page.getByRole('button', { name: /^More for / }).click()
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    return readFile(await download.path(), 'utf8')
  }
  const { messages, other_versions: others } = JSON.parse(await save('Export as JSON')) as Record<
    'messages' | 'other_versions',
    { content: string }[]
  >
  expect(messages.map(({ content }) => content)).toEqual(['/echo One', 'One'])
  expect(others.map(({ content }) => content)).toEqual(['/echo Uno', 'Uno'])
  expect(await save('Export as Markdown')).toMatch(
    /version 1 of 2\n\n\/echo One\n[^]*\n# Other versions\n[^]*version 2 of 2\n\n\/echo Uno\n/,
  )
})

it(
  'a regenerated reply is a version too; while a reply is written none can be chosen, and the button says why',
  { tags: 'trial' },
  async () => {
    const { page } = await sharedPage()
    await sendMessage(page, '/echo One')
    await waitForReplyEnd(page)
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await waitForVersion(page, '2 of 2')
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await waitForVersion(page, '3 of 3')
    await sendMessage(page, '/slow')
    await expect.poll(() => previous(page).getAttribute('aria-disabled')).toBe('true')
    await previous(page).focus()
    await page.keyboard.press('Enter')
    await waitForVersion(page, '3 of 3')
    await previous(page).hover()
    await page.getByRole('tooltip').getByText('Wait for the reply, or stop it').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Stop/ }).click()
    await waitForReplyEnd(page)
    await previous(page).click()
    await waitForVersion(page, '2 of 3')
    await expect.poll(() => replies(page)).toEqual(['One'])
  },
)

it(
  'a version that cannot be shown is reported with advice, and the page stays as it is',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack, { expected: [{ url: /\/version$/, status: 'network' }] })
    await sendMessage(page, '/echo One')
    await waitForReplyEnd(page)
    await edit(page, 0, '/echo Uno')
    await page.route('**/version', (route) => route.abort())
    await previous(page).click()
    await page.getByText('This version could not be shown').waitFor()
    await waitForVersion(page, '2 of 2')
    await expect.poll(() => replies(page)).toEqual(['Uno'])
    await page.unroute('**/version')
    await previous(page).click()
    await waitForReply(page, 'One')
  },
)
