/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { waitForReplyEnd, sendMessage, signedInPage } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { storeTurns } from '../support/store-turns.ts'

const { stack, table } = await scriptedStack('The last word.')

const scrollToTop = (page: Page) => page.getByRole('main').evaluate((node) => (node.scrollTop = 0))

it.each([
  ['desk', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
])(
  'after Send the message is in view and the reply is followed, wherever one had scrolled: %s',
  async (_name, viewport) => {
    const user = await stack.newUser()
    const sessionId = await storeTurns(table, user, 120, (turn) => [
      `Question ${turn}`,
      `Answer ${turn}. `.repeat(20 + ((turn * 37) % 160)),
    ])
    const { page } = await signedInPage(stack, { viewport }, user)
    await page.goto(`/?c=${sessionId}`)
    await page.getByText('Question 120').waitFor()
    // each time at the top, earlier messages are shown
    for (const turn of [105, 90, 75]) {
      await scrollToTop(page)
      await page.getByText(`Question ${turn}`, { exact: true }).waitFor()
    }
    await scrollToTop(page)
    await sendMessage(page, 'Where am I?')
    await waitForReplyEnd(page)
    const readRest = () =>
      page.getByRole('main').evaluate((node) => node.scrollHeight - node.clientHeight - node.scrollTop)
    await expect.poll(readRest).toBeLessThan(3)
    expect(await page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0)
  },
)
