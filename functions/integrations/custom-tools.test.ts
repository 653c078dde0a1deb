import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type IntegrationFunctions,
  type IntegrationUser,
  startIntegrationFunctions,
} from '../../test/support/integration-functions.ts'
import { readingTool, scriptMcpServer } from '../../test/support/scripted-mcp.ts'
import { waitLimitMs } from '../../test/support/time-limits.ts'
import { addCustomTool, setCustomToolKey } from './custom-tools.ts'
import { deleteUserCredentials } from './disconnect.ts'
import { TooManySecrets } from './store/errors.ts'

let harness: IntegrationFunctions
let user: IntegrationUser
let serverUrl: string
beforeAll(async () => {
  harness = await startIntegrationFunctions()
  serverUrl = `${harness.servers.url}/mine/mcp`
})
afterAll(() => harness.close())
beforeEach(() => {
  user = harness.newUser()
  scriptMcpServer(harness.servers, '/mine/mcp', { tools: [readingTool, { name: 'write' }] })
  harness.servers.takeRequests()
})

const add = (body: object) => user.call('customTools.add', { body })
const testServer = (config: object) => user.call('customTools.test', { body: { config } })
const remove = (toolId: string) => user.call('customTools.remove', { params: { toolId } })
const listCustomTools = async () =>
  (await user.call('customTools.list')).body['tools'] as Record<string, unknown>[]
const getId = (body: Record<string, unknown>) => (body['tool'] as { id: string }).id
const readReceivedHeaders = () => harness.servers.takeRequests('/mine/mcp')[0]?.headers

describe('adding a custom tool', () => {
  it('CUST-05 CUST-08 CUST-12 stores the trimmed input, with its secrets in the vault and their masks in the row', async () => {
    const { status, body } = await add({
      name: '  My   notes ',
      description: ' Where notes are ',
      config: {
        serverUrl: ` ${serverUrl} `,
        apiKey: ' key-0123456789abcdef ',
        customFields: { ' team ': ' red ', blank: ' ', ' ': 'nameless' },
      },
    })
    expect(status).toBe(200)
    const tool = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      user_id: user.sub,
      name: 'My notes',
      description: 'Where notes are',
      config: { serverUrl, apiKey: '••••cdef', customFields: { team: '••••••••' } },
      is_active: true,
      created_at: expect.stringMatching(/Z$/) as string,
    }
    expect(body).toEqual({ success: true, tool })
    expect(await listCustomTools()).toEqual([tool])
    expect(await user.readVault()).toEqual([{ 'api-key': 'key-0123456789abcdef', 'field:team': 'red' }])
    const id = getId(body)
    expect(await user.rows('T#')).toEqual([
      {
        SK: `T#${id}`,
        name: 'My notes',
        description: 'Where notes are',
        server_url: serverUrl,
        masks: { 'api-key': '••••cdef', 'field:team': '••••••••' },
        secret_name: expect.stringMatching(
          new RegExp(`^test/vault/${user.sub}/${id}/[0-9a-f]{24}$`),
        ) as string,
        is_active: true,
        created_at: expect.any(String) as string,
        read_only_tools: [expect.stringMatching(/^[\w-]{22}$/)],
      },
    ])
    expect(readReceivedHeaders()).toMatchObject({ authorization: 'Bearer key-0123456789abcdef', team: 'red' })
  })

  it('keeps an address with a key in the vault, shows it masked, and calls it as it was entered', async () => {
    const address = `${serverUrl}?api_key=secret-0123456789&team=red`
    const shown = `${serverUrl}?api_key=••••&team=••••`
    const { body } = await add({ name: 'In the address', config: { serverUrl: address } })
    expect(JSON.stringify([body, await listCustomTools(), await user.rows('T#')])).not.toContain('secret-01')
    expect(await listCustomTools()).toMatchObject([{ config: { serverUrl: shown, apiKey: '' } }])
    expect(await user.readVault()).toEqual([{ address }])
    expect(harness.servers.takeRequests('/mine/mcp')[0]?.query).toMatchObject({
      api_key: 'secret-0123456789',
    })
    // another key is tried at the same address
    await user.call('customTools.setKey', {
      params: { toolId: getId(body) },
      body: { apiKey: 'Bearer key-0123456789abcdef' },
    })
    expect(await user.readVault()).toEqual([{ address, 'api-key': 'Bearer key-0123456789abcdef' }])
    const [request] = harness.servers.takeRequests('/mine/mcp')
    expect(request?.query).toMatchObject({ api_key: 'secret-0123456789' })
    expect(request?.headers['authorization']).toBe('Bearer key-0123456789abcdef')
  })

  it('keeps an address whose path is a key in the vault, too', async () => {
    const path = '/s/NTBlNWFlOTgtZjQyYy00/mcp'
    scriptMcpServer(harness.servers, path, { tools: [readingTool] })
    const { body } = await add({
      name: 'In the path',
      config: { serverUrl: `${harness.servers.url}${path}` },
    })
    const shown = await listCustomTools()
    expect(JSON.stringify([body, shown, await user.rows('T#'), await user.rows('TOOLS#')])).not.toContain(
      'NTBl',
    )
    expect(shown).toMatchObject([{ config: { serverUrl: `${harness.servers.url}/s/••••/mcp` } }])
    expect(await user.readVault()).toEqual([{ address: `${harness.servers.url}${path}` }])
    expect(harness.servers.takeRequests(path)).not.toHaveLength(0)
  })

  it('CUST-06 requires only a name', async () => {
    const { body } = await add({ name: 'Plain' })
    expect(body['tool']).toMatchObject({
      description: 'Custom MCP Tool',
      config: { serverUrl: '', apiKey: '', customFields: {} },
    })
    const [row] = await user.rows('T#')
    expect(row).not.toHaveProperty('secret_name')
    expect(row).not.toHaveProperty('read_only_tools')
    expect(harness.servers.takeRequests()).toEqual([])
  })

  it.each([
    [{ name: ' \n ' }, 400, 'Tool name is required'],
    [
      { name: 'A', config: { serverUrl: 'http://example.com' } },
      400,
      'This address cannot be used. It has to be a public https address.',
    ],
    [
      {
        name: 'A',
        config: {
          customFields: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 'x'])),
        },
      },
      400,
      'At most 20 fields are possible.',
    ],
  ])('refuses %j', async (body, status, error) => {
    expect(await add(body)).toMatchObject({ status, body: { error } })
    expect([await user.rows('T'), await user.readVault()]).toEqual([[], []])
  })

  it('accepts the maximum number of fields', async () => {
    const customFields = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, 'x']))
    expect((await add({ name: 'A', config: { customFields } })).status).toBe(200)
  })

  it.each([
    ['does not answer', () => harness.servers.script('POST /mine/mcp', { status: 500 })],
    ['requires another key', () => scriptMcpServer(harness.servers, '/mine/mcp', { admits: () => false })],
  ])('succeeds when its server %s, and then all of its tools need approval', async (_, script) => {
    script()
    expect((await add({ name: 'A', config: { serverUrl } })).status).toBe(200)
    expect((await user.rows('T#'))[0]).toMatchObject({ read_only_tools: [] })
  })

  it('logs a server that does not answer', async () => {
    harness.servers.script('POST /mine/mcp', { status: 500 })
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.stubEnv('LOG_LEVEL', 'warn')
    await add({ name: 'A', config: { serverUrl } })
    expect(JSON.parse(String(write.mock.calls[0]?.[0]))).toMatchObject({
      level: 'warn',
      message: 'the tools of a server that is being connected could not be listed',
      error: {
        name: 'McpServerFailed',
        code: 'mcp_server_failed',
        cause: { name: 'Error', stack: expect.any(Array) as unknown },
      },
    })
  })

  it('leaves no secret when its row could not be written', async () => {
    const failingTools = { ...harness.stores.customTools, add: () => Promise.reject(new Error('no answer')) }
    const config = { serverUrl: '', apiKey: 'k', customFields: {} }
    const addition = addCustomTool({ ...harness.stores, customTools: failingTools }, user.sub, {
      name: 'A',
      description: '',
      config,
    })
    await expect(addition).rejects.toMatchObject({
      code: 'credentials_not_stored',
      message: 'a tool',
      cause: { message: 'no answer' },
    })
    expect([await user.rows('T#'), await user.readVault()]).toEqual([[], []])
  })

  it('reports that there are too many secrets', async () => {
    const vault = { ...harness.stores.vault, store: () => Promise.reject(new TooManySecrets('full')) }
    const config = { serverUrl: '', apiKey: 'k', customFields: {} }
    const addition = addCustomTool({ ...harness.stores, vault }, user.sub, {
      name: 'A',
      description: '',
      config,
    })
    await expect(addition).rejects.toMatchObject({ code: 'too_many_secrets' })
    expect(await user.rows('T#')).toEqual([])
  })

  it('leaves nothing when its secret could not be stored', async () => {
    const send = vi.spyOn(SecretsManagerClient.prototype, 'send')
    send.mockRejectedValueOnce(new Error('no answer') as never)
    expect(await add({ name: 'A', config: { apiKey: 'k' } })).toMatchObject({
      status: 503,
      body: { code: 'credentials_not_stored' },
    })
    expect(await user.rows('T#')).toEqual([])
    // its slot is free again
    expect((await user.rows('TOOLCOUNT'))[0]).toEqual({ SK: 'TOOLCOUNT', places: {} })
  })

  it('is possible twenty times, and again after one is removed', async () => {
    const ids: string[] = []
    for (let count = 0; count < 20; count += 1) ids.push(getId((await add({ name: `Tool ${count}` })).body))
    expect(await add({ name: 'One more' })).toMatchObject({
      status: 409,
      body: {
        code: 'too_many_custom_servers',
        error:
          'You have 20 custom tools, which is the most. Remove one that you no longer use, then add this one.',
      },
    })
    expect(await listCustomTools()).toHaveLength(20)
    await remove(ids[0] ?? '')
    expect((await add({ name: 'One more' })).status).toBe(200)
  })
})

it('CUST-13 lists active tools, the newest first', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    for (const name of ['First', 'Second', 'Third']) {
      await add({ name })
      vi.setSystemTime(Date.now() + 1_000)
    }
    expect((await listCustomTools()).map(({ name }) => name)).toEqual(['Third', 'Second', 'First'])
  } finally {
    vi.useRealTimers()
  }
})

describe('removing a custom tool', () => {
  it('CUST-14 deletes its secret and the permissions for its tools; the row stays for a month', async () => {
    const id = getId((await add({ name: 'A', config: { serverUrl, apiKey: 'key-0123456789abcdef' } })).body)
    const allowedTool = { tool: 'a', title: 'A', integration: 'A', allowed_at: 'x' }
    await harness.stores.allowedTools.allow(user.sub, { ...allowedTool, id: 'one', mcp_id: id })
    await harness.stores.allowedTools.allow(user.sub, { ...allowedTool, id: 'two', mcp_id: 'other' })
    const beforeSeconds = Math.floor(Date.now() / 1_000)
    expect(await remove(id)).toEqual({ status: 200, body: { success: true } })
    expect([await listCustomTools(), await user.readVault()]).toEqual([[], []])
    expect(await harness.stores.allowedTools.list(user.sub)).toEqual([
      { ...allowedTool, id: 'two', mcp_id: 'other' },
    ])
    const [row] = await user.rows('T#')
    expect(row).toMatchObject({ is_active: false, masks: {}, name: '', description: '', server_url: '' })
    // is not counted as stored data
    expect(row).toHaveProperty('deleted_at')
    expect(row).not.toHaveProperty('secret_name')
    expect(Number(row?.['ttl']) - beforeSeconds - 30 * 86_400).toBeLessThanOrEqual(waitLimitMs / 1_000)
    expect(Number(row?.['ttl']) - beforeSeconds).toBeGreaterThanOrEqual(30 * 86_400)
    expect((await user.rows('TOOLCOUNT'))[0]).toMatchObject({ places: {} })
  })

  it('works without a key', async () => {
    const id = getId((await add({ name: 'A' })).body)
    expect(await remove(id)).toEqual({ status: 200, body: { success: true } })
    expect((await user.rows('T#'))[0]).toMatchObject({ is_active: false, ttl: expect.any(Number) as number })
  })

  it('is part of deleting the account, including secrets that a crash left in the vault', async () => {
    await add({ name: 'Keyless' })
    await add({ name: 'Keyed', config: { apiKey: 'key' } })
    const name = await harness.stores.vault.store(user.sub, 'notion', { apiKey: 'lost' })
    const intents = { list: () => Promise.resolve([{ name, stored_at: '' }]) }
    expect(await deleteUserCredentials({ ...harness.stores, intents }, user.sub, () => false)).toBe(true)
    expect(await user.readVault()).toEqual([])
    const rows = await user.rows('T#')
    expect(rows.map(({ secret_name }) => secret_name)).toEqual([undefined, undefined])
  })

  it('does not find a tool that was removed or never existed', async () => {
    const id = getId((await add({ name: 'A' })).body)
    await remove(id)
    const notFound = {
      status: 404,
      body: { code: 'tool_not_found', error: 'This tool does not exist, or it was removed.' },
    }
    expect(await remove(id)).toMatchObject(notFound)
    expect(await remove('never')).toMatchObject(notFound)
    expect(await user.rows('T#never')).toEqual([])
  })

  it('finishes an interrupted removal', async () => {
    const id = getId((await add({ name: 'A', config: { apiKey: 'key' } })).body)
    const send = vi.spyOn(SecretsManagerClient.prototype, 'send')
    send.mockRejectedValueOnce(new Error('no answer') as never)
    expect((await remove(id)).status).toBe(500)
    expect([await listCustomTools(), await user.readVault()]).toEqual([[], [{ 'api-key': 'key' }]])
    expect((await remove(id)).status).toBe(200)
    expect(await user.readVault()).toEqual([])
  })
})

describe('testing a server', () => {
  it('lists its tools, and stores nothing', async () => {
    scriptMcpServer(harness.servers, '/mine/mcp', {
      name: ' My \n server ',
      tools: [{ name: 'search', description: `Finds\nnotes ${'x'.repeat(600)}` }, { name: 'y'.repeat(200) }],
    })
    const { status, body } = await testServer({ serverUrl: ` ${serverUrl} ` })
    expect([status, body['server']]).toEqual([200, 'My server'])
    const [first, second] = body['tools'] as { name: string; description: string }[]
    expect(first?.name).toBe('search')
    expect(first?.description).toMatch(/^Finds notes x+/)
    expect(first?.description.length).toBeLessThanOrEqual(500)
    expect(second?.name).toMatch(/^y+/)
    expect(second?.name.length).toBeLessThanOrEqual(128)
    expect(second?.description).toBe('')
    expect(await user.rows('T')).toEqual([])
  })

  it('shows at most two hundred tools', async () => {
    const tools = Array.from({ length: 201 }, (_, index) => ({ name: `tool-${index}` }))
    scriptMcpServer(harness.servers, '/mine/mcp', { tools: tools })
    expect((await testServer({ serverUrl })).body['tools']).toHaveLength(200)
  })

  it.each<[string, object, Record<string, string | undefined>]>([
    ['a key', { apiKey: ' k1 ' }, { authorization: 'Bearer k1' }],
    ['no key', { apiKey: ' ' }, { authorization: undefined }],
    [
      'a key in its own header',
      { apiKey: 'k1', customFields: { Header: 'X-Own-Key' } },
      { 'x-own-key': 'k1', authorization: undefined, header: undefined },
    ],
    [
      'the key as a bearer token when its header is reserved',
      { apiKey: 'k1', customFields: { header: 'Host' } },
      { authorization: 'Bearer k1' },
    ],
    [
      'no header of its own when there is no key',
      { customFields: { header: 'X-Own-Key' } },
      { 'x-own-key': undefined },
    ],
    [
      'other fields',
      { apiKey: 'k1', customFields: { 'X-Team': 'red', 'no header': 'x', Cookie: 'a=b' } },
      { 'x-team': 'red', cookie: undefined, authorization: 'Bearer k1' },
    ],
    [
      'only characters that headers may contain',
      { apiKey: 'k\u00e91\n', customFields: { 'x-team': 'r\u0007ed ~' } },
      { authorization: 'Bearer k1', 'x-team': 'red ~' },
    ],
  ])('sends %s', async (_, config, headers) => {
    expect((await testServer({ serverUrl, ...config })).status).toBe(200)
    const receivedHeaders = readReceivedHeaders()
    expect(Object.fromEntries(Object.keys(headers).map((name) => [name, receivedHeaders?.[name]]))).toEqual(
      headers,
    )
    expect(receivedHeaders?.host).toBe(harness.servers.host)
  })

  it.each<[string, () => void, object, number, string]>([
    [
      'no address',
      () => undefined,
      { serverUrl: ' ' },
      400,
      'Server URL is required to test the connection.',
    ],
    [
      'no key',
      () => scriptMcpServer(harness.servers, '/mine/mcp', { admits: () => false }),
      {},
      422,
      'The server needs a key or a sign-in. Please enter its API key and try again.',
    ],
    [
      'a wrong key',
      () => scriptMcpServer(harness.servers, '/mine/mcp', { admits: () => false }),
      { apiKey: 'wrong' },
      422,
      'The server did not accept these credentials. Please check them and try again.',
    ],
    [
      'no MCP server',
      () => harness.servers.script('POST /mine/mcp', { body: '<html>' }),
      {},
      502,
      'A web page answered at this address, not an MCP server. Check the address: it often ends in /mcp.',
    ],
    [
      'a private address',
      () => undefined,
      { serverUrl: 'https://127.0.0.1/mcp' },
      400,
      'This address cannot be used. It has to be a public https address.',
    ],
    [
      'a server that redirects to a private address',
      () =>
        harness.servers.script('POST /mine/mcp', { status: 307, headers: { location: 'https://10.0.0.1/' } }),
      {},
      502,
      'The service could not be reached. Please try again in a moment.',
    ],
  ])('reports %s', async (_, script, config, status, error) => {
    script()
    expect(await testServer({ serverUrl, ...config })).toMatchObject({ status, body: { error } })
  })
})

describe('replacing the key of a custom tool', () => {
  const setKey = (toolId: string, apiKey: string, caller = user) =>
    caller.call('customTools.setKey', { params: { toolId }, body: { apiKey } })
  const addToolWithKey = async () => {
    const { body } = await add({
      name: 'Notes',
      config: { serverUrl, apiKey: 'old-key-0123456789aaaa', customFields: { team: 'red' } },
    })
    return getId(body)
  }

  it('stores the new key and keeps the other fields', async () => {
    const id = await addToolWithKey()
    const [rowBefore] = await user.rows('T#')
    harness.servers.takeRequests()
    const { status, body } = await setKey(id, ' new-key-0123456789bbbb ')
    expect([status, body]).toMatchObject([
      200,
      { tool: { id, config: { apiKey: '••••bbbb', customFields: { team: '••••••••' } } } },
    ])
    expect(readReceivedHeaders()).toMatchObject({
      authorization: 'Bearer new-key-0123456789bbbb',
      team: 'red',
    })
    expect(await user.readVault()).toEqual([{ 'api-key': 'new-key-0123456789bbbb', 'field:team': 'red' }])
    const [rowAfter] = await user.rows('T#')
    expect(rowAfter).toEqual({
      ...rowBefore,
      secret_name: expect.any(String) as string,
      masks: { 'api-key': '••••bbbb', 'field:team': '••••••••' },
    })
    expect(rowAfter?.['secret_name']).not.toBe(rowBefore?.['secret_name'])
  })

  it('changes nothing when the server rejects the new key', async () => {
    const id = await addToolWithKey()
    const before = await user.rows('T#')
    scriptMcpServer(harness.servers, '/mine/mcp', { admits: () => false })
    expect(await setKey(id, 'new-key-0123456789bbbb')).toMatchObject({
      status: 422,
      body: { code: 'credentials_refused' },
    })
    expect(await user.rows('T#')).toEqual(before)
    expect(await user.readVault()).toEqual([{ 'api-key': 'old-key-0123456789aaaa', 'field:team': 'red' }])
  })

  it('is refused if the key is blank, or the tool belongs to another user or was removed', async () => {
    const id = await addToolWithKey()
    expect(await setKey(id, '  ')).toMatchObject({ status: 400, body: { error: 'The key is empty.' } })
    expect(await setKey(id, 'new-key-0123456789bbbb', harness.newUser())).toMatchObject({ status: 404 })
    await remove(id)
    expect(await setKey(id, 'new-key-0123456789bbbb')).toMatchObject({ status: 404 })
    expect(await user.readVault()).toEqual([])
  })

  const newKey = 'new-key-0123456789bbbb'
  const oldValues = { 'api-key': 'old-key-0123456789aaaa', 'field:team': 'red' }

  it('adds the first key of a tool that had none', async () => {
    const id = getId((await add({ name: 'Plain' })).body)
    expect(await setKey(id, newKey)).toMatchObject({
      status: 200,
      body: { tool: { config: { serverUrl: '', apiKey: '••••bbbb', customFields: {} } } },
    })
    expect(await user.readVault()).toEqual([{ 'api-key': newKey }])
    expect(harness.servers.takeRequests()).toEqual([])
  })

  it('stores the key when the server does not answer', async () => {
    const id = await addToolWithKey()
    harness.servers.script('POST /mine/mcp', { status: 500 })
    expect((await setKey(id, newKey)).status).toBe(200)
    expect(await user.readVault()).toEqual([{ ...oldValues, 'api-key': newKey }])
  })

  type Tools = typeof harness.stores.customTools
  const setKeyWith = (id: string, replaceSecret: Tools['replaceSecret']) =>
    setCustomToolKey(
      { ...harness.stores, customTools: { ...harness.stores.customTools, replaceSecret } },
      user.sub,
      id,
      newKey,
    )

  it('keeps the old key when the new one could not be stored', async () => {
    const id = await addToolWithKey()
    const before = await user.rows('T#')
    await expect(setKeyWith(id, () => Promise.reject(new Error('no answer')))).rejects.toMatchObject({
      code: 'credentials_not_stored',
      message: 'a tool',
      cause: { message: 'no answer' },
    })
    expect([await user.rows('T#'), await user.readVault()]).toEqual([before, [oldValues]])
  })

  it('keeps the new key when only the response to the write was lost', async () => {
    const id = await addToolWithKey()
    // one whose secret is another
    await addToolWithKey()
    const setting = setKeyWith(id, async (...write) => {
      await harness.stores.customTools.replaceSecret(...write)
      throw new Error('no answer')
    })
    await expect(setting).rejects.toMatchObject({ code: 'credentials_not_stored' })
    const name = String((await user.rows(`T#${id}`))[0]?.['secret_name'])
    expect(await harness.stores.vault.read(user.sub, name)).toEqual({ ...oldValues, 'api-key': newKey })
  })

  it('leaves no key when the tool is removed meanwhile', async () => {
    const id = await addToolWithKey()
    const setting = setKeyWith(id, async (...write) => {
      await remove(id)
      await harness.stores.customTools.replaceSecret(...write)
    })
    await expect(setting).rejects.toMatchObject({ code: 'tool_not_found' })
    expect(await user.readVault()).toEqual([])
  })

  it('is refused when there are too many secrets', async () => {
    const id = await addToolWithKey()
    const vault = { ...harness.stores.vault, store: () => Promise.reject(new TooManySecrets('full')) }
    await expect(setCustomToolKey({ ...harness.stores, vault }, user.sub, id, newKey)).rejects.toMatchObject({
      code: 'too_many_secrets',
    })
    expect(await user.readVault()).toEqual([oldValues])
  })
})
