import type { Locator, Page } from 'playwright-core'
import { newPage, type PageOptions } from './browser.ts'
import type { StackUser } from './stack-user.ts'
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

/** Signs a new user up behind the page's back, or takes one who is there, and in on a page of its own. */
export async function signedInPage(stack: LocalStack, options: Partial<PageOptions> = {}, known?: StackUser) {
  const user = known ?? (await stack.newUser())
  const page = await newPage({ baseURL: stack.origin, ...options })
  await page.goto('/auth')
  await fillSignIn(page, user)
  await composer(page).waitFor()
  return { user, page }
}

/** Sends a message by keyboard; what closes just then may still be giving the focus back. */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

/** Waits until no reply is being written. */
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
