import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { type Call, invoke, startTestIssuer } from '../../test/support/invoke.ts'
import { putGroups } from '../../test/support/groups.ts'
import { startMcpServer } from '../../test/support/mcp-server.ts'
import { type ProviderHarness, startProviderHarness } from '../../test/support/provider-harness.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { zodParameters } from './calls/tool.ts'
import type { ListedTool, ToolServer } from './servers/server.ts'
import type { AppCallResponse } from '#shared/contracts/apps.ts'
import type { IntegrationTools, LedgerEntry } from '#shared/contracts/tools.ts'
import { appMimeType, maxAppBytes } from '#shared/mcp-apps.ts'
import type { FunctionRoutes } from '#shared/routes.ts'

let harness: ProviderHarness
let issuer: Awaited<ReturnType<typeof startTestIssuer>>
let server: Awaited<ReturnType<typeof startMcpServer>>
let handler: typeof import('./handlers.ts').handler

const uri = 'ui://shop/chart'
const tools = [
  { name: 'show_chart', _meta: { ui: { resourceUri: uri, visibility: ['model'] } } },
  {
    name: 'order',
    description: 'Orders a thing',
    annotations: { destructiveHint: true },
    inputSchema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
  },
  {
    name: 'refresh',
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { ui: { visibility: ['app'] } },
  },
  { name: 'web', _meta: { ui: { resourceUri: 'https://evil.example/' } } },
]
const page = { uri, mimeType: appMimeType, text: '<!doctype html><p>Chart</p>' }
const resources = { list: [], read: () => ({ contents: [page] }) }

beforeAll(async () => {
  issuer = await startTestIssuer()
  harness = await startProviderHarness({ clientId: issuer.clientId })
  server = await startMcpServer({ tools, resources })
  Object.assign(process.env, issuer.environment, {
    OUTBOUND_ALLOW: `${process.env['OUTBOUND_ALLOW'] ?? ''},${server.host}`,
    LOG_LEVEL: 'silent',
    SCHEDULE_QUEUE_URL: 'http://127.0.0.1:1/queue',
  })
  ;({ handler } = await import('./handlers.ts'))
  const { probeServer } = await import('../mcp/probe.ts')
  const { outboundHttp } = await import('../platform/net/outbound-http.ts')
  const http = outboundHttp({ allow: [server.host], timeoutMs: 30_000 })
  const probed = await probeServer(http, server.url, {})
  await http.close()
  await harness.stores.customTools.add(harness.sub, {
    id: 'shop',
    name: 'Shop',
    description: '',
    server_url: server.url,
    masks: {},
    is_active: true,
    created_at: '2026-11-20T12:00:00.000Z',
    read_only_tools: 'readOnlyTools' in probed ? probed.readOnlyTools : [],
  })
})
afterAll(async () => {
  await Promise.all([harness.close(), server.close()])
  issuer.close()
})

async function send<Name extends FunctionRoutes<'tools'>>(
  name: Name,
  call: Call<Name>,
  {
    sub = harness.sub,
    groups = [],
    remainingMs,
  }: { sub?: string; groups?: string[]; remainingMs?: number } = {},
) {
  const headers = { Authorization: `Bearer ${await issuer.token(sub, { 'cognito:groups': groups })}` }
  return invoke(handler, name, { ...call, headers }, remainingMs)
}
const open = (tool: string, mcp_id = 'shop') => send('apps.open', { body: { mcp_id, tool } })
const call = async (name: string, args = {}, more: Partial<Call<'apps.call'>['body']> = {}) => {
  const response = await send('apps.call', { body: { mcp_id: 'shop', name, arguments: args, ...more } })
  expect(response.statusCode).toBe(200)
  return response.body as unknown as AppCallResponse
}
const now = '2026-11-29T10:00:00.000Z'
async function putRow(Item: Record<string, unknown>): Promise<void> {
  const { client, name: TableName } = openTable(process.env['TABLE_NAME'] ?? '')
  await client.send(new PutCommand({ TableName, Item }))
}
/** @returns its id */
async function putConversation(id: string, fields: object = {}, sub = harness.sub): Promise<string> {
  const row = { title: 'Orders', created_at: now, updated_at: now, message_count: 2, ...fields }
  await putRow({ PK: `U#${sub}`, SK: `S#${id}`, ...row })
  return id
}
const readLedger = async () => (await send('tools.ledger', {})).body['entries'] as unknown as LedgerEntry[]

beforeEach(async () => {
  await send('tools.clearLedger', {})
  server.calls.length = 0
  server.behaviour.resources = resources
})

describe('the document of an app', () => {
  it('is the one that the server’s list names for the tool, with its allowed domains', async () => {
    const readUris: string[] = []
    const csp = {
      connectDomains: ['https://api.example.com', 'wss://live.example.com:8443/'],
      resourceDomains: [
        'https://*.cdn.example.com',
        'http://plain.example.com',
        "https://a.example; script-src 'unsafe-eval'",
        '*',
      ],
      frameDomains: ['https://frames.example.com'],
    }
    server.behaviour.resources = {
      list: [],
      read: (wanted) => {
        readUris.push(wanted)
        return { contents: [{ ...page, _meta: { ui: { csp } } }] }
      },
    }
    const { statusCode, body } = await open('shop_show_chart')
    expect(statusCode).toBe(200)
    expect(body).toEqual({
      integration: 'Shop',
      html: page.text,
      domains: {
        connect: ['https://api.example.com', 'wss://live.example.com:8443'],
        resource: ['https://*.cdn.example.com'],
      },
    })
    expect(readUris).toEqual([uri])
  })

  it('takes its domains from the server’s list if it names none itself', async () => {
    const listedResource = {
      uri,
      name: 'chart',
      _meta: { ui: { csp: { connectDomains: ['https://api.example.com'] } } },
    }
    server.behaviour.resources = { ...resources, list: [{ broken: true }, listedResource] }
    expect((await open('shop_show_chart')).body['domains']).toEqual({
      connect: ['https://api.example.com'],
      resource: [],
    })
  })

  it.each([
    ['of another type', { ...page, mimeType: 'text/html' }],
    ['of another address', { ...page, uri: 'ui://shop/other' }],
    ['that is empty', { ...page, text: ' ' }],
    ['that is too large', { ...page, text: 'a'.repeat(maxAppBytes + 1) }],
  ])('%s is not shown', async (_, content) => {
    server.behaviour.resources = { ...resources, read: () => ({ contents: [content] }) }
    expect((await open('shop_show_chart')).body['code']).toBe('app_not_shown')
  })

  it('must belong to a tool of the user’s connection and be a resource of the server', async () => {
    server.receivedMethods.length = 0
    for (const [tool, id] of [
      ['shop_order', 'shop'],
      // its address is no app's
      ['shop_web', 'shop'],
      ['shop_refresh', 'shop'],
    ] as const)
      expect((await open(tool, id)).body['code']).toBe('app_not_shown')
    expect((await open('shop_show_chart', 'another')).body['code']).toBe('integration_not_found')
    expect(server.receivedMethods).not.toContain('resources/read')
  })
})

describe('a call of an app', () => {
  it('waits for the user with exactly what will be sent, and is made after approval', async () => {
    const request = await call('order', { what: 'ten pizzas' }, { session_id: await putConversation('own') })
    expect(request).toEqual({
      status: 'approval_required',
      approval: {
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
        title: 'order',
        description: 'Orders a thing',
        destructive: true,
        arguments: { what: 'ten pizzas' },
      },
    })
    expect(server.calls).toEqual([])
    const fingerprint = request.approval?.fingerprint ?? ''
    const response = await call(
      'order',
      { what: 'ten pizzas' },
      { decision: { fingerprint, approved: true } },
    )
    expect(response).toEqual({ status: 'done', result: { success: true, data: 'done' } })
    expect(server.calls).toEqual([{ name: 'order', args: { what: 'ten pizzas' } }])
    expect(await readLedger()).toMatchObject([
      {
        tool: 'shop_order',
        integration: 'Shop',
        arguments: { what: 'ten pizzas' },
        success: true,
        allowed: 'approved',
      },
    ])
  })

  it('that the user denies is recorded and never made', async () => {
    const { approval } = await call('order', { what: 'ten pizzas' })
    const decision = { fingerprint: approval?.fingerprint ?? '', approved: false }
    expect(await call('order', { what: 'ten pizzas' }, { decision })).toMatchObject({
      result: { success: false },
    })
    expect(server.calls).toEqual([])
    expect(await readLedger()).toMatchObject([{ tool: 'shop_order', allowed: 'denied' }])
  })

  it('asks again if another definition of the tool was allowed', async () => {
    const decision = { fingerprint: 'f'.repeat(32), approved: true, always: true }
    expect(await call('order', { what: 'a' }, { decision })).toMatchObject({ status: 'approval_required' })
    expect((await send('tools.allowed', {})).body['tools']).toEqual([])
    expect(server.calls).toEqual([])
  })

  it('of an always allowed tool is made until the permission is revoked', async () => {
    const session_id = await putConversation('own')
    const { approval } = await call('order', { what: 'a' }, { session_id })
    expect(approval).not.toHaveProperty('once')
    const decision = { fingerprint: approval?.fingerprint ?? '', approved: true, always: true }
    await call('order', { what: 'a' }, { session_id, decision })
    expect(await call('order', { what: 'b' }, { session_id })).toMatchObject({ status: 'done' })
    expect((await readLedger()).map(({ allowed }) => allowed)).toEqual(['always', 'approved'])
    await send('tools.revoke', { params: { toolId: approval?.fingerprint ?? '' } })
    expect(await call('order', { what: 'c' }, { session_id })).toMatchObject({ status: 'approval_required' })
  })

  it('asks each time where somebody else’s words may have led to the app', async () => {
    const own = await putConversation('own')
    const { approval } = await call('order', { what: 'a' }, { session_id: own })
    const decision = { fingerprint: approval?.fingerprint ?? '', approved: true, always: true }
    onTestFinished(async () => {
      await send('tools.revoke', { params: { toolId: decision.fingerprint } })
    })
    const assistant = (id: string) => ({ assistant: { id, name: 'Bot', version: 1 } })
    await putRow({ PK: 'ASSIST#mine', SK: 'HEAD', state: 'live', version: 1, publisher: harness.sub })
    await putRow({ PK: 'ASSIST#hers', SK: 'HEAD', state: 'live', version: 1, publisher: 'b', everyone: true })
    const written = { name: 'Trips', instructions: 'Say amber.', created_at: now, updated_at: now }
    await putRow({ PK: `U#${harness.sub}`, SK: 'P#read', ...written })
    await putRow({ PK: `U#${harness.sub}`, SK: 'P#copied', ...written, copied_from: 'Bot' })
    const asking = [
      undefined,
      'unknown',
      await putConversation('of-another-user', {}, 'user-2'),
      await putConversation('deleted', { deleted_at: now }),
      await putConversation('with-hers', assistant('hers')),
      await putConversation('with-one-that-is-gone', assistant('gone')),
      await putConversation('of-a-copy', { project_id: 'copied' }),
    ]
    for (const session_id of asking) {
      const request = session_id === undefined ? {} : { session_id }
      await call('order', { what: 'a' }, { ...request, decision })
      expect({ session_id, ...(await send('tools.allowed', {})).body }).toMatchObject({
        session_id,
        tools: [],
      })
    }
    await call('order', { what: 'a' }, { session_id: own, decision })
    for (const session_id of asking)
      expect({
        session_id,
        ...(await call('order', { what: 'b' }, session_id === undefined ? {} : { session_id })),
      }).toMatchObject({ session_id, status: 'approval_required', approval: { once: true } })
    for (const session_id of [
      await putConversation('with-mine', assistant('mine')),
      await putConversation('of-a-project', { project_id: 'read' }),
      await putConversation('of-a-project-that-is-gone', { project_id: 'gone' }),
    ])
      expect({ session_id, ...(await call('order', { what: 'c' }, { session_id })) }).toMatchObject({
        session_id,
        status: 'done',
      })
  })

  it('that only reads needs no approval; a temporary chat records no arguments', async () => {
    server.behaviour.call = () => ({ content: [], structuredContent: { rows: [1] } })
    expect(await call('refresh', {}, { keep: false })).toEqual({
      status: 'done',
      result: { success: true, data: { rows: [1] }, structured: true },
    })
    delete (server.behaviour as Partial<typeof server.behaviour>).call
    server.behaviour.call = () => ({ content: [{ type: 'text', text: 'done' }] })
    expect(await readLedger()).toMatchObject([{ allowed: 'reading', arguments: null }])
  })

  it.each([
    ['a tool for the model alone', 'show_chart', {}, 'There is no such tool for apps.'],
    ['the model’s name of a tool', 'shop_order', { what: 'a' }, 'There is no such tool for apps.'],
    ['arguments that do not fit', 'order', { what: [] }, 'The arguments do not fit: '],
  ])('of %s is refused', async (_, name, args, message) => {
    const { result } = await call(name, args)
    expect(result?.error).toContain(message)
    expect(server.calls).toEqual([])
  })

  it('of a tool that the user has turned off in the chat is refused', async () => {
    for (const disabledTool of [{ mcp_id: 'shop' }, { mcp_id: 'shop', tool: 'shop_refresh' }])
      expect((await call('refresh', {}, { disabledTools: [disabledTool] })).result?.error).toContain(
        'turned this tool off',
      )
    expect(server.calls).toEqual([])
  })

  it('DEC-192 times out before its request and is recorded; one without enough time is not made', async () => {
    const respond = server.behaviour.call
    server.behaviour.call = () => new Promise<never>(() => undefined)
    onTestFinished(() => void (server.behaviour.call = respond))
    const refreshWithin = async (ms: number) => {
      const request = { mcp_id: 'shop', name: 'refresh', arguments: {} }
      const { body } = await send('apps.call', { body: request }, { remainingMs: ms })
      return body['result']
    }
    expect(await refreshWithin(5_200)).toEqual({ success: false, error: 'No answer within 1 seconds.' })
    expect(await readLedger()).toMatchObject([{ tool: 'shop_refresh', success: false, allowed: 'reading' }])
    server.calls.length = 0
    expect(await refreshWithin(4_900)).toMatchObject({
      error: expect.stringContaining('was not made') as string,
    })
    expect(server.calls).toEqual([])
    expect(await readLedger()).toHaveLength(1)
  })

  it('reaches only the user’s connections', async () => {
    const callFor = (mcp_id: string, sub = harness.sub) =>
      send('apps.call', { body: { mcp_id, name: 'refresh', arguments: {} } }, { sub })
    expect((await callFor('another')).body['code']).toBe('integration_not_found')
    expect((await callFor('shop', 'user-2')).body['code']).toBe('integration_not_found')
    const openResponse = await send(
      'apps.open',
      { body: { mcp_id: 'shop', tool: 'shop_show_chart' } },
      { sub: 'user-2' },
    )
    expect(openResponse.body['code']).toBe('integration_not_found')
    expect(server.calls).toEqual([])
  })
})

it('a tool only for apps is not listed among what the assistant can do', async () => {
  const integrations = (await send('tools.list', {})).body['integrations'] as unknown as IntegrationTools[]
  const shop = integrations.find(({ id }) => id === 'shop')
  expect(shop?.capabilities.map(({ id }) => id)).toEqual(['shop_show_chart', 'shop_order', 'shop_web'])
})

it('tells servers that apps are shown, unless the deployment has switched them off', async () => {
  expect(server.clientCapabilities.at(-1)).toMatchObject({
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [appMimeType] } },
  })
  const { declareApps } = await import('../mcp/app-metadata.ts')
  process.env['MCP_APPS'] = 'off'
  expect(declareApps()).toEqual({})
  expect((await open('shop_show_chart')).body['code']).toBe('app_not_shown')
  delete process.env['MCP_APPS']
})

it('DEC-189 an app of a connection that the user’s groups no longer allow is not shown, and calls nothing', async () => {
  await putGroups(openTable(process.env['TABLE_NAME'] ?? ''), { listed: { tools: 'catalogue' } })
  const refusal = { error: 'You may not use this connection any more. Please ask your administrator.' }
  const openResponse = await send(
    'apps.open',
    { body: { mcp_id: 'shop', tool: 'shop_show_chart' } },
    { groups: ['listed'] },
  )
  expect(openResponse.body).toMatchObject(refusal)
  const callResponse = await send(
    'apps.call',
    { body: { mcp_id: 'shop', name: 'refresh', arguments: {} } },
    { groups: ['listed'] },
  )
  expect(callResponse.body).toMatchObject(refusal)
  expect(server.calls).toEqual([])
})

it('a call that fails for no known reason tells the app and the ledger nothing internal', async () => {
  const { callFromApp } = await import('./app-server.ts')
  const logError = vi.spyOn(logger, 'error').mockImplementation(() => undefined)
  const denied = new TypeError('arn:aws:sts::111122223333:assumed-role/tools is not authorized')
  const listed: ListedTool = {
    name: 'order',
    title: 'Order',
    description: '',
    parameters: zodParameters(z.object({})),
    fingerprint: 'new',
  }
  const server: ToolServer = {
    timeoutMs: 5_000,
    listTools: async () => ({ tools: [listed], leftOut: [] }),
    callTool: () => Promise.reject(denied),
    apps: { listTools: async () => [listed], read: () => Promise.reject(denied) },
  }
  const record = vi.fn<(...call: unknown[]) => Promise<void>>(async () => undefined)
  const nobody = { find: async () => undefined }
  const callOrder = (decision?: { approved: boolean; fingerprint: string }) =>
    callFromApp(
      {
        connections: harness.stores as never,
        servers: { open: async () => server },
        toolsAllowed: undefined,
        toolProvider: { allow: async () => undefined, record },
        alwaysAllowedTools: { list: async () => [] },
        conversations: nobody,
        projects: nobody,
        assistants: nobody,
      },
      { user: { sub: harness.sub } as never, receivedAtMs: Date.now(), remainingMs: () => 30_000 },
      { mcp_id: 'shop', name: 'order', arguments: {}, ...(decision && { decision }) },
    )
  const { approval } = await callOrder()
  const { result } = await callOrder({ approved: true, fingerprint: approval?.fingerprint ?? '' })
  const error = 'The call failed. It may have been done: check before you try again.'
  expect(result).toEqual({ success: false, error })
  expect(record).toHaveBeenCalledWith(harness.sub, expect.objectContaining({ error }), true)
  expect(logError).toHaveBeenCalledWith(expect.any(String), { error: denied })
})
