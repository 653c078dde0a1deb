import type { Page } from 'playwright-core'
import { generateSync } from 'otplib'
import { composer } from './page-steps.ts'

/** User actions for two-factor on the page. */

export const verificationCode = (page: Page) => page.getByLabel('Verification code')
export const verifyButton = (page: Page) => page.getByRole('button', { name: 'Verify', exact: true })

/** Turns two-factor on in the settings, up to the backup codes. */
export async function enrolOnPage(page: Page) {
  await page.goto('/settings#security')
  await page.getByRole('button', { name: 'Enable 2FA' }).click()
  const secret = (await page.getByRole('dialog').locator('code').innerText()).replaceAll(/\s/g, '')
  const epoch = Math.floor(Date.now() / 1000)
  const code = (steps: number) => generateSync({ secret, epoch: epoch + steps * 30 })
  await verificationCode(page).fill(code(0))
  const list = page.getByRole('list', { name: 'Backup codes' })
  await list.waitFor()
  const backupCodes = (await list.getByRole('listitem').allInnerTexts()).map(
    (text) => /[0-9A-Z]{10}/.exec(text)?.[0] ?? '',
  )
  return { secret, code, backupCodes }
}

export async function signOut(page: Page): Promise<void> {
  await page.goto('/')
  await composer(page).waitFor()
  await page.getByRole('button', { name: /account menu$/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/auth')
}
