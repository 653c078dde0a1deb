import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { expectFailures } from '../support/browser.ts'
import { startSources } from '../support/catalogue-sources.ts'
import { type EverythingServer, startEverything } from '../support/everything-server.ts'
import { card, openCatalogue, toast } from '../support/integration-steps.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { say, signedInPage } from '../support/page-steps.ts'

let stack: LocalStack
let server: EverythingServer

beforeAll(async () => {
  server = await startEverything()
  stack = await startStack({ env: { OUTBOUND_ALLOW: server.host } })
})
afterAll(async () => {
  server.stop()
  await stack.stop()
})

it('CUST-06 CUST-12 CUST-21 CAP-01 a real MCP server is tested and added, and its tools work in the chat', async () => {
  const { page } = await signedInPage(stack)
  await openCatalogue(page)
  await page.getByRole('button', { name: 'Add Custom' }).click()
  await page.getByRole('button', { name: 'Add Custom MCP Tool' }).click()
  const add = page.getByRole('dialog', { name: 'Add Custom MCP Tool' })
  await add.getByLabel('Name').fill('Everything')
  await add.getByLabel('Server URL').fill(server.url)
  await add.getByRole('button', { name: 'Test connection' }).click()
  await add.getByText(/answers with \d+ tools/).waitFor()
  await add.getByText('echo', { exact: true }).waitFor()
  await add.getByRole('button', { name: 'Add tool' }).click()
  await toast(page, 'Custom Tool Added').waitFor()
  await page.getByRole('dialog', { name: 'Custom Tools' }).getByText('Everything').waitFor()
  await page.goto('/')
  await say(page, 'Echo the message: Good morning')
  await page.getByRole('button', { name: /Everything · Echo Tool/ }).waitFor()
  await page.getByText('Echo: Good morning').first().waitFor()
})

it('CUST-01 CUST-02 CUST-03 CUST-04 CUST-05 CUST-11 CUST-13 CUST-14 CUST-16 CUST-19 CUST-21 a tool of one’s own is added, found after a reload, and removed', async () => {
  const { page } = await signedInPage(stack)
  await openCatalogue(page)
  await page.getByRole('button', { name: 'Add Custom' }).click()
  const tools = page.getByRole('dialog', { name: 'Custom Tools' })
  await tools.getByText('No custom tools yet').waitFor()
  await tools.getByRole('button', { name: 'Add Custom MCP Tool' }).click()
  const add = page.getByRole('dialog', { name: 'Add Custom MCP Tool' })
  await add.getByRole('button', { name: 'Add tool' }).click()
  await toast(page, 'Validation Error').waitFor()
  await add.getByLabel('Name').fill('Roast log')
  await add.getByLabel('API key').fill('canary-key-1234')
  await add.getByRole('button', { name: 'Add tool' }).click()
  await toast(page, 'Custom Tool Added').waitFor()
  await tools.getByText('Roast log').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Add Custom' }).click()
  await tools.getByText('Custom MCP Tool', { exact: true }).waitFor()
  expect(await page.content()).not.toContain('canary-key-1234')
  await tools.getByRole('button', { name: 'Delete Roast log' }).click()
  await toast(page, 'Custom Tool Removed').waitFor()
  await tools.getByText('No custom tools yet').waitFor()
})

it('CUST-17 DEC-082 DEC-084 refuses an address on a private network, and keeps what was typed', async () => {
  const { page } = await signedInPage(stack)
  await openCatalogue(page)
  await page.getByRole('button', { name: 'Add Custom' }).click()
  await page.getByRole('button', { name: 'Add Custom MCP Tool' }).click()
  const add = page.getByRole('dialog', { name: 'Add Custom MCP Tool' })
  await add.getByLabel('Name').fill('Inside')
  await add.getByLabel('Server URL').fill('https://10.0.0.1/mcp')
  expectFailures(page, { url: /\/api\/custom-tool/, status: 400 })
  await add.getByRole('button', { name: 'Test connection' }).click()
  await add.getByRole('alert').waitFor()
  await add.getByRole('button', { name: 'Add tool' }).click()
  await toast(page, 'Failed to Add Tool').waitFor()
  expect(await add.getByLabel('Server URL').inputValue()).toBe('https://10.0.0.1/mcp')
})

it('INT-07 INT-74 INT-76 REG-39 syncs that cannot reach their source say so, and the catalogue stays', async () => {
  const { page } = await signedInPage(stack)
  await openCatalogue(page)
  await page.getByRole('button', { name: 'GitHub', exact: true }).click()
  await toast(page, 'GitHub Sync Failed').waitFor()
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await card(page, 'Gmail').waitFor()
})

it('INT-05 INT-06 INT-07 INT-09 INT-74 INT-75 INT-76 REG-24 REG-29 each sync brings what its source holds into the page', async () => {
  const sources = await startSources()
  const synced = await startStack({ env: { GITHUB_API_URL: sources.url, MCP_REGISTRY_URL: sources.url } })
  onTestFinished(async () => {
    await synced.stop()
    await sources.close()
  })
  const { page } = await signedInPage(synced)
  await openCatalogue(page)
  const press = async (name: string) => {
    // a button that is at work takes no click
    await page.locator('button[aria-busy]').waitFor({ state: 'detached' })
    await page.getByRole('button', { name, exact: true }).click()
  }
  await press('Enhanced Sync')
  await page
    .getByText(/^Enhanced Sync Complete/)
    .first()
    .waitFor()
  await page.getByText(/^30 available/).waitFor()
  await page.getByText(/Last sync Just now/).waitFor()
  await page.getByRole('textbox', { name: 'Search integrations' }).fill('weather')
  await card(page, 'Weather').getByText('Tells the weather – everywhere.').waitFor()
  await press('Force')
  await toast(page, 'Force Refresh Complete').waitFor()
  await press('GitHub')
  await toast(page, 'GitHub Sync Complete').waitFor()
  sources.world.fault = 'rate-limit'
  await press('GitHub')
  await toast(page, 'GitHub Sync Failed').waitFor()
  await page
    .getByText(/rate limit/)
    .first()
    .waitFor()
  sources.world.fault = undefined
  await press('Refresh')
  await card(page, 'Weather').waitFor()
})
