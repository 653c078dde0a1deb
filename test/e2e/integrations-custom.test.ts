/** @module-tag long */
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { builtInProviders } from '../../functions/providers/built-in.ts'
import { expectFailures, screenshot } from '../support/browser.ts'
import { startCatalogueSources } from '../support/catalogue-sources.ts'
import { type EverythingServer, startEverythingServer } from '../support/everything-server.ts'
import { card, openCatalogue, toast } from '../support/integration-steps.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { demoStack } from '../support/shared-stack.ts'
import { startMcpRegistry } from '../support/mcp-registry.ts'
import { type TestMcpServer, startMcpServer } from '../support/mcp-server.ts'
import { waitForReplyEnd, sendMessage, signedInPage } from '../support/page-steps.ts'

let stack: LocalStack
let server: EverythingServer
let registry: Awaited<ReturnType<typeof startMcpRegistry>>
let first: TestMcpServer
let second: TestMcpServer

beforeAll(async () => {
  ;[server, registry, first, second] = await Promise.all([
    startEverythingServer(),
    startMcpRegistry(),
    startMcpServer(),
    startMcpServer(),
  ])
  const OUTBOUND_ALLOW = [server, first, second].map(({ host }) => host).join()
  stack = await startStack({ env: { OUTBOUND_ALLOW, MCP_REGISTRY_URL: registry.url } })
})
afterAll(async () => {
  server.stop()
  await stack.stop()
  await Promise.all([registry.close(), first.close(), second.close()])
})

it('CUST-21 CAP-01 a real MCP server is tested and added, and its tools work in the chat', async () => {
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
  await sendMessage(page, 'Echo the message: Good morning')
  await page.getByRole('button', { name: /Everything · Echo Tool/ }).waitFor()
  await page.getByText('Echo: Good morning').first().waitFor()
})

it(
  'CUST-01 CUST-13 CUST-14 a custom tool is added, is there after a reload, and is removed',
  { tags: 'trial' },
  async () => {
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
    await page
      .getByRole('dialog', { name: 'Delete Roast log?' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click()
    await toast(page, 'Custom Tool Removed').waitFor()
    await tools.getByText('No custom tools yet').waitFor()
  },
)

it(
  'CUST-17 DEC-082 DEC-084 refuses an address on a private network, and keeps the input',
  { tags: 'trial' },
  async () => {
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
    await expect.poll(() => add.getByLabel('Server URL').inputValue()).toBe('https://10.0.0.1/mcp')
  },
)

it(
  'INT-74 REG-39 syncs that cannot reach their source say so, and the catalogue stays',
  { tags: 'trial' },
  async () => {
    // within a day of a sync that reached a source, this one asks none
    const { page } = await signedInPage(await demoStack())
    await openCatalogue(page)
    await page.getByRole('button', { name: 'Sync: more' }).click()
    await page.getByRole('menuitem', { name: 'GitHub' }).click()
    await toast(page, 'GitHub Sync Failed').waitFor()
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await card(page, 'Gmail').waitFor()
  },
)

it('INT-09 REG-24 REG-29 each sync adds its source’s entries to the page', { tags: 'trial' }, async () => {
  const sources = await startCatalogueSources()
  const synced = await startStack({ env: { GITHUB_API_URL: sources.url, MCP_REGISTRY_URL: sources.url } })
  onTestFinished(async () => {
    await synced.stop()
    await sources.close()
  })
  const { page } = await signedInPage(synced)
  await openCatalogue(page)
  const press = async (name: string) => {
    // a busy button ignores clicks
    await page.locator('button[aria-busy]').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sync: more' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await press('Enhanced Sync')
  await page
    .getByText(/^Enhanced Sync Complete/)
    .first()
    .waitFor()
  // three are of the sources
  await page.getByText(new RegExp(`^${builtInProviders.length + 3} available`)).waitFor()
  await page.getByText(/Last sync Just now/).waitFor()
  await page.getByRole('textbox', { name: 'Search integrations' }).fill('weather')
  await card(page, 'Weather').getByText('Tells the weather – everywhere.').waitFor()
  await press('Force')
  // each page of the registry has an entry that is none
  await toast(page, 'Force Refresh Completed with Issues').waitFor()
  await page.getByText(/1 issue: 2 entries of the MCP Registry could not be read$/).waitFor()
  await press('GitHub')
  await toast(page, 'GitHub Sync Complete').waitFor()
  sources.state.fault = 'rate-limit'
  await press('Force')
  await page
    .getByText(/rate limit/)
    .first()
    .waitFor()
  sources.state.fault = undefined
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await card(page, 'Weather').waitFor()
})

it(
  'a catalogue server that moves asks for its key again, on the card and in the chat (H4, M5)',
  { tags: 'trial' },
  async () => {
    const tools = [{ name: 'save_note', description: 'Save a note that says something' }]
    first.behaviour.tools = tools
    second.behaviour.tools = tools
    const { user, page } = await signedInPage(stack)
    const publish = async (url: string) => {
      const headers = ['X-Api-Key']
      registry.published.splice(
        0,
        Infinity,
        { name: 'com.example-notebooks.international/notebook-server', title: 'Notebook', url, headers },
        { name: 'io.github.mallory/x', title: 'Zendesk', url: 'https://mallory.github.io/mcp' },
        { name: 'com.zendesk/mcp', title: 'Zendesk', url: 'https://mcp.zendesk.com/mcp' },
      )
      await user.call('registry.refresh', { body: { kind: 'force' } })
    }
    await publish(first.url)
    await vi.waitFor(async () => user.call('integrations.connect', await connection()))
    await waitForQuestion('approval')
    await page.goto('/')
    await sendMessage(page, 'Save a note that says "buy milk"')
    const publisher = 'com.example-notebooks.international'
    await page.getByRole('group', { name: `save_note with Notebook · ${publisher}?` }).waitFor()
    await screenshot(page, 'catalogue-approval')
    await page.getByRole('button', { name: 'Deny' }).click()
    await waitForReplyEnd(page)
    await publish(second.url)
    await vi.waitFor(async () => {
      const { integrations } = await user.call('integrations.list')
      expect(integrations[0]?.reconnect).toMatchObject({ kind: 'moved' })
    })
    const moved = `Notebook has moved to ${second.host}. Connect again to use it there.`
    await page.goto('/integrations')
    await page.getByRole('textbox', { name: 'Search integrations' }).fill('remote server')
    await card(page, 'Notebook').getByText(moved).waitFor()
    await card(page, 'Notebook').getByText(publisher, { exact: true }).waitFor()
    await card(page, 'Zendesk').getByText('com.zendesk', { exact: true }).waitFor()
    await card(page, 'Zendesk (io.github.mallory)').waitFor()
    await screenshot(page, 'catalogue-moved')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await screenshot(page, 'catalogue-moved-dark-phone', { fullPage: true })
    await waitForQuestion('reconnect')
    await page.goto('/')
    await page.setViewportSize({ width: 1280, height: 800 })
    await sendMessage(page, 'Save a note that says "buy milk"')
    const question = page.getByRole('group', { name: 'Notebook has to be connected again' })
    await question.getByText(moved).waitFor()
    await screenshot(page, 'catalogue-moved-chat-dark')
    await question.getByRole('button', { name: 'Reconnect' }).click()
    const setup = page.getByRole('dialog', { name: 'Setup Notebook' })
    await setup.getByText(`Published by ${publisher}, answers at ${second.host}`).waitFor()
    await screenshot(page, 'catalogue-moved-setup-dark')
    await setup.getByRole('textbox', { name: 'X-Api-Key' }).fill('another-key-for-the-new-place')
    await setup.getByRole('button', { name: 'Connect to Notebook Live' }).click()
    // connected, and not allowed
    await page.getByRole('group', { name: `save_note with Notebook · ${publisher}?` }).waitFor()
    expect(second.calls).toEqual([])

    /** Waits until the chat has read the catalogue and the server's tools. */
    function waitForQuestion(kind: 'approval' | 'reconnect') {
      return vi.waitFor(
        async () => {
          const sessionId = crypto.randomUUID()
          const messages = [{ role: 'user' as const, content: 'Save a note that says "buy milk"' }]
          await user.call('chat.send', { body: { sessionId, messageId: crypto.randomUUID(), messages } })
          const { run } = await user.call('sessions.read', { params: { sessionId } })
          expect(run?.questions).toMatchObject([{ kind }])
        },
        { interval: 500 },
      )
    }

    async function connection() {
      const { items } = await user.call('registry.search', {
        query: { term: 'notebook', page: 1, limit: 20 },
      })
      return {
        params: { mcpId: items.find(({ name }) => name === 'Notebook')?.id ?? 'none' },
        body: { environment: 'production' as const, credentials: { 'X-Api-Key': 'first-key-0123456789' } },
      }
    }
  },
)
