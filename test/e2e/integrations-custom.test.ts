import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectFailures } from '../support/browser.ts'
import { card, openCatalogue, toast } from '../support/integration-steps.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { signedInPage } from '../support/page-steps.ts'

const everything = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)
let stack: LocalStack
let server: ChildProcess
let serverUrl: string

beforeAll(async () => {
  const port = await freePort()
  serverUrl = `http://127.0.0.1:${port}/mcp`
  server = await startMcpServer(port)
  stack = await startStack({ env: { OUTBOUND_ALLOW: `127.0.0.1:${port}` } })
})
afterAll(async () => {
  server.kill()
  await stack.stop()
})

/** The reference server of the protocol's authors, over streamable HTTP. */
function startMcpServer(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  process.once('exit', () => child.kill())
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (/listening on port/i.test(said)) resolve(child)
    })
    child.once('exit', () => reject(new Error(`The MCP server ended: ${said}`)))
  })
}

function freePort(): Promise<number> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

it('CUST-06 CUST-12 CUST-21 a real MCP server is tested and added', async () => {
  const { page } = await signedInPage(stack)
  await openCatalogue(page)
  await page.getByRole('button', { name: 'Add Custom' }).click()
  await page.getByRole('button', { name: 'Add Custom MCP Tool' }).click()
  const add = page.getByRole('dialog', { name: 'Add Custom MCP Tool' })
  await add.getByLabel('Name').fill('Everything')
  await add.getByLabel('Server URL').fill(serverUrl)
  await add.getByRole('button', { name: 'Test connection' }).click()
  await add.getByText(/answers with \d+ tools/).waitFor()
  await add.getByText('echo', { exact: true }).waitFor()
  await add.getByRole('button', { name: 'Add tool' }).click()
  await toast(page, 'Custom Tool Added').waitFor()
  await page.getByRole('dialog', { name: 'Custom Tools' }).getByText('Everything').waitFor()
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
