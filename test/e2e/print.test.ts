/** @module-tag long */
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { openHistory, waitForReplyEnd, sendMessage, signedInPage } from '../support/page-steps.ts'
import { printPages } from '../support/print-pages.ts'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
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

/** Opens the dialog that prints the newest conversation. */
async function openPrintDialog(page: Page) {
  await openHistory(page)
  await page
    .getByRole('button', { name: /^More for / })
    .first()
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Export…' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Print or save as PDF…' }).press('Enter')
  return page.getByRole('dialog')
}

it('the dialog of a conversation prints all of it, with its title, and nothing is cut off', async () => {
  const user = await stack.newUser()
  const wide = `| ${'A heading of this column | '.repeat(9)}\n|${'-|'.repeat(9)}\n| ${'some-long-content-in-this-cell | '.repeat(9)}`
  const narrow = `| No | Name | Remark |\n|-:|-|-|\n| 1,204 | Anna | ${'a long remark '.repeat(20)}|`
  const reply = `${wide}\n\n${narrow}\n\n\`\`\`js\n${'const a = 1; '.repeat(40)}lastWord()\n\`\`\`\n\n<details>\n<summary>More</summary>\n\nHidden text.\n\n</details>`
  await storeTurns(table, user, 30, (turn) => [`Question ${turn}.`, turn === 30 ? reply : `Answer ${turn}.`])
  const { page } = await signedInPage(stack, { viewport: { width: 390, height: 844 } }, user)
  const dialog = await openPrintDialog(page)
  await dialog.getByText('Question 30.').waitFor()
  await dialog.getByRole('table').last().waitFor()
  await screenshot(page, 'print-dialog')
  const printed = page.evaluate(() => new Promise((done) => (window.print = () => done(document.title))))
  await dialog.getByRole('button', { name: 'Print', exact: true }).click()
  expect(await printed).toMatch(/Question 1/)

  const all = (await printPages(page)).join('\n')
  for (const said of ['Question 1.', 'Answer 29.', 'Hidden text.', 'lastWord()']) expect(all).toContain(said)
  expect(all.replaceAll(/\s/g, '').split('some-long-content-in-this-cell')).toHaveLength(10)
  for (const shown of [
    'To make a PDF',
    'Cancel',
    'Press Enter',
    'Your Conversations',
    '1 conversation saved',
  ])
    expect(all).not.toContain(shown)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 700, height: 900 })
  const overflow = await page.evaluate(
    () =>
      [...document.querySelectorAll('[data-sheet] *')].filter(
        (each) => each.getBoundingClientRect().right > innerWidth + 1,
      ).length,
  )
  expect(overflow).toBe(0)
  const countLines = (text: string) =>
    dialog.getByText(text, { exact: true }).evaluate((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size
    })
  expect(await Promise.all(['No', '1,204', 'Anna'].map(countLines))).toEqual([1, 1, 1])
})

/** Imports a conversation whose reply has a table of many columns below it. @returns its id */
async function importTable(user: StackUser): Promise<string> {
  const at = '2026-03-01T12:00:00.000Z'
  const columns = Array.from({ length: 9 }, (_, index) => `a_column_${index}`)
  const row = columns.map((_, index) => `some long content in cell ${index}`)
  const data = { columns, rows: [row, row], total_rows: 2, sources: [{ table: 't', file: 'A.csv' }] }
  const call = {
    tool: 'query_table',
    action: 'Query tables',
    parameters: {},
    result: { success: true, data },
  }
  await user.call('imports.add', {
    body: {
      import_id: crypto.randomUUID(),
      source: 'juno',
      conversations: [
        {
          source_id: 'c1',
          title: 'Tables',
          created_at: at,
          updated_at: at,
          turns: 1,
          message_count: 2,
          messages: [
            { turn: 1, role: 'user', content: 'List them.', created_at: at },
            { turn: 1, role: 'assistant', content: 'Here they are.', created_at: at, tool_calls: [call] },
          ],
          complete: true,
        },
      ],
    },
  })
  const { sessions } = await user.call('sessions.list', { query: { view: 'active' } })
  return sessions[0]?.id ?? ''
}

it('a table below a reply is printed whole, by the browser and by the dialog', async () => {
  const user = await stack.newUser()
  const sessionId = await importTable(user)
  const { page } = await signedInPage(stack, {}, user)
  await page.goto(`/?c=${sessionId}`)
  await page.getByRole('figure').getByRole('table').waitFor()
  const readPrint = async () => (await printPages(page)).join('').replaceAll(/\s/g, '')
  expect(await readPrint()).toContain('contentincell8')
  await openHistory(page)
  await page
    .getByRole('button', { name: /^More for / })
    .first()
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Export…' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Print or save as PDF…' }).press('Enter')
  await page.getByRole('dialog').getByRole('table').waitFor()
  expect(await readPrint()).toContain('contentincell8')
})

it('the dialog prints diagrams that nobody has scrolled to', async () => {
  const user = await stack.newUser()
  const diagram = '```mermaid\ngraph LR\n  A[Drawn] --> B[Whole]\n```'
  await storeTurns(table, user, 30, (turn) => [
    `Question ${turn}.`,
    turn === 30 ? diagram : `Answer ${turn}.`,
  ])
  const { page } = await signedInPage(stack, {}, user)
  const dialog = await openPrintDialog(page)
  await dialog.getByText('Question 30.').waitFor()
  await dialog.locator('iframe').waitFor({ state: 'attached' })
  const drawn = page.evaluate(
    () =>
      new Promise<number>(
        (done) =>
          (window.print = () =>
            done(document.querySelectorAll('[role="dialog"] iframe:not([aria-hidden])').length)),
      ),
  )
  await dialog.getByRole('button', { name: 'Print', exact: true }).click()
  expect(await drawn).toBe(1)
})
