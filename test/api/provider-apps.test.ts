import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type InProcessProduct, startInProcessProduct } from '../support/in-process-product.ts'

let folder: string
let product: InProcessProduct
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'juno-apps-'))
  const file = join(folder, 'apps.json')
  await writeFile(file, JSON.stringify({ slack: { clientId: 'for-all', clientSecret: 'topsecret' } }))
  product = await startInProcessProduct({
    PROVIDER_APPS: file,
    GITHUB_API_URL: 'http://127.0.0.1:1',
    MCP_REGISTRY_URL: 'http://127.0.0.1:1',
  })
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
