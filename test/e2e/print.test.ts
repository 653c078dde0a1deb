import { afterAll, expect, it } from 'vitest'
import { waitForReplyEnd, sendMessage, signedInPage } from '../support/page-steps.ts'
import { printPages } from '../support/print-pages.ts'
import { demoStack } from '../support/shared-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import { storeTurns } from '../support/store-turns.ts'

const stack = await demoStack()
const table = await openStackTable(stack)
afterAll(() => table.close())

it('a conversation is printed in full, over several pages, without controls', async () => {
  const user = await stack.newUser()
  // more messages than the page shows at first
  const sessionId = await storeTurns(table, user, 16, (turn) => [`Question ${turn}.`, `Answer ${turn}.`])
  const { page } = await signedInPage(stack, { colorScheme: 'dark' }, user)
  await page.goto(`/?c=${sessionId}`)
  await page.locator('main').getByText('Answer 16.', { exact: true }).waitFor()
  await sendMessage(page, '/markdown')
  await waitForReplyEnd(page)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const onScreen = await background()

  const text = await printPages(page)
  expect(text.length).toBeGreaterThan(2)
  const all = text.join('\n')
  for (const said of ['Question 1.', 'Answer 16.', 'A formula', 'The small print'])
    expect(all).toContain(said)
  for (const shown of ['Press Enter to send', 'Connect Tools', 'Demo model']) expect(all).not.toContain(shown)

  // paper is white in the dark theme, too
  await page.emulateMedia({ media: 'print' })
  expect([onScreen, await background()]).toEqual(['rgb(21, 20, 18)', 'rgb(255, 255, 255)'])
})
