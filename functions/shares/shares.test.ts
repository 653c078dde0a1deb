import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Share } from '#shared/contracts/shares.ts'
import { invoke, invokeAs, startTestIssuer } from '../../test/support/invoke.ts'
import { openTestTable } from '../../test/support/table.ts'
import { fileRepository } from '../files/file-repository.ts'
import { openTable, type Table } from '../platform/dynamodb/table.ts'
import { putRow, readRow } from '../platform/dynamodb/rows.ts'
import { updateRow } from '../platform/dynamodb/update-row.ts'
import { siteSettingsKey } from '../platform/site-settings.ts'
import { storageQuota } from '../files/storage-quota.ts'
import { shareRepository, toEpochSeconds } from './share-repository.ts'
import { pagePrefix, snapshotReader } from './snapshot-reader.ts'

const table = await openTestTable()
afterAll(() => table.close())
const shares = shareRepository(table)
vi.mock(import('../platform/dynamodb/table.ts'), { spy: true })
let handler: typeof import('./handlers.ts').handler
let issuer: Awaited<ReturnType<typeof startTestIssuer>>
afterAll(() => issuer.close())
const variables = () => ({
  TABLE_NAME: table.name,
  // 3 views a minute of a link, and 6 of all links of an owner
  RATE_LIMIT_FACTOR: '0.01',
  LOG_LEVEL: 'silent',
  SIGN_UP: 'open',
  ...issuer.environment,
})
const stubEnvironment = () => {
  for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value)
}
beforeEach(stubEnvironment)
beforeAll(async () => {
  issuer = await startTestIssuer()
  vi.mocked(openTable).mockReturnValue(table)
  // the handler reads it when it loads, and with calls
  stubEnvironment()
  ;({ handler } = await import('./handlers.ts'))
})

const dayMs = 86_400_000
const aLink = (endsInMs = dayMs): Share => ({
  id: crypto.randomUUID(),
  session_id: 's',
  audience: 'link',
  secret: randomBytes(32).toString('base64url'),
  title: 'A title',
  message_count: 1,
  created_at: new Date().toISOString(),
  ends_at: new Date(Date.now() + endsInMs).toISOString(),
})
const message = { role: 'user' as const, content: 'Hello', files: 0 }
async function makeLink(sub: string, link = aLink()) {
  expect(await shares.reserve(sub, link, 50, Date.now())).toBe(true)
  await shares.putPage(link, 1, [message])
  return link
}
const view = (secret: string) => invoke(handler, 'shares.view', { body: { secret, page: 1 } })

it('a link that is revoked while it is made is not published, and nothing of it is left', async () => {
  const sub = crypto.randomUUID()
  const link = await makeLink(sub)
  // a revocation that has got as far as its mark
  const { client } = table
  const halfRevoked = shareRepository({
    ...table,
    client: {
      send: async (command: never) => {
        const { name } = (command as object).constructor
        if (name !== 'UpdateCommand') throw new Error('the function died')
        return client.send(command)
      },
    } as Table['client'],
  })
  await expect(halfRevoked.remove(sub, link)).rejects.toThrow('died')
  expect(await shares.publish(sub, link, 1)).toBe(false)
  expect(
    await snapshotReader(table).find(link.secret, { nowMs: Date.now(), isSignedIn: false }),
  ).toBeUndefined()
  expect(await shares.list(sub, Date.now())).toEqual([])
})

it('a link that is revoked while it is read is not found', async () => {
  const sub = crypto.randomUUID()
  const link = await makeLink(sub)
  await shares.publish(sub, link, 1)
  expect((await view(link.secret)).body).toMatchObject({ messages: [message], next: null })
  const { client } = table
  const send = client.send.bind(client)
  const racing = vi.spyOn(client, 'send').mockImplementation((async (command: never) => {
    // its head is read already, its page is not
    if (JSON.stringify(command).includes(pagePrefix(1))) {
      racing.mockRestore()
      await shares.revoke(sub, link.id)
    }
    return send(command)
  }) as never)
  const { statusCode, body } = await view(link.secret)
  expect([statusCode, body['code']]).toEqual([404, 'share_not_found'])
})

it('lists no link that has ended, and gives its part of the storage back with the next one', async () => {
  const sub = crypto.randomUUID()
  const ended = aLink(1_000)
  const quota = storageQuota(table, undefined)
  await quota.reserveText(sub, ended.id, 500, toEpochSeconds(ended.ends_at) + 3_600)
  await makeLink(sub, ended)
  await shares.publish(sub, ended, 1)
  expect(await shares.list(sub, Date.now())).toHaveLength(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 })
  expect(await shares.list(sub, Date.now())).toEqual([])
  expect((await fileRepository(table).listWithStorage(sub)).storage.used_bytes).toBe(500)
  await makeLink(sub)
  expect((await fileRepository(table).listWithStorage(sub)).storage.used_bytes).toBe(0)
  vi.useRealTimers()
})

it('limits the views of a link, and of all links of its owner together', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T10:00:10Z') })
  const [ann, bob] = [crypto.randomUUID(), crypto.randomUUID()]
  const links: Share[] = []
  for (const sub of [ann, ann, ann, bob]) {
    const link = await makeLink(sub)
    await shares.publish(sub, link, 1)
    links.push(link)
  }
  const [one, two, three, others] = links.map(({ secret }) => secret)
  const statuses: number[] = []
  for (const secret of [one, one, one, one, two, two, two, three, others])
    statuses.push((await view(secret ?? '')).statusCode)
  expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 200, 429, 200])
  const { headers, body } = await view(three ?? '')
  expect([headers['retry-after'], body['code']]).toEqual(['50', 'too_many_requests'])
  expect(body['error']).toContain('this person')
  vi.useRealTimers()
})

it('tells with each page of a link which one is next', async () => {
  const sub = crypto.randomUUID()
  const link = await makeLink(sub)
  await shares.putPage(link, 2, [{ ...message, content: 'Bye' }])
  await shares.publish(sub, link, 2)
  const read = async (page: number) =>
    (await invoke(handler, 'shares.view', { body: { secret: link.secret, page } })).body
  expect(await read(1)).toMatchObject({ messages: [{ content: 'Hello' }], next: 2 })
  expect(await read(2)).toMatchObject({ messages: [{ content: 'Bye' }], next: null })
  expect(await read(3)).toMatchObject({ code: 'share_not_found' })
})

it('a link for people is shown to those who are signed in, and asks visitors to sign in', async () => {
  const sub = crypto.randomUUID()
  const link = await makeLink(sub, { ...aLink(), audience: 'people' })
  await shares.publish(sub, link, 1)
  const { statusCode, body } = await view(link.secret)
  expect([statusCode, body['code']]).toEqual([401, 'sign_in_required'])
  await putRow(table, { PK: 'CONF', SK: 'SITE', origin: 'https://juno.example', clientId: issuer.clientId })
  const shown = await invokeAs(issuer, handler, 'shares.view', { body: { secret: link.secret, page: 1 } })
  expect(shown).toMatchObject({ statusCode: 200, body: { messages: [message] } })
})

it('lists the newest link first, none that is being made, and one whose revocation was interrupted', async () => {
  const sub = crypto.randomUUID()
  const at = (second: number) => ({
    ...aLink(),
    created_at: new Date(Date.now() - 10_000 + second * 1_000).toISOString(),
  })
  const [old, revoked, newest] = [at(1), at(2), at(3)]
  for (const link of [newest, old, revoked]) {
    await makeLink(sub, link)
    await shares.publish(sub, link, 1)
  }
  const row = (id: string) => ({ PK: `U#${sub}`, SK: `SHARE#${id}` })
  await updateRow(table, row(revoked.id), { update: 'SET #state = :state', values: { ':state': 'revoked' } })
  const making = { ...aLink(), message_count: 5 }
  await putRow(table, { ...making, ...row(making.id), state: 'making' })
  const unpublished = { ...aLink(), message_count: 0 }
  await putRow(table, { ...unpublished, ...row(unpublished.id), state: 'revoked' })
  expect(await shares.list(sub, Date.now())).toEqual([newest, revoked, old])
})

it('links that have ended, or whose creation was interrupted, need no room', async () => {
  const sub = crypto.randomUUID()
  const reserve = (link: Share) => shares.reserve(sub, link, 2, Date.now())
  const [working, ended, died] = [
    aLink(),
    aLink(-1_000),
    { ...aLink(), created_at: new Date(Date.now() - 61_000).toISOString() },
  ]
  const row = (id: string) => ({ PK: `U#${sub}`, SK: `SHARE#${id}` })
  await putRow(table, { ...working, ...row(working.id), state: 'published' })
  await putRow(table, { ...ended, ...row(ended.id), state: 'published' })
  await putRow(table, { ...died, ...row(died.id), state: 'making' })
  expect(await reserve(aLink())).toBe(true)
  expect(await readRow(table, row(ended.id))).toBeUndefined()
  expect(await readRow(table, row(died.id))).toBeUndefined()
  const third = aLink()
  expect(await reserve(third)).toBe(false)
  expect(await readRow(table, row(third.id))).toBeUndefined()
})

it('the rows of a link end with it', async () => {
  const sub = crypto.randomUUID()
  const link = { ...aLink(), ends_at: '2030-01-01T00:00:00.500Z' }
  await makeLink(sub, link)
  expect(await readRow(table, { PK: `U#${sub}`, SK: `SHARE#${link.id}` })).toMatchObject({
    ttl: Date.UTC(2030, 0) / 1_000 + 1,
  })
})

it('tells the page about the site: as configured, then as administrators have set it', async () => {
  const read = async () => (await invoke(handler, 'site.read')).body
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T10:00:00Z') })
  expect(await read()).toEqual({ notice: null, signUp: 'open', replies: 'on' })
  const notice = { text: 'Back at noon', kind: 'warning', until: '2026-11-20T12:00:00.000Z' }
  await putRow(table, { ...siteSettingsKey, signUp: 'closed', replies: 'off', schedules: 'off', notice })
  vi.setSystemTime(Date.parse('2026-11-20T10:01:00Z'))
  expect(await read()).toEqual({ notice, signUp: 'closed', replies: 'off', schedules: 'off' })
  await putRow(table, { ...siteSettingsKey, schedules: 'on', notice })
  vi.setSystemTime(Date.parse('2026-11-20T12:00:00Z'))
  expect(await read()).toEqual({ notice: null, signUp: 'open', replies: 'on' })
  vi.useRealTimers()
})
