import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectFailures } from '../support/browser.ts'
import { stackWithModel } from '../support/stack-with-model.ts'
import { composer, openHistory, replyFinished, say, sendButton, signedInPage } from '../support/page-steps.ts'
import { openSettings, nameField } from '../support/settings-steps.ts'

const { model, stack } = await stackWithModel('Hello.', { OPENAI_MODEL: 'fake' })

const talk = async (page: Page, text: string) => {
  await say(page, text)
  await replyFinished(page)
}
const said = (page: Page, text: string) => page.locator('main').getByText(text, { exact: true })
const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme'])
/** The same browser, another tab. */
async function anotherTab(page: Page, path = page.url()): Promise<Page> {
  const other = await page.context().newPage()
  await other.goto(path)
  await composer(other).waitFor()
  return other
}

it('AUTH-14 DEC-031 LIB-20 two tabs: a theme is taken over, and signing out in one leaves nothing in the other', async () => {
  const { page } = await signedInPage(stack)
  await talk(page, 'A private word')
  const other = await anotherTab(page)
  await said(other, 'A private word').waitFor()
  await composer(other).fill('An unsent word')
  await openSettings(page)
  await page.getByRole('radio', { name: 'Dark' }).click()
  await expect.poll(() => theme(other)).toBe('dark')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  for (const tab of [page, other]) await tab.waitForURL('**/auth')
  expect(await other.content()).not.toMatch(/A private word|An unsent word/)
  const stored = await other.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  expect(stored).not.toMatch(/A private word|An unsent word|idToken|refreshToken/)
})

it('a page that comes back from the browser’s memory looks who is signed in by then', async () => {
  const { page } = await signedInPage(stack)
  await talk(page, 'A private word')
  // as another tab does that signs out while this one is kept aside and hears nothing
  await page.evaluate(() => {
    localStorage.clear()
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await page.waitForURL('**/auth')
  expect(await page.content()).not.toContain('A private word')
})

it('two tabs: a conversation that is deleted in one is gone from the other, which says so', async () => {
  const { page, user } = await signedInPage(stack)
  await talk(page, 'To be deleted')
  const other = await anotherTab(page)
  await said(other, 'To be deleted').waitFor()
  await openHistory(page)
  await page.getByRole('button', { name: 'Delete To be deleted' }).click()
  await page.keyboard.press('Escape')
  // for good: leaving the page carries it out
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
  await deleted
  expectFailures(other, { url: /\/api\/sessions\//, status: 404 })
  await other.getByText('This conversation is not there any more.').waitFor()
  await other.getByRole('button', { name: 'Start Fresh Chat' }).click()
  await talk(other, 'Another one')
  expect((await user.call('sessions.list', {})).sessions).toMatchObject([{ title: 'Another one' }])
})

it('NAV-01 the browser’s Back and Forward go through conversations and pages, and a reload stays', async () => {
  const { page } = await signedInPage(stack)
  await talk(page, 'The first')
  await openHistory(page)
  await page.getByRole('button', { name: 'Start Fresh Chat' }).click()
  await talk(page, 'The second')
  await openSettings(page)
  await page.goBack()
  await said(page, 'The second').waitFor()
  await page.goBack()
  await said(page, 'The first').waitFor()
  expect(await said(page, 'The second').count()).toBe(0)
  await page.reload()
  await said(page, 'The first').waitFor()
  await page.goForward()
  await said(page, 'The second').waitFor()
  await page.goForward()
  await nameField(page).waitFor()
  await page.reload()
  await nameField(page).waitFor()
  await page.goBack()
  await said(page, 'The second').waitFor()
})

it('CHAT-38 offline what is typed stays, through a reload of the page too, and is sent once there is a connection again', async () => {
  const { page } = await signedInPage(stack)
  // what is loaded when the browser is idle may still be on its way
  expectFailures(page, { url: /\/(api|assets)\//, status: 'network' })
  await page.context().setOffline(true)
  await page.getByText('Offline. Your text stays here.').waitFor()
  await composer(page).fill('Written on a train')
  await sendButton(page).click()
  await page
    .getByText(/offline|connection/i)
    .nth(1)
    .waitFor()
  expect(await composer(page).inputValue()).toBe('Written on a train')
  await page.context().setOffline(false)
  await page.getByText('Offline. Your text stays here.').waitFor({ state: 'detached' })
  await page.reload()
  await expect.poll(() => composer(page).inputValue()).toBe('Written on a train')
  await page.keyboard.press('Enter')
  await said(page, 'Written on a train').waitFor()
  await replyFinished(page)
  expect(model.requests.length).toBeGreaterThan(0)
})
