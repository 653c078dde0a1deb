/** @module-tag long */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolationsIn } from '../support/axe.ts'
import { expectFailures, forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { says } from '../support/fake-model-server.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import {
  composer,
  sendMessage,
  signedInPage,
  tabTo,
  typeThrough,
  waitForFocus,
  waitForReplyEnd,
} from '../support/page-steps.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { stackWithModel } from '../support/stack-with-model.ts'

const { model, stack } = await stackWithModel('Hello.', {
  OPENAI_MODEL: 'small',
  MODELS: JSON.stringify([
    { id: 'small', name: 'Small Talk' },
    { id: 'deep', name: 'Deep Thought', efforts: ['low', 'high'] },
  ]),
})

const say = async (page: Page, text: string, reply = `Answer to ${text}`) => {
  model.behave(says(reply))
  await sendMessage(page, text)
  await waitForReplyEnd(page)
}

async function checkLooks(page: Page, name: string, selector = 'html') {
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolationsIn(page, selector, ...rules)).toEqual([])
    expect(await findCutOffElements(page)).toEqual([])
    await screenshot(page, `${name} (${look})`)
  })
}

it('a long message shows its first lines; a key, find in page and a search result open the rest', async () => {
  const { page } = await signedInPage(stack)
  const lines = Array.from({ length: 40 }, (_, index) => `Line number ${index + 1}`)
  await say(page, [...lines, 'and a zebra'].join('\n'), 'Read.')
  await say(page, lines.slice(0, 12).join('\n'), 'Short.')
  const more = page.getByRole('button', { name: 'Show more' })
  const less = page.getByRole('button', { name: 'Show less' })
  const text = page.getByText('and a zebra')
  const height = () => text.evaluate((node) => node.parentElement?.clientHeight ?? 0)
  // one of twelve lines is whole
  await expect.poll(() => more.count()).toBe(1)
  const collapsed = await height()
  await checkLooks(page, 'long message')
  await more.focus()
  await page.keyboard.press('Enter')
  await waitForFocus(less)
  await expect.poll(height).toBeGreaterThan(3 * collapsed)
  await page.keyboard.press('Enter')
  await waitForFocus(more)
  await expect.poll(height).toBe(collapsed)
  // as find in page does
  await text.evaluate((node) => node.parentElement?.scrollTo(0, 400))
  await less.waitFor()
  await less.click()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('zebra')
  await page.getByRole('option', { name: /zebra/ }).waitFor()
  await page.keyboard.press('Enter')
  await less.waitFor()
})

it('a reply is written again by another model, which stays chosen, in a temporary chat too', async () => {
  const { page } = await signedInPage(stack)
  const models = () => model.requests.map((request) => request.model)
  const choose = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name: 'Answer with another model' }))
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name }).waitFor()
    await page.keyboard.type(name.slice(0, 3))
    await waitForFocus(page.getByRole('menuitem', { name }))
  }
  await say(page, 'Hi')
  model.behave(says('Forty-two.'))
  await choose('Deep Thought')
  await checkLooks(page, 'another model', '[role=menu]')
  await page.keyboard.press('Enter')
  await page.getByText('Forty-two.', { exact: true }).waitFor()
  await page.getByRole('group', { name: 'Versions of this message' }).getByText('2 of 2').waitFor()
  await page.getByRole('button', { name: 'Model: Deep Thought' }).waitFor()
  expect(models()).toEqual(['deep'])

  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('button', { name: 'Temporary chat' }).click()
  await say(page, 'Hi again')
  model.behave(says('Forty-three.'))
  await choose('Deep Thought')
  await page.keyboard.press('Enter')
  await page.getByText('Forty-three.', { exact: true }).waitFor()
  expect(models()).toEqual(['deep'])
  expect(await page.getByText('Answer to Hi again').count()).toBe(0)
})

const openMenu = async (page: Page, index: number) => {
  await page.getByRole('button', { name: 'More for this reply' }).nth(index).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Continue in a new chat' }).waitFor()
}
const replies = (page: Page) => page.locator('.is-reply .prose p').allTextContents()

it('a conversation is continued from a reply in a new chat, and the old one stays', async () => {
  const { page, user } = await signedInPage(stack)
  await say(page, 'One')
  await say(page, 'Two')
  const address = page.url()
  await openMenu(page, 0)
  await checkLooks(page, 'reply menu', '[role=menu]')
  // an error keeps the conversation, and says so
  expectFailures(page, { url: /\/copy$/, status: 'network' })
  await page.route('**/copy', (route) => route.abort())
  await page.keyboard.press('Enter')
  await page.getByText('No new chat was made').waitFor()
  await page.unroute('**/copy')
  expect(page.url()).toBe(address)
  await openMenu(page, 0)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).not.toBe(address)
  await expect.poll(() => replies(page)).toEqual(['Answer to One'])
  await say(page, 'Three')
  await page.goto(address)
  await expect.poll(() => replies(page)).toEqual(['Answer to One', 'Answer to Two'])
  expect((await user.call('sessions.list', {})).sessions).toHaveLength(2)
})

it('a message is deleted with its reply after a question, and not while a reply is written', async () => {
  const { page } = await signedInPage(stack)
  await say(page, 'One')
  await openMenu(page, 0)
  const item = page.getByRole('menuitem', { name: 'Delete message and reply…' })
  // the only one: the conversation can be deleted
  expect(await item.count()).toBe(0)
  await page.keyboard.press('Escape')
  await say(page, 'Two')
  await say(page, 'Three')
  await openMenu(page, 1)
  await item.click()
  const dialog = page.getByRole('dialog', { name: 'Delete this message and its reply?' })
  await dialog.waitFor()
  await checkLooks(page, 'delete message')
  expectFailures(page, { url: /\/messages\//, status: 'network' })
  await page.route('**/messages/*', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('alert').waitFor()
  await page.unroute('**/messages/*')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => replies(page)).toEqual(['Answer to One', 'Answer to Three'])
  await page.reload()
  await expect.poll(() => replies(page)).toEqual(['Answer to One', 'Answer to Three'])
  const paused = pausableReply('Wait')
  model.behave(paused.behaviour)
  await sendMessage(page, 'Four')
  await paused.modelCalled
  await openMenu(page, 0)
  await expect.poll(() => item.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Escape')
  paused.finish(' no more.')
  await waitForReplyEnd(page)
})

it('a folder is attached in order of its paths, with what was left out, and so is a screenshot; a cancelled one changes nothing', async () => {
  const { page } = await signedInPage(stack)
  const folder = await mkdtemp(join(tmpdir(), 'folder-'))
  await mkdir(join(folder, 'b'))
  await writeFile(join(folder, '.hidden'), 'x')
  for (const number of [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    await writeFile(join(folder, 'b', `note ${number}.txt`), `Note ${number}`)
  await writeFile(join(folder, 'a.txt'), 'First')
  // long before the key: the browser hears of the listener on another way than of keys, and loses a chooser between them
  const choosing = page.waitForEvent('filechooser')
  await tabTo(page, page.getByRole('button', { name: 'More to attach' }))
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Attach a folder' }).waitFor()
  await checkLooks(page, 'attach menu', '[role=menu]')
  await page.keyboard.press('Enter')
  const chooser = await choosing
  await chooser.setFiles(folder)
  await page.getByText('Not attached').waitFor()
  await page.getByText('1 hidden file was left out.').waitFor()
  const chips = page.getByRole('list', { name: 'Attached files' })
  const names = () => chips.getByText(/\.(txt|png)$/).allTextContents()
  const notes = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `note ${number}.txt`)
  await expect.poll(names).toEqual(['a.txt', ...notes])
  await checkLooks(page, 'folder')
  await chips
    .getByRole('button', { name: /^Remove/ })
    .last()
    .click()

  await page.evaluate(() => {
    navigator.mediaDevices.getDisplayMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  })
  const takeScreenshot = async () => {
    await page.getByRole('button', { name: 'More to attach' }).click()
    await page.getByRole('menuitem', { name: 'Take a screenshot' }).click()
  }
  await takeScreenshot()
  await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.getContext('2d')?.fillRect(0, 0, 20, 20)
    const stream = canvas.captureStream(5)
    Object.assign(globalThis, { stream })
    navigator.mediaDevices.getDisplayMedia = () => Promise.resolve(stream)
  })
  await takeScreenshot()
  await chips.getByText(/^Screenshot .*\.png$/).waitFor()
  expect((await names()).length).toBe(10)
  // the browser shows that the screen is shared no longer
  const isLive = () => page.evaluate(() => (globalThis as unknown as { stream: MediaStream }).stream.active)
  await expect.poll(isLive).toBe(false)
})

it('files of a connected Google Drive are found and attached; without a connection the way to one is named', async () => {
  const { user, page } = await signedInPage(stack)
  const dialog = page.getByRole('dialog', { name: 'Attach from Google Drive' })
  const openDialog = async () => {
    await page.getByRole('button', { name: 'More to attach' }).click()
    await page.getByRole('menuitem', { name: 'Attach from Google Drive' }).click()
    await dialog.waitFor()
  }
  expectFailures(page, { url: /api\/drive-files/, status: 409 })
  await openDialog()
  await dialog.getByText('Google Drive is not connected.').waitFor()
  await dialog.getByRole('button', { name: 'Connect it under “Tools”' }).click()
  await page.waitForURL('**/integrations')
  await page.goBack()

  await connectProvider(stack, user, 'google-drive')
  await openDialog()
  const rows = dialog.getByRole('list', { name: 'Files of your Drive' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(3)
  await checkLooks(page, 'drive', '[role=dialog]')
  await dialog.getByLabel('Search your Drive').fill('travel')
  await expect.poll(() => rows.count()).toBe(1)
  await dialog.getByRole('button', { name: 'Attach Travel plan.md' }).click()
  await dialog.getByText('Attached').waitFor()
  await dialog.getByLabel('Search your Drive').fill('nothing like this')
  await dialog.getByText('Nothing that can be attached was found for “nothing like this”.').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await waitForFocus(composer(page))
  const chip = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  await chip.getByText('ready').waitFor()
  await say(page, 'What is the plan?', 'Lisbon.')
  expect(JSON.stringify(model.requests.at(-1))).toContain('Three days in May.')
})

it('a reply is rated with keys, with a text that administrators may read; both are there after a reload', async () => {
  const { page } = await signedInPage(stack)
  await say(page, 'Which year?', 'It was 1969.')
  const bad = page.getByRole('button', { name: 'Bad reply' })
  const why = page.getByRole('button', { name: 'Say why' })
  const field = page.getByLabel('What was wrong? (optional)')
  await bad.focus()
  await page.keyboard.press('Enter')
  await waitForFocus(field)
  await expect.poll(() => bad.getAttribute('aria-pressed')).toBe('true')
  await typeThrough(page, ['The year is wrong', 'Tab', 'Space', 'Tab', 'Tab', 'Tab'])
  await waitForFocus(page.getByRole('dialog').getByRole('button', { name: 'Send' }))
  await checkLooks(page, 'rating')
  await page.keyboard.press('Enter')
  await waitForFocus(why)
  await page.reload()
  await expect.poll(() => bad.getAttribute('aria-pressed')).toBe('true')
  await why.click()
  await expect.poll(() => field.inputValue()).toBe('The year is wrong')
})
