import { expect, it } from 'vitest'
import { openSharedStores } from '../../test/support/conversations.ts'
import { deleteConversation } from '../conversations/delete-conversation.ts'
import { deleteConversations } from './delete-conversations.ts'

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

it('stops when the function’s time is up, and returns how many are left', async () => {
  const sub = await createUserWith('one', 'two', 'three')
  let checks = 0
  const isTimeUpAfterTwo = () => (checks += 1) > 2
  expect(await deleteConversations(stores, sub, isTimeUpAfterTwo)).toEqual({ deleted: 2, remaining: 1 })
  expect(await listStoredIds(sub)).toHaveLength(1)
  expect(await deleteConversations(stores, sub, neverTimeUp)).toEqual({ deleted: 1, remaining: 0 })
  expect(await listStoredIds(sub)).toEqual([])
})

it('counts a listed conversation whose row is gone as deleted', async () => {
  const sub = await createUserWith('one', 'two')
  const conversations = {
    ...stores.conversations,
    async listIds() {
      const ids = await stores.conversations.listIds(sub)
      return ['deleted-long-ago', ...ids]
    },
  }
  expect(await deleteConversations({ ...stores, conversations }, sub, neverTimeUp)).toEqual({
    deleted: 3,
    remaining: 0,
  })
  expect(await listStoredIds(sub)).toEqual([])
})

it('fails when the table fails, and can be repeated', async () => {
  const sub = await createUserWith('one', 'two')
  const down = new Error('the table is down')
  const messages = { ...stores.messages, deleteAll: () => Promise.reject(down) }
  await expect(deleteConversations({ ...stores, messages }, sub, neverTimeUp)).rejects.toBe(down)
  // a conversation whose deletion was begun is finished by the next call
  expect(await deleteConversations(stores, sub, neverTimeUp)).toMatchObject({ remaining: 0 })
  expect(await listStoredIds(sub)).toEqual([])
  await expect(deleteConversation(stores, { sub, sessionId: 'one' })).resolves.toBeUndefined()
})
