/** @module-tag long */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import {
  composer,
  openHistory,
  waitForReplyEnd,
  sendMessage,
  sharePage,
  signedInPage,
  undoButton,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()
const sharedPage = sharePage(() => signedInPage(stack))

async function sendAndWait(page: Page, ...texts: string[]) {
  for (const text of texts) {
    await sendMessage(page, text)
    await waitForReplyEnd(page)
  }
}
const startFresh = async (page: Page) => {
  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
}
const panel = (page: Page) => page.getByRole('dialog', { name: 'Your Conversations' })
const row = (page: Page, title: string) => panel(page).getByRole('listitem').filter({ hasText: title })
const ownMessages = (page: Page) => page.getByRole('heading', { name: 'You', exact: true }).locator('..')

it(
  'DEC-163 an edited message replaces the old one and what followed, also after a reload',
  { tags: 'trial' },
  async () => {
    const { page } = await sharedPage()
    await sendAndWait(page, 'Tell me about Rome', 'And about Naples')
    await expect.poll(() => ownMessages(page).count()).toBe(2)
    await page.getByRole('button', { name: 'Edit message' }).first().click()
    const field = page.getByLabel('Edit your message')
    await field.fill('Tell me about Vienna')
    await page.keyboard.press('Enter')
    await waitForReplyEnd(page)
    await ownMessages(page).getByText('Tell me about Vienna').waitFor()
    await expect.poll(() => ownMessages(page).count()).toBe(1)
    await page.reload()
    await ownMessages(page).getByText('Tell me about Vienna').waitFor()
    expect(await page.getByText('Naples').count()).toBe(0)
  },
)

it('the up arrow edits the last message; Escape leaves everything as it was', { tags: 'trial' }, async () => {
  const { page } = await sharedPage()
  await sendAndWait(page, 'Tell me about Rome')
  await composer(page).press('ArrowUp')
  await expect.poll(() => page.getByLabel('Edit your message').inputValue()).toBe('Tell me about Rome')
  await page.keyboard.press('Escape')
  await ownMessages(page).getByText('Tell me about Rome').waitFor()
  expect(await page.getByLabel('Edit your message').count()).toBe(0)
})

it('a regenerated reply replaces the last one', { tags: 'trial' }, async () => {
  const { page } = await sharedPage()
  await sendAndWait(page, 'Tell me about Rome')
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await waitForReplyEnd(page)
  await expect.poll(() => ownMessages(page).count()).toBe(1)
  await expect.poll(() => page.getByRole('button', { name: 'Copy reply' }).count()).toBe(1)
  await page.reload()
  await page.getByRole('button', { name: 'Copy reply' }).waitFor()
  await expect.poll(() => ownMessages(page).count()).toBe(1)
})

it('HIST-06 HIST-12 HIST-29 the delete button of a row is seen when it is needed; deleting can be undone, and is sent to the server when its toast is closed', async () => {
  const { page } = await signedInPage(stack)
  await sendAndWait(page, 'Tell me about Rome')
  await openHistory(page)
  const remove = page.getByRole('button', { name: 'Delete Tell me about Rome' })
  const isSeen = () => remove.evaluate((node) => node.checkVisibility({ opacityProperty: true }))
  await row(page, 'Tell me about Rome').waitFor()
  await page.mouse.move(0, 0)
  await expect.poll(isSeen).toBe(false)
  await remove.focus()
  await expect.poll(isSeen).toBe(true)
  await remove.blur()
  await expect.poll(isSeen).toBe(false)
  await row(page, 'Tell me about Rome').hover()
  await expect.poll(isSeen).toBe(true)
  await remove.click()
  await page.getByText('Chat removed').waitFor()
  await panel(page).getByText('No conversations yet').waitFor()
  await undoButton(page).click()
  await row(page, 'Tell me about Rome').waitFor()
  await page.keyboard.press('Escape')
  await ownMessages(page).getByText('Tell me about Rome').waitFor()
  await page.reload()
  await ownMessages(page).getByText('Tell me about Rome').waitFor()

  await openHistory(page)
  await remove.click()
  const gone = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Chat removed' })
    .getByRole('button', { name: 'Close' })
    .click()
  expect((await gone).status()).toBe(200)
  await page.getByText('Chat deleted!').waitFor()
  await page.goto('/')
  await openHistory(page)
  await panel(page).getByText('No conversations yet').waitFor()
})

it('leaving the page carries out pending deletions', async () => {
  const user = await stack.newUser()
  const messages = [{ role: 'user' as const, content: 'Tell me about Rome' }]
  await user.call('chat.send', { body: { sessionId: crypto.randomUUID(), messages } })
  const { page } = await signedInPage(stack, {}, user)
  await openHistory(page)
  await page.getByRole('button', { name: 'Delete Tell me about Rome' }).click()
  await page.getByText('Chat removed').waitFor()
  await page.reload()
  await vi.waitFor(async () => expect((await user.call('sessions.list')).sessions).toEqual([]))
  await openHistory(page)
  await panel(page).getByText('No conversations yet').waitFor()
})

it(
  'DEC-114 a conversation keeps the user’s title, in the list and in the tab',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack)
    await sendAndWait(page, 'Tell me about Rome')
    await openHistory(page)
    await page.getByRole('button', { name: 'More for Tell me about Rome' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('Title of the conversation').fill('Summer in Italy')
    await page.keyboard.press('Enter')
    await row(page, 'Summer in Italy').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.title.startsWith('Summer in Italy'))
    await sendAndWait(page, 'And about Naples')
    await page.reload()
    await page.waitForFunction(() => document.title.startsWith('Summer in Italy'))
  },
)

it('exports one conversation as Markdown and as JSON', { tags: 'trial' }, async () => {
  const { page } = await signedInPage(stack)
  await sendAndWait(page, 'Tell me about Rome')
  await openHistory(page)
  const save = async (item: string) => {
    await page.getByRole('button', { name: 'More for Tell me about Rome' }).click()
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
  }
  const markdown = await save('Export as Markdown')
  expect(markdown.name).toMatch(/\.md$/)
  expect(markdown.text).toContain('Tell me about Rome')
  const json = await save('Export as JSON')
  expect(json.name).toMatch(/\.json$/)
  expect(JSON.stringify(JSON.parse(json.text))).toContain('Tell me about Rome')
})

it(
  'Ctrl K finds a message and opens its conversation with the keyboard only',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack)
    await sendAndWait(page, 'Tell me about Rome', 'The ferry leaves at Molo Beverello')
    await startFresh(page)
    await sendAndWait(page, 'Something else')
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: 'Search conversations and pages' })
    await search.pressSequentially('beverello MOLO')
    const hit = page.getByRole('option').filter({ hasText: 'Tell me about Rome' })
    await hit.getByText('Beverello').first().waitFor()
    await page.keyboard.press('Enter')
    await ownMessages(page).getByText('The ferry leaves at Molo Beverello').waitFor()

    // later messages are found too
    await sendAndWait(page, 'A word nobody knows: xylograph')
    await page.keyboard.press('Control+k')
    await search.fill('xylograph')
    await hit.waitFor()
    await search.fill('never said')
    await page.getByText('Nothing found for “never said”.').waitFor()
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'detached' })
  },
)

it('? lists the shortcuts, but not while typing', { tags: 'trial' }, async () => {
  const { page } = await sharedPage()
  await composer(page).fill('why')
  await page.keyboard.press('?')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await composer(page).blur()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await list.getByText('Search conversations and pages').waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
})

it('a conversation that is open in two tabs is the same in both', async () => {
  const { page } = await sharedPage()
  await sendMessage(page, '/echo First')
  await waitForReplyEnd(page)
  const other = await page.context().newPage()
  await other.goto(page.url())
  const replies = (tab: Page, text: string) => tab.locator('main').getByText(text, { exact: true })
  await replies(other, 'First').waitFor()
  await sendMessage(page, '/echo Second')
  await replies(other, '/echo Second').waitFor()
  await replies(other, 'Second').waitFor()
  await waitForReplyEnd(other)
  await sendMessage(other, '/echo Third')
  await replies(page, 'Third').waitFor()
  await waitForReplyEnd(page)
  const headings = (tab: Page) => tab.locator('main h2').allTextContents()
  await expect.poll(() => headings(page)).toEqual(['You', 'Juno', 'You', 'Juno', 'You', 'Juno'])
  await expect.poll(() => headings(other)).toEqual(await headings(page))
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await waitForReplyEnd(page)
  await expect.poll(() => headings(other)).toEqual(await headings(page))
})
