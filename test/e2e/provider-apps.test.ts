/** @module-tag long */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { card, openCatalogue, pressConnect, toast } from '../support/integration-steps.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { signedInPage } from '../support/page-steps.ts'

let folder: string
let stack: LocalStack
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'juno-apps-'))
  const file = join(folder, 'apps.json')
  await writeFile(file, JSON.stringify({ gmail: { clientId: 'for-everybody', clientSecret: 'topsecret' } }))
  stack = await startStack({ env: { PROVIDER_APPS: file, FIRST_ADMINISTRATOR: 'on' } })
})
afterAll(async () => {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

it('an app of PROVIDER_APPS: the administrator sees that it is set, and others connect in one click', async () => {
  const { page } = await signedInPage(stack)
  await page.goto('/admin/apps')
  const integrations = page.getByRole('list', { name: 'Integrations that take an app' })
  const rows = integrations.getByRole('listitem')
  await rows.filter({ hasText: 'Gmail' }).getByText('Set', { exact: true }).waitFor()
  await rows.filter({ hasText: 'Slack' }).getByText('Not set').waitFor()
  await page.getByText(`${stack.origin}/oauth/callback`, { exact: true }).waitFor()
  await page.getByText('PROVIDER_APPS=apps.json npm start').waitFor()
  expect(await page.content()).not.toContain('topsecret')
  await forEachSizeAndTheme(page, async (look, checks) => {
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      .toBe(true)
    expect(await findViolations(page, ...checks)).toEqual([])
    await screenshot(page, `admin-apps-${look}`, { fullPage: true })
  })

  const { page: others } = await signedInPage(stack)
  await openCatalogue(others)
  const popup = await pressConnect(others, 'Connect Gmail')
  await popup.getByText('for-everybody').waitFor()
  await popup.getByRole('button', { name: 'Allow' }).click()
  await toast(others, 'Integration Connected').waitFor()
  await card(others, 'Gmail')
    .getByText(/^Connected/)
    .waitFor()
})
