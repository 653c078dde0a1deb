/** @module-tag long */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolationsIn } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { calls, says } from '../support/fake-model-server.ts'
import { signedInPage } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { uploadFile } from '../support/upload.ts'

const { model, stack } = await scriptedStack('Fine.')

const regions = ['South', 'North', 'West', 'East']
const csv = `order_no,customer,region,delivered,days_late,total_eur\n${Array.from(
  { length: 5_000 },
  (_, index) =>
    `WH-${31_000 + index},Customer ${index % 90},${regions[index % 4]},2026-0${(index % 9) + 1}-12,${(index * 7) % 41},${(index * 7_919) % 100_003}.50\n`,
).join('')}`
const list =
  'SELECT order_no, customer, region, delivered, days_late, total_eur FROM orders WHERE days_late > 4 ORDER BY days_late DESC, order_no'
const groups =
  'SELECT region, count(*) AS orders, sum(total_eur) AS total FROM orders GROUP BY region ORDER BY 3 DESC'
const query = (id: string, sql: string) => ({ id, name: 'query_table', arguments: JSON.stringify({ sql }) })

/** A conversation with three queries, one of them wrong, opened on the page. */
async function openReply(addition = '') {
  const user = await stack.newUser()
  const file = await uploadFile(user, { name: 'orders.csv', type: 'text/csv', content: csv })
  model.behave(
    calls(query('c1', list)),
    calls(query('c2', 'SELECT nope FROM orders'), query('c3', groups)),
    says('**South is worst**: one order in eight is late there.'),
  )
  const sessionId = crypto.randomUUID()
  await user.call('chat.send', {
    body: {
      sessionId,
      messageId: crypto.randomUUID(),
      messages: [{ role: 'user', content: 'Which orders came late?', attachments: [{ id: file.id }] }],
    },
  })
  const { page } = await signedInPage(stack, { expected: [{ url: /\/api\/queries$/, status: 404 }] }, user)
  await page.goto(`/?c=${sessionId}${addition}`)
  const tables = page.getByRole('figure')
  await expect.poll(() => tables.count()).toBe(2)
  return { user, page, file, sessionId, long: tables.first(), short: tables.last() }
}

async function readDownload(page: Page, press: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  const text = await readFile(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), lines: text.split('\r\n').length - 2 }
}

it('a reply shows its queries, and their results as tables that page, are copied and downloaded whole', async () => {
  const { page, long, short, user, file } = await openReply()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await expect.poll(() => long.getByRole('row').count()).toBe(13)
  await expect.poll(() => short.getByRole('row').count()).toBe(5)
  await page.getByRole('button', { name: /orders\.csv · Query tables · 4,390 rows/ }).click()
  const sql = page.getByRole('group', { name: 'SQL' })
  await expect.poll(() => sql.innerText()).toBe(list.replaceAll(/ (?=FROM|WHERE|ORDER)/g, '\n'))
  await page.getByText('From orders.csv, A1:F5001. The file was not changed.').waitFor()
  await page.getByRole('button', { name: /Query tables · no such column: nope/ }).waitFor()
  await forEachSizeAndTheme(page, async (look, rules) => {
    await sql.scrollIntoViewIfNeeded()
    await screenshot(page, `query-${look}`)
    await long.getByRole('button', { name: 'Show 50 more' }).scrollIntoViewIfNeeded()
    await screenshot(page, `query-table-${look}`)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    expect(await findViolationsIn(page, '.is-reply', ...rules)).toEqual([])
  })

  await long.getByRole('button', { name: 'Copy table' }).focus()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^order_no\tcustomer\tregion\tdelivered\tdays_late\ttotal_eur\nWH-31\d{3}\tCustomer \d+\t/)
  // beyond the rows that are stored with the message
  const more = long.getByRole('button', { name: 'Show 50 more' })
  for (const rows of [62, 112, 162, 212]) {
    await more.press('Enter')
    await long.getByText(`${rows} of 4,390 rows`).waitFor()
  }
  await expect.poll(() => long.getByRole('row').count()).toBe(213)
  const all = await readDownload(page, () =>
    long.getByRole('button', { name: 'Download as CSV' }).press('Enter'),
  )
  expect(all).toEqual({ name: 'orders.csv', lines: 4_390 })
  await long.getByText('The CSV has 4,390 rows.').waitFor()

  await user.call('files.delete', { params: { attachmentId: file.id } })
  await page.reload()
  const left = await readDownload(page, () => long.getByRole('button', { name: 'Download as CSV' }).click())
  expect(left.lines).toBeGreaterThan(50)
  await long
    .getByText(
      `The file of this table is deleted. What is shown here is all that is left of the result. The CSV has ${left.lines} of 4,390 rows.`,
    )
    .waitFor()
  // all of a short one is here
  expect(
    await readDownload(page, () => short.getByRole('button', { name: 'Download as CSV' }).click()),
  ).toEqual({
    name: 'orders.csv',
    lines: 4,
  })
})

it('in Arabic the table begins at the right', async () => {
  const { page } = await openReply('&lang=ar')
  await page.locator('html[dir=rtl]').waitFor()
  await page.getByRole('figure').last().scrollIntoViewIfNeeded()
  await screenshot(page, 'query-table-ar')
})
