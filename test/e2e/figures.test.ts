/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { composer, sendMessage, signedInPage, waitForReplyEnd } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { settled } from '../support/settled.ts'

const { stack, table } = await scriptedStack('Hello.')

const desk = { viewport: { width: 1440, height: 900 } }
const docked = (page: Page) => page.getByRole('complementary', { name: 'Your Conversations' })

/** How many things of the page can be pressed or typed in. */
const countControls = (page: Page) =>
  page
    .locator('a[href], button, input, textarea, select')
    .evaluateAll(
      (elements) => elements.filter((element) => element.checkVisibility({ opacityProperty: true })).length,
    )

/** How many elements Tab reaches until it comes back to the first of them, or leaves the page. */
async function countTabStops(page: Page): Promise<number> {
  const seen = await page.evaluateHandle(() => new Set<Element | null>())
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  for (;;) {
    await page.keyboard.press('Tab')
    const isNew = await seen.evaluate((elements) => {
      const active = document.activeElement
      if (active === document.body || elements.has(active)) return false
      elements.add(active)
      return true
    })
    if (!isNew) return seen.evaluate(({ size }) => size)
  }
}

it('with 54 conversations Tab stops at most 25 times; a conversation is one line, its buttons are reached by the arrow keys, and its menu has at most seven entries', async () => {
  const user = await stack.newUser()
  await Promise.all(
    Array.from({ length: 54 }, (_, index) => {
      const at = new Date(Date.now() - index * 3_600_000).toISOString()
      return table.put(user.sub, `S#${crypto.randomUUID()}`, {
        title: `Chat ${index} about what was agreed on with the hotel`,
        created_at: at,
        updated_at: at,
        message_count: 2,
        rev: 1,
      })
    }),
  )
  const { page } = await signedInPage(stack, desk, user)
  const row = (number: number) => docked(page).getByRole('button', { name: new RegExp(`^Chat ${number} `) })
  await row(53).waitFor()
  await settled(page)
  expect(await countTabStops(page)).toBeLessThanOrEqual(25)

  const box = await docked(page)
    .getByRole('listitem')
    .filter({ hasText: /^Chat 3 / })
    .boundingBox()
  expect(box?.height).toBe(34)
  // all of the row but its padding
  const title = await row(3)
    .getByText(/^Chat 3 /)
    .first()
    .boundingBox()
  expect(title?.width).toBe((box?.width ?? 0) - 24)

  await row(0).focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'Enter'])
    await page.keyboard.press(key)
  const entries = page.getByRole('menuitem')
  await entries.first().waitFor()
  await expect.poll(() => entries.count()).toBeLessThanOrEqual(7)
  await screenshot(page, 'docked list menu wide')
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).press('Enter')
  await row(1).waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toMatch(/^More for Chat 2 /)
})

it('CHAT-09 CHAT-35 CHAT-36 the first page has at most 20 controls, and one more a conversation; with the tenth message the hints go, and nothing is above or below the field', async () => {
  const { page } = await signedInPage(stack, desk)
  await page.getByRole('link', { name: 'Connect Tools' }).waitFor()
  await settled(page)
  expect(await countControls(page)).toBeLessThanOrEqual(20)
  await page.getByText('Press Enter to send • Shift + Enter for new line').waitFor()
  await screenshot(page, 'first page wide')

  await page.evaluate(() => localStorage.setItem('juno.sent-messages', '9'))
  await page.reload()
  await sendMessage(page, 'Hello')
  await waitForReplyEnd(page)
  await docked(page).getByRole('button', { name: 'Start Fresh Chat' }).click()
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  await settled(page)
  // the conversation adds one
  expect(await countControls(page)).toBeLessThanOrEqual(21)
  expect(await page.getByText(/Press Enter to send|^Juno Online$/).count()).toBe(0)
  const hint = page.getByText('Start by typing a message or choosing a quick action above')
  expect(await hint.isVisible()).toBe(false)
  const id = await hint.getAttribute('id')
  await expect.poll(() => composer(page).getAttribute('aria-describedby')).toBe(id)
  const brand = page.getByRole('link', { name: 'Juno', exact: true })
  await expect.poll(() => brand.getAttribute('title')).toBe('Juno Online')
  const field = await composer(page).locator('xpath=ancestor::section').boundingBox()
  const form = await composer(page).locator('xpath=ancestor::form').boundingBox()
  expect((form?.y ?? 0) + (form?.height ?? 0)).toBeGreaterThanOrEqual(
    (field?.y ?? 0) + (field?.height ?? 0) - 12,
  )
  await screenshot(page, 'first page later wide')
})

it('at 400 % zoom the conversation has at least half of the height', async () => {
  const { page } = await signedInPage(stack, desk)
  await sendMessage(page, 'Hello')
  await waitForReplyEnd(page)
  await page.setViewportSize({ width: 320, height: 256 })
  await settled(page)
  const bar = await page.getByRole('banner').boundingBox()
  const form = await composer(page).locator('xpath=ancestor::form').boundingBox()
  await screenshot(page, 'zoom 400')
  expect((form?.y ?? 0) - (bar?.height ?? 0)).toBeGreaterThanOrEqual(128)
})
