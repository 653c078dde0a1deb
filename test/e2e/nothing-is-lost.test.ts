/** @module-tag long */
import { expect, it, onTestFinished } from 'vitest'
import { expectFailures, screenshot } from '../support/browser.ts'
import { startCatalogueSources } from '../support/catalogue-sources.ts'
import { card, openCatalogue, pressConnect, toast } from '../support/integration-steps.ts'
import { startStack } from '../support/local-stack.ts'
import {
  composer,
  waitForReplyEnd,
  runClockUntil,
  sendMessage,
  signedInPage,
  waitForFocus,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

/* What the user typed, and what the page knows, survives a refusal, a reload and an outage. */

const stack = await demoStack()

const phone = { viewport: { width: 390, height: 844 } }

it(
  'SETUP-17 SETUP-18 DEC-145 a click and Enter both report the missing Client ID and focus its field',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack)
    await openCatalogue(page)
    await card(page, 'Slack').getByRole('button', { name: 'Setup ~5 mins' }).click()
    const dialog = page.getByRole('dialog', { name: 'Setup Slack' })
    const connect = dialog.getByRole('button', { name: 'Connect to Slack Live' })
    const field = dialog.getByLabel('Paste your Slack Client ID:')
    const message = dialog.getByText('Client ID is required to continue')
    await expect.poll(() => connect.getAttribute('aria-disabled')).toBe('true')
    // Playwright waits for an enabled button; users do not
    await connect.click({ force: true })
    await message.waitFor()
    await waitForFocus(field)
    await screenshot(page, 'setup, client id missing')
    await page.keyboard.type(' ')
    await message.waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await message.waitFor()
  },
)

it(
  'OAUTH-09 DEC-119 after Cancel at the provider the dialog is back, with the reason and the Client ID',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack, { ...phone, colorScheme: 'dark' })
    await page.goto('/integrations')
    await card(page, 'Slack').getByRole('button', { name: 'Setup ~5 mins' }).click()
    const dialog = page.getByRole('dialog', { name: 'Setup Slack' })
    await dialog.getByLabel('Paste your Slack Client ID:').fill('12.34')
    const popup = await pressConnect(page, 'Connect to Slack Live')
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await toast(page, 'Connection Failed').waitFor()
    await dialog
      .getByRole('alert')
      .getByText(/access_denied/)
      .waitFor()
    await expect.poll(() => dialog.getByLabel('Paste your Slack Client ID:').inputValue()).toBe('12.34')
    await screenshot(page, 'setup, declined (phone, dark)')
  },
)

it(
  'UX-20 DEC-151 a server for the user’s own computer says so and has no Connect',
  { tags: 'trial' },
  async () => {
    const sources = await startCatalogueSources()
    onTestFinished(() => sources.close())
    const synced = await startStack({ env: { GITHUB_API_URL: sources.url, MCP_REGISTRY_URL: sources.url } })
    onTestFinished(() => synced.stop())
    const { page } = await signedInPage(synced)
    await openCatalogue(page)
    await page.getByRole('textbox', { name: 'Search integrations' }).fill('weather')
    const weather = card(page, 'Weather')
    await weather.getByText('Runs on your own computer; Juno can use servers with a web address.').waitFor()
    expect(await weather.getByRole('button').count()).toBe(0)
    await screenshot(page, 'local server')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize(phone.viewport)
    await screenshot(page, 'local server (phone, dark)')
    await page.getByRole('textbox', { name: 'Search integrations' }).fill('notion')
    await card(page, 'Notion').getByText('OAuth or API key').waitFor()
    await screenshot(page, 'badge (phone, dark)')
  },
)

it(
  'REG-04 REG-39 DEC-150 a new browser shows the built-in list while the service is down',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack)
    expectFailures(page, { url: /\/api\/registry/, status: 503 })
    await page.route('**/api/registry**', (route) =>
      route.fulfill({ status: 503, json: { success: false, error: 'Down.', code: 'x', requestId: 'x' } }),
    )
    await page.clock.install()
    await page.goto('/integrations')
    await runClockUntil(page, () => card(page, 'Gmail').isVisible())
    await card(page, 'Stripe Sandbox').waitFor()
    await page.getByRole('textbox', { name: 'Search integrations' }).fill('notion')
    await card(page, 'Gmail').waitFor({ state: 'detached' })
    await card(page, 'Notion').waitFor()
    expect(await page.getByText('No integrations found').count()).toBe(0)
  },
)

it('DEC-049 DEC-146 a message that could not be sent survives a reload, and Retry sends it once', async () => {
  const { page } = await signedInPage(stack)
  expectFailures(page, { url: /chat-openai$/, status: 503 }, { url: /\/api\/sessions\//, status: 404 })
  await page.route('**/chat-openai', (route) =>
    route.fulfill({ status: 503, json: { success: false, error: 'Down.', code: 'x', requestId: 'x' } }),
  )
  await sendMessage(page, 'Plan a week in Rome')
  await page.getByRole('group', { name: 'Error' }).getByText('Service error: Down.').waitFor()
  await page.reload()
  await page.getByText('Plan a week in Rome').waitFor()
  await page.getByText('Not saved.').waitFor()
  await screenshot(page, 'not saved, after a reload')
  await page.unroute('**/chat-openai')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Not saved.').waitFor({ state: 'detached' })
  await waitForReplyEnd(page)
  await page.reload()
  await page.getByRole('button', { name: 'Copy reply' }).waitFor()
  await expect
    .poll(() => page.locator('main').getByText('Plan a week in Rome', { exact: true }).count())
    .toBe(1)
})

it('HIST-02 DEC-147 a message to a deleted conversation starts a new one', { tags: 'trial' }, async () => {
  const { page } = await signedInPage(stack)
  expectFailures(page, { url: /\/api\/sessions\//, status: 404 })
  const gone = crypto.randomUUID()
  await page.goto(`/?c=${gone}`)
  await page.getByText('This conversation no longer exists.').waitFor()
  await sendMessage(page, 'Hello again')
  await page.getByText('Hello again').waitFor()
  await waitForReplyEnd(page)
  const id = new URL(page.url()).searchParams.get('c')
  expect(id).not.toBe(gone)
  await page.reload()
  await page.getByRole('button', { name: 'Copy reply' }).waitFor()
  expect(new URL(page.url()).searchParams.get('c')).toBe(id)
  await composer(page).waitFor()
  expect(await toast(page, 'Chat Error').count()).toBe(0)
})
