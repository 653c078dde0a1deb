import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { redirectUri } from '../../test/support/integration-functions.ts'
import { openOAuthConnections } from '../../test/support/oauth-connections.ts'
import { parseForm } from '../../test/support/recording-server.ts'
import { connect as connectWithKey } from './connect.ts'
import { sealTokens } from './credentials/seal-tokens.ts'
import { deleteUserCredentials, disconnect as disconnectStored } from './disconnect.ts'
import { exchangeCode } from './oauth/exchange.ts'
import { TooManySecrets } from './store/errors.ts'

/** How credentials go, and how grants end that are not stored. */

const { advanceMinutes, connect, disconnect, getUser, harness, readConnection, readCredential, readTokens } =
  await openOAuthConnections()

const manage = (body: object) => getUser().call('credentials.manage', { body })
const listRevoked = (mcpId: string) =>
  harness.providers
    .takeRequests()
    .filter(({ path }) => path.startsWith(`/${mcpId}/revoke`))
    .map((request) => parseForm(request)['token'])

/** Each way by which a user's credential goes without another in its place. */
const waysOut: [string, () => Promise<unknown>][] = [
  ['disconnect', () => disconnect('gmail')],
  ['the deletion of its values', () => manage({ action: 'delete', mcpId: 'gmail' })],
  ['the erasure of the account', () => deleteUserCredentials(harness.stores, getUser().sub, () => false)],
  [
    'the cleanup of an incomplete row',
    async () => {
      const { mcp_name: _, SK, ...row } = (await readConnection('gmail')) ?? {}
      await getUser().putRow(String(SK), row)
      await getUser().call('integrations.cleanup', { body: {} })
    },
  ],
  [
    'the cleanup after an interrupted disconnect',
    async () => {
      const { SK, ...row } = (await readConnection('gmail')) ?? {}
      await getUser().putRow(String(SK), { ...row, status: 'disconnected' })
      advanceMinutes(11)
      await getUser().call('integrations.cleanup', { body: {} })
    },
  ],
  [
    'the cleanup after an interrupted sign-in',
    async () => {
      await harness.stores.integrations.remove(getUser().sub, 'gmail')
      advanceMinutes(11)
      await getUser().call('integrations.cleanup', { body: {} })
    },
  ],
]

describe.each(waysOut)('a credential that goes by %s', (_, end) => {
  it('is revoked and deleted with its values', async () => {
    await connect('gmail')
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    await end()
    expect(listRevoked('gmail')).toEqual(['refresh-1'])
    expect([await getUser().rows('C#'), await getUser().readVault()]).toEqual([[], []])
  })

  it('stays when the user has connected again meanwhile', async () => {
    await connect('gmail')
    let isFirst = true
    harness.providers.script('POST /gmail/revoke', async () => {
      if (isFirst) await connect('gmail', undefined, { refresh_token: 'refresh-new' })
      isFirst = false
      return { status: 200 }
    })
    await end()
    expect(await readTokens('gmail')).toMatchObject({ refreshToken: 'refresh-new' })
    expect(await getUser().readVault()).toEqual([{ clientSecret: 'my-secret' }])
  })

  it('is revoked once more when it was refreshed meanwhile', async () => {
    await connect('gmail')
    const { credentials, sealer } = harness.stores
    const { sub } = getUser()
    let isFirst = true
    harness.providers.script('POST /gmail/revoke', async () => {
      const { version = '' } = isFirst ? ((await credentials.find(sub, 'gmail')) ?? {}) : {}
      const granted = {
        accessToken: 'access-2',
        refreshToken: 'refresh-2',
        instanceUrl: undefined,
        expiresInSeconds: undefined,
        grantExpiresInSeconds: undefined,
      }
      const owner = { sub, mcpId: 'gmail' }
      const authorizationServer = { expiresInSeconds: null } as Parameters<
        typeof sealTokens
      >[3]['authorizationServer']
      const now = new Date()
      const tokens = await sealTokens(sealer, owner, granted, {
        authorizationServer,
        carriedOver: {},
        now,
      })
      if (isFirst) await credentials.storeRefreshedTokens(sub, 'gmail', version, tokens, now.toISOString())
      isFirst = false
      return { status: 200 }
    })
    await end()
    expect(listRevoked('gmail')).toEqual(['refresh-1', 'refresh-2'])
    expect([await getUser().rows('C#'), await getUser().readVault()]).toEqual([[], []])
  })

  it('goes once when it goes twice at the same time', async () => {
    await connect('gmail')
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    await Promise.allSettled([end(), end()])
    expect([await getUser().rows('C#'), await getUser().readVault()]).toEqual([[], []])
  })

  it('is found by the next attempt when its values could not be deleted', async () => {
    await connect('gmail')
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    const vault = { ...harness.stores.vault, remove: () => Promise.reject(new Error('down')) }
    await expect(disconnectStored({ ...harness.stores, vault }, getUser().sub, 'gmail')).rejects.toThrow(
      'down',
    )
    expect(await getUser().rows('C#')).toHaveLength(1)
    await end()
    expect([await getUser().rows('C#'), await getUser().readVault()]).toEqual([[], []])
  })
})

it('the values are shown as missing unless they were entered again while they were deleted', async () => {
  await connect('gmail')
  harness.providers.script('POST /gmail/revoke', async () => {
    await manage({ action: 'store', mcpId: 'gmail', credentials: { apiKey: 'a key' } })
    return { status: 200 }
  })
  await manage({ action: 'delete', mcpId: 'gmail' })
  expect(await readConnection('gmail')).toMatchObject({ token_status: 'active' })
  expect(await readCredential('gmail')).toMatchObject({ masks: { apiKey: '••••••••' } })
})

describe('a grant whose place another credential takes', () => {
  it.each<[string, () => Promise<unknown>, string[]]>([
    [
      'entered values',
      () => manage({ action: 'store', mcpId: 'gmail', credentials: { apiKey: 'a key' } }),
      ['refresh-1'],
    ],
    [
      'a sign-in with another client',
      () =>
        connect('gmail', { clientId: 'another-app', clientSecret: 'other' }, { refresh_token: 'refresh-2' }),
      ['refresh-1'],
    ],
    // its revocation would end the new one at many providers
    ['a sign-in with the same client', () => connect('gmail', undefined, { refresh_token: 'refresh-2' }), []],
  ])('is revoked if it is not the same: %s', async (_, replace, revoked) => {
    await connect('gmail')
    const seen: string[] = []
    harness.providers.script('POST /gmail/revoke', ({ body }) => {
      seen.push(parseForm({ body })['token'] ?? '')
      return { status: 200 }
    })
    await replace()
    expect(seen).toEqual(revoked)
    expect(await getUser().readVault()).toHaveLength(1)
  })

  it('is revoked when a key replaces a one-click sign-in', async () => {
    const { sub } = getUser()
    const { sealer, credentials } = harness.stores
    const version = randomUUID()
    const tokens = JSON.stringify({ accessToken: 'access-1', refreshToken: 'refresh-1' })
    await credentials.replace(sub, 'airtable', {
      version,
      status: 'active',
      masks: {},
      sealed: await sealer.seal(tokens, `tokens|${sub}|airtable|${version}`),
      refreshable: true,
      client_id: 'registered',
      server: {
        url: `${harness.providers.url}/airtable/mcp`,
        issuer: harness.providers.url,
        names_itself: false,
        token_url: `${harness.providers.url}/airtable/token`,
        revoke_url: `${harness.providers.url}/airtable/revoke`,
        client_auth: 'post',
      },
      updated_at: new Date().toISOString(),
    })
    harness.providers.script('GET /airtable/api/meta/whoami', { body: { id: 'usr' } })
    harness.providers.script('POST /airtable/revoke', { status: 200 })
    const { row } = await connectWithKey(harness.stores, sub, {
      mcpId: 'airtable',
      environment: 'production',
      credentials: { accessToken: 'pat-secret' },
      parameters: {},
    })
    expect(row.token_status).toBe('active')
    expect(listRevoked('airtable')).toEqual(['refresh-1'])
  })
})

describe('a grant that could not be stored', () => {
  const start = async () => {
    harness.scriptTokens('gmail', { refresh_token: 'refresh-new' })
    harness.providers.script('POST /gmail/revoke', { status: 200 })
    const { body } = await getUser().call('oauth.handle', {
      body: {
        action: 'initiate',
        mcpId: 'gmail',
        redirectUri,
        environment: 'production',
        clientId: 'my-app',
        clientSecret: 'my-secret',
      },
    })
    return new URL(String(body['authUrl'])).searchParams.get('state') ?? ''
  }
  const exchange = (state: string, stores: object = {}) =>
    exchangeCode({ ...harness.stores, ...stores }, getUser().sub, {
      code: 'the-code',
      state,
      redirectUri,
      iss: undefined,
    })
  const down = () => Promise.reject(new Error('down'))
  const { credentials, vault } = harness.stores
  const failures: [string, object, object][] = [
    [
      'the table does not take it',
      { credentials: { ...credentials, replace: down } },
      { code: 'credentials_not_stored' },
    ],
    [
      'the vault does not take its secret',
      { vault: { ...vault, store: down } },
      { code: 'credentials_not_stored' },
    ],
    [
      'there are too many secrets',
      { vault: { ...vault, store: () => Promise.reject(new TooManySecrets('full')) } },
      { code: 'too_many_secrets' },
    ],
    ['it cannot be encrypted', { sealer: { ...harness.stores.sealer, seal: down } }, { message: 'down' }],
    [
      'nothing more can be read',
      { credentials: { ...credentials, find: down, replace: down, list: down } },
      { message: 'down' },
    ],
  ]

  it.each(failures)('is revoked: %s', async (_, stores, error) => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(exchange(await start(), stores)).rejects.toMatchObject(error)
    expect(listRevoked('gmail')).toEqual(['refresh-new'])
    expect([await getUser().rows('C#'), await getUser().readVault()]).toEqual([[], []])
  })

  it('stays when its revocation would end the connection that the user has', async () => {
    await connect('gmail')
    await expect(exchange(await start(), failures[0]?.[1])).rejects.toMatchObject(failures[0]?.[2] ?? {})
    expect(listRevoked('gmail')).toEqual([])
    expect(await readTokens('gmail')).toMatchObject({ refreshToken: 'refresh-1' })
  })

  it('stays when it is stored and only its connection is not: the next sign-in or the cleanup finds it', async () => {
    const integrations = { ...harness.stores.integrations, connect: down }
    await expect(exchange(await start(), { integrations })).rejects.toThrow('down')
    expect(listRevoked('gmail')).toEqual([])
    expect(await readTokens('gmail')).toMatchObject({ refreshToken: 'refresh-new' })
  })
})
