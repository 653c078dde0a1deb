import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolationsIn } from '../support/axe.ts'
import { expectFailures, screenshot } from '../support/browser.ts'
import { composer, waitForReplyEnd, sendMessage, signedInPage, waitForFocus } from '../support/page-steps.ts'
import type { StackUser } from '../support/stack-user.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { storeTurns } from '../support/store-turns.ts'

const { stack, table } = await scriptedStack('Hello.')

/** A conversation of many more messages than a page shows at first (30); the one in question names the ferry to Capri. */
const aLongConversation = (
  user: StackUser,
  { ferryIn, turns = 40, question = '' }: { ferryIn: number; turns?: number; question?: string },
) =>
  storeTurns(table, user, turns, (turn) => [
    turn === 1 ? 'Tell me about Naples' : `Question ${turn} ${question}`,
    turn === ferryIn ? 'The ferry to Capri leaves at nine.' : `Answer ${turn}. `.repeat(40),
  ])

const message = (page: Page, id: string) => page.locator(`[data-message="${id}"]`)
/** Whether the message is rendered, and entirely visible between the top of the conversation and the composer. */
const inView = async (page: Page, id: string) =>
  // for a missing element the locator would wait until its timeout
  (await message(page, id).count()) > 0 &&
  message(page, id).evaluate((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    const end = document.querySelector('[data-composer]')?.getBoundingClientRect().top ?? innerHeight
    return top >= 0 && bottom <= end
  })
async function expectShown(page: Page, id: string) {
  await message(page, id).waitFor()
  await waitForFocus(message(page, id))
  await expect.poll(() => inView(page, id)).toBe(true)
  // nothing around the conversation scrolls
  await expect.poll(() => page.getByRole('banner').evaluate((bar) => bar.getBoundingClientRect().top)).toBe(0)
}
async function search(page: Page, words: string) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(words)
  await page.getByRole('option', { name: new RegExp(words) }).waitFor()
  await page.keyboard.press('Enter')
}

async function openResult(name: string, look: Parameters<typeof signedInPage>[1]) {
  const user = await stack.newUser()
  const sessionId = await aLongConversation(user, { ferryIn: 12 })
  const { page } = await signedInPage(stack, look, user)
  await search(page, 'ferry to Capri')
  await expectShown(page, 'assistant-12')
  expect(new URL(page.url()).search).toBe(`?c=${sessionId}&m=assistant-12`)
  await screenshot(page, `search opens message ${name}`)
  expect(await findViolationsIn(page, '[data-message="assistant-12"]')).toEqual([])
  // highlighted for a moment
  await expect.poll(() => page.locator('[data-found]').count()).toBe(0)

  await page.reload()
  await expectShown(page, 'assistant-12')

  // the same result again, from elsewhere in the same conversation
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await expect.poll(() => inView(page, 'assistant-12')).toBe(false)
  await search(page, 'ferry to Capri')
  await expectShown(page, 'assistant-12')

  // sending a message ends the search position
  await sendMessage(page, 'And the train?')
  await expect.poll(() => new URL(page.url()).search).toBe(`?c=${sessionId}`)
  await waitForReplyEnd(page)
  await page.reload()
  await page.getByText('And the train?').waitFor()
  await expect.poll(() => inView(page, 'assistant-12')).toBe(false)
}

it('DEC-168 a result opens at its message, far from the end, and again after a reload: wide', () =>
  openResult('wide', { viewport: { width: 1280, height: 800 } }))

it(
  'DEC-168 a result opens at its message, far from the end, and again after a reload: phone, dark',
  { tags: 'trial' },
  () => openResult('phone dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }),
)

it(
  'DEC-168 a deleted message opens the conversation at its end, with a note',
  { tags: 'trial' },
  async () => {
    const user = await stack.newUser()
    const sessionId = await aLongConversation(user, { ferryIn: 12 })
    const { page } = await signedInPage(stack, {}, user)
    // no version of the conversation has it
    expectFailures(page, { url: /\/version$/, status: 404 })
    await page.goto(`/?c=${sessionId}&m=nowhere`)
    await page.getByText('Message not found').waitFor()
    await expect.poll(() => inView(page, 'user-40')).toBe(true)
    await composer(page).waitFor()
  },
)

it('DEC-168 earlier messages that cannot be loaded can be requested again', { tags: 'trial' }, async () => {
  const user = await stack.newUser()
  // more than one response contains
  const sessionId = await aLongConversation(user, {
    ferryIn: 12,
    turns: 60,
    question: 'word '.repeat(20_000),
  })
  const { page } = await signedInPage(stack, {}, user)
  let fails = true
  await page.route(/\/api\/sessions\/[^/]+\?before=/, (route) => (fails ? route.abort() : route.continue()))
  expectFailures(page, { url: /\?before=/, status: 'network' })
  await page.goto(`/?c=${sessionId}&m=assistant-12`)
  await page.getByText('The message could not be loaded').waitFor()
  fails = false
  await page.getByRole('listitem').getByRole('button', { name: 'Try again' }).click()
  await expectShown(page, 'assistant-12')
})
