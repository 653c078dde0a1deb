/** @module-tag long */
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { connectProvider } from '../support/connect-provider.ts'
import {
  chooseEntry,
  hasFocus,
  sendMessage,
  signedInPage,
  tabTo,
  toastNamed,
  waitForFocus,
  undoButton,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

/** Opens the menu of a button without a pointer and chooses there. */
async function chooseItem(page: Page, button: Locator, item: string): Promise<void> {
  await tabTo(page, button)
  await page.keyboard.press('Enter')
  await chooseEntry(page, item)
}

it('a schedule is made, edited, paused, run, read, deleted and taken back without a pointer', async () => {
  const { page, user } = await signedInPage(stack)
  await page.goto('/scheduled')
  await tabTo(page, page.getByRole('link', { name: 'New schedule' }))
  await page.keyboard.press('Enter')
  const prompt = page.getByRole('textbox', { name: 'What should Juno do?' })
  await tabTo(page, prompt)
  await page.keyboard.type('Say good morning')
  await tabTo(page, page.getByRole('checkbox', { name: 'Tuesday' }))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('button', { name: 'Save schedule' }))
  await page.keyboard.press('Enter')
  const list = page.getByRole('list', { name: 'Scheduled' })
  await list.getByText('Every Monday and Tuesday at 08:00').waitFor()

  await tabTo(page, list.getByRole('link', { name: 'Say good morning' }))
  await page.keyboard.press('Enter')
  await page.getByText('Edit schedule').waitFor()
  await tabTo(page, prompt)
  await page.keyboard.press('End')
  await page.keyboard.type(' to all')
  await tabTo(page, page.getByRole('combobox', { name: 'Repeats' }))
  await page.keyboard.type('Every day')
  await tabTo(page, page.getByRole('button', { name: 'Save schedule' }))
  await page.keyboard.press('Enter')
  await list.getByText('Every day at 08:00').waitFor()

  const title = 'Say good morning to all'
  const isOn = list.getByRole('switch', { name: `${title}: on or paused` })
  await tabTo(page, isOn)
  await page.keyboard.press('Space')
  await list.getByText('Paused.').waitFor()
  await waitForFocus(isOn)
  const more = list.getByRole('button', { name: `More for ${title}` })
  await chooseItem(page, more, 'Run now')
  await list.getByText('Last run done').waitFor()
  // the menu gives the focus back to its button
  await waitForFocus(more)
  // its link comes before the button
  const chat = list.getByRole('link', { name: 'Open its chat' })
  for (let presses = 0; presses < 6 && !(await hasFocus(chat)); presses++)
    await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/[?&]c=/)
  await page.goBack()

  await chooseItem(page, more, 'Delete')
  await list.waitFor({ state: 'detached' })
  await tabTo(page, undoButton(page))
  await page.keyboard.press('Enter')
  await list.getByText(title).waitFor()
  await chooseItem(page, more, 'Delete')
  await list.waitFor({ state: 'detached' })
  const toast = toastNamed(page, 'Schedule removed')
  await tabTo(page, toast.getByRole('button', { name: 'Close' }))
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await user.call('schedules.list')).schedules).toEqual([])
})

it('what waits is found by the search, and approved and denied without a pointer', async () => {
  const user = await stack.newUser({ name: 'Ann' })
  await connectProvider(stack, user, 'gmail')
  for (const to of ['one@example.org', 'two@example.org']) {
    const content = `Send an email to ${to} with the subject "Lunch" saying "Shall we meet at noon?"`
    const message = { messages: [{ role: 'user' as const, content }], messageId: crypto.randomUUID() }
    await user.call('chat.send', { body: { ...message, sessionId: crypto.randomUUID() } })
  }
  const { page } = await signedInPage(stack, {}, user)
  await page.keyboard.press('Control+k')
  await waitForFocus(page.getByRole('combobox', { name: 'Search conversations and pages' }))
  await page.keyboard.type('waiting')
  await page.getByRole('option', { name: 'Waiting for you' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/waiting$/)
  const row = (to: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: `E-mail to ${to}` }) })
  const decide = async (to: string, decision: string) => {
    const button = row(to).getByRole('button', { name: decision })
    await tabTo(page, button)
    // a button takes no press before it has stayed where it is for a moment
    await expect.poll(() => row(to).locator('[aria-disabled=true]').count()).toBe(0)
    await page.keyboard.press('Enter')
  }
  await decide('two@example.org', 'Approve')
  await row('two@example.org').waitFor({ state: 'detached' })
  await decide('one@example.org', 'Deny')
  await page.getByText('Nothing waits.').waitFor()
})

it('the card of a schedule in a chat shows the beginning of its form', async () => {
  const { page } = await signedInPage(stack)
  await sendMessage(page, 'Every Monday at 8 read my unread mail and draft the answers')
  const card = page.getByRole('group', { name: 'Create this schedule?' })
  await card.locator('footer:not([aria-disabled])').waitFor()
  await card.getByRole('button', { name: 'Edit' }).click()
  const text = card.getByRole('textbox', { name: 'Does' })
  await waitForFocus(text)
  await card.getByRole('switch', { name: 'By e-mail' }).waitFor()
  const bar = await page.getByRole('banner').boundingBox()
  const box = await text.boundingBox()
  expect(box?.y).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? Infinity))
})
