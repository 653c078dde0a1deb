/** @module-tag long */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  composer,
  sendMessage,
  sharePage,
  signedInPage,
  typeThrough,
  waitForFocus,
  waitForReplyEnd,
} from '../support/page-steps.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { demoStack } from '../support/shared-stack.ts'

/** What a person types is not lost by a reply, a navigation, another tab, a row that moves or a save that returns. */

const unsavedQuestion = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const stack = await demoStack()
const openPage = sharePage(() => signedInPage(stack))

const editor = (page: Page) => page.getByLabel('Edit your message')

/** A conversation whose message is being edited. */
async function edit(page: Page, message: string, addition: string) {
  await sendMessage(page, message)
  await waitForReplyEnd(page)
  await composer(page).press('ArrowUp')
  await waitForFocus(editor(page))
  await page.keyboard.type(addition)
  return message + addition
}

describe('a message that is being edited', () => {
  it.each<[string, (page: Page) => Promise<void>]>([
    [
      'a message that is sent meanwhile',
      async (page) => {
        await composer(page).fill('What is 2+2?')
        await composer(page).press('Enter')
        await page.getByText('What is 2+2?').first().waitFor()
        // the text stays while the reply streams
        await editor(page).waitFor()
        await waitForReplyEnd(page)
      },
    ],
    [
      'another reply',
      async (page) => {
        await page.getByRole('button', { name: 'Regenerate' }).click()
        await waitForReplyEnd(page)
      },
    ],
    [
      'another page',
      async (page) => {
        await page.getByRole('link', { name: 'Tools', exact: true }).click()
        await page.getByRole('textbox', { name: 'Search integrations' }).waitFor()
        await page.goBack()
      },
    ],
    [
      'a new chat',
      async (page) => {
        await page.keyboard.press('Control+Shift+O')
        await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
        await page.goBack()
      },
    ],
    ['a reload', async (page) => void (await page.reload())],
    [
      'a message of another tab',
      async (page) => {
        const other = await page.context().newPage()
        await other.goto(page.url())
        await sendMessage(other, 'From the other tab')
        await waitForReplyEnd(other)
        await other.close()
        await page.bringToFront()
        await page.getByText('From the other tab').first().waitFor()
      },
    ],
  ])('survives %s', async (_, disturb) => {
    const { page } = await openPage()
    const text = await edit(page, 'Plan a week in Rome', ', and a long addition')
    await disturb(page)
    await expect.poll(() => editor(page).inputValue()).toBe(text)
    await editor(page).press('Escape')
    await editor(page).waitFor({ state: 'detached' })
  })

  it('is found again in another tab when its own was closed', async () => {
    const { page } = await openPage()
    const text = await edit(page, 'Plan a week in Oslo', ', by train')
    const other = await page.context().newPage()
    await other.goto(page.url())
    await composer(other).waitFor()
    await expect.poll(() => editor(other).count()).toBe(0)
    await page.goto('about:blank')
    await other.reload()
    await expect.poll(() => editor(other).inputValue()).toBe(text)
    await editor(other).press('Escape')
    await page.goto('/')
    await other.close()
  })
})

it('“Keep as text” adds to what was typed since, in a composer that has replaced the one of the paste', async () => {
  const { page } = await openPage()
  await sendMessage(page, 'First')
  await waitForReplyEnd(page)
  const pasted = 'long '.repeat(2_500)
  await composer(page).evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, pasted)
  const keep = page.getByRole('button', { name: 'Keep as text' })
  await keep.waitFor()
  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  await page.goBack()
  await page.getByText('First').first().waitFor()
  await composer(page).pressSequentially('Newer words')
  await keep.click()
  await expect.poll(() => composer(page).inputValue()).toBe(`Newer words${pasted}`)
  await composer(page).fill('')
})

it('a memory that is typed while another is saved, or edited while another is opened, stays', async () => {
  const { page } = await openPage()
  await page.goto('/settings')
  const add = page.getByLabel('Add a memory')
  const response = Promise.withResolvers<void>()
  await page.route('**/api/memory', async (route) => {
    if (route.request().method() === 'POST') await response.promise
    await route.continue()
  })
  await add.click()
  await typeThrough(page, ['I like tea', 'Enter', 'Control+A', 'I live in Oslo'])
  response.resolve()
  await page.getByRole('button', { name: 'Edit: I like tea' }).waitFor()
  await expect.poll(() => add.inputValue()).toBe('I live in Oslo')
  // the row may be there before the first one is saved
  const addButton = page.getByRole('button', { name: 'Add', exact: true })
  await expect.poll(() => addButton.getAttribute('aria-busy')).toBeNull()
  await add.press('Enter')
  await page.getByRole('button', { name: 'Edit: I live in Oslo' }).waitFor()

  await page.getByRole('button', { name: 'Edit: I like tea' }).click()
  await waitForFocus(page.getByLabel('Edit the memory'))
  await typeThrough(page, ['End', ', without sugar'])
  await page.getByRole('button', { name: 'Edit: I live in Oslo' }).click()
  await expect.poll(() => page.getByLabel('Edit the memory').count()).toBe(2)
  await expect
    .poll(() => page.getByLabel('Edit the memory').first().inputValue())
    .toBe('I like tea, without sugar')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await unsavedQuestion(page).getByRole('button', { name: 'Discard changes' }).click()
  await composer(page).waitFor()
})

it('a language is neither stored nor shown before the user agrees to lose what is not saved', async () => {
  const { page } = await openPage()
  await page.goto('/settings')
  const instructions = page.getByLabel(/know about you/)
  await instructions.fill('Answer in metric units')
  const language = page.getByRole('combobox', { name: 'Language' })
  await language.selectOption('de')
  await unsavedQuestion(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => instructions.inputValue()).toBe('Answer in metric units')
  await expect.poll(() => language.inputValue()).toBe('')
  expect(await page.evaluate(() => localStorage.getItem('juno.language'))).toBeNull()
  await page.reload()
  await page.getByLabel(/know about you/).waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('en')
})

describe('an administrator', () => {
  it('is asked before the address of an invitation is lost', async () => {
    const user = await stack.newUser()
    await grantAdmin(stack, user.email)
    const { page } = await signedInPage(stack, {}, user)
    await page.goto('/admin/invitations')
    await page.getByLabel('E-mail').first().fill('someone@example.org')
    await page.getByRole('link', { name: 'Groups' }).first().click()
    await unsavedQuestion(page).getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => page.getByLabel('E-mail').first().inputValue()).toBe('someone@example.org')
  })
})

it('a server that is being added is kept until the user agrees to lose it, and its secrets are never stored', async () => {
  const { page } = await openPage()
  await page.getByRole('link', { name: 'Tools', exact: true }).click()
  await page.getByRole('button', { name: 'Add Custom' }).click()
  await page.getByRole('button', { name: 'Add Custom MCP Tool' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Custom MCP Tool' })
  await dialog.getByLabel('API key').fill('hunter2')
  await dialog.getByLabel(/Server URL/).fill('https://tool.example.org/mcp')
  await page.goBack()
  const discard = dialog.getByRole('button', { name: 'Discard changes' })
  await discard.waitFor()
  await expect.poll(() => dialog.getByLabel(/Server URL/).inputValue()).toBe('https://tool.example.org/mcp')
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  expect(stored).not.toContain('hunter2')
  await discard.click()
  await composer(page).waitFor()
})

it('full-width digits of an input method are each taken once, as digits', async () => {
  const { page } = await openPage()
  await page.goto('/settings')
  await page
    .getByRole('button', { name: /^(Enable|Set up)/ })
    .first()
    .click()
  const code = page.getByRole('dialog').getByLabel('Verification code')
  await code.click()
  const session = await page.context().newCDPSession(page)
  for (const text of ['１', '１２', '１２３']) {
    await session.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    })
    await expect.poll(() => code.inputValue()).toBe(text)
  }
  await session.send('Input.insertText', { text: '１２３' })
  await expect.poll(() => code.inputValue()).toBe('123')
  await page.keyboard.press('Escape')
})
