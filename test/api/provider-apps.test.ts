/** @module-tag long */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ProviderApps } from '#shared/contracts/admin.ts'
import { type InProcessProduct, startInProcessProduct } from '../support/in-process-product.ts'
import type { StackUser } from '../support/stack-user.ts'

let folder: string
let product: InProcessProduct
let admin: StackUser
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'juno-apps-'))
  const file = join(folder, 'apps.json')
  const app = { clientId: 'for-all', clientSecret: 'topsecret' }
  // not the id of an integration
  await writeFile(file, JSON.stringify({ slack: app, google_drive: app }))
  product = await startInProcessProduct({
    PROVIDER_APPS: file,
    FIRST_ADMINISTRATOR: 'on',
    GITHUB_API_URL: 'http://127.0.0.1:1',
    MCP_REGISTRY_URL: 'http://127.0.0.1:1',
  })
  admin = await product.newUser()
})
afterAll(async () => {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
})

it('an integration in PROVIDER_APPS needs no Client ID of the user, and the secret is not shown', async () => {
  const ann = await product.newUser()
  const { entry } = await ann.call('registry.one', { params: { entryId: 'slack' } })
  expect(entry.preconfigured).toBe(true)
  expect(JSON.stringify(entry)).not.toContain('topsecret')
  const { entry: other } = await ann.call('registry.one', { params: { entryId: 'gmail' } })
  expect(other.preconfigured).toBe(false)
})

it('administrators see which integrations have an app, and nothing of the app; nobody else sees it', async () => {
  const [{ body, status }, ben] = [await admin.send('admin.providerApps'), await product.newUser()]
  expect(status).toBe(200)
  expect(body).toMatchObject({ problem: null, unknown: ['google_drive'] })
  const { integrations } = body as ProviderApps
  expect(integrations.filter(({ has_app }) => has_app).map(({ name }) => name)).toEqual(['Slack'])
  expect(JSON.stringify(body)).not.toMatch(/topsecret|for-all/)
  expect((await ben.send('admin.providerApps')).status).toBe(403)
})
