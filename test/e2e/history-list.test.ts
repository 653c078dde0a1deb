/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { expectFailures, screenshot } from '../support/browser.ts'
import { openHistory, waitForReplyEnd, sendMessage, signedInPage } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { stack, table } = await scriptedStack('Hello.')

const newest = Date.parse('2026-03-01T12:00:00Z')
const panel = (page: Page) => page.getByRole('dialog', { name: 'Your Conversations' })
const rows = (page: Page) => panel(page).getByRole('listitem')
const row = (page: Page, title: string) => rows(page).filter({ hasText: title })

/** A user's stored conversations, an hour apart, the newest first: Chat 1, Chat 2, … */
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

/** Scrolls until the row is there. */
async function scrollTo(page: Page, title: string) {
  await page.waitForFunction(
    (text) => {
      const items = [...document.querySelectorAll('[role=dialog] li')]
      items.at(-1)?.scrollIntoView()
      return items.some(({ textContent }) => textContent?.startsWith(text))
    },
    title,
    { polling: 50 },
  )
}

it(
  'HIST-07 HIST-24 DEC-164 1,200 conversations are loaded while scrolling, and counted at once',
  { tags: 'trial' },
  async () => {
    const user = await stack.newUser()
    await store(user.sub, 1_200)
    const { page } = await signedInPage(stack, {}, user)
    await openHistory(page)
    await panel(page).getByText('1,200 conversations saved').waitFor()
    await expect.poll(() => rows(page).count()).toBe(100)
    await scrollTo(page, 'Chat 1200 of many')
    await expect.poll(() => rows(page).count()).toBe(1_200)
    const titles = await rows(page).evaluateAll((items) =>
      items.map((item) => Number(/^Chat (\d+) /.exec(item.textContent ?? '')?.[1])),
    )
    expect(titles).toEqual(Array.from({ length: 1_200 }, (_, index) => index + 1))

    // rows far from the screen are not laid out
    const skipped = await rows(page).evaluateAll(
      (items) =>
        items.filter((item) => !item.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }))
          .length,
    )
    expect(skipped).toBeGreaterThan(1_000)

    // a row at the end works like one at the start
    await row(page, 'Chat 1199 of many').hover()
    await page.getByRole('button', { name: 'More for Chat 1199 of many' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('Title of the conversation').fill('The first of all')
    await page.keyboard.press('Enter')
    await row(page, 'The first of all').waitFor()
    await row(page, 'The first of all').hover()
    await page.getByRole('button', { name: 'Delete The first of all' }).click()
    await panel(page).getByText('1,199 conversations saved').waitFor()
    await expect.poll(() => row(page, 'Chat 1200 of many').count()).toBe(1)
  },
)

it('DEC-164 a page of the list that failed to load can be requested again in its place', async () => {
  const user = await stack.newUser()
  await store(user.sub, 130)
  const { page } = await signedInPage(stack, { viewport: { width: 390, height: 844 } }, user)
  const further = /\/api\/sessions\?.*cursor=/
  await page.route(further, (route) => route.fulfill({ status: 502, body: 'bad gateway' }))
  expectFailures(page, { url: further, status: 502 })
  await openHistory(page)
  await rows(page).last().scrollIntoViewIfNeeded()
  await panel(page).getByText('More conversations could not be loaded.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await screenshot(page, 'history more failed phone')
  await page.unroute(further)
  await panel(page).getByRole('button', { name: 'Try again' }).press('Enter')
  await scrollTo(page, 'Chat 130 of many')
  await expect.poll(() => rows(page).count()).toBe(130)
})

const choose = async (page: Page, title: string, item: string) => {
  await row(page, title).hover()
  await page.getByRole('button', { name: `More for ${title}` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const listed = (page: Page, heading: string) =>
  panel(page).getByRole('list', { name: heading }).getByRole('listitem')

it(
  'DEC-165 DEC-166 conversations are pinned and archived with keyboard and pointer, permanently',
  { tags: 'trial' },
  async () => {
    const user = await stack.newUser()
    await store(user.sub, 120)
    const { page } = await signedInPage(stack, {}, user)
    await openHistory(page)
    await scrollTo(page, 'Chat 110 of many')
    await choose(page, 'Chat 110 of many', 'Pin')
    await listed(page, 'Pinned').filter({ hasText: 'Chat 110 of many' }).waitFor()
    // the focus stays with the conversation
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('More for Chat 110 of many')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Unpin' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await choose(page, 'Chat 3 of many', 'Archive')
    await page.getByText('Chat archived').waitFor()
    await panel(page).getByText('119 conversations saved').waitFor()
    await page.reload()
    await openHistory(page)
    await listed(page, 'Pinned').filter({ hasText: 'Chat 110 of many' }).waitFor()
    expect(await row(page, 'Chat 3 of many').count()).toBe(0)
    await screenshot(page, 'history pinned wide')
    await panel(page).getByRole('button', { name: 'Archived' }).press('Enter')
    await row(page, 'Chat 3 of many').waitFor()
    expect(await findViolations(page)).toEqual([])
    await choose(page, 'Chat 3 of many', 'Restore')
    await panel(page).getByText('Nothing archived').waitFor()
    await page.getByRole('button', { name: 'Back to the conversations' }).click()
    await row(page, 'Chat 3 of many').waitFor()
    await panel(page).getByText('120 conversations saved').waitFor()
  },
)

it(
  'DEC-166 an archived conversation is found by search, and a new message unarchives it',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await sendMessage(page, 'A word about Rome')
    await waitForReplyEnd(page)
    await openHistory(page)
    await choose(page, 'A word about Rome', 'Archive')
    await page.getByText('Chat archived').waitFor()
    await page.getByRole('button', { name: 'Archived' }).click()
    await row(page, 'A word about Rome').waitFor()
    expect(await findViolations(page)).toEqual([])
    await screenshot(page, 'history archived phone dark')
    await page.keyboard.press('Escape')
    // the conversation was open
    await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Rome')
    const found = page.getByRole('option', { name: /Rome/ })
    await found.getByText('Archived').waitFor()
    await screenshot(page, 'search archived phone dark')
    // the toast covers it on a phone
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'You', exact: true }).waitFor()
    await sendMessage(page, 'Another word')
    await waitForReplyEnd(page)
    await expect
      .poll(async () => (await user.call('sessions.list', { query: { view: 'active' } })).sessions.length)
      .toBe(1)
    await openHistory(page)
    await row(page, 'A word about Rome').waitFor()
  },
)

/** Runs in the page: the selectors that have the browser walk the page wherever an element is added. */
function listCostlySelectors(): string[] {
  const collect = (rules: CSSRuleList): string[] =>
    [...rules].flatMap((rule) => {
      if (rule instanceof CSSMediaRule && rule.conditionText === 'print') return []
      const isCostly = rule instanceof CSSStyleRule && /:has\([^:]/.test(rule.selectorText)
      return [
        ...(isCostly ? [rule.selectorText] : []),
        ...('cssRules' in rule ? collect(rule.cssRules as CSSRuleList) : []),
      ]
    })
  return [...document.styleSheets].flatMap(({ cssRules }) => collect(cssRules))
}

it('the page is styled neither anew by the panel over it, nor at each added element', async () => {
  const { page } = await signedInPage(stack, {})
  const pointerEvents = () =>
    page.evaluate(() =>
      [document.body, document.querySelector('#root')].map(
        (one) => one && getComputedStyle(one).pointerEvents,
      ),
    )
  await sendMessage(page, 'Hello')
  await waitForReplyEnd(page)
  await openHistory(page)
  await expect.poll(pointerEvents).toEqual(['none', 'auto'])
  // a menu has no backdrop, so what it covers is deaf
  await rows(page)
    .first()
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  await expect
    .poll(() => page.locator('[role=dialog]').evaluate((one) => getComputedStyle(one).pointerEvents))
    .toBe('none')
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })
  await expect.poll(pointerEvents).toEqual(['auto', 'auto'])
  await page.getByRole('button', { name: 'More for this reply' }).click()
  await page.getByRole('menu').waitFor()
  await expect.poll(pointerEvents).toEqual(['none', 'none'])
  await expect.poll(() => page.evaluate(listCostlySelectors)).toEqual([])
})
