import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Share } from '#shared/contracts/shares.ts'
import { invoke } from '../../test/support/invoke.ts'
import { openTestTable } from '../../test/support/table.ts'
import { fileRepository } from '../files/file-repository.ts'
import { openTable, type Table } from '../platform/dynamodb/table.ts'
import { storageQuota } from '../files/storage-quota.ts'
import { shareRepository, toEpochSeconds } from './share-repository.ts'
import { pagePrefix, snapshotReader } from './snapshot-reader.ts'

const table = await openTestTable()
afterAll(() => table.close())
const shares = shareRepository(table)
vi.mock(import('../platform/dynamodb/table.ts'), { spy: true })
let handler: typeof import('./handlers.ts').handler
beforeAll(async () => {
  vi.mocked(openTable).mockReturnValue(table)
  vi.stubEnv('TABLE_NAME', table.name)
  // 3 views a minute of a link, and 6 of all links of an owner
  vi.stubEnv('RATE_LIMIT_FACTOR', '0.01')
  vi.stubEnv('LOG_LEVEL', 'silent')
  vi.stubEnv('SIGN_UP', 'open')
  vi.stubEnv('TOKEN_ISSUER', 'https://issuer.example')
  vi.stubEnv('JWKS_URI', 'https://issuer.example/jwks.json')
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
