import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestSecrets } from '../../../test/support/secrets.ts'
import { openTestTable } from '../../../test/support/table.ts'
import { watchBackends } from '../../../test/support/vault-backends.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { sealer } from '../../platform/secrets/seal.ts'
import { orderBackends, maskCredentials, type SecretBackend, vault, type VaultKind } from './vault.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
let secrets: Awaited<ReturnType<typeof openTestSecrets>>
beforeAll(async () => {
  ;[table, secrets] = await Promise.all([openTestTable(), openTestSecrets()])
})
afterAll(() => Promise.all([table.close(), secrets.close()]))

const openSealer = (...lines: string[]) => sealer({ read: async () => lines.join('\n') }, 'name')
const openBackends = (keySealer = openSealer('key')) =>
  watchBackends(table, { sealer: keySealer, client: secrets.client })
const getOtherKind = (kind: VaultKind): VaultKind => (kind === 'table' ? 'secrets' : 'table')
const credentials = { apiKey: 'ntn_secret', 'field:team': 'red' }

describe.each(['secrets', 'table'] as const)('INFRA-06 the vault in the %s', (kind) => {
  let vaultWatch: ReturnType<typeof openBackends>
  let sub: string
  beforeEach(() => {
    vaultWatch = openBackends()
    sub = randomUUID()
  })
  afterEach(() => {
    vaultWatch.faults.step = undefined
  })
  const openVault = () => vault(orderBackends(kind, vaultWatch.backends), 'stage/vault')
  const getBackend = () => vaultWatch.backends[kind]

  it('returns stored values, under a name with user and integration in it', async () => {
    const name = await openVault().store(sub, 'notion', credentials)
    expect(name).toMatch(new RegExp(`^stage/vault/${sub}/notion/[0-9a-f]{24}$`))
    expect(await openVault().read(sub, name)).toEqual(credentials)
    expect(await vaultWatch.listStored(getOtherKind(kind), sub)).toEqual([])
  })

  it.each([
    ['no fields', {}],
    ['an empty value', { apiKey: '' }],
    ['any alphabet', { pässwörd: 'ключ 鍵 🔑 \u0000 \u202e "\\' }],
    ['names of Object.prototype', { constructor: 'y', toString: 'z' }],
    ['the largest value that Secrets Manager accepts', { key: 'ä'.repeat(32_763) }],
  ])('stores %s', async (_, values) => {
    const name = await openVault().store(sub, 'notion', values as Record<string, string>)
    expect(JSON.stringify(await openVault().read(sub, name))).toBe(JSON.stringify(values))
  })

  it('refuses more than fits into either backend, and stores none of it', async () => {
    await expect(openVault().store(sub, 'notion', { key: 'ä'.repeat(32_764) })).rejects.toThrow('too large')
    expect(await vaultWatch.listStored(kind, sub)).toEqual([])
  })

  it('stores values twice under different names, and deletes each by its name', async () => {
    const first = await openVault().store(sub, 'notion', credentials)
    const second = await openVault().store(sub, 'notion', { apiKey: 'second' })
    expect(second).not.toBe(first)
    await openVault().remove(sub, first)
    await expect(openVault().read(sub, first)).rejects.toThrow('no longer exist')
    expect(await openVault().read(sub, second)).toEqual({ apiKey: 'second' })
  })

  it('DEC-100 reads and removes a name only for its own user', async () => {
    const name = await openVault().store(sub, 'notion', credentials)
    const stranger = randomUUID()
    const refusal = 'belongs to another user'
    await expect(openVault().read(stranger, name)).rejects.toThrow(refusal)
    await expect(openVault().remove(stranger, name)).rejects.toThrow(refusal)
    await expect(openVault().read(stranger, name.replace(sub, stranger))).rejects.toThrow('no longer exist')
    await openVault().remove(stranger, name.replace(sub, stranger))
    expect(await openVault().read(sub, name)).toEqual(credentials)
  })

  it.each(['', 'notion', `stage/vault//notion/00`, `stage/vault/sub/notion/`])(
    'refuses the name %j',
    async (name) => {
      await expect(openVault().read('sub', name)).rejects.toThrow('belongs to another user')
      await expect(openVault().remove('sub', name)).rejects.toThrow('belongs to another user')
    },
  )

  it('removes a secret, and succeeds if it is already gone', async () => {
    const name = await openVault().store(sub, 'notion', credentials)
    await openVault().remove(sub, name)
    await openVault().remove(sub, name)
    await openVault().remove(sub, `stage/vault/${sub}/never/0123`)
    expect(await getBackend().find(sub, name)).toBeUndefined()
    expect(await vaultWatch.listStored(kind, sub)).toEqual([])
  })

  it('never overwrites a name with other values, and accepts the same values again', async () => {
    const name = `stage/vault/${sub}/notion/0123`
    await getBackend().put(sub, name, credentials)
    await getBackend().put(sub, name, { ...credentials })
    await expect(getBackend().put(sub, name, { apiKey: 'other' })).rejects.toThrow(
      /already exists|conditional request failed/,
    )
    expect(await getBackend().find(sub, name)).toEqual(credentials)
  })

  it('lets one of two concurrent writes under one name win', async () => {
    const name = `stage/vault/${sub}/notion/4567`
    const results = await Promise.allSettled([
      getBackend().put(sub, name, { apiKey: 'a' }),
      getBackend().put(sub, name, { apiKey: 'b' }),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const winner = results[0].status === 'fulfilled' ? 'a' : 'b'
    expect(await getBackend().find(sub, name)).toEqual({ apiKey: winner })
  })

  it('reports a failing step, and does not treat it as a missing value', async () => {
    const name = await openVault().store(sub, 'notion', credentials)
    vaultWatch.faults.step = 'find'
    await expect(openVault().read(sub, name)).rejects.toThrow('the store is down')
    vaultWatch.faults.step = 'remove'
    await expect(openVault().remove(sub, name)).rejects.toThrow('the store is down')
    vaultWatch.faults.step = 'put'
    await expect(openVault().store(sub, 'notion', credentials)).rejects.toThrow('the store is down')
    vaultWatch.faults.step = undefined
    expect(await openVault().read(sub, name)).toEqual(credentials)
    expect(await vaultWatch.listStored(kind, sub)).toEqual([credentials])
  })

  it('finds and removes what is in the other backend, and what moves while it is read', async () => {
    const name = await vault(orderBackends(getOtherKind(kind), vaultWatch.backends), 'stage/vault').store(
      sub,
      'notion',
      credentials,
    )
    expect(await openVault().read(sub, name)).toEqual(credentials)
    const otherBackend = vaultWatch.backends[getOtherKind(kind)]
    const slowBackend: SecretBackend = {
      ...otherBackend,
      async find(...keys) {
        // it is copied and deleted between the two reads
        await getBackend().put(sub, name, credentials)
        await otherBackend.remove(sub, name)
        return otherBackend.find(...keys)
      },
    }
    const orderedBackends = orderBackends(kind, {
      [kind]: getBackend(),
      [getOtherKind(kind)]: slowBackend,
    } as Record<VaultKind, SecretBackend>)
    expect(await vault(orderedBackends, 'stage/vault').read(sub, name)).toEqual(credentials)
    await vaultWatch.backends[getOtherKind(kind)].put(sub, name.replace(/.{4}$/, '0000'), credentials)
    await openVault().remove(sub, name.replace(/.{4}$/, '0000'))
    await openVault().remove(sub, name)
    expect([
      ...(await vaultWatch.listStored(kind, sub)),
      ...(await vaultWatch.listStored(getOtherKind(kind), sub)),
    ]).toEqual([])
  })
})

describe('in the table', () => {
  const listRows = (sub: string) => queryAll(table, { partition: `U#${sub}` })
  const location = { id: 'notion', prefix: 'stage/vault' }
  const storeCredentials = async (sub: string, keySealer = openSealer('key')) => {
    const { backends } = openBackends(keySealer)
    return vault(orderBackends('table', backends), location.prefix).store(sub, location.id, credentials)
  }
  const read = (sub: string, name: string, keySealer = openSealer('key')) =>
    openBackends(keySealer).backends.table.find(sub, name)

  it('stores a value as one sealed row of the user', async () => {
    const sub = randomUUID()
    await storeCredentials(sub)
    const rows = await listRows(sub)
    expect(rows).toHaveLength(1)
    expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(['PK', 'SK', 'sealed', 'stored_at'])
    expect(JSON.stringify(rows)).not.toContain('ntn_secret')
  })

  it.each([
    ['another user', (name: string, sub: string) => name.replace(sub, randomUUID())],
    ['another integration', (name: string) => name.replace('notion', 'stripe')],
    ['another version', (name: string) => name.replace(/.{4}$/, '0000')],
  ])('does not open a row that is copied to %s', async (_, renameSecret) => {
    const sub = randomUUID()
    const name = await storeCredentials(sub)
    const [row] = await listRows(sub)
    const target = renameSecret(name, sub)
    const [version, id, owner = ''] = target.split('/').toReversed()
    const Item = { ...row, PK: `U#${owner}`, SK: `V#${id}#${version}` }
    await table.client.send(new PutCommand({ TableName: table.name, Item }))
    await expect(read(owner, target)).rejects.toThrow('authenticate data')
    expect(await read(sub, name)).toEqual(credentials)
  })

  it('opens what an old key sealed, and seals with the new one', async () => {
    const sub = randomUUID()
    const oldName = await storeCredentials(sub, openSealer('old'))
    const bothKeys = openSealer('new', 'old')
    expect(await read(sub, oldName, bothKeys)).toEqual(credentials)
    const newName = await storeCredentials(sub, bothKeys)
    expect(await read(sub, newName, openSealer('new'))).toEqual(credentials)
    await expect(read(sub, oldName, openSealer('new'))).rejects.toThrow('unknown key id')
  })

  it('reports a sealing key that cannot be read, and does not treat the value as missing', async () => {
    const sub = randomUUID()
    const name = await storeCredentials(sub)
    const failingSealer = sealer({ read: () => Promise.reject(new Error('denied')) }, 'name')
    await expect(read(sub, name, failingSealer)).rejects.toMatchObject({ code: 'secrets_unavailable' })
    await expect(storeCredentials(sub, failingSealer)).rejects.toMatchObject({ code: 'secrets_unavailable' })
    expect(await listRows(sub)).toHaveLength(1)
  })
})

it('DEC-085 masks show at most four characters, and only of long values', () => {
  expect(maskCredentials({ short: 'fifteen chars!!', long: 'sixteen chars!!!', none: '' })).toEqual({
    short: '••••••••',
    long: '••••s!!!',
  })
})
