import { chromium, type Browser, type Page } from 'playwright-core'
import { prepareChromium } from '../support/chromium.ts'
import type { Product } from './product.ts'

export const usableWithinMs = 30_000
/** Fields that take input once a page is usable. */
export const fields = { '/auth': 'input[type=password]:enabled', '/': 'textarea:enabled' }

export async function launch(): Promise<Browser> {
  const { executablePath, env } = await prepareChromium()
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}

/** Signs the measured user in, on a page that shows the form. */
export async function signIn(page: Page, { user }: Product): Promise<void> {
  await page.locator('input[type=email]').fill(user.email)
  await page.locator('input[type=password]').fill(user.password)
  await page.keyboard.press('Enter')
  await page.locator(fields['/']).waitFor({ timeout: usableWithinMs })
}
