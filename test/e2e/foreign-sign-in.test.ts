/** @module-tag long */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { type AuthorizationServer, startAuthorizationServer } from '../support/authorization-server.ts'
import { card, openCatalogue, toast } from '../support/integration-steps.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { startMcpRegistry } from '../support/mcp-registry.ts'
import { sharePage, signedInPage, waitForFocus } from '../support/page-steps.ts'
import { syncPublished } from '../support/published-servers.ts'

let stack: LocalStack
let registry: Awaited<ReturnType<typeof startMcpRegistry>>
let evil: AuthorizationServer
let legit: AuthorizationServer
const sharedPage = sharePage(() => signedInPage(stack))

beforeAll(async () => {
  ;[registry, evil, legit] = await Promise.all([
    startMcpRegistry(),
    startAuthorizationServer(),
    startAuthorizationServer(),
  ])
  registry.published.push({ name: 'example.evil/pdf', title: 'PDF Tools', url: evil.mcpUrl })
  const allowed = [evil, legit].map(({ host }) => host).join(',')
  stack = await startStack({ env: { MCP_REGISTRY_URL: registry.url, OUTBOUND_ALLOW: allowed } })
  await syncPublished(await stack.newUser(), 1)
})
afterAll(async () => {
  await stack.stop()
  await Promise.all([evil, legit, registry].map((server) => server.close()))
})
beforeEach(() => Object.assign(evil.behaviour, { issuer: undefined, script: undefined }))

async function pressConnect(page: Page): Promise<Page> {
  if (!page.url().endsWith('/integrations')) await openCatalogue(page)
  await page.getByRole('textbox', { name: 'Search integrations' }).fill('pdf tools')
  const opening = page.waitForEvent('popup')
  await card(page, 'PDF Tools').getByRole('button', { name: 'Connect' }).click()
  return opening
}

it('the sign-in page of a hostile server cannot navigate the tab that opened it (L1)', async () => {
  evil.behaviour.script = `
    try { window.opener.location = '${evil.origin}/copy-of-the-sign-in-page'; document.title = 'moved the tab' }
    catch { document.title = 'nothing reached' }`
  const { page } = await sharedPage()
  const popup = await pressConnect(page)
  await popup.waitForURL(`${evil.origin}/**`)
  await popup.waitForFunction(() => document.title !== '?')
  await expect.poll(() => popup.title()).toBe('nothing reached')
  expect(await popup.evaluate(() => window.opener as unknown)).toBeNull()
  await toast(page, 'OAuth Started').waitFor()
  expect(new URL(page.url()).origin).toBe(stack.origin)
  await popup.close()
})

describe('a server whose sign-in is at another server (H2)', () => {
  beforeEach(() => {
    evil.behaviour.issuer = legit.origin
  })

  it('is named in the window before it opens; Cancel has the focus and starts nothing', async () => {
    const { page } = await sharedPage()
    const popup = await pressConnect(page)
    const question = popup.getByRole('alertdialog', { name: `Let ${evil.host} use ${legit.host}?` })
    await question.waitFor()
    await question
      .getByText(
        `PDF Tools (${evil.host}) signs you in at ${legit.host}. What you allow there, ${evil.host} may use.`,
      )
      .waitFor()
    await waitForFocus(popup.getByRole('button', { name: 'Cancel' }))
    expect(await findViolations(popup)).toEqual([])
    const closed = popup.waitForEvent('close')
    // the window may close before the key is released
    await popup.keyboard.press('Enter').catch(() => undefined)
    await closed
    await card(page, 'PDF Tools').getByRole('button', { name: 'Connect' }).waitFor()
    expect(legit.received.registered).toEqual([])
    // an error would come before the end of what is done next: the same question again
    const again = await pressConnect(page)
    await again.getByRole('alertdialog').waitFor()
    await again.close()
    await card(page, 'PDF Tools').getByRole('button', { name: 'Connect' }).waitFor()
    expect(await page.getByText('Connection Failed').count()).toBe(0)
    expect(legit.received.registered).toEqual([])
  })

  it('is connected after Continue', { tags: 'trial' }, async () => {
    const { page } = await sharedPage()
    const popup = await pressConnect(page)
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Continue' }).click()
    await toast(page, 'Integration Connected').waitFor()
    await closed
    await card(page, 'PDF Tools')
      .getByText(/^Connected/)
      .waitFor()
  })
})
