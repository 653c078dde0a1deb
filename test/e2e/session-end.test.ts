/** @module-tag long */
import type { Page } from 'playwright-core'
import { RevokeTokenCommand } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from 'vitest'
import { expectFailures, screenshot } from '../support/browser.ts'
import { calls } from '../support/fake-model-server.ts'
import {
  cognitoRefusal,
  composer,
  openHistory,
  sendMessage,
  signedInPage,
  stopButton,
  submitSignIn,
  toastNamed,
  waitForReplyEnd,
} from '../support/page-steps.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { openSettings, pressSignOutEverywhere } from '../support/settings-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { appCode, enrol, openStackUserPool } from '../support/two-factor.ts'
import { settled } from '../support/settled.ts'

/** Sessions that really end: at the user pool, or at the API, and never by a faked response. */

const { model, stack } = await scriptedStack('Hello.')

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
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/integrations/cleanup')),
  )
  await sendMessage(page, 'Before')
  await waitForReplyEnd(page)
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
  await settled(page)
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
  await settled(page)
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
  // the page asks for something, unless it has noticed by itself and is reloading
  await page
    .getByRole('button', { name: 'Your Conversations' })
    .evaluateAll(([button]) => {
      if (button instanceof HTMLElement) button.click()
    })
    // the reload takes the page away while it is asked
    .catch(() => undefined)
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

/** Signs out everywhere in Settings, as a person does in the browser in front of them. */
async function signOutEverywhere(page: Page): Promise<void> {
  await openSettings(page)
  await pressSignOutEverywhere(page)
  await page.waitForURL('**/auth')
}

const mail = { to: 'ben@example.org', subject: 'Lunch', body: 'At noon?' }
const errorText = (page: Page) =>
  page.getByRole('main').getByRole('group', { name: 'Error' }).getByText(sessionExpired)

/** What the other browser was doing: how it begins, and what is done after the sign-out. */
const meanwhile: Record<string, (page: Page, user: StackUser) => Promise<() => Promise<unknown>>> = {
  'sends a message': async (page) => {
    await sendMessage(page, 'Before')
    await waitForReplyEnd(page)
    return () => Promise.all([sendMessage(page, 'Too late'), errorText(page).waitFor()])
  },
  'sends a message when its access token has expired, too': async (page) => {
    await sendMessage(page, 'Before')
    await waitForReplyEnd(page)
    return () => {
      const expire = page.evaluate(() => {
        const key = Object.keys(localStorage).find((name) => name.endsWith('.clockDrift')) ?? ''
        localStorage.setItem(key, '86400000')
      })
      return Promise.all([expire.then(() => sendMessage(page, 'Too late')), errorText(page).waitFor()])
    }
  },
  'regenerates a reply': async (page) => {
    await sendMessage(page, 'Before')
    await waitForReplyEnd(page)
    return () =>
      Promise.all([page.getByRole('button', { name: 'Regenerate' }).click(), errorText(page).waitFor()])
  },
  'approves a call': async (page, user) => {
    await connectProvider(stack, user, 'gmail')
    model.behave(calls({ id: 'c1', name: 'gmail_send_email', arguments: JSON.stringify(mail) }))
    await page.reload()
    await sendMessage(page, 'Send it')
    const approve = page.getByRole('button', { name: 'Approve' })
    await approve.waitFor()
    return () => Promise.all([approve.click(), page.getByRole('main').getByText(sessionExpired).waitFor()])
  },
  'stops a reply': async (page) => {
    const paused = pausableReply('The first words')
    model.behave(paused.behaviour)
    await sendMessage(page, 'Hello')
    await messageText(page, 'The first words').waitFor()
    return () => stopButton(page).click()
  },
}

for (const [what, begin] of Object.entries(meanwhile))
  it(
    `ERR-03 ERR-10 ERR-11 another browser signs out everywhere while this one ${what}: it says that the session is over, and nothing else`,
    { tags: what === 'approves a call' ? [] : ['trial'] },
    async () => {
      const { page, user } = await signedInPage(stack, { expected })
      const { page: other } = await signedInPage(stack, { expected }, user)
      const act = await begin(page, user)
      // what the page asks by itself after a reply, and while one waits, would find the end of the session first
      await page.route(/\/api\/(?:waiting|sessions\/[^/]+)$/, () => undefined)
      // in the page: what it says is gone three seconds later
      await page.evaluate(() => {
        const seen = new Set<string>()
        Object.assign(globalThis, { seen })
        new MutationObserver(() => {
          for (const { textContent } of document.querySelectorAll(
            '[data-sonner-toast], [role=group], main p',
          ))
            seen.add(textContent)
        }).observe(document.body, { childList: true, subtree: true, characterData: true })
      })
      const readSeen = () =>
        page.evaluate(() => [...(Reflect.get(globalThis, 'seen') as Set<string>)].join('\n'))
      await signOutEverywhere(other)
      await act()
      await toastNamed(page, 'Authentication Required').getByText(sessionExpired).waitFor()
      await screenshot(page, `signed out elsewhere, ${what}`)
      expect(await readSeen()).not.toMatch(/trouble connecting|service error|chat error/i)
      await page.waitForURL('**/auth')
    },
  )
