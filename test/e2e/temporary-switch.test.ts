/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import {
  composer,
  readBrowserStorage,
  waitForReplyEnd,
  sendMessage,
  signedInPage,
  tabTo,
  waitForFocus,
} from '../support/page-steps.ts'
import { openSettings } from '../support/settings-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { stack, table } = await scriptedStack('Hello.')

const toggle = (page: Page) => page.getByRole('button', { name: 'Temporary chat' })
const note = (page: Page) => page.getByText('This chat is temporary.')
const readPressed = (page: Page) => toggle(page).getAttribute('aria-pressed')

it('DEC-170 a chat that is made temporary before its first message is stored nowhere; until then it can be made permanent again', async () => {
  const { page, user } = await signedInPage(stack)
  await toggle(page).click()
  await note(page).waitFor()
  await openSettings(page)
  await page.goBack()
  await note(page).waitFor()
  await expect.poll(() => readPressed(page)).toBe('true')
  await toggle(page).click()
  await note(page).waitFor({ state: 'detached' })
  await composer(page).fill('A first secret')
  await expect.poll(() => readBrowserStorage(page)).toContain('A first secret')
  await tabTo(page, toggle(page))
  await page.keyboard.press('Space')
  await note(page).waitFor()
  await waitForFocus(toggle(page))
  await expect.poll(() => readPressed(page)).toBe('true')
  expect(await readBrowserStorage(page)).not.toContain('A first secret')
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolations(page, ...rules)).toEqual([])
    await screenshot(page, `temporary chat, chosen (${look})`)
  })

  const request = page.waitForRequest(/chat-openai$/)
  await sendMessage(page, 'A second secret')
  expect((await request).postDataJSON()).toMatchObject({ keep: false })
  await waitForReplyEnd(page)
  await note(page).waitFor()
  expect(await toggle(page).count()).toBe(0)
  expect(new URL(page.url()).search).toBe('')
  await composer(page).fill('A third secret')
  expect((await user.call('sessions.list', {})).sessions).toEqual([])
  expect(JSON.stringify(await table.readAllRows())).not.toMatch(/A (first|second|third) secret/)
  expect(await readBrowserStorage(page)).not.toMatch(/secret/)

  // the next chat follows the settings
  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await toggle(page).waitFor()
  await expect.poll(() => readPressed(page)).toBe('false')
  expect(await note(page).count()).toBe(0)
})

it(
  'DEC-170 without stored conversations in the settings the switch is not offered',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await user.call('account.settings', { body: { keep_conversations: false } })
    await page.reload()
    await note(page).waitFor()
    expect(await toggle(page).count()).toBe(0)
  },
)
