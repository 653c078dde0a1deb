import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import {
  newConversationIds,
  aMessage,
  openSharedStores,
  openStores,
} from '../../../test/support/conversations.ts'
import { withRepeatedWrites } from '../../../test/support/repeated-writes.ts'
import { toCounters } from '../../platform/dynamodb/usage-counters.ts'
import { ConversationNotFound } from './errors.ts'

const at = '2026-03-01T00:00:00.000Z'
const later = '2026-03-02T00:00:00.000Z'

const stores = await openSharedStores()

async function aSession() {
  const { sub, sessionId } = newConversationIds()
  await stores.conversations.upsert(sub, sessionId, {
    title: 'Tea',
    addedMessages: 1,
    at,
    replacesTitle: false,
  })
  const { client, name: TableName } = stores.table
  const readRow = async () =>
    (await client.send(new GetCommand({ TableName, Key: { PK: `U#${sub}`, SK: `S#${sessionId}` } }))).Item
  return { sub, sessionId, readRow }
}

it('each change of a conversation returns it whole, and raises its revision by one', async () => {
  const { sub, sessionId, readRow } = await aSession()
  const session = { id: sessionId, user_id: sub, title: 'Tea', created_at: at, updated_at: later }
  expect(await stores.conversations.recordActivity(sub, sessionId, { addedMessages: 2, at: later })).toEqual({
    session: { ...session, message_count: 3 },
    isCountExact: true,
  })
  expect(await stores.conversations.setCount(sub, sessionId, 7)).toEqual({ ...session, message_count: 7 })
  const renamed = { ...session, title: 'Mine', title_set: true, message_count: 7 }
  expect(await stores.conversations.change(sub, sessionId, { title: 'Mine' })).toEqual(renamed)
  expect(await stores.conversations.find(sub, sessionId)).toEqual(renamed)
  expect(await readRow()).toMatchObject({ rev: 4 })
})

it('a title that the user has set is not replaced by a turn that began before', async () => {
  const { sub, sessionId } = await aSession()
  await stores.conversations.change(sub, sessionId, { title: 'Mine' })
  const turn = { title: 'Plan my trip', addedMessages: 1, at: later, replacesTitle: true }
  const { session } = await stores.conversations.upsert(sub, sessionId, turn)
  expect(session).toMatchObject({ title: 'Mine', title_set: true, message_count: 2, updated_at: later })
  await stores.conversations.markDeleted(sub, sessionId, Date.now())
  await expect(stores.conversations.upsert(sub, sessionId, turn)).rejects.toThrow(ConversationNotFound)
})

const buildUsage = (runId: string, inputTokens: number, cost?: number) => ({
  runId,
  counters: toCounters({ inputTokens, cachedInputTokens: 2, outputTokens: 5, images: 1, cost }),
})

it('DEC-176 a conversation adds up the usage of its runs, each run once', async () => {
  const { sub, sessionId } = await aSession()
  const record = (usage: ReturnType<typeof buildUsage>) =>
    stores.conversations.recordActivity(sub, sessionId, { addedMessages: 1, at: later, used: usage })
  const { session } = await record(buildUsage('r1', 10, 0.002))
  const usageOfOneRun = { inputTokens: 10, cachedInputTokens: 2, outputTokens: 5, images: 1, cost: 0.002 }
  expect(session).toMatchObject({ message_count: 2, usage: usageOfOneRun })
  expect(session.usage).not.toHaveProperty('since')
  // the same run again, because its first response was lost
  expect((await record(buildUsage('r1', 10, 0.002))).session).toEqual(session)
  expect((await stores.conversations.setCount(sub, sessionId, 4, buildUsage('r1', 10))).usage).toEqual(
    usageOfOneRun,
  )
  expect(await stores.conversations.setCount(sub, sessionId, 4, buildUsage('r2', 20))).toMatchObject({
    message_count: 4,
    usage: {
      inputTokens: 30,
      cachedInputTokens: 4,
      outputTokens: 10,
      images: 2,
      cost: 0.002,
      unpricedTokens: 25,
    },
  })
})

it('a write that was sent twice counts a run and its messages once', async () => {
  const { sub, sessionId } = await aSession()
  const { conversations } = openStores(withRepeatedWrites(stores.table))
  const change = { addedMessages: 1, at: later, used: buildUsage('r1', 10) }
  expect(await conversations.recordActivity(sub, sessionId, change)).toMatchObject({
    session: { message_count: 2, usage: { inputTokens: 10 } },
  })
})

it('a conversation that is older than the counting of usage says since when it counts', async () => {
  const { sub, sessionId } = await aSession()
  const { client, name: TableName } = stores.table
  const Key = { PK: `U#${sub}`, SK: `S#${sessionId}` }
  await client.send(new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE usage_from' }))
  await stores.conversations.upsert(sub, sessionId, {
    title: 'Tea',
    addedMessages: 1,
    at: later,
    replacesTitle: false,
  })
  const change = { addedMessages: 1, at: later, used: buildUsage('r1', 10) }
  const { session } = await stores.conversations.recordActivity(sub, sessionId, change)
  expect(session.usage).toMatchObject({ inputTokens: 10, since: later })
})

it('a deleted conversation cannot be changed, and keeps only the time of its deletion', async () => {
  const { sub, sessionId, readRow } = await aSession()
  await stores.conversations.recordActivity(sub, sessionId, {
    addedMessages: 1,
    at,
    used: buildUsage('r1', 10, 0.1),
  })
  await stores.conversations.markDeleted(sub, sessionId, Date.parse(at) + 999)
  for (const change of [
    () => stores.conversations.recordActivity(sub, sessionId, { addedMessages: 1, at }),
    () =>
      stores.conversations.recordActivity(sub, sessionId, {
        addedMessages: 1,
        at,
        used: buildUsage('r1', 10),
      }),
    () => stores.conversations.setCount(sub, sessionId, 1, buildUsage('r2', 10)),
    () => stores.conversations.change(sub, sessionId, { title: 'Mine' }),
    () =>
      stores.conversations.upsert(sub, sessionId, {
        title: 'Back',
        addedMessages: 1,
        at,
        replacesTitle: true,
      }),
  ])
    await expect(change()).rejects.toBeInstanceOf(ConversationNotFound)
  expect(await readRow()).toEqual({
    PK: `U#${sub}`,
    SK: `S#${sessionId}`,
    deleted_at: '2026-03-01T00:00:00.999Z',
    ttl: Date.parse(at) / 1_000 + 7 * 86_400,
  })
})

it('a missing conversation is neither changed nor created', async () => {
  const { sub, sessionId } = newConversationIds()
  for (const change of [
    () => stores.conversations.recordActivity(sub, sessionId, { addedMessages: 1, at }),
    () => stores.conversations.setCount(sub, sessionId, 1),
    () => stores.conversations.change(sub, sessionId, { title: 'Mine' }),
    () => stores.conversations.markDeleted(sub, sessionId, 0),
    () => stores.conversations.markPurged(sub, sessionId),
  ])
    await expect(change()).rejects.toMatchObject({ code: 'session_not_found' })
  expect(await stores.conversations.find(sub, sessionId)).toBeUndefined()
})

it('a conversation that is not deleted cannot be marked as purged', async () => {
  const { sub, sessionId } = await aSession()
  await expect(stores.conversations.markPurged(sub, sessionId)).rejects.toBeInstanceOf(ConversationNotFound)
  expect(await stores.conversations.listIds(sub)).toEqual([sessionId])
})

it.each([
  ['Hello', 'Hello again', 0],
  ['Hello', ' ', -1],
  [' ', 'Hello', 1],
  [' ', ' ', 0],
])('a message %j that becomes %j changes the count by %i', async (before, content, difference) => {
  const { sub, sessionId } = newConversationIds()
  const put = (text: string, run: number) =>
    stores.messages.put(sub, aMessage({ session_id: sessionId, content: text }), run)
  expect(await put(before, 5)).toBe(before.trim() === '' ? 0 : 1)
  expect(await put(content, 5)).toBe(difference)
  // the message of an earlier run
  expect(await put('late', 4)).toBe(0)
  expect((await stores.messages.loadNewest(sub, sessionId)).messages).toMatchObject([{ content }])
})

it('a turn with only the line after a stop has no reply', async () => {
  const { sub, sessionId } = newConversationIds()
  const put = (slot: 'user' | 'reply' | 'stop', turn: number) =>
    stores.messages.put(sub, aMessage({ session_id: sessionId, slot, turn }), 1)
  await Promise.all([put('user', 1), put('stop', 1), put('reply', 2)])
  const found = [1, 2, 3].map((turn) => stores.messages.hasReply(sub, sessionId, turn))
  expect(await Promise.all(found)).toEqual([false, true, false])
})

it('reads the messages after a cursor, of this conversation only', async () => {
  const { sub, sessionId } = newConversationIds()
  for (const turn of [1, 2, 3])
    await stores.messages.put(sub, aMessage({ session_id: sessionId, turn, content: `no ${turn}` }), 1)
  await stores.messages.put(sub, aMessage({ session_id: `${sessionId}z` }), 1)
  const page = await stores.messages.loadAfter(sub, sessionId, '000001#1')
  expect(page.messages.map(({ content }) => content)).toEqual(['no 2', 'no 3'])
  expect(page).toMatchObject({ last: '000003#1', next: null })
  expect(await stores.messages.loadAfter(sub, sessionId, '000003#1')).toEqual({
    messages: [],
    last: null,
    next: null,
  })
})
