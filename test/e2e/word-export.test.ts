/** @module-tag long */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { extract } from '../../functions/documents/extract.ts'
import { screenshot } from '../support/browser.ts'
import { openHistory, sendMessage, signedInPage, waitForReplyEnd } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

it('a conversation and a reply are downloaded as Word documents, which the service reads', async () => {
  const { page } = await signedInPage(stack, { viewport: { width: 390, height: 844 } })
  await sendMessage(page, '/markdown')
  await waitForReplyEnd(page)
  const save = async (button: string | RegExp, ...[item, ...before]: [string, ...string[]]) => {
    await page.getByRole('button', { name: button }).last().click()
    for (const entry of before) await page.getByRole('menuitem', { name: entry }).click()
    await page.getByRole('menuitem', { name: item }).waitFor()
    await screenshot(page, 'word-export-menu')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.docx$/)
    const { text } = await extract('word', new Uint8Array(await readFile(await download.path())))
    return text.text
  }
  const reply = await save('More for this reply', 'Export as Word')
  for (const said of [
    'Markdown at a glance',
    '  - by urgency',
    'Monday\tOld town on foot',
    '(ln',
    'The small print',
  ])
    expect(reply).toContain(said)
  await openHistory(page)
  const conversation = await save(/^More for /, 'Export as Word', 'Export…')
  expect(conversation).toMatch(/^You, /m)
  expect(conversation).toContain('The small print')
})
