/** @module-tag long */
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
let evilServer: AuthorizationServer
let legitServer: AuthorizationServer
let otherServer: AuthorizationServer
let victim: StackUser
let mallory: StackUser
let ids: Record<string, string>

beforeAll(async () => {
  ;[registry, evilServer, legitServer, otherServer] = await Promise.all([
    startMcpRegistry(),
    startAuthorizationServer(),
    startAuthorizationServer(),
    startAuthorizationServer(),
  ])
  registry.published.push(
    { name: 'example.evil/pdf', title: 'PDF Tools', url: evilServer.mcpUrl },
    { name: 'com.legit/files', title: 'Legit Files', url: legitServer.mcpUrl },
  )
  const allowed = [evilServer, legitServer, otherServer].map(({ host }) => host).join(',')
  stack = await startStack({ env: { MCP_REGISTRY_URL: registry.url, OUTBOUND_ALLOW: allowed } })
  victim = await stack.newUser({ name: 'Ann' })
  mallory = await stack.newUser({ name: 'Mallory' })
  ids = await syncPublished(victim, 2)
})
afterAll(async () => {
  await stack.stop()
  await Promise.all([evilServer, legitServer, otherServer, registry].map((server) => server.close()))
})
beforeEach(() => {
  Object.assign(evilServer.behaviour, {
    issuer: undefined,
    metadata: {},
    tokenMovedTo: undefined,
    redirectsTo: undefined,
  })
  for (const list of Object.values(evilServer.received)) list.length = 0
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
const stateNotFound = { status: 400, body: { code: 'oauth_state_not_found' } }

describe('a server whose sign-in is at another server', () => {
  it('the user sees the name of the other server first, so a hostile server gets no token of another one unnoticed (H2)', async () => {
    evilServer.behaviour.issuer = otherServer.origin
    expect(await begin(victim, 'PDF Tools')).toMatchObject({
      status: 200,
      body: {
        message: `PDF Tools (${evilServer.host}) signs you in at ${otherServer.host}. What you allow there, ${evilServer.host} may use.`,
        foreignSignIn: { server: evilServer.host, signsInAt: [otherServer.host] },
      },
    })
    expect((await begin(victim, 'PDF Tools')).body).not.toHaveProperty('authUrl')
    // agreeing to another host does not count
    expect((await begin(victim, 'PDF Tools', { agreedTo: [legitServer.host] })).body).not.toHaveProperty(
      'authUrl',
    )
    expect(otherServer.received.registered).toEqual([])
    expect(evilServer.received.bearers).toEqual([])
  })

  it('is connected after the user agrees, with a client registration for this pair only (H2)', async () => {
    evilServer.behaviour.issuer = otherServer.origin
    const authUrl = await beginAt(victim, 'PDF Tools', { agreedTo: [otherServer.host] })
    const address = authUrl.searchParams.get('redirect_uri') ?? ''
    expect(otherServer.received.registered).toEqual([[address]])
    expect((await exchange(victim, await followRedirects(stack.origin, authUrl.href))).status).toBe(200)
    expect(await isConnected(victim, 'PDF Tools')).toBe(true)
    evilServer.behaviour.issuer = undefined
    expect((await beginAt(victim, 'PDF Tools')).searchParams.get('redirect_uri')).not.toBe(address)
  })

  it('needs no agreement if the authorization server itself lists the resource', async () => {
    evilServer.behaviour.issuer = otherServer.origin
    otherServer.behaviour.metadata = { protected_resources: [evilServer.mcpUrl] }
    expect((await beginAt(mallory, 'PDF Tools')).origin).toBe(otherServer.origin)
    otherServer.behaviour.metadata = {}
  })

  it('is refused if it names the authorization server of a built-in provider, even with the user’s agreement (H2)', async () => {
    const { providers = '' } = await stack.endpoints()
    evilServer.behaviour.issuer = `${providers}/notion/mcp-auth`
    expect(await begin(victim, 'PDF Tools', { agreedTo: [new URL(providers).host] })).toMatchObject({
      status: 409,
      body: {
        code: 'foreign_sign_in',
        error: `PDF Tools asks for a sign-in at ${new URL(providers).host}, which belongs to another service. It was not connected, and nothing was sent to it.`,
      },
    })
    expect(evilServer.received.bearers).toEqual([])
  })

  it('is refused if it names an authorization server that is known to serve another resource (H2)', async () => {
    const own = await followRedirects(stack.origin, (await beginAt(mallory, 'Legit Files')).href)
    expect((await exchange(mallory, own)).status).toBe(200)
    evilServer.behaviour.issuer = legitServer.origin
    const registeredBefore = legitServer.received.registered.length
    expect(await begin(victim, 'PDF Tools', { agreedTo: [legitServer.host] })).toMatchObject({
      status: 409,
      body: { code: 'foreign_sign_in' },
    })
    expect(legitServer.received.registered).toHaveLength(registeredBefore)
    expect(evilServer.received.bearers).toEqual([])
  })
})

describe('a hostile authorization page that redirects to another provider', () => {
  /** The product's client id and redirect URI there: known to anybody who has connected it once. */
  async function readProductClient() {
    const { searchParams } = await beginAt(mallory, 'Legit Files')
    return {
      client_id: searchParams.get('client_id') ?? '',
      redirect_uri: searchParams.get('redirect_uri') ?? '',
      code_challenge: searchParams.get('code_challenge') ?? '',
    }
  }
  const readCode = (back: URL | number) =>
    typeof back === 'number' ? undefined : back.searchParams.get('code')
  /** Codes that it was sent; the product asks with made-up ones whether it still knows its client. */
  const listCodes = () => evilServer.received.tokenRequests.map((request) => request.get('code'))
  const redirectToLegit = (parts: (query: URLSearchParams) => Record<string, string>) => {
    evilServer.behaviour.redirectsTo = (query) => {
      const there = new URLSearchParams({
        response_type: 'code',
        state: query.get('state') ?? '',
        code_challenge: query.get('code_challenge') ?? '',
        code_challenge_method: 'S256',
        ...parts(query),
      })
      return `${legitServer.origin}/authorize?${there.toString()}`
    }
  }

  it('gets no code of a public client (H1)', async () => {
    const { client_id, redirect_uri } = await readProductClient()
    redirectToLegit(() => ({ client_id, redirect_uri }))
    const back = await followRedirects(stack.origin, (await beginAt(victim, 'PDF Tools')).href)
    expect(await exchange(victim, back)).toMatchObject(stateNotFound)
    expect(listCodes()).not.toContain(readCode(back))
  })

  it('gets no code for the attacker’s own pending flow (H1)', async () => {
    const { client_id, redirect_uri, code_challenge } = await readProductClient()
    redirectToLegit(() => ({ client_id, redirect_uri, code_challenge }))
    const back = await followRedirects(stack.origin, (await beginAt(victim, 'PDF Tools')).href)
    expect(await exchange(victim, back)).toMatchObject(stateNotFound)
    expect(listCodes()).not.toContain(readCode(back))
  })

  it('cannot use its own redirect address, which the other provider does not know (H1)', async () => {
    const { client_id } = await readProductClient()
    redirectToLegit((query) => ({ client_id, redirect_uri: query.get('redirect_uri') ?? '' }))
    expect(await followRedirects(stack.origin, (await beginAt(victim, 'PDF Tools')).href)).toBe(400)
  })

  it('cannot redirect to an address below the registered one, which some providers allow (H1)', async () => {
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
    const { client_id, redirect_uri } = await readProductClient()
    evilServer.behaviour.metadata = {
      // a product on http has no document where it can be registered
      registration_endpoint: undefined,
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    }
    redirectToLegit(() => ({ client_id, redirect_uri }))
    const authUrl = await beginAt(victim, 'PDF Tools')
    expect(authUrl.searchParams.get('redirect_uri')).toBe(`${stack.origin}/oauth/document-callback`)
    const back = await followRedirects(stack.origin, authUrl.href)
    if (typeof back === 'number') throw new Error('not sent back')
    const body = { ...buildExchange(back), redirect_uri: `${stack.origin}/oauth/document-callback` }
    expect(await victim.send('oauth.handle', { body })).toMatchObject({
      status: 400,
      body: { code: 'issuer_mismatch' },
    })
    expect(evilServer.received.tokenRequests).toEqual([])
  })

  it('a metadata document is used only if the server promises to name itself (H1)', async () => {
    evilServer.behaviour.metadata = { client_id_metadata_document_supported: true }
    const { searchParams } = await beginAt(victim, 'PDF Tools')
    expect(searchParams.get('client_id')).not.toContain('oauth-client.json')
    expect(searchParams.get('redirect_uri')).toContain('/oauth/server-callback/')
  })
})

it('a token endpoint that redirects gets no code, and neither does its target (L4)', async () => {
  const before = otherServer.received.tokenRequests.length
  for (const movedTo of [`${otherServer.origin}/token`, '/token?again']) {
    const back = await followRedirects(stack.origin, (await beginAt(victim, 'PDF Tools')).href)
    evilServer.behaviour.tokenMovedTo = movedTo
    expect(await exchange(victim, back)).toMatchObject({ status: 502, body: { code: 'outbound_failed' } })
    evilServer.behaviour.tokenMovedTo = undefined
  }
  expect(otherServer.received.tokenRequests).toHaveLength(before)
})
