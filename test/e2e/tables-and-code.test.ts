/** @module-tag long */
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { waitForReplyEnd, sendMessage, sharePage, signedInPage } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()
const sharedPage = sharePage(() => signedInPage(stack))

it('a list inside a task is indented', async () => {
  const { page } = await sharedPage()
  await sendMessage(page, '/echo - [ ] Pack\n  - [ ] Socks\n  1. Shoes')
  await waitForReplyEnd(page)
  const readLeftEdge = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().left)
  const [outer, inner] = await Promise.all(
    [0, 1].map((at) => readLeftEdge(page.getByRole('checkbox').nth(at))),
  )
  expect(inner! - outer!).toBeGreaterThan(16)
})

it('a table is copied as CSV and as Markdown with the keyboard, and code has colours', async () => {
  const { page } = await sharedPage()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await sendMessage(page, '/markdown')
  await waitForReplyEnd(page)

  const csv = page.getByRole('button', { name: 'Copy table as CSV' })
  await csv.focus()
  await page.keyboard.press('Enter')
  await expect.poll(copied).toContain('Day,Plan,Hours\r\nMonday,Old town on foot,4\r\n')
  // spreadsheets take cells from HTML
  const html = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    return (await item?.getType('text/html'))?.text()
  })
  expect(html).toContain('<td>Monday</td><td>Old town on foot</td><td>4</td>')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect
    .poll(copied)
    .toContain('| Day | Plan | Hours |\n| :-- | :-- | --: |\n| Monday | Old town on foot | 4 |\n')

  const keyword = page.getByRole('group', { name: 'TypeScript' }).locator('.text-code-keyword').first()
  await keyword.waitFor()
  await expect.poll(() => keyword.textContent()).toBe('export')
  await forEachSizeAndTheme(page, async (look, rules) => {
    await csv.scrollIntoViewIfNeeded()
    await screenshot(page, `table-${look}`)
    await keyword.scrollIntoViewIfNeeded()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    await screenshot(page, `code-${look}`)
    expect(await findViolations(page, ...rules)).toEqual([])
  })
})
