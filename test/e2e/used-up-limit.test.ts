/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectFailures, screenshot } from '../support/browser.ts'
import { sendMessage, signedInPage, toastNamed, waitForReplyEnd } from '../support/page-steps.ts'
import { stackWithModel } from '../support/stack-with-model.ts'
import { settled } from '../support/settled.ts'

/** The limit of the day, used up in one browser and met in another. */

const { model, stack } = await stackWithModel('Hello.', { TOKENS_PER_DAY: '20000' })

/** more than 22,000 tokens, the least that a reply reserves */
const longPrompt = 'A long prompt. '.repeat(4_400)
const refusal = /^You have reached today's limit/

const messageText = (page: Page, text: string) => page.getByRole('main').getByText(text, { exact: true })

it('ERR-05 DEC-049 DEC-109 a limit that another browser has used up is named; what it refused stays apart from the next message', async () => {
  const { page: first, user } = await signedInPage(stack)
  const { page } = await signedInPage(stack, {}, user)
  expectFailures(page, { url: /\/functions\/v1\/chat-openai$/, status: 429 })
  await sendMessage(page, 'Hello')
  await waitForReplyEnd(page)
  await sendMessage(first, longPrompt)
  await waitForReplyEnd(first)
  expect(model.requests).toHaveLength(2)

  for (const text of ['And more', 'Am I in?']) {
    await sendMessage(page, text)
    const error = page.getByRole('main').getByRole('group', { name: 'Limit reached' })
    await error.getByText(refusal).waitFor()
    await toastNamed(page, 'Limit reached').last().getByText(refusal).waitFor()
    expect(await error.innerText()).not.toMatch(/service error|trouble connecting|session|sign in/i)
    await toastNamed(page, 'Limit reached').last().getByRole('button').first().click()
    await expect.poll(() => toastNamed(page, 'Limit reached').count()).toBe(0)
  }
  await screenshot(page, 'limit reached')
  await messageText(page, 'And more').waitFor()
  await messageText(page, 'Am I in?').waitFor()
  expect(model.requests).toHaveLength(2)

  await page.reload()
  for (const text of ['And more', 'Am I in?']) await messageText(page, text).waitFor()
  // while the service starts, parts of the page could not be loaded
  await settled(page)
  expectFailures(page, { url: /\/(api|functions)\//, status: 'network' })
  expectFailures(first, { url: /\/(api|functions)\//, status: 'network' })
  await stack.restart({ TOKENS_PER_DAY: '100000' })
  await sendMessage(page, 'Now?')
  await waitForReplyEnd(page)
  await expect.poll(() => messageText(page, 'Hello.').count()).toBe(2)
  const [instructions, ...conversation] = model.requests.at(-1)?.messages ?? []
  expect(instructions?.role).toBe('system')
  expect(conversation.map(({ content }) => content)).toEqual(['Hello', 'Hello.', 'Now?'])
  for (const text of ['And more', 'Am I in?']) await messageText(page, text).waitFor()
})
