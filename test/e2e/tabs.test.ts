import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectFailures, newPage } from '../support/browser.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import {
  cognitoRefusal,
  composer,
  submitSignIn,
  openHistory,
  readBrowserStorage,
  waitForReplyEnd,
  sendMessage,
  sendButton,
  sharePage,
  signedInPage,
  waitForFocus,
} from '../support/page-steps.ts'
import { openSettings, nameField, pressSignOutEverywhere } from '../support/settings-steps.ts'
import { settled } from '../support/settled.ts'

const { model, stack } = await scriptedStack('Hello.')

const sharedPage = sharePage(() => signedInPage(stack))

const sendAndWait = async (page: Page, text: string) => {
  await sendMessage(page, text)
  await waitForReplyEnd(page)
}
const messageText = (page: Page, text: string) => page.locator('main').getByText(text, { exact: true })
const readTheme = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme'])
/** The same browser, another tab. */
async function anotherTab(page: Page, path = page.url()): Promise<Page> {
  const other = await page.context().newPage()
  await other.goto(path)
  await composer(other).waitFor()
  return other
}

it(
  'AUTH-14 DEC-031 LIB-20 two tabs: a theme applies to both, and signing out in one leaves nothing in the other',
  { tags: 'long' },
  async () => {
    const { page } = await signedInPage(stack)
    await sendAndWait(page, 'A private word')
    const other = await anotherTab(page)
    await messageText(other, 'A private word').waitFor()
    await composer(other).fill('An unsent word')
    await openSettings(page)
    await page.getByRole('radio', { name: 'Dark' }).click()
    await expect.poll(() => readTheme(other)).toBe('dark')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    for (const tab of [page, other]) await tab.waitForURL('**/auth')
    expect(await other.content()).not.toMatch(/A private word|An unsent word/)
    expect(await readBrowserStorage(other)).not.toMatch(/A private word|An unsent word|idToken|refreshToken/)
  },
)

describe('the sign-in functions', () => {
  /** The names of the page's calls to Cognito. */
  function recordCognitoCalls(page: Page): string[] {
    const calls: string[] = []
    page.on('request', (request) => {
      const target = request.headers()['x-amz-target']
      if (target) calls.push(target.split('.').at(-1) ?? '')
    })
    return calls
  }

  it('AUTH-16 sign in with e-mail and password, read session and user when the page starts, and sign out', async () => {
    const user = await stack.newUser()
    const page = await newPage({ baseURL: stack.origin })
    const calls = recordCognitoCalls(page)
    await page.goto('/auth')
    await submitSignIn(page, user)
    await composer(page).waitFor()
    expect(calls).toEqual(['InitiateAuth', 'RespondToAuthChallenge'])
    await page.reload()
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByText(user.email).waitFor()
    // the stored session is valid: no call is needed
    expect(calls).toHaveLength(2)
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL('**/auth')
    // the page navigates before it revokes the token
    await expect.poll(() => calls.slice(2)).toEqual(['RevokeToken'])
  })
})

it(
  'two tabs: a conversation deleted in one disappears from the other, with a message',
  { tags: 'long' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await sendAndWait(page, 'To be deleted')
    const other = await anotherTab(page)
    await messageText(other, 'To be deleted').waitFor()
    await openHistory(page)
    await page.getByRole('button', { name: 'Delete To be deleted' }).click()
    await page.keyboard.press('Escape')
    // leaving the page carries the deletion out
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
    await deleted
    expectFailures(other, { url: /\/api\/sessions\//, status: 404 })
    await other.getByText('This conversation no longer exists.').waitFor()
    await other.getByRole('button', { name: 'Start Fresh Chat' }).click()
    await sendAndWait(other, 'Another one')
    expect((await user.call('sessions.list', {})).sessions).toMatchObject([{ title: 'Another one' }])
  },
)

it(
  'NAV-01 Back and Forward go through conversations and pages, and a reload keeps the place',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await sendAndWait(page, 'The first')
    await openHistory(page)
    await page.getByRole('button', { name: 'Start Fresh Chat' }).click()
    await sendAndWait(page, 'The second')
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
  },
)

it('CHAT-38 offline the typed text stays, even through a reload, and is sent once there is a connection again', async () => {
  const { page } = await sharedPage()
  // the parts that load when the browser is idle
  await page.waitForFunction(() => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
    const parts = ['account-menu', 'toasts-and-focus', 'top-bar-parts', 'maintenance']
    return parts.every((part) => loaded.some((name) => name.includes(`/${part}-`)))
  })
  await settled(page)
  expectFailures(page, { url: /\/(api|assets)\//, status: 'network' })
  // the browser may report being offline a moment too early: the page would then still reach the service
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
  const requestsBefore = model.requests.length
  await composer(page).press('Enter')
  // the message is sent when the composer is empty
  await expect.poll(() => composer(page).inputValue()).toBe('')
  await messageText(page, 'Written on a train').waitFor()
  await expect.poll(() => model.requests.length).toBeGreaterThan(requestsBefore)
  await waitForReplyEnd(page)
})

it('DEC-172 two tabs: each new chat has its own draft, and a closed tab’s draft appears in the next new chat', async () => {
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
  // sending in one keeps the other’s draft
  await sendAndWait(page, 'Sent')
  await other.reload()
  await expect.poll(() => draft(other)).toBe('Of the second tab')

  await other.close()
  await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.length)).toBe(1)
  const third = await anotherTab(page, '/')
  await expect.poll(() => draft(third)).toBe('Of the second tab')
  const fourth = await anotherTab(page, '/')
  await settled(fourth)
  expect(await draft(fourth)).toBe('')
  await composer(third).press('Enter')
  await messageText(third, 'Of the second tab').waitFor()
  await expect.poll(() => readBrowserStorage(third)).not.toContain('draft:')
})

/** A page of a user whose new chats are temporary. */
async function temporaryPage() {
  const signedIn = await signedInPage(stack)
  await signedIn.user.call('account.settings', { body: { keep_conversations: false } })
  await signedIn.page.reload()
  await signedIn.page.getByText('This chat is temporary.').waitFor()
  return signedIn
}
const leaveDialog = (page: Page) => page.getByRole('dialog', { name: 'Leave this temporary chat?' })

it(
  'leaving a temporary chat needs a confirmation: another page, a new chat, a shortcut and Log out',
  { tags: 'trial' },
  async () => {
    const { page } = await temporaryPage()
    await openSettings(page)
    await page.getByRole('button', { name: 'Back' }).click()
    await sendAndWait(page, 'Nobody writes this down')
    const cancelLeaving = async () => {
      await leaveDialog(page).waitFor()
      // a closing menu is hidden behind the dialog for a moment, and would take the focus back
      await page.locator('[role="menu"]').waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await leaveDialog(page).waitFor({ state: 'detached' })
      // the focus is on a control again
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.tagName))
        .toMatch(/^(BUTTON|A|TEXTAREA)$/)
      await messageText(page, 'Nobody writes this down').waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    }
    const account = page.getByRole('button', { name: /account menu/ })
    const expectDraftKept = async () => {
      await messageText(page, 'Nobody writes this down').waitFor()
      await expect.poll(() => composer(page).inputValue()).toBe('Half a thought')
    }
    await composer(page).fill('Half a thought')
    await account.click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await cancelLeaving()
    await expectDraftKept()
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await cancelLeaving()
    await expectDraftKept()
    await composer(page).fill('')
    await account.click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await cancelLeaving()
    await waitForFocus(account)
    await page.getByRole('link', { name: 'Juno' }).click()
    await cancelLeaving()
    await page.keyboard.press('Control+Shift+O')
    await cancelLeaving()
    await openHistory(page)
    await page.getByRole('button', { name: 'Start Fresh Chat' }).click()
    await cancelLeaving()

    await composer(page).fill('Nor this')
    expect(await readBrowserStorage(page)).not.toMatch(/Nobody writes|Nor this/)
    await page.keyboard.press('Control+Shift+O')
    await leaveDialog(page).getByRole('button', { name: 'Leave' }).click()
    await messageText(page, 'Nobody writes this down').waitFor({ state: 'detached' })
    expect(await composer(page).inputValue()).toBe('')
    expect(await readBrowserStorage(page)).not.toMatch(/Nobody writes|Nor this/)

    // signing out in another tab asks nothing here
    await sendAndWait(page, 'Nobody asks about this')
    const other = await anotherTab(page, '/')
    await other.getByRole('button', { name: /account menu/ }).click()
    await other.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL('**/auth')
    expect(await page.content()).not.toContain('Nobody asks about this')
  },
)

it(
  'two tabs of one conversation neither overwrite nor delete what the other has not sent',
  { tags: 'long' },
  async () => {
    const { page } = await signedInPage(stack)
    await sendAndWait(page, 'A first word')
    const other = await anotherTab(page)
    await composer(other).fill('A careful long answer')
    await sendAndWait(page, 'A short word')
    await messageText(other, 'A short word').waitFor()
    await composer(page).fill('Text of the first tab')
    for (const tab of [other, page]) {
      await tab.reload()
      await composer(tab).waitFor()
    }
    await expect.poll(() => composer(other).inputValue()).toBe('A careful long answer')
    await expect.poll(() => composer(page).inputValue()).toBe('Text of the first tab')
  },
)

it(
  'a temporary chat survives an automatic reload, and any other reload asks first',
  { tags: 'long' },
  async () => {
    const { page } = await temporaryPage()
    await sendAndWait(page, 'Nobody writes this down')
    // as after a deployment, when a part of the old version is gone
    const failToLoadPart = async () => {
      await page.clock.install()
      await page.evaluate(
        () =>
          void dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: new Error('gone') })),
      )
      // the page waits that long before it reloads
      await page.clock.runFor(1_000)
      return page.evaluate(() => sessionStorage.getItem('juno.reloaded-for'))
    }
    expect(await failToLoadPart()).toBeNull()
    await messageText(page, 'Nobody writes this down').waitFor()
    const dialogOpened = page.waitForEvent('dialog')
    // Playwright's own reload would wait for a load that never happens
    await page.evaluate(() => void setTimeout(() => location.reload()))
    const dialog = await dialogOpened
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await messageText(page, 'Nobody writes this down').waitFor()
  },
)

it(
  'signing out everywhere leaves nothing for the next user in any tab: no draft, no page, no upload',
  { tags: 'long' },
  async () => {
    const { page } = await signedInPage(stack)
    await sendAndWait(page, 'A private word')
    const other = await anotherTab(page)
    await composer(other).fill('An unsent word')
    await other.route('**/api/attachments', () => undefined)
    await other.getByLabel('Files to attach').setInputFiles({
      name: 'secret.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('secret'),
    })
    await other.getByText('secret.txt', { exact: true }).waitFor()
    const upload = other.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/api/attachments'),
    )
    await openSettings(page)
    // what the tabs load meanwhile is refused, and so are new tokens at the user pool
    for (const tab of [page, other]) expectFailures(tab, { url: /\/api\//, status: 401 }, cognitoRefusal)
    await pressSignOutEverywhere(page)
    for (const tab of [page, other]) await tab.waitForURL('**/auth')
    await upload
    expect(await readBrowserStorage(other)).not.toMatch(
      /A private word|An unsent word|secret|idToken|refreshToken/,
    )
    expect(await other.content()).not.toMatch(/A private word|An unsent word|secret/)

    await submitSignIn(page, await stack.newUser())
    await composer(page).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/')
    expect(await composer(page).inputValue()).toBe('')
  },
)

it(
  'a page restored from the back/forward cache checks who is signed in; the next user finds neither the page nor the drafts of the last one',
  { tags: 'long' },
  async () => {
    const { page } = await signedInPage(stack)
    await sendAndWait(page, 'A private word')
    await composer(page).fill('An unsent word')
    const address = page.url()
    // as if another tab signed out while this one was in the cache and received no events
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('Cognito')) localStorage.removeItem(key)
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    await page.waitForURL('**/auth')
    expect(await page.content()).not.toContain('A private word')
    await expect.poll(() => readBrowserStorage(page)).toContain('An unsent word')
    await submitSignIn(page, await stack.newUser())
    await composer(page).waitFor()
    await expect.poll(() => page.url()).not.toBe(address)
    expect(new URL(page.url()).search).toBe('')
    expect(await readBrowserStorage(page)).not.toContain('An unsent word')
  },
)
