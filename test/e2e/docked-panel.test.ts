import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { screenshot, withMotion } from '../support/browser.ts'
import {
  composer,
  openHistory,
  waitForReplyEnd,
  sendMessage,
  signedInPage,
  waitForFocus,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

const wide = { ...withMotion, viewport: { width: 1280, height: 800 } }
const overlay = (page: Page) => page.getByRole('dialog', { name: 'Your Conversations' })
const docked = (page: Page) => page.getByRole('complementary', { name: 'Your Conversations' })
const title = 'Tell me about Rome'

async function dock(page: Page) {
  await openHistory(page)
  await overlay(page).getByRole('button', { name: 'Keep open beside the chat' }).press('Enter')
  await docked(page).waitFor()
  // the pointer is still where the panel was opened, and the tooltip there belongs to no landmark
  await page.mouse.move(800, 400)
  await expect.poll(() => page.getByRole('tooltip').count()).toBe(0)
}
async function sendAndWait(page: Page, text: string) {
  await sendMessage(page, text)
  await waitForReplyEnd(page)
}

it('DEC-167 docks beside the chat, where both can be used; is restored without a layout shift, and becomes the overlay where there is no room', async () => {
  const { page } = await signedInPage(stack, wide)
  await sendAndWait(page, title)
  await dock(page)
  expect(await overlay(page).count()).toBe(0)
  const panelBox = await docked(page).boundingBox()
  const composerBox = await composer(page).boundingBox()
  expect(composerBox?.x).toBeGreaterThan((panelBox?.x ?? 0) + (panelBox?.width ?? 0))
  expect(await findViolations(page)).toEqual([])
  await screenshot(page, 'docked panel wide')

  // the focus is not trapped: the chat can be used beside the panel, and Escape closes nothing
  await docked(page).getByRole('button', { name: 'Start Fresh Chat' }).press('Enter')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  await waitForFocus(composer(page))
  await sendAndWait(page, 'And about Naples')
  await docked(page)
    .getByRole('button', { name: /^And about Naples/ })
    .waitFor()
  await docked(page)
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'You', exact: true }).locator('..').getByText(title).waitFor()
  await waitForFocus(composer(page))
  await expect.poll(() => docked(page).count()).toBe(1)

  // the button of the top bar moves the focus into it
  await openHistory(page)
  await waitForFocus(docked(page))

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.reload()
  await docked(page)
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .waitFor()
  await page.waitForLoadState('networkidle')
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.01)
  expect(await findViolations(page)).toEqual([])
  await screenshot(page, 'docked panel wide dark')

  await page.emulateMedia({ media: 'print' })
  expect(await docked(page).isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })

  await page.setViewportSize({ width: 1023, height: 800 })
  await expect.poll(() => docked(page).count()).toBe(0)
  await openHistory(page)
  await overlay(page).waitFor()
  expect(await overlay(page).getByRole('button', { name: 'Keep open beside the chat' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => overlay(page).count()).toBe(0)

  await page.setViewportSize({ width: 1024, height: 800 })
  await docked(page).waitFor()
  await screenshot(page, 'docked panel 1024')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1024)

  await docked(page).getByRole('button', { name: 'Close conversations' }).click()
  await expect.poll(() => docked(page).count()).toBe(0)
  await page.reload()
  await composer(page).waitFor()
  expect(await docked(page).count()).toBe(0)
  await openHistory(page)
  await overlay(page).waitFor()
})
