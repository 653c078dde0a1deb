import { describe, expect, it } from 'vitest'
import { builtInProviders, findProvider, type BuiltInProvider } from './built-in.ts'
import { buildEndpoints } from './endpoints.ts'

const specifiedNames =
  'Gmail, Slack, Notion, HubSpot, GitHub, Salesforce, Trello, Discord, Airtable, Google Drive, Google Calendar, Shopify, Stripe, Twilio, Zoom, Mailchimp, Asana, Dropbox, LinkedIn, Microsoft Graph, Jira, Confluence, Figma, Intercom, Typeform'.split(
    ', ',
  )

const requireProvider = (id: string): BuiltInProvider => {
  const provider = findProvider(id)
  if (!provider) throw new Error(id)
  return provider
}
const buildTarget = (parameters: Record<string, string> = {}) => ({
  environment: 'production' as const,
  parameters,
})

it('REG-05 DEC-070 the built-in providers have the 25 of the specification and two more, and ids of their own', () => {
  const names = builtInProviders.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...specifiedNames, 'Linear', 'PayPal']))
  expect(new Set(builtInProviders.map(({ id }) => id)).size).toBe(names.length)
})

it('REG-06 REG-07 the built-in providers have a popularity of 70 to 95 and the auth type of the specification', () => {
  for (const { popularity } of builtInProviders) expect(popularity >= 70 && popularity <= 95).toBe(true)
  const keyProviders = builtInProviders
    .filter(({ auth_type, name }) => auth_type === 'api_key' && specifiedNames.includes(name))
    .map(({ name }) => name)
  expect(keyProviders.toSorted()).toEqual(['Airtable', 'Notion', 'Stripe', 'Trello', 'Twilio'])
})

it('DEC-088 every address of a provider is https', () => {
  const addresses = builtInProviders.flatMap(({ apiBase, oauth, setup }) => [
    apiBase,
    setup.docsUrl,
    setup.setupUrl,
    ...(oauth ? [oauth.authUrl, oauth.tokenUrl] : []),
  ])
  expect(addresses.filter((address) => !/^(https:\/\/|\{instance_url\}\/)/.test(address))).toEqual([])
})

it('PKCE binds the code wherever the provider supports it (L7)', () => {
  const withoutPkce = builtInProviders
    .filter(({ oauth }) => oauth?.pkce === 'unsupported')
    .map(({ id }) => id)
  expect(withoutPkce.toSorted()).toEqual([
    'confluence',
    'intercom',
    'jira',
    'linkedin',
    'mailchimp',
    'paypal',
    'shopify',
    'typeform',
  ])
})

describe('addresses', () => {
  it('of the sandbox differ', () => {
    const sandbox = buildEndpoints(requireProvider('salesforce'), { environment: 'sandbox', parameters: {} })
    expect(sandbox.oauth?.authUrl).toBe('https://test.salesforce.com/services/oauth2/authorize')
    expect(buildEndpoints(requireProvider('salesforce'), buildTarget()).oauth?.authUrl).toContain(
      'login.salesforce.com',
    )
  })

  it('of a tenant are built from a validated name', () => {
    expect(
      buildEndpoints(requireProvider('shopify'), buildTarget({ shop: 'my-store' })).oauth?.tokenUrl,
    ).toMatch(/^https:\/\/my-store\.myshopify\.com\//)
    expect(buildEndpoints(requireProvider('microsoft-graph'), buildTarget()).oauth?.authUrl).toContain(
      '/common/',
    )
    expect(
      buildEndpoints(requireProvider('salesforce'), buildTarget({ hostname: 'acme.my.salesforce.com' })).oauth
        ?.tokenUrl,
    ).toMatch(/^https:\/\/acme\.my\.salesforce\.com\//)
  })

  it.each(['acme--test.sandbox', 'acme-dev-ed.develop', 'acme.scratch', 'acme.trailblaze', 'acme'])(
    'may use the My Domain host %s.my.salesforce.com',
    (name) => {
      const hostname = `${name}.my.salesforce.com`
      expect(
        buildEndpoints(requireProvider('salesforce'), buildTarget({ hostname })).oauth?.tokenUrl,
      ).toContain(`//${hostname}/`)
    },
  )

  it.each([
    ['intercom', 'api.intercom.io', 'api.eu.intercom.io'],
    ['typeform', 'api.typeform.com', 'api.eu.typeform.com'],
  ])('%s has its data at %s, or at %s', (id, usual, european) => {
    expect(buildEndpoints(requireProvider(id), buildTarget()).apiBase).toBe(`https://${usual}`)
    expect(buildEndpoints(requireProvider(id), buildTarget({ host: european })).apiBase).toBe(
      `https://${european}`,
    )
  })

  it.each([
    ['shopify', 'shop', 'evil.example/'],
    ['intercom', 'host', 'api.us.intercom.io'],
    ['intercom', 'host', 'api.intercom.io.evil.example'],
    ['typeform', 'host', 'evil.example'],
    ['shopify', 'shop', 'a@b'],
    ['shopify', 'shop', 'x\ny'],
    ['shopify', 'shop', ''],
    ['salesforce', 'hostname', 'evil.example'],
    ['salesforce', 'hostname', 'a.b.c.my.salesforce.com'],
    ['salesforce', 'hostname', 'acme.my.salesforce.com.evil.example'],
    ['salesforce', 'hostname', 'evil.example/.my.salesforce.com'],
    ['microsoft-graph', 'tenant', '../x'],
  ])('%s refuses the %s %j', (id, name, value) => {
    expect(() => buildEndpoints(requireProvider(id), buildTarget({ [name]: value }))).toThrow(
      /is not valid|is required/,
    )
  })
})
