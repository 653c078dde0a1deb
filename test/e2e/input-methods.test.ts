/** @module-tag long */
import type { CDPSession, Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { connectProvider } from '../support/connect-provider.ts'
import { openCatalogue } from '../support/integration-steps.ts'
import {
  composer,
  sendMessage,
  sharePage,
  signedInPage,
  stopButton,
  typeThrough,
  waitForFocus,
  waitForReplyEnd,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

/** Escape and Enter while an input method composes a word, and what Escape closes first. */

const stack = await demoStack()

const openPage = sharePage(async () => {
  const user = await stack.newUser()
  await connectProvider(stack, user, 'gmail')
  await user.call('account.settings', { body: { memory: true } })
  await user.call('memory.add', { body: { text: 'Likes tea' } })
  return signedInPage(stack, {}, user)
})

const sessions = new WeakMap<Page, CDPSession>()
async function openSession(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  return session
}

/**
 * Composes a word where the focus is, as an input method of the system does, presses Enter and Escape in it, and confirms it. Then the
 * keys once more, as Safari reports them: after the composition, with code 229.
 */
async function composeAndPress(page: Page, field: Locator) {
  const keys = ['Enter', 'Escape']
  const session = await openSession(page)
  await session.send('Input.imeSetComposition', { text: 'にほんご', selectionStart: 4, selectionEnd: 4 })
  for (const key of keys)
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode: 229 })
  await session.send('Input.insertText', { text: '日本語' })
  for (const key of keys)
    await field.evaluate(
      (element, name) =>
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: name, keyCode: 229, bubbles: true, cancelable: true }),
        ),
      key,
    )
}

/** The field is still there, with what was typed and composed. */
async function expectKept(page: Page, field: Locator, typed: string): Promise<void> {
  await composeAndPress(page, field)
  await waitForFocus(field)
  await expect.poll(() => field.inputValue()).toBe(`${typed}日本語`)
}

it('a key of an input method closes no editor and sends nothing', async () => {
  const { page } = await openPage()
  await sendMessage(page, '/echo Good morning')
  await waitForReplyEnd(page)
  await composer(page).press('ArrowUp')
  const editor = page.getByLabel('Edit your message')
  await waitForFocus(editor)
  await page.keyboard.type(', a long text. ')
  await expectKept(page, editor, '/echo Good morning, a long text. ')
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'detached' })

  await composer(page).click()
  await page.keyboard.type('Not yet ')
  await expectKept(page, composer(page), 'Not yet ')
  await composer(page).fill('')

  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search conversations and pages' })
  await waitForFocus(search)
  await expectKept(page, search, '')
  await search.fill('')
  await page.keyboard.press('Escape')
  await search.waitFor({ state: 'detached' })

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Edit: Likes tea' }).click()
  const memory = page.getByLabel('Edit the memory')
  await waitForFocus(memory)
  await typeThrough(page, ['End', ' at noon '])
  await expectKept(page, memory, 'Likes tea at noon ')
  await memory.fill('Likes tea')
  await page.keyboard.press('Escape')
  await memory.waitFor({ state: 'detached' })
})

it('a key of an input method closes no dialog, and Escape afterwards asks before it does', async () => {
  const { page } = await openPage()
  await openCatalogue(page)
  await page.getByRole('button', { name: 'Add Custom' }).click()
  await page.getByRole('button', { name: 'Add Custom MCP Tool' }).click()
  const add = page.getByRole('dialog', { name: 'Add Custom MCP Tool' })
  const description = add.getByLabel('Description')
  await description.click()
  await page.keyboard.type('Tools for ')
  await expectKept(page, description, 'Tools for ')
  await page.keyboard.press('Escape')
  await add.getByRole('button', { name: 'Discard changes' }).click()
  await add.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.goto('/')
})

it('a key of an input method neither leaves the field of a card nor stops the reply', async () => {
  const { page } = await openPage()
  await sendMessage(page, 'Send an email to cleo@example.org with the subject "Lunch" saying Shall we meet?')
  const card = page.getByRole('group', { name: 'Send an e-mail with Gmail?' })
  await card.locator('footer:not([aria-disabled])').waitFor()
  await card.getByRole('button', { name: 'Edit' }).click()
  const body = card.getByLabel('Message')
  await body.click()
  await typeThrough(page, ['Control+A', 'Dear Cleo, '])
  await expectKept(page, body, 'Dear Cleo, ')
  await page.keyboard.press('Escape')
  await waitForFocus(card)
  await page.keyboard.press('Escape')
  await waitForReplyEnd(page)

  // while a reply streams, the composer composes
  const stops: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/run/stop')) stops.push(request.url())
  })
  await sendMessage(page, '/long')
  await stopButton(page).waitFor()
  await composer(page).click()
  await expectKept(page, composer(page), '')
  // a stop would have been requested by now
  const reply = page.locator('main')
  const { length } = await reply.innerText()
  await expect.poll(async () => (await reply.innerText()).length).toBeGreaterThan(length + 1_000)
  expect(stops).toEqual([])
  await page.keyboard.press('Escape')
  await waitForReplyEnd(page)
  await page.getByText('Generation stopped by user.').last().waitFor()
})

it('Escape closes a tooltip first, and stops the reply only with the next press', async () => {
  const { page } = await openPage()
  await sendMessage(page, '/long')
  await stopButton(page).waitFor()
  await page.getByRole('button', { name: 'Attach files' }).hover()
  const tooltip = page.getByRole('tooltip')
  await tooltip.waitFor()
  await page.keyboard.press('Escape')
  await tooltip.waitFor({ state: 'detached' })
  await stopButton(page).waitFor()
  expect(await page.getByText('Generation stopped by user.').count()).toBe(0)
  await page.keyboard.press('Escape')
  await waitForReplyEnd(page)
  await page.getByText('Generation stopped by user.').first().waitFor()
})
