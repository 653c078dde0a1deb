import type { Page } from 'playwright-core'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import { waitForReplyEnd, sendMessage, signedInPage } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()

/** Responds as if these messages, in their order, had been written some days ago. */
const moveMessages = (page: Page, sessionId: string, days: readonly number[]) =>
  page.route(`**/api/sessions/${sessionId}*`, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { messages: { created_at: string }[] }
    for (const [index, ago] of days.entries()) {
      const message = answer.messages[index]
      if (message) message.created_at = daysAgo(ago)
    }
    await route.fulfill({ response, json: answer })
  })

it('a conversation of several days shows their dates, in print too', { tags: 'trial' }, async () => {
  const { page, user } = await signedInPage(stack)
  const sessionId = crypto.randomUUID()
  for (const text of ['First', 'Second'])
    await user.call('chat.send', {
      body: { sessionId, messages: [{ role: 'user', content: `/echo ${text}.` }] },
    })
  await page.goto(`/?c=${sessionId}`)
  const separators = page.getByRole('separator')
  await page.getByText('Second.', { exact: true }).waitFor()
  // a conversation of today only
  expect(await separators.count()).toBe(0)

  await moveMessages(page, sessionId, [400, 400, 1, 1])
  await page.reload()
  await page.getByRole('separator', { name: 'Yesterday' }).waitFor()
  const names = () => separators.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
  const year = daysAgo(400).slice(0, 4)
  await expect.poll(() => names()).toEqual([expect.stringContaining(year), 'Yesterday'])
  await sendMessage(page, '/echo Third.')
  await page.getByRole('separator', { name: 'Today' }).waitFor()
  await waitForReplyEnd(page)
  await expect.poll(() => names()).toEqual([expect.stringContaining(year), 'Yesterday', 'Today'])
  await forEachSizeAndTheme(page, async (look, rules) => {
    await screenshot(page, `days-${look}`)
    expect(await findViolations(page, ...rules)).toEqual([])
    expect(await findCutOffElements(page)).toEqual([])
  })
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4' })))
  const { text } = await extractText(pdf, { mergePages: true })
  for (const day of [year, 'Yesterday', 'Today']) expect(text).toContain(day)
})
