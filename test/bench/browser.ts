import { chromium, type Browser, type Page } from 'playwright-core'
import { prepareChromium } from '../support/chromium.ts'

export const usableWithinMs = 30_000
export const composer = 'textarea:enabled'

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

/** Runs in the page: records the time, on the page's clock, at which an element first matches the selector. */
export function recordFirstMatch(selector: string): void {
  const check = () => {
    if (!document.querySelector(selector)) return
    observer.disconnect()
    document.documentElement.dataset['matchedAt'] = String(performance.now())
  }
  const observer = new MutationObserver(check)
  observer.observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  })
}

/** Signs in by the form of /auth and waits for the composer. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.locator(composer).waitFor({ timeout: usableWithinMs })
}
