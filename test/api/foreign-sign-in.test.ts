import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AuthorizationServer,
  followRedirects,
  startAuthorizationServer,
} from '../support/authorization-server.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { startMcpRegistry } from '../support/mcp-registry.ts'
import { buildExchange } from '../support/provider-consent.ts'
import { syncPublished } from '../support/published-servers.ts'
import type { StackUser } from '../support/stack-user.ts'

let stack: LocalStack
let registry: Awaited<ReturnType<typeof startMcpRegistry>>
let evil: AuthorizationServer
let legit: AuthorizationServer
let other: AuthorizationServer
let victim: StackUser
let mallory: StackUser
let ids: Record<string, string>

beforeAll(async () => {
  ;[registry, evil, legit, other] = await Promise.all([
    startMcpRegistry(),
    startAuthorizationServer(),
    startAuthorizationServer(),
    startAuthorizationServer(),
  ])
  registry.published.push(
    { name: 'example.evil/pdf', title: 'PDF Tools', url: evil.mcpUrl },
    { name: 'com.legit/files', title: 'Legit Files', url: legit.mcpUrl },
  )
  const allowed = [evil, legit, other].map(({ host }) => host).join(',')
  stack = await startStack({ env: { MCP_REGISTRY_URL: registry.url, OUTBOUND_ALLOW: allowed } })
  victim = await stack.newUser({ name: 'Ann' })
  mallory = await stack.newUser({ name: 'Mallory' })
  ids = await syncPublished(victim, 2)
})
afterAll(async () => {
  await stack.stop()
  await Promise.all([evil, legit, other, registry].map((server) => server.close()))
})
beforeEach(() => {
  Object.assign(evil.behaviour, {
    issuer: undefined,
    metadata: {},
    tokenMovedTo: undefined,
    redirectsTo: undefined,
  })
  for (const list of Object.values(evil.received)) list.length = 0
})

const begin = (user: StackUser, name: string, parts: object = {}) =>
  user.send('oauth.handle', {
    body: {
      action: 'initiate',
      mcpId: ids[name],
      redirectUri: `${stack.origin}/oauth/callback`,
      ...parts,
    },
  })
async function beginAt(user: StackUser, name: string, parts: object = {}): Promise<URL> {
  const { status, body } = await begin(user, name, parts)
  const { authUrl } = body as { authUrl?: string }
  if (!authUrl) throw new Error(`${status} ${JSON.stringify(body)}`)
  return new URL(authUrl)
}
const exchange = (user: StackUser, back: URL | number) => {
  if (typeof back === 'number') throw new Error(`the browser stayed at a page with status ${back}`)
  return user.send('oauth.handle', { body: buildExchange(back) })
}
const isConnected = async (user: StackUser, name: string) =>
  (await user.call('integrations.list')).integrations.some(({ mcp_id }) => mcp_id === ids[name])
const refused = { status: 400, body: { code: 'oauth_state_not_found' } }

describe('a server whose sign-in is at another server', () => {
  it('the user sees the name of the other server first, so a hostile server gets no token of another one unnoticed (H2)', async () => {
    evil.behaviour.issuer = other.origin
    expect(await begin(victim, 'PDF Tools')).toMatchObject({
      status: 200,
      body: {
        message: `PDF Tools (${evil.host}) signs you in at ${other.host}. What you allow there, ${evil.host} may use.`,
        foreignSignIn: { server: evil.host, signsInAt: [other.host] },
      },
    })
    expect((await begin(victim, 'PDF Tools')).body).not.toHaveProperty('authUrl')
    // agreeing to another host does not count
    expect((await begin(victim, 'PDF Tools', { agreedTo: [legit.host] })).body).not.toHaveProperty('authUrl')
    expect(other.received.registered).toEqual([])
    expect(evil.received.bearers).toEqual([])
  })

  it('is connected after the user agrees, with a client registration for this pair only (H2)', async () => {
    evil.behaviour.issuer = other.origin
    const authUrl = await beginAt(victim, 'PDF Tools', { agreedTo: [other.host] })
    const address = authUrl.searchParams.get('redirect_uri') ?? ''
    expect(other.received.registered).toEqual([[address]])
    expect((await exchange(victim, await followRedirects(stack.origin, authUrl.href))).status).toBe(200)
    expect(await isConnected(victim, 'PDF Tools')).toBe(true)
    evil.behaviour.issuer = undefined
    expect((await beginAt(victim, 'PDF Tools')).searchParams.get('redirect_uri')).not.toBe(address)
  })

  it('needs no agreement if the authorization server itself lists the resource', async () => {
    evil.behaviour.issuer = other.origin
    other.behaviour.metadata = { protected_resources: [evil.mcpUrl] }
    expect((await beginAt(mallory, 'PDF Tools')).origin).toBe(other.origin)
    other.behaviour.metadata = {}
  })

  it('is refused if it names the authorization server of a built-in provider, even with the user’s agreement (H2)', async () => {
    const { providers = '' } = await stack.endpoints()
    evil.behaviour.issuer = `${providers}/notion/mcp-auth`
    expect(await begin(victim, 'PDF Tools', { agreedTo: [new URL(providers).host] })).toMatchObject({
      status: 409,
      body: {
        code: 'foreign_sign_in',
        error: `PDF Tools asks for a sign-in at ${new URL(providers).host}, which belongs to another service. It was not connected, and nothing was sent to it.`,
      },
    })
    expect(evil.received.bearers).toEqual([])
  })

  it('is refused if it names an authorization server that is known to serve another resource (H2)', async () => {
    const own = await followRedirects(stack.origin, (await beginAt(mallory, 'Legit Files')).href)
    expect((await exchange(mallory, own)).status).toBe(200)
    evil.behaviour.issuer = legit.origin
    const registered = legit.received.registered.length
    expect(await begin(victim, 'PDF Tools', { agreedTo: [legit.host] })).toMatchObject({
      status: 409,
      body: { code: 'foreign_sign_in' },
    })
    expect(legit.received.registered).toHaveLength(registered)
    expect(evil.received.bearers).toEqual([])
  })
})

describe('a hostile authorization page that redirects to another provider', () => {
  /** The product's client id and redirect URI there: known to anybody who has connected it once. */
  async function productAtLegit() {
    const { searchParams } = await beginAt(mallory, 'Legit Files')
    return {
      client_id: searchParams.get('client_id') ?? '',
      redirect_uri: searchParams.get('redirect_uri') ?? '',
      code_challenge: searchParams.get('code_challenge') ?? '',
    }
  }
  const redirectToLegit = (parts: (query: URLSearchParams) => Record<string, string>) => {
    evil.behaviour.redirectsTo = (query) => {
      const there = new URLSearchParams({
        response_type: 'code',
        state: query.get('state') ?? '',
        code_challenge: query.get('code_challenge') ?? '',
        code_challenge_method: 'S256',
        ...parts(query),
      })
      return `${legit.origin}/authorize?${there.toString()}`
    }
  }

  it('gets no code of a public client (H1)', async () => {
    const { client_id, redirect_uri } = await productAtLegit()
    redirectToLegit(() => ({ client_id, redirect_uri }))
    const back = await followRedirects(stack.origin, (await beginAt(victim, 'PDF Tools')).href)
    expect(await exchange(victim, back)).toMatchObject(refused)
    expect(evil.received.tokenRequests).toEqual([])
  })

  it('gets no code for the attacker’s own pending flow (H1)', async () => {
    const { client_id, redirect_uri, code_challenge } = await productAtLegit()
    redirectToLegit(() => ({ client_id, redirect_uri, code_challenge }))
    const back = await followRedirects(stack.origin, (await beginAt(victim, 'PDF Tools')).href)
    expect(await exchange(victim, back)).toMatchObject(refused)
    expect(evil.received.tokenRequests).toEqual([])
  })

  it('cannot use its own redirect address, which the other provider does not know (H1)', async () => {
    const { client_id } = await productAtLegit()
    redirectToLegit((query) => ({ client_id, redirect_uri: query.get('redirect_uri') ?? '' }))
    expect(await followRedirects(stack.origin, (await beginAt(victim, 'PDF Tools')).href)).toBe(400)
  })

  it('cannot do so at providers that also allow paths below the registered address (H1)', async () => {
    const { providers = '' } = await stack.endpoints()
    const address = (await beginAt(victim, 'PDF Tools')).searchParams.get('redirect_uri') ?? ''
    for (const provider of ['github', 'slack']) {
      const status = (redirect_uri: string) =>
        followRedirects(
          stack.origin,
          `${providers}/${provider}/authorize?${new URLSearchParams({ response_type: 'code', client_id: 'app', redirect_uri, code_challenge_method: 'S256' }).toString()}`,
        )
      expect(await status(`${stack.origin}/oauth/callback/below`)).toBe(200)
      expect(await status(address)).toBe(400)
      expect(await status(`${stack.origin}/oauth/document-callback`)).toBe(400)
    }
  })

  it('gets no code by promising to name itself, either (H1)', async () => {
    const { client_id, redirect_uri } = await productAtLegit()
    evil.behaviour.metadata = {
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    }
    redirectToLegit(() => ({ client_id, redirect_uri }))
    const authUrl = await beginAt(victim, 'PDF Tools')
    expect(authUrl.searchParams.get('redirect_uri')).toBe(`${stack.origin}/oauth/document-callback`)
    const back = await followRedirects(stack.origin, authUrl.href)
    if (typeof back === 'number') throw new Error('not sent back')
    const shared = { redirect_uri: `${stack.origin}/oauth/document-callback` }
    const body = { ...buildExchange(back), ...shared }
    expect(await victim.send('oauth.handle', { body })).toMatchObject(refused)
    expect(evil.received.tokenRequests).toEqual([])
  })

  it('a metadata document is used only if the server promises to name itself (H1)', async () => {
    evil.behaviour.metadata = { client_id_metadata_document_supported: true }
    const { searchParams } = await beginAt(victim, 'PDF Tools')
    expect(searchParams.get('client_id')).not.toContain('oauth-client.json')
    expect(searchParams.get('redirect_uri')).toContain('/oauth/server-callback/')
  })
})

it('a token endpoint that redirects gets no code, and neither does its target (L4)', async () => {
  const before = other.received.tokenRequests.length
  for (const movedTo of [`${other.origin}/token`, '/token?again']) {
    const back = await followRedirects(stack.origin, (await beginAt(victim, 'PDF Tools')).href)
    evil.behaviour.tokenMovedTo = movedTo
    expect(await exchange(victim, back)).toMatchObject({ status: 502, body: { code: 'outbound_failed' } })
    evil.behaviour.tokenMovedTo = undefined
  }
  expect(other.received.tokenRequests).toHaveLength(before)
})
