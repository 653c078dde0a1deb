import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Call, invoke, startTestIssuer } from '../../test/support/invoke.ts'
import { putGroups } from '../../test/support/groups.ts'
import { startMcpServer } from '../../test/support/mcp-server.ts'
import { type ProviderHarness, startProviderHarness } from '../../test/support/provider-harness.ts'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { AllowedTool, LedgerEntry, IntegrationTools } from '#shared/contracts/tools.ts'
import type { FunctionRoutes } from '#shared/routes.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { putRow } from '../platform/dynamodb/rows.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { appCallsPerDay } from '../platform/limits.ts'
import { ledgerRepository } from './calls/ledger-repository.ts'
import type { Tool } from './calls/tool.ts'
import type { ToolProvider } from './tool-provider.ts'

let harness: ProviderHarness
let issuer: Awaited<ReturnType<typeof startTestIssuer>>
let server: Awaited<ReturnType<typeof startMcpServer>>
let handler: typeof import('./handlers.ts').handler
let toolProvider: typeof import('./tool-provider.ts').toolProvider
let provider: ToolProvider

const echoTool = { name: 'echo', description: 'Says it again' }
/** Too deep for any model. */
const endless = Array.from({ length: 40 }).reduce<object>((inner) => ({ properties: { a: inner } }), {})

beforeAll(async () => {
  issuer = await startTestIssuer()
  harness = await startProviderHarness({ clientId: issuer.clientId })
  server = await startMcpServer({ tools: [echoTool, { name: 'odd', inputSchema: endless }] })
  const allowList = process.env['OUTBOUND_ALLOW'] ?? ''
  Object.assign(process.env, issuer.environment, {
    OUTBOUND_ALLOW: `${allowList},${server.host},127.0.0.1:1`,
    LOG_LEVEL: 'silent',
    SCHEDULE_QUEUE_URL: 'http://127.0.0.1:1/queue',
  })
  ;({ handler } = await import('./handlers.ts'))
  ;({ toolProvider } = await import('./tool-provider.ts'))
  provider = toolProvider(openTable('test'))
  await harness.connect('slack')
  await addServer('Notes', server.url)
  await addServer('Gone', 'http://127.0.0.1:1/mcp')
})
afterAll(async () => {
  await Promise.all([harness.close(), server.close()])
  issuer.close()
})

async function addServer(name: string, server_url: string) {
  const id = `id-${name}`
  await harness.stores.customTools.reserveSlot(harness.sub, id)
  await harness.stores.customTools.add(harness.sub, {
    id,
    name,
    description: '',
    server_url,
    masks: {},
    is_active: true,
    created_at: '2026-11-20T12:00:00.000Z',
  })
}

const loadOffer = async (
  from: typeof provider,
  sub: string,
  options: Parameters<typeof provider.loadTools>[2],
) => from.loadTools(sub, await provider.listConnected(sub), options)

const callRoute = async <Name extends FunctionRoutes<'tools'>>(name: Name, call: Call<Name> = {}) => {
  const headers = { Authorization: `Bearer ${await issuer.token(harness.sub)}` }
  const { statusCode, body } = await invoke(handler, name, { ...call, headers })
  expect(statusCode).toBe(200)
  return body
}
const readLedger = async (before?: string) =>
  (await callRoute('tools.ledger', before === undefined ? {} : { query: { before } })) as unknown as {
    entries: LedgerEntry[]
    next: string | null
  }
const listAllowed = async () => (await callRoute('tools.allowed'))['tools'] as AllowedTool[]

async function findTool(name: string): Promise<Tool> {
  const { tools } = await loadOffer(provider, harness.sub, {})
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new Error(`no ${name} among ${tools.map((one) => one.name).join(', ')}`)
  return tool
}

beforeEach(async () => {
  await callRoute('tools.clearLedger')
  for (const { id } of await listAllowed()) await callRoute('tools.revoke', { params: { toolId: id } })
})

describe('the list of tools', () => {
  it('CAP-14 contains what each connection can do, and why one can do nothing', async () => {
    const integrations = (await callRoute('tools.list'))['integrations'] as IntegrationTools[]
    const byId = new Map(integrations.map((one) => [one.id, one]))
    expect([...byId.keys()].toSorted()).toEqual(['id-Gone', 'id-Notes', 'slack'])
    expect(byId.get('slack')).toMatchObject({
      name: 'Slack',
      provider: 'Slack',
      status: 'connected',
      health_status: 'healthy',
      problem: null,
    })
    expect(byId.get('slack')?.capabilities.map(({ id, name, writes }) => [id, name, writes])).toEqual([
      ['list_channels', 'List channels', false],
      ['read_messages', 'Read messages', false],
      ['send_message', 'Send a message', true],
    ])
    expect(byId.get('slack')?.capabilities[2]).toMatchObject({
      description: 'Sends (posts) a message to a Slack channel.',
      examples: ['Tell #general on Slack that lunch is ready'],
      parameters: { type: 'object', required: ['channel', 'text'] },
    })
    expect(byId.get('id-Notes')).toEqual({
      id: 'id-Notes',
      name: 'Notes',
      provider: 'Custom',
      status: 'connected',
      health_status: 'healthy',
      lastUsed: null,
      usage_count: 0,
      capabilities: [
        {
          id: 'notes_echo',
          tool: 'notes_echo',
          name: 'echo',
          description: 'Notes: Says it again',
          writes: true,
          parameters: { type: 'object' },
          examples: [],
        },
      ],
      problem: 'Not all of its tools: odd cannot be used: its parameters are too many',
      code: 'not_all_tools',
      params: {
        reasons: [
          {
            code: 'tool_unusable',
            params: { reason: 'many', tool: 'odd' },
            text: 'odd cannot be used: its parameters are too many',
          },
        ],
      },
    })
    expect(byId.get('id-Gone')).toMatchObject({
      capabilities: [],
      problem: 'Gone did not answer.',
      code: 'provider_no_answer',
    })
  })

  it('says of a server that answers with something else what it answered, and not that it is silent', async () => {
    server.behaviour.override = () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<!doctype html><title>Moved</title>',
    })
    await addServer('Notes', server.url.replace('/mcp', '/page'))
    const integrations = (await callRoute('tools.list'))['integrations'] as IntegrationTools[]
    server.behaviour.override = () => 'usual'
    await addServer('Notes', server.url)
    expect(integrations.find(({ id }) => id === 'id-Notes')).toMatchObject({
      capabilities: [],
      problem: 'Notes answered with a web page, not as an MCP server does.',
      health_status: 'healthy',
    })
  })

  it('DEC-189 asks no server that the user’s groups do not allow', async () => {
    await putGroups(openTable(process.env['TABLE_NAME'] ?? ''), { staff: { tools: 'built_in' } })
    const token = await issuer.token(harness.sub, { 'cognito:groups': ['staff'] })
    const before = server.receivedMethods.length
    const { statusCode, body } = await invoke(handler, 'tools.list', {
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(statusCode).toBe(200)
    expect(server.receivedMethods).toHaveLength(before)
    const integrations = body['integrations'] as IntegrationTools[]
    expect(integrations.map(({ id, capabilities, problem }) => [id, capabilities.length, problem])).toEqual(
      expect.arrayContaining([
        ['slack', 3, null],
        ['id-Notes', 0, 'Your administrator does not allow it.'],
        ['id-Gone', 0, 'Your administrator does not allow it.'],
      ]),
    )
  })

  it('CAP-14 says so if a server has no tools', async () => {
    await addServer('Notes', server.url.replace('/mcp', '/empty'))
    server.behaviour.tools = []
    const integrations = (await callRoute('tools.list'))['integrations'] as IntegrationTools[]
    server.behaviour.tools = [echoTool, { name: 'odd', inputSchema: endless }]
    await addServer('Notes', server.url)
    expect(integrations.find(({ id }) => id === 'id-Notes')).toMatchObject({
      capabilities: [],
      problem: 'No tools yet',
    })
  })
})

describe('the tools of a reply', () => {
  it('CAP-01 are those of all connections, and unreachable ones are named', async () => {
    const { tools, missing } = await loadOffer(provider, harness.sub, {})
    expect(tools.map(({ name, title, writes }) => [name, title, writes])).toEqual([
      ['slack_list_channels', 'List channels', false],
      ['slack_read_messages', 'Read messages', false],
      ['slack_send_message', 'Send a message', true],
      ['notes_echo', 'echo', true],
    ])
    expect(tools[0]).toMatchObject({
      description: 'Slack: Lists the public channels of the Slack workspace.',
      integration: { mcpId: 'slack', name: 'Slack' },
      activity: 'research',
      timeoutMs: 30_000,
    })
    expect(missing.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'Gone', isPartial: false },
      { name: 'Notes', isPartial: true },
    ])
  })

  it('CAP-01 DEC-099 can be limited by the request', async () => {
    const offer = (only: string[]) => loadOffer(provider, harness.sub, { only })
    expect((await offer(['id-Notes'])).tools.map(({ name }) => name)).toEqual(['notes_echo'])
    expect((await offer(['slack'])).tools).toHaveLength(3)
    expect((await offer(['slack'])).missing).toEqual([])
    expect(await offer(['unknown'])).toMatchObject({ tools: [], missing: [] })
    expect((await offer([])).tools).toHaveLength(4)
  })

  it('DEC-182 exclude the connections and tools that are turned off', async () => {
    const { tools } = await loadOffer(provider, harness.sub, {
      disabledTools: [
        { mcp_id: 'slack', tool: 'send_message' },
        { mcp_id: 'id-Notes', tool: 'notes_echo' },
      ],
    })
    expect(tools.map(({ name }) => name)).toEqual(['slack_list_channels', 'slack_read_messages'])
    const otherOffer = await loadOffer(provider, harness.sub, {
      disabledTools: [{ mcp_id: 'slack' }, { mcp_id: 'id-Gone' }],
    })
    expect(otherOffer.tools.map(({ name }) => name)).toEqual(['notes_echo'])
    expect(otherOffer.missing).toEqual([{ name: 'Notes', isPartial: true }])
  })

  it('are none for another user', async () => {
    expect(await loadOffer(provider, 'somebody', {})).toMatchObject({
      tools: [],
      missing: [],
    })
  })

  it('run at the provider', async () => {
    const tool = await findTool('slack_list_channels')
    const checked = tool.parameters.check({ limit: 1 })
    expect(checked).toEqual({ input: { limit: 1 } })
    expect(await tool.run({ limit: 1 }, new AbortController().signal)).toMatchObject({
      channels: [{ name: 'general' }],
    })
    expect(tool.parameters.check({ limit: 0 })).toMatchObject({
      problem: { text: expect.stringContaining('limit') as string },
    })
  })

  it('DEC-189 are those that the user’s groups allow', async () => {
    const listIntegrations = async (toolsAllowed: ToolsAllowed) => {
      const { tools } = await loadOffer(provider, harness.sub, { toolsAllowed })
      return new Set(tools.map(({ integration }) => integration?.name))
    }
    expect(await listIntegrations('all')).toEqual(new Set(['Slack', 'Notes']))
    expect(await listIntegrations('catalogue')).toEqual(new Set(['Slack']))
    expect(await listIntegrations('built_in')).toEqual(new Set(['Slack']))
    expect(await listIntegrations('none')).toEqual(new Set())
  })

  it('CAP-01 are none when they cannot be loaded', async () => {
    const logError = vi.spyOn(logger, 'error').mockImplementation(() => undefined)
    const failingProvider = toolProvider(openTable('missing'))
    const connected = await provider.listConnected(harness.sub)
    const offer = await failingProvider.loadTools(harness.sub, connected, {})
    expect(offer).toMatchObject({ tools: [], missing: [] })
    expect(offer.isAllowed(await findTool('slack_send_message'))).toBe(false)
    expect(logError).toHaveBeenCalledWith('the tools of a user could not be gathered', {
      error: expect.any(Error) as unknown,
    })
  })
})

describe('always allowed tools', () => {
  it('are listed as they were allowed, newest first, until they are revoked', async () => {
    const [send, notes] = [await findTool('slack_send_message'), await findTool('notes_echo')]
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await provider.allow(harness.sub, send)
      vi.setSystemTime(Date.now() + 1_000)
      await provider.allow(harness.sub, notes)
    } finally {
      vi.useRealTimers()
    }
    const alwaysAllowed = await listAllowed()
    expect(alwaysAllowed).toMatchObject([
      { tool: 'notes_echo', title: 'echo', integration: 'Notes', mcp_id: 'id-Notes' },
      { tool: 'slack_send_message', title: 'Send a message', integration: 'Slack', mcp_id: 'slack' },
    ])
    const { isAllowed } = await loadOffer(provider, harness.sub, {})
    expect([isAllowed(send), isAllowed(notes)]).toEqual([true, true])
    expect(isAllowed({ ...send, description: 'Sends a message to everybody' })).toBe(false)
    await callRoute('tools.revoke', { params: { toolId: alwaysAllowed[1]?.id ?? '' } })
    const { isAllowed: isStillAllowed } = await loadOffer(provider, harness.sub, {})
    expect([isStillAllowed(send), isStillAllowed(notes)]).toEqual([false, true])
  })

  it('L5 are compared with the server’s current definition, not a stored one', async () => {
    const notes = await findTool('notes_echo')
    const countLists = () => server.receivedMethods.filter((method) => method === 'tools/list').length
    const before = countLists()
    await findTool('notes_echo')
    expect(countLists()).toBe(before)
    await provider.allow(harness.sub, notes)
    await findTool('notes_echo')
    expect(countLists()).toBe(before + 1)
  })
})

describe('the ledger', () => {
  const call = (tool: Tool, more: Partial<Parameters<ToolProvider['record']>[1]> = {}) => ({
    tool,
    input: { limit: 1 },
    success: true,
    resultSize: 12,
    permission: 'reading' as const,
    ...more,
  })

  it('contains a call with its arguments, without secrets', async () => {
    const tool = await findTool('slack_list_channels')
    const error = 'Slack refused Bearer abcdefghijklmnop'
    const input = { limit: 1, api_key: 'sk_live_123456789012345' }
    await provider.record(harness.sub, call(tool, { input, success: false, error }), true)
    const { entries, next } = await readLedger()
    expect(next).toBeNull()
    expect(entries).toEqual([
      {
        id: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z-[0-9a-f]{8}$/) as string,
        at: expect.stringMatching(/^20\d\d-.*Z$/) as string,
        tool: 'slack_list_channels',
        title: 'List channels',
        integration: 'Slack',
        mcp_id: 'slack',
        arguments: { limit: 1, api_key: '••••••••' },
        success: false,
        error: 'Slack refused ••••••••',
        result_size: 12,
        allowed: 'reading',
      },
    ])
  })

  it('contains no arguments of a temporary chat, and cuts long ones', async () => {
    const tool = await findTool('slack_list_channels')
    await provider.record(harness.sub, call(tool), false)
    await provider.record(harness.sub, call(tool, { input: { text: 'x'.repeat(30_000) } }), true)
    const { entries } = await readLedger()
    const storedArguments = entries.map((one) => one.arguments)
    expect(storedArguments).toContain(null)
    const longArguments = JSON.stringify(storedArguments.find((one) => one !== null))
    expect(longArguments).toContain('characters in all')
    expect(longArguments.length).toBeGreaterThan(20_000)
    expect(longArguments.length).toBeLessThan(20_200)
    expect(entries.map(({ error }) => error)).toEqual([null, null])
  })

  it('names no integration for the product’s own tools', async () => {
    const { integration: _, title: __, ...own } = await findTool('slack_list_channels')
    await provider.record(harness.sub, call(own), true)
    expect((await readLedger()).entries).toMatchObject([
      { tool: 'slack_list_channels', title: 'slack_list_channels', integration: null, mcp_id: null },
    ])
  })

  it('CAP-14 counts a use of the connection, but not what was denied', async () => {
    const tool = await findTool('slack_send_message')
    const readConnection = () => harness.stores.integrations.find(harness.sub, 'slack')
    const before = (await readConnection())?.usage_count ?? 0
    await provider.record(harness.sub, call(tool, { permission: 'denied', success: false }), true)
    expect((await readConnection())?.usage_count).toBe(before)
    await provider.record(harness.sub, call(tool, { permission: 'approved' }), true)
    expect(await readConnection()).toMatchObject({ usage_count: before + 1 })
    const [newest] = (await readLedger()).entries
    expect((await readConnection())?.last_used_at).toBe(newest?.at)
    const integrations = (await callRoute('tools.list'))['integrations'] as IntegrationTools[]
    expect(integrations.find(({ id }) => id === 'slack')).toMatchObject({
      usage_count: before + 1,
      lastUsed: newest?.at,
    })
  })

  it('is read in pages of fifty, newest first, and can be cleared', async () => {
    const ledger = ledgerRepository(openTable('test'))
    const [entry] = await recordOne()
    if (!entry) throw new Error('nothing was recorded')
    await callRoute('tools.clearLedger')
    const getTime = (second: number) => new Date(Date.UTC(2026, 10, 20, 0, 0, second)).toISOString()
    for (let second = 0; second < 101; second += 1)
      await ledger.add(harness.sub, { ...entry, id: `${getTime(second)}-x`, at: getTime(second) })
    const firstPage = await readLedger()
    expect(firstPage.entries).toHaveLength(50)
    expect(firstPage.entries[0]?.at).toBe(getTime(100))
    expect(firstPage.next).toBe(firstPage.entries[49]?.id)
    const secondPage = await readLedger(firstPage.next ?? '')
    expect(secondPage.entries[0]?.at).toBe(getTime(50))
    const lastPage = await readLedger(secondPage.next ?? '')
    expect(lastPage.entries.map((entry) => entry.at)).toEqual([getTime(0)])
    expect(lastPage.next).toBeNull()
    await callRoute('tools.clearLedger')
    expect(await readLedger()).toEqual({ entries: [], next: null })
  })

  async function recordOne() {
    await provider.record(harness.sub, call(await findTool('slack_list_channels')), true)
    return (await readLedger()).entries
  }

  it('expires after a year', async () => {
    const [entry] = await recordOne()
    const { client, name: TableName } = openTable('test')
    const Key = { PK: `U#${harness.sub}`, SK: `LEDGER#${entry?.id}` }
    const { Item } = await client.send(new GetCommand({ TableName, Key }))
    expect(Item?.['ttl']).toBe(Math.floor(Date.parse(entry?.at ?? '') / 1_000) + 365 * 86_400)
  })

  it('that cannot be written does not fail the reply', async () => {
    const tool = await findTool('slack_list_channels')
    const logError = vi.spyOn(logger, 'error').mockImplementation(() => undefined)
    await toolProvider(openTable('missing')).record(harness.sub, call(tool), true)
    expect(logError).toHaveBeenCalledWith('a call could not be written into the ledger', {
      error: expect.any(Error) as unknown,
    })
  })
})

it('apps make so many calls a day', async () => {
  const headers = { Authorization: `Bearer ${await issuer.token(harness.sub)}` }
  const body = { mcp_id: 'id-Notes', name: 'echo', arguments: {}, session_id: 'none' }
  const callFromApp = () => invoke(handler, 'apps.call', { body, headers })
  expect((await callFromApp()).statusCode).not.toBe(429)
  const table = openTable('test')
  const partition = `RATE#${harness.sub}`
  const [counted = {}] = await queryAll(table, { partition, prefix: 'app-calls#' })
  expect(counted['calls']).toBe(1)
  const today = Math.floor(Date.now() / 86_400_000) * 86_400
  for (const day of [today, today + 86_400])
    await putRow(table, { PK: partition, SK: `app-calls#${day}`, calls: appCallsPerDay })
  expect(await callFromApp()).toMatchObject({ statusCode: 429, body: { code: 'too_many_requests' } })
})
