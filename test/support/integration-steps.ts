import type { Page } from 'playwright-core'
import { typeThrough } from './page-steps.ts'

/** User actions on the integrations page. */

export const toast = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(title, { exact: true })
export const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

/** Opens the catalogue from the main screen and waits for its first cards. */
export async function openCatalogue(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Tools', exact: true }).click()
  await card(page, 'Gmail').waitFor()
}

/** Opens a provider's dialog and types the Client ID, whose words select the double's behaviour. */
export async function fillSetup(page: Page, name: string, clientId: string): Promise<void> {
  await card(page, name)
    .getByRole('button', { name: /Setup ~5 mins|Reconnect/ })
    .click()
  await page.getByLabel(/^Paste your .* Client ID:$/).click()
  await typeThrough(page, ['Control+A', clientId])
}

/** Presses Connect in the dialog and returns the window that opens, at the provider's page. */
export async function pressConnect(page: Page, label: string): Promise<Page> {
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: label }).click()
  const popup = await opening
  await popup.getByRole('button', { name: 'Allow' }).waitFor()
  return popup
}

/** Connects by OAuth, until the card shows Connected and the window is closed. */
export async function connectByOAuth(page: Page, name: string, clientId = 'demo'): Promise<void> {
  await fillSetup(page, name, clientId)
  const popup = await pressConnect(page, `Connect to ${name} Live`)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Allow' }).click()
  await toast(page, 'Integration Connected').waitFor()
  await closed
}

/** Disconnects a card's integration and confirms. */
export async function disconnect(page: Page, name: string): Promise<void> {
  await card(page, name).getByRole('button', { name: 'Disconnect' }).click()
  const question = page.getByRole('dialog', { name: `Disconnect ${name}?` })
  await question.getByRole('button', { name: 'Disconnect', exact: true }).click()
}
