import type { Page } from 'playwright-core'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, it } from 'vitest'
import { replyFinished, sendMessage, signedInPage } from '../support/page-steps.ts'
import { enrolOnPage } from '../support/two-factor-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

/** The text of each printed page. */
async function printPages(page: Page): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4' })))
  return (await extractText(pdf)).text
}

it('a conversation is printed in full, over several pages, without controls', async () => {
  const { page, user } = await signedInPage(stack, { colorScheme: 'dark' })
  const sessionId = crypto.randomUUID()
  // more messages than the page shows at first
  for (let turn = 1; turn <= 16; turn += 1)
    await user.call('chat.send', {
      body: { sessionId, messages: [{ role: 'user', content: `/echo Answer ${turn}.` }] },
    })
  await page.goto(`/?c=${sessionId}`)
  await page.locator('main').getByText('Answer 16.', { exact: true }).waitFor()
  await sendMessage(page, '/markdown')
  await replyFinished(page)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const onScreen = await background()

  const text = await printPages(page)
  expect(text.length).toBeGreaterThan(2)
  const all = text.join('\n')
  for (const said of ['/echo Answer 1.', 'Answer 16.', 'A formula', 'The small print'])
    expect(all).toContain(said)
  for (const shown of ['Press Enter to send', 'Connect Tools', 'Demo model']) expect(all).not.toContain(shown)

  // paper is white in the dark theme, too
  await page.emulateMedia({ media: 'print' })
  expect([onScreen, await background()]).toEqual(['rgb(21, 20, 18)', 'rgb(255, 255, 255)'])
})

it('backup codes are printed without the rest of the page', async () => {
  const { page } = await signedInPage(stack)
  const { backupCodes } = await enrolOnPage(page)
  const [only = '', ...more] = await printPages(page)
  expect(more).toEqual([])
  for (const code of [...backupCodes, 'Save your backup codes']) expect(only).toContain(code)
  for (const other of ['Your Profile', 'Copy all', 'Continue to Settings']) expect(only).not.toContain(other)
})
