import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestStores, type TestStores } from '../../test/support/conversations.ts'
import { deleteSession } from '../conversations/delete-conversation.ts'
import { forgetConversations } from './delete-conversations.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await openTestStores()
})
afterAll(() => stores.close())

async function userWith(...sessionIds: string[]): Promise<string> {
  const sub = crypto.randomUUID()
  for (const sessionId of sessionIds)
    await stores.sessions.publish(sub, sessionId, {
      title: 'Tea',
      added: 1,
      at: '2026-03-01T10:00:00.000Z',
      retitle: false,
    })
  return sub
}
const listed = async (sub: string) => (await stores.sessions.list(sub)).map(({ id }) => id)
const never = () => false

it('stops when the time of the call is used up, and says how many are left', async () => {
  const sub = await userWith('one', 'two', 'three')
  let looks = 0
  const afterTwo = () => (looks += 1) > 2
  expect(await forgetConversations(stores, sub, afterTwo)).toEqual({ deleted: 2, remaining: 1 })
  expect(await listed(sub)).toHaveLength(1)
  expect(await forgetConversations(stores, sub, never)).toEqual({ deleted: 1, remaining: 0 })
  expect(await listed(sub)).toEqual([])
})

it('goes on where another tab has deleted one meanwhile', async () => {
  const sub = await userWith('one', 'two')
  const sessions = {
    ...stores.sessions,
    async ids() {
      const ids = await stores.sessions.ids(sub)
      return ['deleted-long-ago', ...ids]
    },
  }
  expect(await forgetConversations({ ...stores, sessions }, sub, never)).toEqual({ deleted: 3, remaining: 0 })
  expect(await listed(sub)).toEqual([])
})

it('fails where the table does, and can be repeated', async () => {
  const sub = await userWith('one', 'two')
  const down = new Error('the table is down')
  const messages = { ...stores.messages, clear: () => Promise.reject(down) }
  await expect(forgetConversations({ ...stores, messages }, sub, never)).rejects.toBe(down)
  // a conversation whose deletion was begun is finished by the next call
  expect(await forgetConversations(stores, sub, never)).toMatchObject({ remaining: 0 })
  expect(await listed(sub)).toEqual([])
  await expect(deleteSession(stores, { sub, sessionId: 'one' })).resolves.toBeUndefined()
})
