import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { builtInProviders, findProvider, type BuiltInProvider } from './built-in.ts'

/** The module reads the file once, so each test loads it again. */
async function withOverrides(overrides?: object) {
  if (overrides) {
    const folder = await mkdtemp(join(tmpdir(), 'juno-overrides-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'file.json'), JSON.stringify(overrides))
    vi.stubEnv('PROVIDER_OVERRIDES', join(folder, 'file.json'))
  }
  vi.resetModules()
  return import('./endpoints.ts')
}
beforeEach(() => {
  delete process.env['PROVIDER_OVERRIDES']
})

const requireProvider = (id: string): BuiltInProvider => {
  const provider = findProvider(id)
  if (!provider) throw new Error(id)
  return provider
}
const buildTarget = (environment: 'production' | 'sandbox', parameters: Record<string, string> = {}) => ({
  environment,
  parameters,
})
const production = buildTarget('production')

it('a provider has its own addresses', async () => {
  const { buildEndpoints } = await withOverrides()
  expect(buildEndpoints(requireProvider('google-drive'), production)).toEqual({
    apiBase: 'https://www.googleapis.com/drive/v3',
    otherBases: { upload: 'https://www.googleapis.com/upload/drive/v3' },
    oauth: {
      authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      refreshUrl: 'https://oauth2.googleapis.com/token',
      revokeUrl: 'https://oauth2.googleapis.com/revoke',
    },
  })
  expect(buildEndpoints(requireProvider('stripe'), production)).toEqual({
    apiBase: 'https://api.stripe.com/v1',
    otherBases: {},
    oauth: undefined,
  })
})

it('the sandbox has its own addresses where the provider names some', async () => {
  const { buildEndpoints } = await withOverrides()
  expect(buildEndpoints(requireProvider('paypal'), buildTarget('sandbox')).apiBase).toBe(
    'https://api-m.sandbox.paypal.com',
  )
  expect(buildEndpoints(requireProvider('paypal'), production).apiBase).toBe('https://api-m.paypal.com')
  expect(buildEndpoints(requireProvider('paypal'), buildTarget('sandbox')).oauth?.tokenUrl).toContain(
    'sandbox',
  )
  expect(buildEndpoints(requireProvider('slack'), buildTarget('sandbox'))).toEqual(
    buildEndpoints(requireProvider('slack'), production),
  )
})

it('a refresh uses the provider’s refresh URL', async () => {
  const { buildEndpoints } = await withOverrides()
  const figma = requireProvider('figma')
  expect(buildEndpoints(figma, production).oauth?.refreshUrl).toBe(
    figma.oauth?.refreshUrl ?? figma.oauth?.tokenUrl,
  )
  const otherRefreshUrl = {
    ...figma,
    oauth: figma.oauth && { ...figma.oauth, refreshUrl: 'https://refresh.example' },
  }
  expect(buildEndpoints(otherRefreshUrl, production).oauth?.refreshUrl).toBe('https://refresh.example')
})

it('a host of Salesforce replaces the common sign-in host, and no other', async () => {
  const { buildEndpoints } = await withOverrides()
  const host = { hostname: 'acme.my.salesforce.com' }
  expect(buildEndpoints(requireProvider('salesforce'), buildTarget('production', host)).oauth?.tokenUrl).toBe(
    'https://acme.my.salesforce.com/services/oauth2/token',
  )
  expect(buildEndpoints(requireProvider('salesforce'), buildTarget('sandbox', host)).oauth?.tokenUrl).toBe(
    'https://acme.my.salesforce.com/services/oauth2/token',
  )
  expect(buildEndpoints(requireProvider('salesforce'), production).apiBase).toBe(
    '{instance_url}/services/data/v64.0',
  )
})

it('a parameter is trimmed, validated and required', async () => {
  const { buildEndpoints } = await withOverrides()
  const buildForShop = (value: Record<string, string>) =>
    buildEndpoints(requireProvider('shopify'), buildTarget('production', value))
  expect(buildForShop({ shop: ' acme ' }).apiBase).toBe(
    'https://acme.myshopify.com/admin/api/2026-07/graphql.json',
  )
  const { label } = requireProvider('shopify').addressParameters[0] ?? { label: '' }
  expect(() => buildForShop({})).toThrow(`${label} is required.`)
  expect(() => buildForShop({ shop: '  ' })).toThrow(`${label} is`)
  expect(() => buildForShop({ shop: 'acme.example/' })).toThrow(`${label} is not valid.`)
  const inherited = Object.create({ shop: 'acme' }) as Record<string, string>
  expect(() => buildForShop(inherited)).toThrow(`${label} is required.`)
})

it('overrides replace the provider’s own addresses', async () => {
  const { buildEndpoints, remoteMcpUrl } = await withOverrides({
    'google-drive': {
      apiBase: 'http://127.0.0.1:1/drive',
      authUrl: 'http://127.0.0.1:1/authorize',
      tokenUrl: 'http://127.0.0.1:1/token',
      revokeUrl: 'http://127.0.0.1:1/revoke',
    },
    notion: { mcpUrl: 'http://127.0.0.1:1/mcp' },
    trello: { mcpUrl: 'http://127.0.0.1:1/mcp' },
  })
  expect(buildEndpoints(requireProvider('google-drive'), production)).toEqual({
    apiBase: 'http://127.0.0.1:1/drive',
    otherBases: { upload: 'http://127.0.0.1:1/drive/upload' },
    oauth: {
      authUrl: 'http://127.0.0.1:1/authorize',
      tokenUrl: 'http://127.0.0.1:1/token',
      refreshUrl: 'http://127.0.0.1:1/token',
      revokeUrl: 'http://127.0.0.1:1/revoke',
    },
  })
  expect(buildEndpoints(requireProvider('gmail'), production).apiBase).toBe(
    'https://gmail.googleapis.com/gmail/v1',
  )
  expect(remoteMcpUrl(requireProvider('notion'))).toBe('http://127.0.0.1:1/mcp')
  expect(remoteMcpUrl({ ...requireProvider('trello'), remoteMcp: undefined })).toBeUndefined()
})

it('a remote server counts only if the product can register there by itself', async () => {
  const { remoteMcpUrl } = await withOverrides()
  const buildServer = (auth: string) => ({
    ...requireProvider('gmail'),
    remoteMcp: { url: 'https://mcp.example', auth },
  })
  expect(remoteMcpUrl(buildServer('dcr'))).toBe('https://mcp.example')
  expect(remoteMcpUrl(buildServer('manual'))).toBeUndefined()
})

it('lists each provider’s addresses, including overrides', async () => {
  const { providerAddresses } = await withOverrides({ gmail: { apiBase: 'http://127.0.0.1:1/gmail' } })
  const addressLists = providerAddresses()
  const find = (part: string) =>
    addressLists.find((addresses) => addresses.some((one) => one.includes(part))) ?? []
  expect(addressLists).toHaveLength(builtInProviders.length)
  expect(find('127.0.0.1:1/gmail')).toEqual([
    'https://gmail.googleapis.com/gmail/v1',
    'https://gmailmcp.googleapis.com/mcp/v1',
    'https://accounts.google.com/o/oauth2/v2/auth',
    'https://oauth2.googleapis.com/token',
    'https://oauth2.googleapis.com/revoke',
    'http://127.0.0.1:1/gmail',
  ])
  expect(find('myshopify')[0]).toBe('https://x.myshopify.com/admin/api/2026-07/graphql.json')
  expect(find('upload/drive')).toContain('https://www.googleapis.com/upload/drive/v3')
  expect(find('api-m.sandbox.paypal.com')).toContain('https://api-m.paypal.com')
  expect(addressLists.flat().filter((address) => !URL.canParse(address))).toEqual([])
})
