import { describe, expect, it, vi } from 'vitest'
import { outboundHttp } from '../../platform/net/outbound-http.ts'
import { discoverServer } from './discovery.ts'

const server = 'https://mcp.example.com/mcp'
const issuer = 'https://auth.example.com'
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
}
const resourceMetadata = { resource: server, authorization_servers: [issuer], scopes_supported: ['read'] }
const resourceMetadataUrl = 'https://mcp.example.com/.well-known/oauth-protected-resource'
const serverMetadataUrl = `${issuer}/.well-known/oauth-authorization-server`

/** Serves documents behind the outbound guard; everything else is not found. */
function serve(documents: Record<string, object | string | number>) {
  const requestedUrls: string[] = []
  const guard = outboundHttp()
  return {
    requestedUrls,
    http: {
      check: guard.check,
      fetch: async (input: string | URL | Request) => {
        const url = input instanceof Request ? input.url : String(input)
        guard.check(url)
        requestedUrls.push(url)
        const document = documents[url]
        if (typeof document === 'number') return new Response('', { status: document })
        if (typeof document === 'string')
          return new Response(document, { headers: { 'content-type': 'text/html' } })
        return document ? Response.json(document) : new Response('', { status: 404 })
      },
    },
  }
}

const discover = (documents: Record<string, object | string | number>, challenge = {}) =>
  discoverServer(serve(documents).http, server, challenge)

describe('the sign-in of a remote server', () => {
  it('is found by the address in its challenge, or else at the well-known address', async () => {
    const metadataUrl = 'https://mcp.example.com/about-me'
    const discovered = await discover(
      { [metadataUrl]: resourceMetadata, [serverMetadataUrl]: metadata },
      { resourceMetadataUrl: new URL(metadataUrl), scope: 'write' },
    )
    expect(discovered).toMatchObject({
      server: { url: server, issuer, token_url: `${issuer}/token`, resource: server, names_itself: false },
      authUrl: `${issuer}/authorize`,
      scope: 'write',
    })
    expect(
      await discover({ [`${resourceMetadataUrl}/mcp`]: resourceMetadata, [serverMetadataUrl]: metadata }),
    ).toMatchObject({
      scope: 'read',
    })
  })

  // msrbuilds/elementor-mcp#130, agentconnect-md/agentconnect#2119, exa-labs/exa-mcp-server#387, juspay/juspay-mcp#127
  it.each<[string, Record<string, object | string>, string]>([
    [
      'of another resource',
      {
        [resourceMetadataUrl]: { ...resourceMetadata, resource: 'https://mcp.example.com/other' },
        [`${resourceMetadataUrl}/mcp`]: resourceMetadata,
      },
      server,
    ],
    [
      'of the whole origin',
      { [resourceMetadataUrl]: { ...resourceMetadata, resource: 'https://mcp.example.com' } },
      'https://mcp.example.com',
    ],
    [
      'that is empty',
      { [resourceMetadataUrl]: '', [`${resourceMetadataUrl}/mcp`]: resourceMetadata },
      server,
    ],
  ])('is found though the challenge names a document %s', async (_, documents, resource) => {
    expect(
      await discover(
        { ...documents, [serverMetadataUrl]: metadata },
        { resourceMetadataUrl: new URL(resourceMetadataUrl) },
      ),
    ).toMatchObject({ server: { issuer, resource } })
  })

  it('is found by OpenID Connect Discovery at the server itself if nothing else is published', async () => {
    const ownMetadata = { ...metadata, issuer: 'https://mcp.example.com' }
    const oidc = {
      ...ownMetadata,
      authorization_endpoint: 'https://mcp.example.com/authorize',
      jwks_uri: 'https://mcp.example.com/jwks',
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }
    expect(
      await discover({ 'https://mcp.example.com/.well-known/openid-configuration': oidc }),
    ).toMatchObject({ server: { issuer: 'https://mcp.example.com' }, scope: undefined })
  })

  const origin = 'https://mcp.example.com'
  const buildMetadata = (ownIssuer: string) => ({
    ...metadata,
    issuer: ownIssuer,
    authorization_endpoint: `${ownIssuer}/authorize`,
    token_endpoint: `${ownIssuer}/token`,
  })
  const wellKnown = `${origin}/.well-known/oauth-authorization-server`
  const resourceAt = (path: string, issuerOfIt: string) => ({
    [`${resourceMetadataUrl}${path}`]: { resource: `${origin}${path}`, authorization_servers: [issuerOfIt] },
  })
  it.each<[where: string, url: string, documents: Record<string, object>, issuer: string]>([
    // cloudflare/agents#686
    [
      'at the root, though it is named by the address of an endpoint',
      server,
      { ...resourceAt('/mcp', server), [wellKnown]: buildMetadata(origin) },
      origin,
    ],
    // anthropics/claude-ai-mcp#367
    [
      'at the path of the MCP server, which names none',
      `${origin}/one/two`,
      { [`${wellKnown}/one/two`]: buildMetadata(`${origin}/one/two`) },
      `${origin}/one/two`,
    ],
    // can1357/oh-my-pi#3539
    [
      'at its path, though there is another one at the root',
      `${origin}/http/mcp`,
      {
        ...resourceAt('/http/mcp', `${origin}/http`),
        [wellKnown]: buildMetadata(origin),
        [`${wellKnown}/http`]: buildMetadata(`${origin}/http`),
      },
      `${origin}/http`,
    ],
  ])('is found %s', async (_, url, documents, expected) => {
    const { http, requestedUrls } = serve(documents)
    expect(await discoverServer(http, url, {})).toMatchObject({
      server: { issuer: expected, token_url: `${expected}/token` },
    })
    expect(new Set(requestedUrls).size).toBe(requestedUrls.length)
  })

  it('includes the resources that the authorization server lists', async () => {
    const discoverListing = (protected_resources: unknown) =>
      discover({
        [resourceMetadataUrl]: resourceMetadata,
        [serverMetadataUrl]: { ...metadata, protected_resources },
      })
    expect(await discoverListing([server])).toMatchObject({ protectedResources: [server] })
    expect(await discoverListing(server)).toMatchObject({ protectedResources: [] })
    expect(await discoverListing(undefined)).toMatchObject({ protectedResources: [] })
  })

  it('is used if the metadata does not mention PKCE, which every server must support', async () => {
    const { code_challenge_methods_supported: _, ...withoutPkce } = metadata
    expect(
      await discover({ [resourceMetadataUrl]: resourceMetadata, [serverMetadataUrl]: withoutPkce }),
    ).toBeDefined()
  })

  it.each([
    ['the scopes of its resource', { scopes_supported: ['a', 'b', 'a'] }, {}, 'a b'],
    ['no list that is too long', { scopes_supported: ['openid', 'x'.repeat(2_000)] }, {}, undefined],
    ['no list of thousands', { scopes_supported: Array.from({ length: 5_000 }, () => 'a') }, {}, undefined],
    ['those of the challenge', {}, { scope: 'c  c d' }, 'c d'],
    ['no challenge that is too long', {}, { scope: 'x'.repeat(2_001) }, undefined],
  ])('requests %s', async (_, resource, challenge, scope) => {
    const { http } = serve({
      [resourceMetadataUrl]: { ...resourceMetadata, ...resource },
      [serverMetadataUrl]: metadata,
    })
    expect(await discoverServer(http, server, challenge)).toMatchObject({ scope })
  })

  it('requests offline access when it is offered', async () => {
    const withOfflineAccess = { ...metadata, scopes_supported: ['read', 'offline_access'] }
    expect(
      await discover({ [resourceMetadataUrl]: resourceMetadata, [serverMetadataUrl]: withOfflineAccess }),
    ).toMatchObject({
      scope: 'read offline_access',
    })
  })
})

const noSignIn = { problem: expect.objectContaining({ code: 'discovery' }) as object }

describe('no sign-in starts when', () => {
  const tryDiscover = (documents: Record<string, object | string | number>) =>
    discover({ [resourceMetadataUrl]: resourceMetadata, ...documents })

  it('the metadata names another issuer', async () =>
    expect(
      await tryDiscover({ [serverMetadataUrl]: { ...metadata, issuer: 'https://other.example' } }),
    ).toEqual(noSignIn))

  it('the authorization page is at another origin and the server does not identify itself', async () => {
    const foreignPage = { ...metadata, authorization_endpoint: 'https://victim.example/authorize' }
    expect(await tryDiscover({ [serverMetadataUrl]: foreignPage })).toEqual(noSignIn)
    // a server that identifies itself is checked when the user returns
    const sendsIss = { ...foreignPage, authorization_response_iss_parameter_supported: true }
    expect(
      await discover({ [resourceMetadataUrl]: resourceMetadata, [serverMetadataUrl]: sendsIss }),
    ).toMatchObject({
      server: { names_itself: true },
    })
  })

  it('the metadata belongs to another resource', async () =>
    expect(
      await tryDiscover({
        [resourceMetadataUrl]: { ...resourceMetadata, resource: 'https://victim.example/mcp' },
        [serverMetadataUrl]: metadata,
      }),
    ).toEqual(noSignIn))

  it('PKCE or the authorization code flow is not supported', async () => {
    expect(
      await tryDiscover({
        [serverMetadataUrl]: { ...metadata, code_challenge_methods_supported: ['plain'] },
      }),
    ).toEqual(noSignIn)
    expect(
      await tryDiscover({ [serverMetadataUrl]: { ...metadata, response_types_supported: ['token'] } }),
    ).toEqual(noSignIn)
  })

  it('nothing is published, which is not logged, unlike metadata that cannot be used', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.stubEnv('LOG_LEVEL', 'warn')
    expect(await discover({})).toEqual(noSignIn)
    expect(write).not.toHaveBeenCalled()
    await tryDiscover({ [serverMetadataUrl]: { ...metadata, code_challenge_methods_supported: ['plain'] } })
    await tryDiscover({ [serverMetadataUrl]: { ...metadata, response_types_supported: ['token'] } })
    await tryDiscover({
      [resourceMetadataUrl]: { ...resourceMetadata, resource: 'https://victim.example/mcp' },
      [serverMetadataUrl]: metadata,
    })
    await tryDiscover({
      [serverMetadataUrl]: { ...metadata, authorization_endpoint: 'https://victim.example/' },
    })
    expect(write.mock.calls.map(([line]) => JSON.parse(String(line)) as object)).toMatchObject(
      [
        'PKCE with S256 is not supported',
        'the authorization code flow is not supported',
        'the metadata belongs to another resource',
        'the authorization endpoint is at another origin',
      ].map((message) => ({
        level: 'warn',
        message: 'the authorization server metadata cannot be used',
        error: { message },
      })),
    )
  })

  it.each([['a page'], ['<html>'], [500], ['{"issuer":']])('the response is %s', async (response) =>
    expect(await tryDiscover({ [serverMetadataUrl]: response })).toEqual(noSignIn),
  )

  it.each([
    'https://127.0.0.1',
    'https://169.254.169.254',
    'https://[::ffff:10.0.0.1]',
    'http://auth.example.com',
  ])('DEC-084 a request to %s would be needed', async (address) => {
    const { http, requestedUrls } = serve({
      [resourceMetadataUrl]: { ...resourceMetadata, authorization_servers: [address] },
    })
    expect(await discoverServer(http, server, {})).toEqual(noSignIn)
    expect(requestedUrls.filter((url) => url.startsWith(address))).toEqual([])
    expect(
      await tryDiscover({ [serverMetadataUrl]: { ...metadata, token_endpoint: `${address}/token` } }),
    ).toEqual(noSignIn)
    expect(
      await tryDiscover({
        [serverMetadataUrl]: {
          ...metadata,
          authorization_endpoint: `${address}/authorize`,
          authorization_response_iss_parameter_supported: true,
        },
      }),
    ).toEqual(noSignIn)
  })
})
