import type { Locator, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { closePage, keepPage, newPage, type PageOptions } from './browser.ts'
import { signInUser, type StackUser } from './stack-user.ts'
import type { LocalStack } from './local-stack.ts'
import { settled } from './settled.ts'

/** User actions on the page; elements are found by role and name. */

export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message / })
export const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
export const stopButton = (page: Page) => page.getByRole('button', { name: /^Stop/ })

/** Cognito refuses a wrong or unconfirmed sign-in with 400, which Chromium writes to the console. */
export const cognitoRefusal = { url: /^http:\/\/127\.0\.0\.1:\d+\/$/, status: 400 } as const

const keyName =
  /^(?:(?:Shift|Control|Alt|Meta)\+)*(?:Tab|Enter|Escape|Space|Backspace|Home|End|Arrow(?:Up|Down|Left|Right))$|^Control\+A$/

/**
 * Presses keys in order, as people do who fill a form without looking: texts are typed where the focus is. It never looks for a target,
 * so it finds what stands in the way of the next field.
 * @param keys texts, and the names of keys, such as `['ann@example.org', 'Tab', 'secret', 'Enter']`
 */
export async function typeThrough(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await (keyName.test(key) ? page.keyboard.press(key) : page.keyboard.type(key))
}

/** Types e-mail, Tab, password, Enter. What was in the fields is replaced. */
export async function submitSignIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('E-mail').click()
  await typeThrough(page, ['Control+A', email, 'Tab', 'Control+A', password, 'Enter'])
}

/**
 * A page of a signed-in user, new or existing: the tokens are stored in the browser as a sign-in would store them.
 * Separate tests cover the sign-in form (`signInOnPage`).
 */
export async function signedInPage(
  stack: LocalStack,
  options: Partial<PageOptions> = {},
  existingUser?: StackUser,
) {
  const user = existingUser ?? (await stack.newUser())
  const [tokens, page] = await Promise.all([
    signInForPage(stack, user),
    newPage({ baseURL: stack.origin, ...options }),
  ])
  const tokenScript = await page.addInitScript((items) => {
    for (const [key, value] of items) localStorage.setItem(key, value)
  }, tokens)
  await page.goto('/')
  await tokenScript.dispose()
  await waitForFocus(composer(page))
  return { user, page }
}

/**
 * For tests of a file that need no user and no browser of their own: they use one page, one after another, each from a new chat
 * without a draft. Opening a page costs half of a short test. A test that fails takes its page along.
 * @param openPage opens the page when there is none
 */
export function sharePage(openPage: () => ReturnType<typeof signedInPage>) {
  let shared: Awaited<ReturnType<typeof openPage>> | undefined
  afterAll(async () => {
    if (shared && !shared.page.isClosed()) await closePage(shared.page)
  })
  return async () => {
    if (shared && !shared.page.isClosed()) await startFresh(shared.page)
    else {
      shared = await openPage()
      keepPage(shared.page)
    }
    return shared
  }
}

/** Leads to a new chat without a draft and without a toast. No dialog may be open. */
async function startFresh(page: Page): Promise<void> {
  if (await composer(page).isHidden()) await page.goto('/')
  await composer(page).waitFor()
  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  await composer(page).fill('')
  const remove = page.getByRole('list', { name: 'Attached files' }).getByRole('button', { name: /^Remove/ })
  for (let remaining = await remove.count(); remaining > 0; remaining -= 1) {
    await remove.first().click()
    await expect.poll(() => remove.count()).toBe(remaining - 1)
  }
  const toasts = page.locator('[data-sonner-toast]')
  await toasts.locator('[data-close-button]').evaluateAll((buttons) => {
    for (const button of buttons) (button as HTMLElement).click()
  })
  await expect.poll(() => toasts.count()).toBe(0)
}

/** What the browser stores for a sign-in, by key. A separate sign-in, so that it can end while the user's own goes on. */
async function signInForPage(stack: LocalStack, user: StackUser): Promise<[string, string][]> {
  const [session, config] = await Promise.all([
    signInUser({ origin: stack.origin, cognito: (await stack.endpoints()).cognito }, user),
    fetch(`${stack.origin}/config.json`),
  ])
  const { userPoolClientId } = (await config.json()) as { userPoolClientId: string }
  const { username } = JSON.parse(
    Buffer.from(session.accessToken.split('.')[1] ?? '', 'base64url').toString(),
  ) as { username: string }
  const client = `CognitoIdentityServiceProvider.${userPoolClientId}`
  return [
    [`${client}.LastAuthUser`, username],
    [`${client}.${username}.accessToken`, session.accessToken],
    [`${client}.${username}.idToken`, session.idToken],
    [`${client}.${username}.refreshToken`, session.refreshToken],
    [`${client}.${username}.clockDrift`, '0'],
  ]
}

/** Signs in by the page's form. */
export async function signInOnPage(page: Page, user: Pick<StackUser, 'email' | 'password'>): Promise<void> {
  await page.goto('/auth')
  await submitSignIn(page, user)
  await composer(page).waitFor()
}

/** Makes the page refresh its access token: the library refreshes a token that it considers expired. */
export async function refreshSession(page: Page): Promise<void> {
  // the page's first requests have ended: they would store the clock difference again
  await composer(page).waitFor()
  await settled(page)
  const refresh = page.waitForResponse(
    (response) =>
      response.request().headers()['x-amz-target']?.endsWith('.GetTokensFromRefreshToken') === true,
  )
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('.clockDrift')) ?? ''
    localStorage.setItem(key, '86400000')
  })
  await Promise.all([refresh, page.reload()])
  await composer(page).waitFor()
}

/** Replaces the page's access token. */
export async function replaceToken(page: Page, make: (token: string) => Promise<string>): Promise<void> {
  const [key = '', token = ''] = await page.evaluate(
    () => Object.entries(localStorage).find(([name]) => name.endsWith('.accessToken')) ?? [],
  )
  const replacement = await make(token)
  await page.evaluate(([name = '', value = '']) => localStorage.setItem(name, value), [key, replacement])
}

/** The dialog for signing in again without leaving the page. */
export const signInAgainDialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })

/**
 * Sends a message by keyboard once no reply is being generated, and waits until it is accepted: the composer is empty. Stop replaces
 * Send in the same moment (CHAT-13), but may be gone when the reply is short. A dialog that is closing may still be moving the focus.
 */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  // while a reply is being generated there is Stop, and Enter does nothing
  await sendButton(page).waitFor()
  await composer(page).press('Enter')
  await page.waitForFunction(
    () => !document.querySelector<HTMLTextAreaElement>('textarea[data-composer]')?.value,
  )
}

/** Waits until no reply is being generated; after `sendMessage` this is the end of its reply. */
export async function waitForReplyEnd(page: Page): Promise<void> {
  await stopButton(page).waitFor({ state: 'detached' })
}

/**
 * Advances the page's clock, installed by `page.clock.install()`, until something is on the page, so that no test waits for the
 * pauses between retries.
 */
export async function runClockUntil(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(5_000)
      return isThere()
    })
    .toBe(true)
}

/** Without those that are leaving: for a moment they stand beside the next one, with buttons of the same names. */
const shownToasts = (page: Page) => page.locator('[data-sonner-toast][data-removed="false"]')

export const toastNamed = (page: Page, title: string) => shownToasts(page).filter({ hasText: title })

/** Of the toast that offers it. */
export const undoButton = (page: Page) => shownToasts(page).getByRole('button', { name: 'Undo' })

/** What the page stores in the browser, as text. */
export const readBrowserStorage = (page: Page) =>
  page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))

export const openHistory = (page: Page) => page.getByRole('button', { name: 'Your Conversations' }).click()

export const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)

/** Waits for it: what closes gives the focus back a moment after it is gone. */
export const waitForFocus = (target: Locator) => expect.poll(() => hasFocus(target)).toBe(true)

/** Moves the focus there with the Tab key. @throws Error when it cannot be reached */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not lead to ${target.toString()}`)
}

/**
 * In an open menu: moves to the entry of that name, and presses Enter. It waits after each key: Radix moves the focus in
 * a task of its own, and two keys within it move once.
 */
export async function chooseEntry(page: Page, name: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name })
  const focused = page.locator('[role^=menuitem]:focus')
  const last = page.locator('[role^=menuitem]:not([data-disabled])').last()
  const readFocused = async () => (await focused.allTextContents())[0]
  await entry.waitFor()
  while (!(await hasFocus(entry))) {
    const before = await readFocused()
    await page.keyboard.press((await hasFocus(last)) ? 'Home' : 'ArrowDown')
    await expect.poll(readFocused).not.toBe(before)
  }
  await page.keyboard.press('Enter')
}
