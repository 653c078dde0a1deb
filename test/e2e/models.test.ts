/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { png } from '../support/document-samples.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import {
  composer,
  waitForReplyEnd,
  sendMessage,
  signedInPage,
  tabTo,
  waitForFocus,
} from '../support/page-steps.ts'
import { stackWithModel } from '../support/stack-with-model.ts'

const { model, stack } = await stackWithModel('Hello.', {
  OPENAI_MODEL: 'small',
  MODELS: JSON.stringify([
    { id: 'small', name: 'Small Talk', vision: true, contextTokens: 500 },
    { id: 'deep', name: 'Deep Thought', efforts: ['low', 'high'] },
    { id: 'text', name: 'A model with a long name that says little, 2026 edition', vision: false },
  ]),
})

const button = (page: Page) => page.getByRole('button', { name: /^Model: / })
const list = (page: Page) => page.getByRole('dialog', { name: 'Model' })
const radio = (page: Page, name: string | RegExp) => list(page).getByRole('radio', { name })
const name = (page: Page) => button(page).getAttribute('aria-label')
const listRequests = () => model.requests.map((request) => [request.model, request.reasoning_effort])

/** Moves the choice; the library moves it in a separate task, and only while the key is down. */
async function pressArrow(page: Page, key: 'ArrowDown' | 'ArrowUp', to: string): Promise<void> {
  await page.keyboard.down(key)
  await expect.poll(() => radio(page, to).isChecked()).toBe(true)
  await page.keyboard.up(key)
}

it('DEC-178 a model is chosen with the keyboard, writes the next replies, and stays with the conversation on another device', async () => {
  const { page, user } = await signedInPage(stack)
  await tabTo(page, button(page))
  await expect.poll(() => name(page)).toBe('Model: Small Talk')
  await page.keyboard.press('Enter')
  await waitForFocus(radio(page, /^Small Talk/))
  await pressArrow(page, 'ArrowDown', 'Deep Thought')
  await page.keyboard.press('Tab')
  await pressArrow(page, 'ArrowUp', 'High')
  await page.keyboard.press('Escape')
  await list(page).waitFor({ state: 'detached' })
  await waitForFocus(button(page))
  await expect.poll(() => name(page)).toBe('Model: Deep Thought, effort High')
  await sendMessage(page, 'Hi')
  await waitForReplyEnd(page)
  expect(listRequests()).toEqual([['deep', 'high']])

  const address = page.url()
  const { page: other } = await signedInPage(stack, {}, user)
  await other.goto(address)
  await expect.poll(() => name(other)).toBe('Model: Deep Thought, effort High')
  await button(other).click()
  await radio(other, /^Small Talk/).click()
  await other.keyboard.press('Escape')
  await sendMessage(other, 'And you?')
  await waitForReplyEnd(other)
  expect(listRequests()).toEqual([
    ['deep', 'high'],
    ['small', undefined],
  ])
  // the choice applied to that conversation only
  await other.keyboard.press('Control+Shift+O')
  await expect.poll(() => name(other)).toBe('Model: Small Talk')
  await page.reload()
  await expect.poll(() => name(page)).toBe('Model: Small Talk')
  await checkLooks(page)
})

/** The list and the gauge of a conversation in each theme, and on a phone. */
async function checkLooks(page: Page) {
  const gauge = page.getByRole('button', { name: /^Length of this conversation: \d+%/ })
  await gauge.waitFor()
  await button(page).click()
  await radio(page, 'Deep Thought').click()
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolations(page, ...rules)).toEqual([])
    expect(await findCutOffElements(page)).toEqual([])
    await screenshot(page, `models (${look})`)
  })
  await page.setViewportSize({ width: 320, height: 568 })
  await expect.poll(() => radio(page, 'High').isVisible()).toBe(true)
  expect(await findViolations(page)).toEqual([])
  expect(await findCutOffElements(page)).toEqual([])
  await screenshot(page, 'models (narrow)')
  await page.keyboard.press('Escape')
  await list(page).waitFor({ state: 'detached' })
  await gauge.click()
  await page.getByRole('dialog', { name: 'Length of this conversation' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await findCutOffElements(page)).toEqual([])
  await screenshot(page, 'context gauge (narrow)')
}

it('a new chat begins with the model that was used last', { tags: 'trial' }, async () => {
  const { page, user } = await signedInPage(stack)
  await button(page).click()
  await radio(page, 'Deep Thought').click()
  await page.keyboard.press('Escape')
  await sendMessage(page, 'Hi')
  await waitForReplyEnd(page)
  await page.keyboard.press('Control+Shift+O')
  await expect.poll(() => name(page)).toMatch(/^Model: Deep Thought/)
  await page.reload()
  await expect.poll(() => name(page)).toMatch(/^Model: Deep Thought/)
  // this browser remembers it, and no other
  const { page: other } = await signedInPage(stack, {}, user)
  await expect.poll(() => name(other)).toBe('Model: Small Talk')
})

it('says before sending that the model does not see images', { tags: 'trial' }, async () => {
  const { page } = await signedInPage(stack)
  const note = page.getByRole('status').filter({ hasText: 'cannot see images' })
  await page.getByLabel('Files to attach').setInputFiles({
    name: 'red.png',
    mimeType: 'image/png',
    buffer: png(20, 20),
  })
  await page.getByText('red.png', { exact: true }).waitFor()
  expect(await note.count()).toBe(0)
  await button(page).click()
  await radio(page, /long name/).click()
  await page.keyboard.press('Escape')
  await note.waitFor()
  await page.setViewportSize({ width: 320, height: 568 })
  expect(await findCutOffElements(page)).toEqual([])
  await screenshot(page, 'models, no images')
  await composer(page).fill('What is it?')
  await page.keyboard.press('Enter')
  // the message may wait for the upload
  await page.getByText('This model cannot see images. The reply is based on the text alone.').waitFor()
  // which happens before the model is called
  await expect.poll(() => model.requests.map((request) => request.model)).toEqual(['text'])
  expect(JSON.stringify(model.requests[0]?.messages)).not.toContain('image_url')
})
