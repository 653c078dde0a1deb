import type { Locator, Page } from 'playwright-core'
import { newPage, type PageOptions } from './browser.ts'
import { signInUser, type StackUser } from './stack-user.ts'
import type { LocalStack } from './local-stack.ts'

/** What people do on the page, found as they find it: by role and name. */

export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message / })
export const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
export const stopButton = (page: Page) => page.getByRole('button', { name: /^Stop/ })

/** A refused sign-in, an unconfirmed one: Cognito says so with 400, which Chromium writes into the console. */
export const cognitoRefusal = { url: /^http:\/\/127\.0\.0\.1:\d+\/$/, status: 400 } as const

export async function fillSignIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/**
 * A page of a user who is signed in, a new one or one who is there: the tokens are stored in the browser as its own sign-in stores them.
 * The sign-in by form is a matter of its own tests (`signInOnPage`).
 */
export async function signedInPage(stack: LocalStack, options: Partial<PageOptions> = {}, known?: StackUser) {
  const user = known ?? (await stack.newUser())
  const page = await newPage({ baseURL: stack.origin, ...options })
  const [tokens] = await Promise.all([storedTokens(stack, user), page.goto('/favicon.svg')])
  await page.evaluate((items) => {
    for (const [key, value] of items) localStorage.setItem(key, value)
    // no entry in the history
    location.replace('/')
  }, tokens)
  await composer(page).waitFor()
  return { user, page }
}

/** What the browser stores for a session, by key. A session of the page's own: it may be ended while the user's goes on. */
async function storedTokens(stack: LocalStack, user: StackUser): Promise<[string, string][]> {
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

/** Signs in by the form of the page, as people do. */
export async function signInOnPage(page: Page, user: Pick<StackUser, 'email' | 'password'>): Promise<void> {
  await page.goto('/auth')
  await fillSignIn(page, user)
  await composer(page).waitFor()
}

/** Makes the page's access token one that was refreshed: the library renews what it takes for expired. */
export async function refreshSession(page: Page): Promise<void> {
  // what the page asks for when it starts is through: it would write the clock's difference once more
  await composer(page).waitFor()
  await page.waitForLoadState('networkidle')
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

/** Puts another access token in the place of the page's own. */
export async function replaceToken(page: Page, make: (token: string) => Promise<string>): Promise<void> {
  const [key = '', token = ''] = await page.evaluate(
    () => Object.entries(localStorage).find(([name]) => name.endsWith('.accessToken')) ?? [],
  )
  const replacement = await make(token)
  await page.evaluate(([name = '', value = '']) => localStorage.setItem(name, value), [key, replacement])
}

/** The dialog that asks for a new sign-in in place. */
export const signInAgain = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })

/**
 * Sends a message by keyboard, once no reply is being written any more, and waits until it has been taken: the composer is empty then,
 * and Stop stands in the place of Send. What closes just then may still be giving the focus back.
 */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  // Stop is there while a reply is being written, and Enter does nothing
  await sendButton(page).waitFor()
  await composer(page).press('Enter')
  await page.waitForFunction(
    () => !document.querySelector<HTMLTextAreaElement>('textarea[data-composer]')?.value,
  )
}

/** Waits until no reply is being written; after `say` this is the end of the reply to it. */
export async function replyFinished(page: Page): Promise<void> {
  await stopButton(page).waitFor({ state: 'detached' })
}

export const openHistory = (page: Page) => page.getByRole('button', { name: 'Your Conversations' }).click()

export const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)

/** Goes there with the Tab key. @throws Error when it is not on the way */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not lead to ${target.toString()}`)
}
