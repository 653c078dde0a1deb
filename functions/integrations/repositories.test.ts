import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { credentialRepository } from './credential-repository.ts'
import { type Connection, integrationRepository } from './integration-repository.ts'
import { oauthStateRepository } from './oauth-state-repository.ts'
import { registeredClientRepository } from './registered-client-repository.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const connection: Connection = {
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
  it('DATA-24 DATA-27 DATA-32 are one row per integration: connecting again keeps its beginning', async () => {
    const rows = integrationRepository(table)
    await rows.connect('ann', 'slack', connection, '2026-01-01T00:00:00.000Z')
    const again = { ...connection, token_status: 'invalid' } as const
    await rows.connect('ann', 'slack', again, '2026-02-01T00:00:00.000Z')
    expect(await rows.list('ann')).toEqual([
      {
        ...again,
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

  it('DATA-29 DATA-30 DATA-31 are read by user and integration, one or none', async () => {
    const rows = integrationRepository(table)
    expect(await rows.find('ann', 'slack')).toMatchObject({ mcp_name: 'Slack', status: 'connected' })
    expect(await rows.find('ann', 'gmail')).toBeUndefined()
    expect(await rows.find('bob', 'slack')).toBeUndefined()
    expect(await rows.list('bob')).toEqual([])
  })

  it('DATA-33 DATA-34 change their status, and go by their ids; what is gone stays gone', async () => {
    const rows = integrationRepository(table)
    const status = { status: 'disconnected', tokenStatus: 'inactive' } as const
    expect(await rows.setStatus('ann', 'slack', status, '2026-03-01T00:00:00.000Z')).toMatchObject({
      status: 'disconnected',
      token_status: 'inactive',
      updated_at: '2026-03-01T00:00:00.000Z',
    })
    await rows.remove('ann', 'slack')
    expect(await rows.find('ann', 'slack')).toBeUndefined()
    await expect(rows.setStatus('ann', 'slack', status, '')).rejects.toMatchObject({
      code: 'integration_not_found',
    })
    expect(await rows.find('ann', 'slack')).toBeUndefined()
  })
})

describe('a user’s credentials', () => {
  it('CRED-09 CRED-10 are kept by integration, with their status and when the person must act', async () => {
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
    expect(await rows.replace('cleo', 'slack', { ...credential, version: 'v2' })).toEqual(['one'])
    expect(await rows.remove('cleo', 'slack')).toMatchObject({ version: 'v2' })
    expect(await rows.find('cleo', 'slack')).toBeUndefined()
  })

  it('a lease is one caller’s, for the tokens that it saw, until its end', async () => {
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
    // whose lease is over stores nothing
    expect(
      await rows.renew('dora', 'slack', { owner: 'first', version: 'v1' }, { ...tokens, ...times }, ''),
    ).toBe(false)
    expect(
      await rows.renew('dora', 'slack', { owner: 'second', version: 'v1' }, { ...tokens, ...times }, ''),
    ).toBe(true)
    expect(await rows.find('dora', 'slack')).toMatchObject({ version: 'v2', sealed: 's' })
  })
})

it('OAUTH-23 DEC-087 a state is used once, by its user, for its redirect, within ten minutes', async () => {
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
})

it('a registered client is known for its server and its redirect, until its end', async () => {
  const clients = registeredClientRepository(table)
  const registered = {
    issuer: 'https://auth.example.com',
    client_id: 'c1',
    client_auth: 'post',
    redirect_uri: 'https://x/cb',
    expires_at_seconds: 2_000,
  } as const
  await clients.put(registered)
  const find = (issuer: string, parts: object = {}) =>
    clients.find(issuer, { redirectUri: 'https://x/cb', nowSeconds: 1_999, ...parts })
  expect(await find(registered.issuer)).toEqual(registered)
  expect(await find('https://other.example.com')).toBeUndefined()
  expect(await find(registered.issuer, { redirectUri: 'https://y/cb' })).toBeUndefined()
  expect(await find(registered.issuer, { nowSeconds: 2_000 })).toBeUndefined()
  await clients.forget(registered.issuer)
  expect(await find(registered.issuer)).toBeUndefined()
})
