import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectFailures, newPage } from '../support/browser.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import {
  composer,
  fillSignIn,
  openHistory,
  replyFinished,
  say,
  sendButton,
  signedInPage,
  waitForFocus,
} from '../support/page-steps.ts'
import { openSettings, nameField } from '../support/settings-steps.ts'

const { model, stack } = await scriptedStack('Hello.')

const talk = async (page: Page, text: string) => {
  await say(page, text)
  await replyFinished(page)
}
const messageText = (page: Page, text: string) => page.locator('main').getByText(text, { exact: true })
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
  await messageText(other, 'A private word').waitFor()
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

describe('the calls of the sign-in', () => {
  /** What the page asks Cognito for, by name. */
  function recordCognitoCalls(page: Page): string[] {
    const calls: string[] = []
    page.on('request', (request) => {
      const target = request.headers()['x-amz-target']
      if (target) calls.push(target.split('.').at(-1) ?? '')
    })
    return calls
  }

  it('AUTH-16 signs in by e-mail and password, and out', async () => {
    const user = await stack.newUser()
    const page = await newPage({ baseURL: stack.origin })
    const calls = recordCognitoCalls(page)
    await page.goto('/auth')
    await fillSignIn(page, user)
    await composer(page).waitFor()
    expect(calls).toEqual(['InitiateAuth', 'RespondToAuthChallenge'])
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL('**/auth')
    // the page is left first
    await expect.poll(() => calls.slice(2)).toEqual(['RevokeToken'])
  })

  it('AUTH-16 reads session and user when the page starts, and hears of changes in another tab', async () => {
    const { page, user } = await signedInPage(stack)
    const other = await anotherTab(page)
    const calls = recordCognitoCalls(other)
    await other.reload()
    await other.getByRole('button', { name: /account menu/ }).click()
    await other.getByText(user.email).waitFor()
    // the stored session is good: nobody is asked for it
    expect(calls).toEqual([])
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await other.waitForURL('**/auth')
  })
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
  await messageText(other, 'To be deleted').waitFor()
  await openHistory(page)
  await page.getByRole('button', { name: 'Delete To be deleted' }).click()
  await page.keyboard.press('Escape')
  // for good: leaving the page carries it out
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
  await deleted
  expectFailures(other, { url: /\/api\/sessions\//, status: 404 })
  await other.getByText('This conversation no longer exists.').waitFor()
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
  await messageText(page, 'The second').waitFor()
  await page.goBack()
  await messageText(page, 'The first').waitFor()
  expect(await messageText(page, 'The second').count()).toBe(0)
  await page.reload()
  await messageText(page, 'The first').waitFor()
  await page.goForward()
  await messageText(page, 'The second').waitFor()
  await page.goForward()
  await nameField(page).waitFor()
  await page.reload()
  await nameField(page).waitFor()
  await page.goBack()
  await messageText(page, 'The second').waitFor()
})

it('CHAT-38 offline what is typed stays, through a reload of the page too, and is sent once there is a connection again', async () => {
  const { page } = await signedInPage(stack)
  // what stands on the page once the browser was idle, however late that is
  await page.waitForFunction(() => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
    const parts = ['account-menu', 'toaster', 'top-bar-integrations', 'connection-maintenance']
    return parts.every((part) => loaded.some((name) => name.includes(`/${part}-`)))
  })
  await page.waitForLoadState('networkidle')
  expectFailures(page, { url: /\/(api|assets)\//, status: 'network' })
  // the browser may say that it is offline a moment before it is: the page would then still reach the service
  await page.route('**/api/health', (route) => route.abort('internetdisconnected'))
  await page.context().setOffline(true)
  await page.getByText('Offline. Your text stays here.').waitFor()
  await composer(page).fill('Written on a train')
  await page.getByText('You are offline. Messages can be sent when the connection is back.').waitFor()
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
  await composer(page).press('Enter')
  await expect.poll(() => composer(page).inputValue()).toBe('Written on a train')
  await page.context().setOffline(false)
  await page.getByText('Offline. Your text stays here.').waitFor({ state: 'detached' })
  await page.reload()
  await expect.poll(() => composer(page).inputValue()).toBe('Written on a train')
  const asked = model.requests.length
  await composer(page).press('Enter')
  // sent: until then the words stand in the composer alone
  await expect.poll(() => composer(page).inputValue()).toBe('')
  await messageText(page, 'Written on a train').waitFor()
  await expect.poll(() => model.requests.length).toBeGreaterThan(asked)
  await replyFinished(page)
})

it('DEC-172 two tabs: each fresh chat has a draft of its own, and that of a closed tab goes into the next fresh chat', async () => {
  const { page } = await signedInPage(stack)
  const draft = (tab: Page) => composer(tab).inputValue()
  await composer(page).fill('Of the first tab')
  const other = await anotherTab(page, '/')
  expect(await draft(other)).toBe('')
  await composer(other).fill('Of the second tab')
  for (const [tab, text] of [
    [page, 'Of the first tab'],
    [other, 'Of the second tab'],
  ] as const) {
    await tab.reload()
    await expect.poll(() => draft(tab)).toBe(text)
  }
  // sending in one leaves the other’s alone
  await talk(page, 'Sent')
  await other.reload()
  await expect.poll(() => draft(other)).toBe('Of the second tab')

  await other.close()
  await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.length)).toBe(1)
  const third = await anotherTab(page, '/')
  await expect.poll(() => draft(third)).toBe('Of the second tab')
  const fourth = await anotherTab(page, '/')
  await fourth.waitForLoadState('networkidle')
  expect(await draft(fourth)).toBe('')
  await composer(third).press('Enter')
  await messageText(third, 'Of the second tab').waitFor()
  await expect.poll(() => storage(third)).not.toContain('draft:')
})

/** A user whose new chats are temporary, on a page that knows it. */
async function temporaryPage() {
  const signedIn = await signedInPage(stack)
  await signedIn.user.call('account.settings', { body: { keep_conversations: false } })
  await signedIn.page.reload()
  await signedIn.page.getByText('This chat is temporary.').waitFor()
  return signedIn
}
const leaveDialog = (page: Page) => page.getByRole('dialog', { name: 'Leave this temporary chat?' })
const storage = (page: Page) => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))

it(
  'a temporary chat is not lost by a click: another chat, a fresh one, a shortcut and Log out ask first, other pages keep it',
  { tags: 'long' },
  async () => {
    const { page } = await temporaryPage()
    await openSettings(page)
    await page.getByRole('button', { name: 'Back' }).click()
    await talk(page, 'Nobody writes this down')
    const stay = async () => {
      await leaveDialog(page).waitFor()
      // a menu that was chosen from takes its time to go, hidden behind the dialog, and would take the focus back
      await page.locator('[role="menu"]').waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await leaveDialog(page).waitFor({ state: 'detached' })
      // the focus is back where one goes on
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.tagName))
        .toMatch(/^(BUTTON|A|TEXTAREA)$/)
      await messageText(page, 'Nobody writes this down').waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    }
    const account = page.getByRole('button', { name: /account menu/ })
    const goOn = async () => {
      await messageText(page, 'Nobody writes this down').waitFor()
      await expect.poll(() => composer(page).inputValue()).toBe('Half a thought')
    }
    await composer(page).fill('Half a thought')
    await account.click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Back' }).click()
    await goOn()
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page.waitForURL('**/integrations')
    await page.goBack()
    await goOn()
    await composer(page).fill('')
    await account.click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await stay()
    await waitForFocus(account)
    await page.getByRole('link', { name: 'Juno' }).click()
    await stay()
    await page.keyboard.press('Control+Shift+O')
    await stay()
    await openHistory(page)
    await page.getByRole('button', { name: 'Start Fresh Chat' }).click()
    await stay()

    await composer(page).fill('Nor this')
    expect(await storage(page)).not.toMatch(/Nobody writes|Nor this/)
    await page.keyboard.press('Control+Shift+O')
    await leaveDialog(page).getByRole('button', { name: 'Leave' }).click()
    await messageText(page, 'Nobody writes this down').waitFor({ state: 'detached' })
    expect(await composer(page).inputValue()).toBe('')
    expect(await storage(page)).not.toMatch(/Nobody writes|Nor this/)

    // signing out elsewhere does not wait for an answer
    await talk(page, 'Nobody asks about this')
    const other = await anotherTab(page, '/')
    await other.getByRole('button', { name: /account menu/ }).click()
    await other.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL('**/auth')
    expect(await page.content()).not.toContain('Nobody asks about this')
  },
)

it('a temporary chat is not lost by a reload that nobody asked for', async () => {
  const { page } = await temporaryPage()
  await talk(page, 'Nobody writes this down')
  // as after a deployment, when a part of the old version is asked for
  const reloads = () =>
    page.evaluate(() => {
      dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: new Error('gone') }))
      return sessionStorage.getItem('juno.reloaded-for')
    })
  expect(await reloads()).toBeNull()
  await messageText(page, 'Nobody writes this down').waitFor()
  const asked = page.waitForEvent('dialog')
  // Playwright's own reload would wait for one that never comes
  await page.evaluate(() => void setTimeout(() => location.reload()))
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await messageText(page, 'Nobody writes this down').waitFor()
})

it('signing out everywhere leaves nothing for the next person: no draft, no page, no upload, in any tab', async () => {
  const { page, user } = await signedInPage(stack)
  await talk(page, 'A private word')
  const other = await anotherTab(page)
  await composer(other).fill('An unsent word')
  await other.route('**/api/attachments', () => undefined)
  await other.getByLabel('Files to attach').setInputFiles({
    name: 'secret.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('secret'),
  })
  await other.getByText('secret.txt', { exact: true }).waitFor()
  await openSettings(page)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  for (const tab of [page, other]) await tab.waitForURL('**/auth')
  expect(await storage(other)).not.toMatch(/A private word|An unsent word|secret|idToken|refreshToken/)
  expect(await other.content()).not.toMatch(/A private word|An unsent word|secret/)

  const next = await stack.newUser()
  await fillSignIn(page, next)
  await composer(page).waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/')
  expect(await composer(page).inputValue()).toBe('')
  expect(next.email).not.toBe(user.email)
})

it('whoever signs in after another’s session has ended finds neither their page nor their drafts', async () => {
  const { page } = await signedInPage(stack)
  await talk(page, 'A private word')
  await composer(page).fill('An unsent word')
  const address = page.url()
  // as when the service refuses the session
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('Cognito')) localStorage.removeItem(key)
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await page.waitForURL('**/auth')
  await expect.poll(() => storage(page)).toContain('An unsent word')
  await fillSignIn(page, await stack.newUser())
  await composer(page).waitFor()
  await expect.poll(() => page.url()).not.toBe(address)
  expect(new URL(page.url()).search).toBe('')
  expect(await storage(page)).not.toContain('An unsent word')
})
