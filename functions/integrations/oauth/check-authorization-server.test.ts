import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { findProvider } from '../../providers/built-in.ts'
import { checkAuthorizationServer, isSameSite } from './check-authorization-server.ts'
import type { DiscoveredServer } from './discovery.ts'
import type { RegisteredClientRepository } from '../store/client-repository.ts'

describe('two addresses belong to the same party', () => {
  it.each([
    ['the same host', 'https://mcp.example.com/mcp', 'https://mcp.example.com', true],
    ['the same domain', 'https://mcp.example.com/mcp', 'https://auth.example.com', true],
    ['the domain itself', 'https://mcp.example.co.uk', 'https://example.co.uk', true],
    ['another domain', 'https://evil.example/mcp', 'https://legit.com', false],
    ['a domain that ends alike', 'https://notexample.com', 'https://example.com', false],
    ['another name below a public suffix', 'https://evil.co.uk', 'https://legit.co.uk', false],
    ['another customer of a host', 'https://evil.workers.dev', 'https://legit.workers.dev', false],
    ['the host of a customer', 'https://evil.github.io', 'https://github.io', false],
    ['the same machine at another port', 'http://127.0.0.1:1', 'http://127.0.0.1:2', false],
    ['plain http', 'http://mcp.example.com', 'https://mcp.example.com', false],
    ['another address', 'https://192.0.2.1', 'https://192.0.2.2', false],
  ])('%s: %s and %s: %s', (_, one, other, isSame) => {
    expect(isSameSite(one, other)).toBe(isSame)
    expect(isSameSite(other, one)).toBe(isSame)
  })
})

const resource = 'https://mcp.evil.example/mcp'

function buildClients(origins: Record<string, string[]>) {
  const added: object[] = []
  /** the times of the calls, in seconds */
  const times: number[] = []
  const clients = {
    addResource: (pair: object, nowSeconds: number) => {
      times.push(nowSeconds)
      return Promise.resolve(void added.push(pair))
    },
    listResources: (issuer: string, nowSeconds: number) => {
      times.push(nowSeconds)
      return Promise.resolve(origins[issuer] ?? [])
    },
  } as unknown as RegisteredClientRepository
  return { clients, added, times }
}

function check(
  issuer: string,
  {
    knownOrigins = {},
    agreedTo = [],
    listedResources = [],
    provider,
    url = resource,
    indicator = url,
    ...endpoints
  }: {
    knownOrigins?: Record<string, string[]>
    agreedTo?: string[]
    listedResources?: string[]
    provider?: string
    url?: string
    /** the resource as the server writes it; null: it writes none */
    indicator?: string | null
    token_endpoint?: string
    registration_endpoint?: string
  } = {},
) {
  const { clients, added, times } = buildClients(knownOrigins)
  const discovered: DiscoveredServer = {
    server: {
      url,
      issuer,
      names_itself: true,
      token_url: `${issuer}/token`,
      ...(indicator !== null && { resource: indicator }),
    },
    authUrl: `${issuer}/authorize`,
    scope: undefined,
    supportsClientMetadataDocument: false,
    protectedResources: listedResources,
    metadata: {
      protected_resources: listedResources,
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      ...endpoints,
    },
  }
  const entry = { name: 'PDF Tools' } as RegistryEntry
  const target = { entry, isBuiltIn: provider !== undefined && findProvider(provider) !== undefined }
  return { result: checkAuthorizationServer({ clients }, target, discovered, agreedTo), added, times }
}

describe('the authorization server that a remote server names', () => {
  it('needs no consent when it belongs to the server, and is remembered', async () => {
    const { result, added } = check('https://auth.evil.example')
    expect(await result).toBeUndefined()
    expect(added).toEqual([
      { issuer: 'https://auth.evil.example', resourceOrigin: 'https://mcp.evil.example' },
    ])
  })

  it('needs the user’s consent when it belongs to another party, and is not remembered', async () => {
    const { result, added } = check('https://legit.com')
    expect(await result).toEqual({ server: 'mcp.evil.example', signsInAt: ['legit.com'] })
    expect(added).toEqual([])
    expect(await check('https://legit.com', { agreedTo: ['legit.com'] }).result).toBeUndefined()
    expect(await check('https://legit.com', { agreedTo: ['other.com'] }).result).toBeDefined()
  })

  it('needs consent when only its endpoints belong to another party (H2)', async () => {
    const ownIssuer = 'https://auth.evil.example'
    for (const name of ['token_endpoint', 'registration_endpoint'])
      expect(await check(ownIssuer, { [name]: 'https://legit.com/x' }).result).toEqual({
        server: 'mcp.evil.example',
        signsInAt: ['legit.com'],
      })
  })

  it('needs no consent when it lists the resource, for its own addresses', async () => {
    expect(await check('https://legit.com', { listedResources: [resource] }).result).toBeUndefined()
    expect(
      await check('https://legit.com', { listedResources: ['https://other.example/mcp'] }).result,
    ).toBeDefined()
    expect(
      await check('https://liar.com', {
        listedResources: [resource],
        token_endpoint: 'https://legit.com/token',
      }).result,
    ).toEqual({ server: 'mcp.evil.example', signsInAt: ['legit.com'] })
  })

  it('lists the resource as the server writes it, or else by its address', async () => {
    const issuer = 'https://legit.com'
    const indicator = 'https://mcp.evil.example/'
    expect(await check(issuer, { listedResources: [indicator], indicator }).result).toBeUndefined()
    expect(await check(issuer, { listedResources: [resource], indicator }).result).toBeDefined()
    expect(await check(issuer, { listedResources: [resource], indicator: null }).result).toBeUndefined()
  })

  it('may be at several hosts, all of which need consent', async () => {
    const token_endpoint = 'https://tokens.other.com/token'
    const hosts = ['legit.com', 'tokens.other.com']
    const checkConsent = (agreedTo: string[]) =>
      check('https://legit.com', { token_endpoint, agreedTo }).result
    expect(await checkConsent([])).toEqual({ server: 'mcp.evil.example', signsInAt: hosts })
    expect(await checkConsent(hosts.slice(0, 1))).toEqual({ server: 'mcp.evil.example', signsInAt: hosts })
    expect(await checkConsent(hosts)).toBeUndefined()
  })

  it('is looked up and remembered with the time in seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_999 })
    onTestFinished(() => void vi.useRealTimers())
    const knownOrigins = { 'https://legit.com': ['https://mcp.evil.example'] }
    const foreignCheck = check('https://legit.com', { knownOrigins, agreedTo: ['legit.com'] })
    expect(await foreignCheck.result).toBeUndefined()
    const ownCheck = check('https://auth.evil.example')
    await ownCheck.result
    expect([foreignCheck.times, ownCheck.times]).toEqual([[1_700_000_000], [1_700_000_000]])
  })

  it.each([
    'https://accounts.google.com',
    'https://login.microsoftonline.com/common/v2.0',
    'https://access.stripe.com/mcp',
    'https://mcp.notion.com',
    'https://shop.myshopify.com',
  ])('is refused at %s, which belongs to a built-in provider, even with consent', async (issuer) => {
    const agreedTo = [new URL(issuer).host]
    await expect(check(issuer, { agreedTo }).result).rejects.toMatchObject({
      code: 'foreign_sign_in',
      userMessage: expect.stringContaining(
        'PDF Tools asks for a sign-in at ' + new URL(issuer).host,
      ) as string,
    })
  })

  it('needs no consent at another domain of the built-in provider that the server belongs to', async () => {
    const url = 'https://bigquery.googleapis.com/mcp'
    expect(await check('https://accounts.google.com', { url }).result).toBeUndefined()
    await expect(check('https://slack.com', { url }).result).rejects.toMatchObject({ status: 409 })
  })

  it('is refused when it is known for another resource, even with consent', async () => {
    const knownOrigins = { 'https://legit.com': ['https://mcp.legit.io'] }
    await expect(
      check('https://legit.com', { knownOrigins, agreedTo: ['legit.com'] }).result,
    ).rejects.toMatchObject({ status: 409 })
  })

  it('needs no consent when a known provider names it', async () => {
    expect(await check('https://legit.com', { provider: 'notion' }).result).toBeUndefined()
  })
})
