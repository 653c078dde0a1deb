/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { says } from '../support/fake-model-server.ts'
import { forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import {
  composer,
  waitForReplyEnd,
  sendMessage,
  sendButton,
  signedInPage,
  stopButton,
  waitForFocus,
} from '../support/page-steps.ts'
import { openSettings } from '../support/settings-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { model, stack } = await scriptedStack('A whole answer.')

const queue = (page: Page) => page.getByRole('region', { name: 'Queued messages' })
const queuedMessages = (page: Page) => queue(page).getByRole('listitem')
/** Once the queue is gone, the text is in the conversation only. */
const ownMessage = (page: Page, text: string) => page.getByRole('main').getByText(text, { exact: true })

/** A page with an unfinished reply, which ends when the test says so. */
async function startReply() {
  const paused = pausableReply('The first words')
  model.behave(paused.behaviour)
  const signedIn = await signedInPage(stack)
  await sendMessage(signedIn.page, 'Hello')
  await paused.modelCalled
  await stopButton(signedIn.page).waitFor()
  model.behave(says('A whole answer.'))
  return { paused, ...signedIn }
}

/** Writes a message while a reply is being generated. */
async function queueMessage(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
  await queuedMessages(page).getByText(text, { exact: true }).waitFor()
  expect(await composer(page).inputValue()).toBe('')
}

it('CHAT-38 DEC-169 messages wait for the end of a reply, survive Settings and a reload, and are sent in order', async () => {
  const { page, paused, user } = await startReply()
  await queueMessage(page, 'Second')
  await page.getByRole('status').getByText('1 message queued').waitFor()
  await queueMessage(page, 'Third')
  await queueMessage(page, 'Fourth')
  await queue(page).getByText('Sent when the reply is finished').waitFor()
  expect(await findViolations(page)).toEqual([])
  await screenshot(page, 'queued messages')

  await queue(page).getByRole('button', { name: 'Remove Third' }).press('Enter')
  await queue(page).getByText('Third').waitFor({ state: 'detached' })
  await waitForFocus(composer(page))
  await composer(page).fill('and more')
  await queue(page).getByRole('button', { name: 'Edit Second' }).press('Enter')
  await expect.poll(() => composer(page).inputValue()).toBe('Second\n\nand more')
  await waitForFocus(composer(page))
  await composer(page).fill('Fifth')
  await composer(page).press('Enter')
  await expect.poll(() => queuedMessages(page).count()).toBe(2)

  await openSettings(page)
  await page.goBack()
  await expect.poll(() => queuedMessages(page).count()).toBe(2)
  await page.reload()
  await stopButton(page).waitFor()
  await expect.poll(() => queuedMessages(page).count()).toBe(2)

  paused.finish(' and the last ones.')
  await queue(page).waitFor({ state: 'detached' })
  await ownMessage(page, 'Fifth').waitFor()
  await waitForReplyEnd(page)
  const { sessions } = await user.call('sessions.list', {})
  const { messages } = await user.call('sessions.read', { params: { sessionId: sessions[0]?.id ?? '' } })
  const userMessages = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  expect(userMessages).toEqual(['Hello', 'Fourth', 'Fifth'])
})

it('DEC-169 after a stop they stay, say why, and are sent with Send now', { tags: 'trial' }, async () => {
  const { page } = await startReply()
  await composer(page).fill('Rather this')
  const later = page.getByRole('button', { name: 'Send after this reply' })
  await later.click()
  await queuedMessages(page).getByText('Rather this').waitFor()
  await stopButton(page).waitFor()
  await later.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await queue(page).getByText('Not sent: the previous reply did not finish.').waitFor()
  await sendButton(page).waitFor()
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolations(page, ...rules)).toEqual([])
    await screenshot(page, `queued messages, stopped (${look})`)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      .toBe(true)
  })
  await queue(page).getByRole('button', { name: 'Send now' }).click()
  await queue(page).waitFor({ state: 'detached' })
  await ownMessage(page, 'Rather this').waitFor()
  await page.getByText('A whole answer.').waitFor()
  await waitForReplyEnd(page)
})

it('DEC-169 two tabs show the same queue, and send each message once', { tags: 'trial' }, async () => {
  const { page, paused, user } = await startReply()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await stopButton(other).waitFor()
  await queueMessage(page, 'Only once')
  await queuedMessages(other).getByText('Only once').waitFor()
  paused.finish()
  for (const tab of [page, other]) {
    await queue(tab).waitFor({ state: 'detached' })
    await tab.getByText('A whole answer.').waitFor()
    await waitForReplyEnd(tab)
  }
  const { sessions } = await user.call('sessions.list', {})
  const { messages } = await user.call('sessions.read', { params: { sessionId: sessions[0]?.id ?? '' } })
  expect(messages.map(({ content }) => content)).toEqual([
    'Hello',
    'The first words',
    'Only once',
    'A whole answer.',
  ])
})

it('DEC-169 signing out and deleting the conversation delete the queue', { tags: 'trial' }, async () => {
  const { page, user, paused } = await startReply()
  await queueMessage(page, 'A private word')
  const stored = () => page.evaluate(() => JSON.stringify(localStorage))
  expect(await stored()).toContain('A private word')
  await page.getByRole('button', { name: 'Your Conversations' }).click()
  await page.getByRole('button', { name: 'Delete Hello' }).click()
  await expect.poll(stored).not.toContain('A private word')
  await page.keyboard.press('Control+z')
  await expect.poll(stored).toContain('A private word')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/auth')
  expect(await stored()).not.toContain('A private word')
  paused.finish()
  const { sessions } = await user.call('sessions.list', {})
  expect(sessions).toHaveLength(1)
})
