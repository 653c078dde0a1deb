import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findings } from '../support/axe.ts'
import { expectFailures, screenshot } from '../support/browser.ts'
import { openHistory, signedInPage } from '../support/page-steps.ts'
import { stackWithModel } from '../support/stack-with-model.ts'

const { stack, table } = await stackWithModel('Hello.')

const newest = Date.parse('2026-03-01T12:00:00Z')
const panel = (page: Page) => page.getByRole('dialog', { name: 'Your Conversations' })
const rows = (page: Page) => panel(page).getByRole('listitem')
const row = (page: Page, title: string) => rows(page).filter({ hasText: title })

/** Conversations of a user as they are stored, an hour apart, the newest first: Chat 1, Chat 2, … */
async function store(sub: string, count: number) {
  for (let from = 1; from <= count; from += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, count + 1 - from) }, (_, index) => {
        const number = from + index
        const at = new Date(newest - number * 3_600_000).toISOString()
        return table.put(sub, `S#${crypto.randomUUID()}`, {
          title: `Chat ${number} of many`,
          created_at: at,
          updated_at: at,
          message_count: 2,
          rev: 1,
        })
      }),
    )
}

/** Scrolls on until the row is there. */
async function scrollTo(page: Page, title: string) {
  await expect
    .poll(
      async () => {
        await rows(page).last().scrollIntoViewIfNeeded()
        return row(page, title).count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)
}

it('HIST-07 HIST-24 3,000 conversations are listed as one scrolls, and counted at once', async () => {
  const user = await stack.newUser()
  await store(user.sub, 3_000)
  const { page } = await signedInPage(stack, {}, user)
  await openHistory(page)
  await panel(page).getByText('3000 conversations saved').waitFor()
  expect(await rows(page).count()).toBe(100)
  await scrollTo(page, 'Chat 3000 of many')
  expect(await rows(page).count()).toBe(3_000)
  const titles = await rows(page).evaluateAll((items) =>
    items.map((item) => Number(/^Chat (\d+) /.exec(item.textContent ?? '')?.[1])),
  )
  expect(titles).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 1))

  // what is far from the screen is not laid out
  const skipped = await rows(page).evaluateAll(
    (items) =>
      items.filter((item) => !item.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }))
        .length,
  )
  expect(skipped).toBeGreaterThan(2_800)

  // a row of the end is as good as one of the beginning
  await row(page, 'Chat 2999 of many').hover()
  await page.getByRole('button', { name: 'More for Chat 2999 of many' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Title of the conversation').fill('The first of all')
  await page.keyboard.press('Enter')
  await row(page, 'The first of all').waitFor()
  await row(page, 'The first of all').hover()
  await page.getByRole('button', { name: 'Delete The first of all' }).click()
  await panel(page).getByText('2999 conversations saved').waitFor()
  expect(await row(page, 'Chat 3000 of many').count()).toBe(1)
})

it('a page of the list that fails is asked for again in its place', async () => {
  const user = await stack.newUser()
  await store(user.sub, 130)
  const { page } = await signedInPage(stack, { viewport: { width: 390, height: 844 } }, user)
  const further = /\/api\/sessions\?.*cursor=/
  await page.route(further, (route) => route.fulfill({ status: 502, body: 'bad gateway' }))
  expectFailures(page, { url: further, status: 502 })
  await openHistory(page)
  await rows(page).last().scrollIntoViewIfNeeded()
  await panel(page).getByText('More conversations could not be loaded.').waitFor()
  expect(await findings(page)).toEqual([])
  await screenshot(page, 'history more failed phone')
  await page.unroute(further)
  await panel(page).getByRole('button', { name: 'Retry' }).press('Enter')
  await scrollTo(page, 'Chat 130 of many')
  expect(await rows(page).count()).toBe(130)
})
