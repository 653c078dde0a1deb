import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { screenshot } from '../support/browser.ts'
import { composer, waitForReplyEnd, sendMessage, signedInPage, waitForFocus } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { stack } = await scriptedStack('Rome was founded\n\nin a **single** day.')

const quoteButton = (page: Page) => page.getByRole('button', { name: 'Quote', exact: true })
const reply = (page: Page) => page.locator('.is-reply').last()

async function openConversation(options: Parameters<typeof signedInPage>[1] = {}) {
  const { page } = await signedInPage(stack, options)
  await sendMessage(page, 'Tell me of Rome')
  await waitForReplyEnd(page)
  // plain text until the Markdown renderer has loaded, which then replaces the nodes that the test selects
  await reply(page).locator('.prose p').first().waitFor()
  return page
}

/** Selects a paragraph, like a triple click. */
const selectParagraph = (page: Page, text: string) =>
  reply(page)
    .getByText(text)
    .click({ clickCount: 3, position: { x: 10, y: 8 } })

async function quoteSelection(colorScheme: 'light' | 'dark', viewport: { width: number; height: number }) {
  const page = await openConversation({ colorScheme, viewport })
  await composer(page).fill('Is this so?')
  await selectParagraph(page, 'in a single day.')
  await quoteButton(page).waitFor()
  const isBelowSelection = () =>
    quoteButton(page).evaluate((button) => {
      const selected = getSelection()?.getRangeAt(0).getClientRects()[0]?.bottom ?? 0
      const { top, right } = button.getBoundingClientRect()
      return top > selected && top < selected + 48 && right <= innerWidth
    })
  await expect.poll(isBelowSelection).toBe(true)
  expect(await findViolations(page)).toEqual([])
  await screenshot(page, `quote (${colorScheme})`)
  await quoteButton(page).click()
  await expect.poll(() => composer(page).inputValue()).toBe('Is this so?\n\n> in a single day.\n\n')
  await waitForFocus(composer(page))
  await quoteButton(page).waitFor({ state: 'detached' })
  await page.keyboard.type('Or not?')
  await expect.poll(() => composer(page).inputValue()).toMatch(/> in a single day\.\n\nOr not\?$/)
  // the draft has it, too
  await page.reload()
  await expect.poll(() => composer(page).inputValue()).toMatch(/> in a single day\.\n\nOr not\?$/)
}

it('DEC-171 quotes a selection at the caret: phone, light', () =>
  quoteSelection('light', { width: 390, height: 844 }))

it('DEC-171 quotes a selection at the caret: wide, dark', { tags: 'trial' }, () =>
  quoteSelection('dark', { width: 1280, height: 800 }),
)

it('DEC-171 the button disappears with the selected text', async () => {
  const page = await openConversation()
  await selectParagraph(page, 'Rome was founded')
  await quoteButton(page).waitFor()
  // as when the Markdown renderer replaces the plain text
  await reply(page)
    .locator('.prose', { hasText: 'Rome was founded' })
    .first()
    .evaluate((text) => text.replaceWith(text.cloneNode(true)))
  await quoteButton(page).waitFor({ state: 'detached' })
})

it(
  'Ctrl + Z takes back a quote and a long paste that was kept as text, and what was typed before',
  { tags: 'long' },
  async () => {
    const page = await openConversation()
    const field = composer(page)
    await field.click()
    await page.keyboard.type('Is this so?')
    await selectParagraph(page, 'in a single day.')
    await quoteButton(page).click()
    await expect.poll(() => field.inputValue()).toBe('Is this so?\n\n> in a single day.\n\n')
    await page.keyboard.press('Control+z')
    await expect.poll(() => field.inputValue()).toBe('Is this so?')
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => field.inputValue()).toContain('> in a single day.')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect.poll(() => field.inputValue()).not.toContain('so?')

    await field.fill('')
    await page.keyboard.type('Read this: ')
    const pasted = 'long '.repeat(2_500)
    await field.evaluate((node, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      node.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, pasted)
    await page.getByRole('button', { name: 'Keep as text' }).click()
    await expect.poll(() => field.inputValue()).toBe(`Read this: ${pasted}`)
    await page.keyboard.press('Control+z')
    await expect.poll(() => field.inputValue()).toBe('Read this: ')
    // the draft follows
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe('Read this: ')
  },
)

it('DEC-171 works with the keyboard, and not across two messages', { tags: 'trial' }, async () => {
  const page = await openConversation()
  await selectParagraph(page, 'Rome was founded')
  await quoteButton(page).waitFor()
  await page.keyboard.press('Control+Shift+Digit9')
  await expect.poll(() => composer(page).inputValue()).toBe('> Rome was founded\n\n')
  await page.evaluate(() => {
    const turns = document.querySelectorAll('.group\\/turn')
    const [first, second] = [turns[0]?.querySelector('span'), turns[1]?.querySelector('p')]
    if (first && second) getSelection()?.setBaseAndExtent(first, 0, second, 1)
  })
  await page.keyboard.press('Control+Shift+Digit9')
  await expect.poll(() => composer(page).inputValue()).toBe('> Rome was founded\n\n')
  await quoteButton(page).waitFor({ state: 'detached' })
  await page
    .getByRole('heading', { name: 'You', exact: true })
    .evaluate(() => getSelection()?.removeAllRanges())
  await composer(page).press('Control+a')
  await composer(page).press('Delete')
  await page.getByRole('main').click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('Shift+Slash')
  await page.getByRole('dialog').getByText('Quote the text that is selected in a message').waitFor()
})
