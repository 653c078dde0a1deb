/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { screenshot, waitForFrames, withMotion } from '../support/browser.ts'
import {
  composer,
  openHistory,
  waitForReplyEnd,
  sendMessage,
  signedInPage,
  waitForFocus,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'
import { settled } from '../support/settled.ts'

const stack = await demoStack()

const wide = { ...withMotion, viewport: { width: 1280, height: 800 } }
const overlay = (page: Page) => page.getByRole('dialog', { name: 'Your Conversations' })
const docked = (page: Page) => page.getByRole('complementary', { name: 'Your Conversations' })
const title = 'Tell me about Rome'

async function sendAndWait(page: Page, text: string) {
  await sendMessage(page, text)
  await waitForReplyEnd(page)
}

it('DEC-167 TOP-02 is beside the chat on a wide screen, where both can be used; the button of the top bar hides and shows it, and it opens over the page where there is no room', async () => {
  const { page } = await signedInPage(stack, wide)
  await docked(page).waitFor()
  await sendAndWait(page, title)
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

  const historyButton = page.getByRole('button', { name: 'Your Conversations' })
  await historyButton.press('Enter')
  await expect.poll(() => docked(page).count()).toBe(0)
  await expect.poll(() => historyButton.getAttribute('aria-expanded')).toBe('false')
  await page.reload()
  await composer(page).waitFor()
  expect(await docked(page).count()).toBe(0)
  await historyButton.press('Enter')
  await docked(page).waitFor()
  await expect.poll(() => historyButton.getAttribute('aria-expanded')).toBe('true')
  await waitForFocus(historyButton)

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
  await settled(page)
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.01)
  expect(await findViolations(page)).toEqual([])
  await screenshot(page, 'docked panel wide dark')

  await page.emulateMedia({ media: 'print' })
  expect(await docked(page).isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })

  await page.setViewportSize({ width: 1279, height: 800 })
  await expect.poll(() => docked(page).count()).toBe(0)
  await openHistory(page)
  await overlay(page).waitFor()
  expect(await overlay(page).getByRole('button', { name: 'Keep open beside the chat' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => overlay(page).count()).toBe(0)

  await page.setViewportSize({ width: 1280, height: 800 })
  await docked(page).getByRole('button', { name: 'Open over the chat instead' }).press('Enter')
  await overlay(page).waitFor()
  expect(await docked(page).count()).toBe(0)
  await page.reload()
  await composer(page).waitFor()
  expect(await docked(page).count()).toBe(0)
  await openHistory(page)
  await overlay(page).getByRole('button', { name: 'Keep open beside the chat' }).press('Enter')
  await docked(page).waitFor()
  expect(await overlay(page).count()).toBe(0)
  await waitForFocus(composer(page))
})

it('a dialog that was opened from it stays, with what was typed there, while the window becomes narrow: also by zooming', async () => {
  const { page } = await signedInPage(stack, wide)
  await docked(page).getByRole('button', { name: 'New project' }).click()
  const name = page.getByRole('dialog', { name: 'New project' }).getByLabel('Name')
  await name.fill('Rome')
  await page.setViewportSize({ width: 640, height: 400 })
  await waitForFrames(page)
  await expect.poll(() => name.inputValue()).toBe('Rome')
  await waitForFocus(name)
  await name.press('Enter')
  // the page of the project, without the list, for which there is no room
  await page.waitForURL(/\/projects\//)
  await expect.poll(() => docked(page).count()).toBe(0)
})
