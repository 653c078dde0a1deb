import { expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { sendMessage, signedInPage, waitForReplyEnd } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { stack } = await scriptedStack(
  Array.from({ length: 40 }, (_, index) => `Paragraph ${index}`).join('\n\n'),
)

it('at 400 % zoom a conversation has more than half of the height', async () => {
  const { page } = await signedInPage(stack)
  await sendMessage(page, 'Tell me more')
  await waitForReplyEnd(page)
  await page.setViewportSize({ width: 320, height: 256 })
  await page.getByText('Paragraph 10', { exact: true }).scrollIntoViewIfNeeded()
  await page
    .getByText('Paragraph 10', { exact: true })
    .evaluate((text) => text.scrollIntoView({ block: 'center' }))
  const countTextLines = () =>
    page.evaluate(
      () =>
        Array.from({ length: 256 }, (_, y) => document.elementFromPoint(160, y)).filter((element) =>
          element?.closest('.is-reply'),
        ).length,
    )
  await expect.poll(countTextLines).toBeGreaterThan(128)
  await screenshot(page, 'zoom-400')
})

it('forced colours show who speaks and which conversation is open', async () => {
  const { page } = await signedInPage(stack)
  await page.emulateMedia({ forcedColors: 'active' })
  await sendMessage(page, 'Who speaks?')
  await waitForReplyEnd(page)
  const bubble = page.locator('main .bg-accent-soft[translate=no]').last()
  await expect.poll(() => bubble.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px')
  await screenshot(page, 'forced-colours')
  await page
    .getByRole('button', { name: /conversations|history/i })
    .first()
    .click()
  const open = page.locator('li[data-session]:has([aria-current])')
  await open.waitFor()
  await expect.poll(() => open.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
})
