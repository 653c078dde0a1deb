/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { calls, says, startFakeModel, type ModelRequest } from '../support/fake-model-server.ts'
import { type InProcessProduct, startInProcessProduct } from '../support/in-process-product.ts'
import { startMcpRegistry } from '../support/mcp-registry.ts'
import { type OddServer, scriptOddServer } from '../support/odd-server.ts'
import { syncPublished } from '../support/published-servers.ts'
import {
  type RecordingServer,
  type ScriptedResponse,
  startRecordingServer,
} from '../support/recording-server.ts'
import type { StackUser } from '../support/stack-user.ts'

/** Replies that use a server whose token has expired while its sign-in server is busy, through the whole product. */

let registry: Awaited<ReturnType<typeof startMcpRegistry>>
let servers: RecordingServer
let model: Awaited<ReturnType<typeof startFakeModel>>
let product: InProcessProduct
let mcpId: string
/** how the next renewals are answered; then as usual */
let renewals: ScriptedResponse[] = []
/** for so long after the first renewal, every renewal is refused */
let busyMs = 0
let busyUntilMs = 0

const rateLimited = (seconds: number): ScriptedResponse => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: { error: 'rate_limited' },
})

const odd: OddServer = {
  token({ grant_type: type }) {
    if (type === 'refresh_token') {
      busyUntilMs ||= Date.now() + busyMs
      return Date.now() < busyUntilMs ? rateLimited(1) : renewals.shift()
    }
    // it expires before the first use
    return { body: { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 0.001 } }
  },
}

beforeAll(async () => {
  ;[registry, servers, model] = await Promise.all([
    startMcpRegistry(),
    startRecordingServer(),
    startFakeModel(),
  ])
  scriptOddServer(servers, 'notes', odd)
  registry.published.push({ name: 'com.example/notes', title: 'Notes', url: `${servers.url}/notes/mcp` })
  product = await startInProcessProduct({
    MCP_REGISTRY_URL: registry.url,
    GITHUB_API_URL: 'http://127.0.0.1:1',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'fake',
    OUTBOUND_ALLOW: servers.host,
    RATE_LIMIT_FACTOR: '100',
  })
  const { Notes: id = '' } = await syncPublished(await product.newUser(), 1)
  mcpId = id
})
afterAll(async () => {
  await product.stop()
  model.close()
  await Promise.all([servers.close(), registry.close()])
})
beforeEach(() => {
  renewals = []
  busyMs = 0
  busyUntilMs = 0
})

async function connectedUser(): Promise<StackUser> {
  const user = await product.newUser()
  const redirectUri = `${product.origin}/oauth/callback`
  const { body } = await user.send('oauth.handle', { body: { action: 'initiate', mcpId, redirectUri } })
  const { searchParams: query } = new URL((body as { authUrl: string }).authUrl)
  const [state, redirect_uri] = [query.get('state') ?? '', query.get('redirect_uri') ?? '']
  const exchange = { action: 'exchange' as const, code: 'the-code', state, redirect_uri }
  expect((await user.send('oauth.handle', { body: exchange })).status).toBe(200)
  servers.takeRequests()
  return user
}

/** Asks something, and lets the model call the server's tool if it is offered. @returns the tool's name and what the call gave */
async function ask(user: StackUser) {
  let offered: string | undefined
  let result: unknown
  model.behave((response, request, body: ModelRequest) => {
    offered = body.tools?.find(({ function: { name } }) => name.includes('notes'))?.function.name
    const last = body.messages.at(-1)
    if (last?.role === 'tool') result = last.content
    const isNext = offered !== undefined && last?.role !== 'tool'
    const behave = isNext ? calls({ id: 'call_1', name: offered ?? '', arguments: '{}' }) : says('Done.')
    return behave(response, request, body)
  })
  const messages = [{ role: 'user' as const, content: 'Find my note.' }]
  await user.call('chat.send', { body: { sessionId: randomUUID(), messageId: randomUUID(), messages } })
  return { offered, result: String(result) }
}

const countRenewals = () => servers.takeRequests('/notes/token').length

it('offers the tools that the sign-in has shown, and the call says that the permission was not renewed', async () => {
  const user = await connectedUser()
  const busy: ScriptedResponse = { status: 400, body: { error: 'temporarily_unavailable' } }
  renewals = [busy, busy]
  const { offered, result } = await ask(user)
  expect(offered).toBeDefined()
  expect(result).toContain('Notes did not renew its permission. Please try again in a moment.')
  expect((await ask(user)).result).toContain('Notes found it')
})

it('waits in the call for a server that is busy for a moment', async () => {
  const user = await connectedUser()
  busyMs = 950
  expect((await ask(user)).result).toContain('Notes found it')
  expect(countRenewals()).toBe(2)
})

it('asks a server that needs longer only when it says so, and offers the tools until then', async () => {
  const user = await connectedUser()
  renewals = [rateLimited(60)]
  for (let reply = 0; reply < 2; reply += 1) {
    const { offered, result } = await ask(user)
    expect(offered).toBeDefined()
    expect(result).toMatch(/Notes did not renew its permission\. Please try again in (?:60|59|5\d) seconds\./)
  }
  expect(countRenewals()).toBe(1)
  const refresh = await user.send('integrations.refresh', { params: { mcpId }, body: {} })
  expect(refresh).toMatchObject({ status: 503, body: { code: 'sign_in_server_busy' } })
  expect(countRenewals()).toBe(0)
})
