import { expect, it } from 'vitest'
import { openSharedStores } from '../../test/support/conversations.ts'
import { deleteConversation, deleteConversations } from './delete-conversation.ts'

const stores = await openSharedStores()

async function createUserWith(...sessionIds: string[]): Promise<string> {
  const sub = crypto.randomUUID()
  for (const sessionId of sessionIds)
    await stores.conversations.upsert(sub, sessionId, {
      title: 'Tea',
      addedMessages: 1,
      at: '2026-03-01T10:00:00.000Z',
      replacesTitle: false,
    })
  return sub
}
const listStoredIds = async (sub: string) => (await stores.conversations.list(sub)).map(({ id }) => id)
const neverTimeUp = () => false
const deleteAll = async (sub: string, isTimeUp = neverTimeUp, changes: Partial<typeof stores> = {}) =>
  deleteConversations(
    { ...stores, ...changes },
    { sub, sessionIds: await stores.conversations.listIds(sub) },
    isTimeUp,
  )

it('stops when the function’s time is up, and returns how many are left', async () => {
  const sub = await createUserWith('one', 'two', 'three')
  let checks = 0
  const isTimeUpAfterTwo = () => (checks += 1) > 2
  expect(await deleteAll(sub, isTimeUpAfterTwo)).toEqual({ deleted: 2, remaining: 1 })
  expect(await listStoredIds(sub)).toHaveLength(1)
  expect(await deleteAll(sub)).toEqual({ deleted: 1, remaining: 0 })
  expect(await listStoredIds(sub)).toEqual([])
})

it('counts a listed conversation whose row is gone as deleted', async () => {
  const sub = await createUserWith('one', 'two')
  const sessionIds = ['deleted-long-ago', ...(await stores.conversations.listIds(sub))]
  expect(await deleteConversations(stores, { sub, sessionIds }, neverTimeUp)).toEqual({
    deleted: 3,
    remaining: 0,
  })
  expect(await listStoredIds(sub)).toEqual([])
})

it('fails when the table fails, and can be repeated', async () => {
  const sub = await createUserWith('one', 'two')
  const down = new Error('the table is down')
  const messages = { ...stores.messages, deleteAll: () => Promise.reject(down) }
  await expect(deleteAll(sub, neverTimeUp, { messages })).rejects.toBe(down)
  // a conversation whose deletion was begun is finished by the next call
  expect(await deleteAll(sub)).toMatchObject({ remaining: 0 })
  expect(await listStoredIds(sub)).toEqual([])
  await expect(deleteConversation(stores, { sub, sessionId: 'one' })).resolves.toBeUndefined()
})

it('reads the files of the user once for ten conversations', async () => {
  const sub = await createUserWith(...Array.from({ length: 21 }, (_, index) => `c${index}`))
  const read: (readonly string[])[] = []
  const files = {
    ...stores.files,
    deleteConversationFiles: async (_: string, ids: readonly string[]) => void read.push(ids),
  }
  expect(await deleteAll(sub, neverTimeUp, { files })).toEqual({ deleted: 21, remaining: 0 })
  expect(read.map(({ length }) => length)).toEqual([10, 10, 1])
  expect(new Set(read.flat()).size).toBe(21)
})
