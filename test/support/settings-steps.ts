import type { Page } from 'playwright-core'

/** User actions in the settings. */

export const backButton = (page: Page) => page.getByRole('button', { name: 'Back' })
export const nameField = (page: Page) => page.getByLabel('What should Juno call you?')
export const saveButton = (page: Page) => page.getByRole('button', { name: 'Save Changes' })

export async function openSettings(page: Page, entry: 'Profile' | 'Settings' = 'Settings') {
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: entry }).click()
  await nameField(page).waitFor()
}

/** Signs out everywhere, in the open settings. */
export async function pressSignOutEverywhere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
}
