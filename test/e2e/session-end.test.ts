import type { Page } from 'playwright-core'
import { RevokeTokenCommand } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from 'vitest'
import { expectFailures, screenshot } from '../support/browser.ts'
import {
  cognitoRefusal,
  composer,
  openHistory,
  sendMessage,
  signedInPage,
  submitSignIn,
  toastNamed,
  waitForReplyEnd,
} from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { appCode, enrol, openStackUserPool } from '../support/two-factor.ts'

/** Sessions that really end: at the user pool, or at the API, and never by a faked response. */

const { stack } = await scriptedStack('Hello.')

const sessionExpired = 'Your session has expired. Please refresh the page and sign in again.'
const apiRefusal = { url: /\/(api|functions)\//, status: 401 } as const
const expected = [cognitoRefusal, apiRefusal]

const messageText = (page: Page, text: string) => page.locator('main').getByText(text, { exact: true })

/** Waits for the toast while the page is still shown, then until it has been left. */
async function waitForSessionEnd(page: Page, path: RegExp): Promise<void> {
  await toastNamed(page, 'Authentication Required').getByText(sessionExpired).waitFor()
  expect(new URL(page.url()).pathname).toMatch(path)
  await page.waitForURL('**/auth')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

/** Ends the sign-in of a page at the user pool, and lets its access token expire. */
async function revokePage(page: Page): Promise<void> {
  const { client, ClientId } = await openStackUserPool(stack)
  const Token = await page.evaluate(() => {
    const find = (end: string) => Object.keys(localStorage).find((name) => name.endsWith(end)) ?? ''
    localStorage.setItem(find('.clockDrift'), '86400000')
    return localStorage.getItem(find('.refreshToken')) ?? ''
  })
  await client.send(new RevokeTokenCommand({ ClientId, Token }))
  client.destroy()
}

it('ERR-03 ERR-10 ERR-11 signed out everywhere by another device: the chat says so, and nothing that was written is lost', async () => {
  const { page, user } = await signedInPage(stack, { expected })
  // the page's last request of its own: if it were refused first, the chat would not be what tells of the end of the session
  const isLoaded = page.waitForResponse('**/api/integrations/cleanup')
  await sendMessage(page, 'Before')
  await waitForReplyEnd(page)
  await isLoaded
  await user.call('account.signOutEverywhere')
  await sendMessage(page, 'Sent too late')
  await page.getByRole('main').getByRole('group', { name: 'Error' }).getByText(sessionExpired).waitFor()
  await composer(page).fill('Not sent yet')
  await screenshot(page, 'session-ended')
  const address = page.url()
  await waitForSessionEnd(page, /^\/$/)

  await submitSignIn(page, user)
  await page.waitForURL(address)
  await messageText(page, 'Before').waitFor()
  await messageText(page, 'Sent too late').waitFor()
  await page.getByText('Not saved.').waitFor()
  await expect.poll(() => composer(page).inputValue()).toBe('Not sent yet')
})

const elsewhere: [string, (page: Page, user: StackUser) => Promise<unknown>][] = [
  ['signed out everywhere by another device', (_, user) => user.call('account.signOutEverywhere')],
  ['a refresh token that is no longer valid', revokePage],
]

it.each(elsewhere)('ERR-03 ERR-10 ERR-11 outside the chat: %s', async (_, end) => {
  const { page, user } = await signedInPage(stack, { expected })
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  await end(page, user)
  await page.getByRole('switch').first().click()
  await waitForSessionEnd(page, /^\/settings$/)
  await submitSignIn(page, user)
  await page.waitForURL('**/settings')
})

it('ERR-10 a session that has ended before the page is opened: the sign-in page says so', async () => {
  const { page } = await signedInPage(stack, { expected })
  // the page that is open would notice the end itself, or renew its tokens before it
  await page.goto('/licences.txt')
  await revokePage(page)
  await page.goto('/integrations')
  await page.waitForURL('**/auth')
  await toastNamed(page, 'Authentication Required').getByText(sessionExpired).waitFor()
})

it('ERR-10 a page that is reloaded while it says so says so again', async () => {
  const { page, user } = await signedInPage(stack, { expected })
  await page.waitForLoadState('networkidle')
  // in the page, so that it is not left before
  await page.evaluate((sentence) => {
    new MutationObserver((_, observer) => {
      if (!document.body.textContent.includes(sentence)) return
      observer.disconnect()
      location.reload()
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  }, sessionExpired)
  const reloading = page.waitForEvent('domcontentloaded')
  await user.call('account.signOutEverywhere')
  await openHistory(page)
  await reloading
  await page.waitForURL('**/auth')
  await toastNamed(page, 'Authentication Required').getByText(sessionExpired).waitFor()
})

it('H5 ERR-10 two-factor authentication is switched on elsewhere: the sign-in page says why', async () => {
  const { page, user } = await signedInPage(stack, { expected })
  const { secret } = await enrol(user)
  await openHistory(page)
  await waitForSessionEnd(page, /^\/$/)
  await toastNamed(page, 'Signed out')
    .getByText('Two-factor authentication was switched on for your account. Please sign in again.')
    .waitFor()
  await submitSignIn(page, user)
  await page.getByRole('textbox', { name: 'Verification code' }).fill(appCode(secret, 1))
  await composer(page).waitFor()
})

it('the other tabs of a session that has ended say so, too, and return to their conversations', async () => {
  const { page, user } = await signedInPage(stack, { expected })
  await sendMessage(page, 'The first')
  await waitForReplyEnd(page)
  const other = await page.context().newPage()
  expectFailures(other, ...expected)
  await other.goto('/')
  await sendMessage(other, 'The second')
  await waitForReplyEnd(other)
  const addresses = [page.url(), other.url()] as const
  await user.call('account.signOutEverywhere')
  await openHistory(page)
  await Promise.all([waitForSessionEnd(page, /^\/$/), waitForSessionEnd(other, /^\/$/)])

  await submitSignIn(page, user)
  await Promise.all([page.waitForURL(addresses[0]), other.waitForURL(addresses[1])])
  await messageText(page, 'The first').waitFor()
  await messageText(other, 'The second').waitFor()
})
