import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { refreshIndex } from './store/refresh-index.ts'
import { credentialRepository } from './store/credential-repository.ts'
import { customToolRepository, type CustomToolRow } from './store/custom-tool-repository.ts'
import { type ConnectionFields, connectionRepository } from './store/connection-repository.ts'
import { oauthStateRepository } from './oauth/state-repository.ts'
import { registeredClientRepository } from './store/client-repository.ts'
import { tableBackend } from './vault/table.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const connection: ConnectionFields = {
  mcp_name: 'Slack',
  token_status: 'active',
  environment: 'production',
  auth_type: 'oauth2',
  provider: 'Slack',
  open_url: null,
  parameters: {},
}
const credential = { version: 'v1', status: 'active', masks: {}, refreshable: true, updated_at: '' } as const

describe('a user’s integrations', () => {
  it('what a server showed at one connection does not count for the next (M2)', async () => {
    const rows = connectionRepository(table)
    const at = '2026-01-01T00:00:00.000Z'
    await rows.connect('mia', 'tools', { ...connection, read_only_tools: ['one'] }, at)
    expect(await rows.find('mia', 'tools')).toMatchObject({ read_only_tools: ['one'] })
    await rows.connect('mia', 'tools', connection, at)
    expect(await rows.find('mia', 'tools')).not.toHaveProperty('read_only_tools')
  })

  it('DATA-24 DATA-27 DATA-32 have one row each, which keeps its creation time when connected again', async () => {
    const rows = connectionRepository(table)
    await rows.connect('ann', 'slack', connection, '2026-01-01T00:00:00.000Z')
    const secondConnection = { ...connection, token_status: 'invalid' } as const
    await rows.connect('ann', 'slack', secondConnection, '2026-02-01T00:00:00.000Z')
    expect(await rows.list('ann')).toHaveLength(1)
    expect(await rows.find('ann', 'slack')).toMatchObject({ token_status: 'invalid' })
    expect(await rows.list('ann')).toEqual([
      {
        ...secondConnection,
        mcp_id: 'slack',
        status: 'connected',
        connected_at: '2026-02-01T00:00:00.000Z',
        updated_at: '2026-02-01T00:00:00.000Z',
        created_at: '2026-01-01T00:00:00.000Z',
        usage_count: 0,
        last_used_at: null,
      },
    ])
  })

  it('DATA-29 DATA-30 DATA-31 are found by user and integration', async () => {
    const rows = connectionRepository(table)
    await rows.connect('bea', 'slack', connection, '2026-01-01T00:00:00.000Z')
    expect(await rows.find('bea', 'slack')).toMatchObject({ mcp_name: 'Slack', status: 'connected' })
    expect(await rows.find('bea', 'gmail')).toBeUndefined()
    expect(await rows.find('bob', 'slack')).toBeUndefined()
    expect(await rows.list('bob')).toEqual([])
  })

  it('DATA-33 DATA-34 change their status and are deleted by id; a deleted one does not come back', async () => {
    const rows = connectionRepository(table)
    await rows.connect('cal', 'slack', connection, '2026-01-01T00:00:00.000Z')
    const status = { status: 'disconnected', tokenStatus: 'inactive' } as const
    expect(await rows.setStatus('cal', 'slack', status, '2026-03-01T00:00:00.000Z')).toMatchObject({
      status: 'disconnected',
      token_status: 'inactive',
      updated_at: '2026-03-01T00:00:00.000Z',
    })
    await rows.remove('cal', 'slack')
    expect(await rows.find('cal', 'slack')).toBeUndefined()
    await expect(rows.setStatus('cal', 'slack', status, '')).rejects.toMatchObject({
      code: 'integration_not_found',
    })
    expect(await rows.find('cal', 'slack')).toBeUndefined()
  })
})

describe('a user’s credentials', () => {
  it('CRED-09 CRED-10 are stored per integration, with their status and expiry', async () => {
    const rows = credentialRepository(table)
    const expires_at = '2027-01-01T00:00:00.000Z'
    expect(await rows.replace('cleo', 'slack', { ...credential, expires_at, secret_name: 'one' })).toEqual([])
    expect(await rows.find('cleo', 'slack')).toMatchObject({
      status: 'active',
      expires_at,
      refreshable: true,
    })
    expect(await rows.find('ann', 'slack')).toBeUndefined()
    expect([...(await rows.list('cleo')).keys()]).toEqual(['slack'])
    expect(await rows.replace('cleo', 'slack', { ...credential, version: 'v2' })).toMatchObject([
      { secret_name: 'one' },
    ])
    expect(await rows.remove('cleo', 'slack', { version: 'v1' })).toBe(false)
    expect(await rows.find('cleo', 'slack')).toMatchObject({ version: 'v2' })
    expect(await rows.remove('cleo', 'slack', { version: 'v2' })).toBe(true)
    expect(await rows.find('cleo', 'slack')).toBeUndefined()
    expect(await rows.remove('cleo', 'slack', { version: 'v2' })).toBe(true)
  })

  it('return every replaced secret, also one that was written in between', async () => {
    await credentialRepository(table).replace('eve', 'slack', { ...credential, secret_name: 'first' })
    let isFirstWrite = true
    const client = {
      async send(command: PutCommand) {
        if (command instanceof PutCommand && isFirstWrite) {
          isFirstWrite = false
          await credentialRepository(table).replace('eve', 'slack', {
            ...credential,
            version: 'v1b',
            secret_name: 'between',
          })
        }
        return table.client.send(command)
      },
    } as typeof table.client
    const rows = credentialRepository({ ...table, client })
    const last = { ...credential, version: 'v2', secret_name: 'last' }
    expect(await rows.replace('eve', 'slack', last)).toMatchObject([
      { secret_name: 'first' },
      { secret_name: 'between' },
    ])
    // repeating it, as after a lost response, replaces nothing
    expect(await rows.replace('eve', 'slack', last)).toEqual([])
  })

  it('are stored when only the response was lost, and not when the write failed', async () => {
    let isWritten = true
    const client = {
      async send(command: PutCommand) {
        if (!(command instanceof PutCommand)) return table.client.send(command)
        if (isWritten) await table.client.send(command)
        throw new Error('no answer')
      },
    } as typeof table.client
    const rows = credentialRepository({ ...table, client })
    await credentialRepository(table).replace('fay', 'slack', { ...credential, secret_name: 'first' })
    expect(await rows.replace('fay', 'slack', { ...credential, version: 'v2' })).toMatchObject([
      { secret_name: 'first' },
    ])
    expect(await rows.find('fay', 'slack')).toMatchObject({ version: 'v2' })
    isWritten = false
    await expect(rows.replace('fay', 'slack', { ...credential, version: 'v3' })).rejects.toThrow('no answer')
    await expect(rows.replace('fay', 'zoom', credential)).rejects.toThrow('no answer')
    expect(await rows.find('fay', 'slack')).toMatchObject({ version: 'v2' })
  })

  it('DEC-186 are stored and refreshed even when the index of the daily refresh cannot be written', async () => {
    const client = {
      send: async (command: PutCommand) =>
        command.input.Item?.['PK'] === 'REFRESH'
          ? Promise.reject(new Error('down'))
          : table.client.send(command),
    } as unknown as typeof table.client
    const rows = credentialRepository({ ...table, client })
    await rows.replace('ivy', 'slack', credential)
    const tokens = { version: 'v2', sealed: 's', refreshable: true } as const
    const times = { access_expires_at: undefined, expires_at: undefined }
    expect(await rows.storeRefreshedTokens('ivy', 'slack', 'v1', { ...tokens, ...times }, 'now')).toBe(true)
    expect(await rows.find('ivy', 'slack')).toMatchObject({ version: 'v2', updated_at: 'now' })
  })

  it('DEC-186 stay in the index of the daily refresh when they are refreshed while it looks at an older row', async () => {
    const index = refreshIndex(table)
    const staleRow = { sub: 'jon', mcpId: 'slack', refreshedAt: '2026-11-20T09:00:00.000Z' }
    const list = async () => {
      const rows = []
      for await (const page of index.pages('')) rows.push(...page.filter(({ sub }) => sub === 'jon'))
      return rows
    }
    const currentRow = { ...staleRow, refreshedAt: '2026-11-21T09:00:00.000Z' }
    await index.put(currentRow)
    await index.removeStale(staleRow)
    expect(await list()).toEqual([currentRow])
    await index.removeStale(currentRow)
    expect(await list()).toEqual([])
  })

  it('are in the index of the daily refresh only after a refresh that can be repeated', async () => {
    const rows = credentialRepository(table)
    await rows.replace('kay', 'slack', { ...credential, refreshable: false })
    const tokens = { sealed: 's', access_expires_at: undefined, expires_at: undefined }
    const refresh = (from: string, to: string, refreshable: boolean) =>
      rows.storeRefreshedTokens('kay', 'slack', from, { ...tokens, version: to, refreshable }, 'now')
    const list = async () => {
      const connections = []
      for await (const page of refreshIndex(table).pages('')) connections.push(...page)
      return connections.filter(({ sub }) => sub === 'kay')
    }
    expect([await refresh('v0', 'v2', true), await refresh('v1', 'v2', false)]).toEqual([false, true])
    expect(await list()).toEqual([])
    expect(await refresh('v2', 'v3', true)).toBe(true)
    expect(await list()).toEqual([{ sub: 'kay', mcpId: 'slack', refreshedAt: 'now' }])
  })

  it('are read with defaults where a row of another version lacks fields', async () => {
    const Item = { PK: 'U#gus', SK: 'C#slack', version: 'v1', status: 'odd', masks: 7, refreshable: 'yes' }
    await table.client.send(new PutCommand({ TableName: table.name, Item }))
    const row = { version: 'v1', status: 'active', masks: {}, refreshable: false, updated_at: '' }
    expect(await credentialRepository(table).find('gus', 'slack')).toEqual(row)
    expect(await credentialRepository(table).list('gus')).toEqual(new Map([['slack', row]]))
  })

  it('a failed lease is released, with the new status when the grant is gone', async () => {
    const rows = credentialRepository(table)
    await rows.replace('hal', 'slack', credential)
    const lease = { owner: 'me', version: 'v1' }
    const take = (owner: string) =>
      rows.takeLease('hal', 'slack', { ...lease, owner }, { nowMs: 1_000, untilMs: 2_000 })
    expect([await take('me'), await take('me'), await take('another')]).toEqual([true, true, false])
    expect(await rows.release('hal', 'slack', { ...lease, owner: 'another' })).toBe(false)
    expect(await rows.release('hal', 'slack', lease)).toBe(true)
    expect(await rows.find('hal', 'slack')).toMatchObject({ status: 'active' })
    expect(await take('another')).toBe(true)
    expect(await rows.release('hal', 'slack', { ...lease, owner: 'another' }, { status: 'invalid' })).toBe(
      true,
    )
    expect(await rows.find('hal', 'slack')).toMatchObject({ status: 'invalid' })
    const client = { send: () => Promise.reject(new Error('no answer')) }
    await expect(credentialRepository({ ...table, client }).release('hal', 'slack', lease)).rejects.toThrow(
      'no answer',
    )
  })

  it('a lease belongs to one caller, for the tokens that it read, until it ends', async () => {
    const rows = credentialRepository(table)
    await rows.replace('dora', 'slack', credential)
    const take = (owner: string, nowMs: number, version = 'v1') =>
      rows.takeLease('dora', 'slack', { owner, version }, { nowMs, untilMs: nowMs + 100 })
    expect(await take('first', 1_000)).toBe(true)
    expect(await take('second', 1_050)).toBe(false)
    expect(await take('second', 1_100)).toBe(true)
    expect(await take('third', 9_000, 'v0')).toBe(false)
    const tokens = { version: 'v2', sealed: 's', refreshable: true } as const
    const times = { access_expires_at: undefined, expires_at: undefined }
    const refresh = (version: string) =>
      rows.storeRefreshedTokens('dora', 'slack', version, { ...tokens, ...times }, '')
    // the tokens are the fence, not the lease: tokens are not stored if those that they were exchanged for have been replaced
    expect([await refresh('v0'), await refresh('v1'), await refresh('v1')]).toEqual([false, true, false])
    expect(await rows.find('dora', 'slack')).toMatchObject({ version: 'v2', sealed: 's' })
    expect(await take('third', 1_101, 'v2')).toBe(true)
  })
})

it('rows that decide about the next write are read consistently', async () => {
  const reads: unknown[] = []
  const client = {
    send: async (command: GetCommand) => {
      if (command instanceof GetCommand) reads.push([command.input.Key?.['SK'], command.input.ConsistentRead])
      return table.client.send(command)
    },
  } as typeof table.client
  const watchedTable = { ...table, client }
  await connectionRepository(watchedTable).find('kim', 'slack')
  await credentialRepository(watchedTable).find('kim', 'slack')
  await customToolRepository(watchedTable).reserveSlot('kim', 'one')
  await tableBackend(watchedTable, {} as never).find('kim', 'vault/kim/slack/1')
  expect(reads).toEqual([
    ['I#slack', true],
    ['C#slack', true],
    ['TOOLCOUNT', true],
    ['V#slack#1', true],
  ])
})

it('a table that fails is not treated as a missing row', async () => {
  const failingTable = { ...table, client: { send: () => Promise.reject(new Error('no answer')) } }
  const status = { status: 'disconnected', tokenStatus: 'inactive' } as const
  const stateUse = { sub: 'ann', redirectUri: 'https://x/cb', nowSeconds: 1 }
  for (const call of [
    () => connectionRepository(failingTable).setStatus('ann', 'slack', status, ''),
    () => customToolRepository(failingTable).retire('ann', 'one'),
    () => oauthStateRepository(failingTable).use('state', stateUse),
  ])
    await expect(call()).rejects.toThrow('no answer')
})

it('OAUTH-23 DEC-087 a state is valid once, for its user and redirect URI, within ten minutes', async () => {
  const states = oauthStateRepository(table)
  const flow = {
    sub: 'ann',
    mcp_id: 'slack',
    environment: 'production',
    redirect_uri: 'https://x/cb',
    parameters: {},
    sealed: '',
  } as const
  await states.add('secret-state', flow, 1_000)
  const use = (parts: object = {}) =>
    states.use('secret-state', { sub: 'ann', redirectUri: 'https://x/cb', nowSeconds: 1_001, ...parts })
  expect(await use({ sub: 'bob' })).toBeUndefined()
  expect(await use({ redirectUri: 'https://y/cb' })).toBeUndefined()
  expect(await use({ nowSeconds: 1_600 })).toBeUndefined()
  expect(await use()).toEqual(flow)
  expect(await use()).toBeUndefined()
  await states.add('secret-state', flow, 1_000)
  const both = await Promise.all([use(), use()])
  expect(both.filter((one) => one !== undefined)).toEqual([flow])
})

it('a registered client is found by its authorization server, resource and redirect URI until it expires', async () => {
  const clients = registeredClientRepository(table)
  const client = {
    issuer: 'https://auth.example.com',
    resource_origin: 'https://mcp.example.com',
    client_id: 'c1',
    client_auth: 'post',
    redirect_uri: 'https://x/cb',
    expires_at_seconds: 2_000,
  } as const
  await clients.put(client)
  const pair = { issuer: client.issuer, resourceOrigin: client.resource_origin }
  const find = (parts: object = {}, { redirectUri = 'https://x/cb', nowSeconds = 1_999 } = {}) =>
    clients.find({ ...pair, ...parts }, { redirectUri, nowSeconds })
  expect(await find()).toEqual(client)
  expect(await find({ issuer: 'https://other.example.com' })).toBeUndefined()
  expect(await find({ resourceOrigin: 'https://evil.example' })).toBeUndefined()
  expect(await find({}, { redirectUri: 'https://y/cb' })).toBeUndefined()
  expect(await find({}, { nowSeconds: 2_000 })).toBeUndefined()
  await clients.markForgotten(pair, 'an earlier one')
  expect(await find()).toEqual(client)
  await clients.markForgotten(pair, 'c1')
  expect(await find()).toEqual({ ...client, is_forgotten: true })
})

it('a registered client is renewed at most once an hour, by one of those who ask at the same time', async () => {
  const clients = registeredClientRepository(table)
  const issuer = 'https://auth.renewed.example'
  const resourceOrigin = 'https://mcp.renewed.example'
  const client = { issuer, resource_origin: resourceOrigin, client_auth: 'post', redirect_uri: '' } as const
  const put = (client_id: string, more = {}) =>
    clients.put({ ...client, client_id, expires_at_seconds: 99_999, ...more })
  const claim = (id: string, nowSeconds: number) =>
    clients.claimRenewal({ issuer, resourceOrigin }, id, nowSeconds)
  await put('c1')
  const claims = await Promise.all([1, 2, 3].map(() => claim('c1', 1_000)))
  expect(claims.filter(Boolean)).toHaveLength(1)
  await put('c2', { renewed_at_seconds: 1_000 })
  expect([await claim('c1', 9_000), await claim('c2', 4_599), await claim('c2', 4_600)]).toEqual([
    false,
    false,
    true,
  ])
})

it('the resources of an authorization server are stored for half a year after the last sign-in', async () => {
  const clients = registeredClientRepository(table)
  const issuer = 'https://auth.known.example'
  const resourceOrigin = 'https://mcp.known.example'
  await clients.addResource({ issuer, resourceOrigin }, 1_000)
  await clients.addResource({ issuer, resourceOrigin }, 1_000)
  const end = 1_000 + 183 * 86_400
  expect(await clients.listResources(issuer, end - 1)).toEqual([resourceOrigin])
  expect(await clients.listResources(issuer, end)).toEqual([])
  expect(await clients.listResources('https://auth.other.example', 1_000)).toEqual([])
})

describe('the slots of a user’s custom tools (M8)', () => {
  const rows = () => customToolRepository(table)
  const buildTool = (id: string): CustomToolRow => ({
    id,
    name: id,
    description: '',
    server_url: '',
    masks: {},
    is_active: true,
    created_at: '',
  })
  const fill = async (sub: string, count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `tool-${index}`)
    for (const id of ids) await rows().add(sub, buildTool(id))
  }
  const tooManyTools = { code: 'too_many_custom_servers' }

  it('count tools that are older than the counter', async () => {
    await fill('old', 19)
    await rows().reserveSlot('old', 'a')
    await expect(rows().reserveSlot('old', 'b')).rejects.toMatchObject(tooManyTools)
    await fill('older', 23)
    await expect(rows().reserveSlot('older', 'a')).rejects.toMatchObject(tooManyTools)
  })

  it('are free again after a removal, and some time after an interrupted addition', async () => {
    await fill('busy', 19)
    await rows().reserveSlot('busy', 'broke-off')
    await expect(rows().reserveSlot('busy', 'a')).rejects.toMatchObject(tooManyTools)
    await rows().retire('busy', 'tool-3')
    await rows().reserveSlot('busy', 'a')
    await rows().add('busy', buildTool('a'))
    // repeating it for the same tool, as after a lost response, takes no second slot
    await rows().reserveSlot('busy', 'a')
    await expect(rows().reserveSlot('busy', 'b')).rejects.toMatchObject(tooManyTools)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 121_000 })
    try {
      await rows().reserveSlot('busy', 'b')
    } finally {
      vi.useRealTimers()
    }
  })

  it('stay taken as long as the tools exist', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const ids = Array.from({ length: 20 }, (_, index) => `tool-${index}`)
    for (const id of ids) {
      await rows().reserveSlot('full', id)
      await rows().add('full', buildTool(id))
    }
    vi.setSystemTime(Date.now() + 86_400_000)
    await expect(rows().reserveSlot('full', 'one-more')).rejects.toMatchObject({
      ...tooManyTools,
      message: 'no slot is free',
    })
  })

  it('are reserved by an addition for two minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    for (let count = 0; count < 20; count += 1) await rows().reserveSlot('slow', `tool-${count}`)
    vi.setSystemTime(Date.now() + 120_000)
    await expect(rows().reserveSlot('slow', 'one-more')).rejects.toMatchObject(tooManyTools)
    vi.setSystemTime(Date.now() + 1)
    await rows().reserveSlot('slow', 'one-more')
  })
})

it('the secret of a custom tool is replaced only if nobody has replaced it or removed the tool', async () => {
  const rows = customToolRepository(table)
  const toolFields = {
    name: 'A',
    description: '',
    server_url: '',
    masks: {},
    is_active: true,
    created_at: '',
  }
  await rows.add('lee', { ...toolFields, id: 'keyless' })
  await rows.add('lee', { ...toolFields, id: 'keyed', secret_name: 'one' })
  const replace = (id: string, previousName: string | undefined, secretName: string) =>
    rows.replaceSecret('lee', id, { previousName, secretName, masks: { key: secretName } })
  const notFound = { code: 'tool_not_found', message: 'keyed' }
  await replace('keyless', undefined, 'first')
  await replace('keyed', 'one', 'two')
  // repeated, as after a lost response
  await replace('keyed', 'one', 'two')
  await expect(replace('keyed', 'one', 'three')).rejects.toMatchObject(notFound)
  await expect(replace('keyed', undefined, 'three')).rejects.toMatchObject(notFound)
  await rows.retire('lee', 'keyless')
  await expect(replace('keyless', 'first', 'second')).rejects.toMatchObject({ code: 'tool_not_found' })
  const [keyedTool, keylessTool] = await rows.listAll('lee')
  expect(keyedTool).toMatchObject({ secret_name: 'two', masks: { key: 'two' } })
  expect(keylessTool).toMatchObject({ secret_name: 'first', masks: {}, is_active: false })
})
