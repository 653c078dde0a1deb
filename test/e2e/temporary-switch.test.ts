import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findings } from '../support/axe.ts'
import { inEachLook, screenshot } from '../support/browser.ts'
import { composer, replyFinished, say, signedInPage, tabTo, waitForFocus } from '../support/page-steps.ts'
import { openSettings } from '../support/settings-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { stack, table } = await scriptedStack('Hello.')

const toggle = (page: Page) => page.getByRole('button', { name: 'Temporary chat' })
const note = (page: Page) => page.getByText('This chat is temporary.')
const isPressed = (page: Page) => toggle(page).getAttribute('aria-pressed')
const browserStorage = (page: Page) => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))

it('DEC-170 a chat that is made temporary before its first message is stored nowhere', async () => {
  const { page, user } = await signedInPage(stack)
  await composer(page).fill('A first secret')
  await expect.poll(() => browserStorage(page)).toContain('A first secret')
  await tabTo(page, toggle(page))
  await page.keyboard.press('Space')
  await note(page).waitFor()
  await waitForFocus(toggle(page))
  await expect.poll(() => isPressed(page)).toBe('true')
  expect(await browserStorage(page)).not.toContain('A first secret')
  await inEachLook(page, async (look, rules) => {
    expect(await findings(page, ...rules)).toEqual([])
    await screenshot(page, `temporary chat, chosen (${look})`)
  })

  const request = page.waitForRequest(/chat-openai$/)
  await say(page, 'A second secret')
  expect((await request).postDataJSON()).toMatchObject({ keep: false })
  await replyFinished(page)
  await note(page).waitFor()
  expect(await toggle(page).count()).toBe(0)
  expect(new URL(page.url()).search).toBe('')
  await composer(page).fill('A third secret')
  expect((await user.call('sessions.list', {})).sessions).toEqual([])
  expect(JSON.stringify(await table.everyRow())).not.toMatch(/A (first|second|third) secret/)
  expect(await browserStorage(page)).not.toMatch(/secret/)

  // the next one is as the settings say
  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await toggle(page).waitFor()
  await expect.poll(() => isPressed(page)).toBe('false')
  expect(await note(page).count()).toBe(0)
})

it('DEC-170 before the first message the chat can be kept again, after a visit to another page, too', async () => {
  const { page, user } = await signedInPage(stack)
  await toggle(page).click()
  await note(page).waitFor()
  await openSettings(page)
  await page.goBack()
  await note(page).waitFor()
  await expect.poll(() => isPressed(page)).toBe('true')
  await toggle(page).click()
  await note(page).waitFor({ state: 'detached' })
  await say(page, 'Write this down')
  await replyFinished(page)
  expect((await user.call('sessions.list', {})).sessions).toMatchObject([{ title: 'Write this down' }])
})

it('DEC-170 where the settings keep nothing there is nothing to choose', async () => {
  const { page, user } = await signedInPage(stack)
  await user.call('account.settings', { body: { keep_conversations: false } })
  await page.reload()
  await note(page).waitFor()
  expect(await toggle(page).count()).toBe(0)
})
