import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import {
  newConversationIds,
  aMessage,
  openSharedStores,
  openStores,
} from '../../../test/support/conversations.ts'
import { withRepeatedWrites } from '../../../test/support/repeated-writes.ts'
import { toCounters } from '../../platform/dynamodb/usage-counters.ts'
import { responseBytes } from '../../platform/limits.ts'
import { ConversationNotFound } from './errors.ts'
import { toReadMessage, type StoredMessage } from './message-row.ts'
import { recountMessages } from './recount-messages.ts'

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
  expect(
    (await stores.conversations.setCount(sub, sessionId, 4, { used: buildUsage('r1', 10) }))?.usage,
  ).toEqual(usageOfOneRun)
  expect(
    await stores.conversations.setCount(sub, sessionId, 4, { used: buildUsage('r2', 20) }),
  ).toMatchObject({
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
    () => stores.conversations.setCount(sub, sessionId, 1, { used: buildUsage('r2', 10) }),
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
  const put = (kind: 'user' | 'reply' | 'stop', turn: number) =>
    stores.messages.put(sub, aMessage({ session_id: sessionId, kind, turn }), 1)
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

it('a run that is counted already is counted exactly', async () => {
  const { sub, sessionId } = await aSession()
  const change = { addedMessages: 1, at: later, used: buildUsage('r1', 10) }
  const { session } = await stores.conversations.recordActivity(sub, sessionId, change)
  expect(await stores.conversations.recordActivity(sub, sessionId, change)).toEqual({
    session,
    isCountExact: true,
  })
})

describe('the choices of a turn', () => {
  const publish = (sub: string, sessionId: string, changes: object) =>
    stores.conversations
      .upsert(sub, sessionId, { title: 'Tea', addedMessages: 0, at, replacesTitle: false, ...changes })
      .then(({ session }) => session)
  const disabledTools = [{ mcp_id: 'mail' }]

  it('are stored with the conversation; what a turn leaves open stays', async () => {
    const { sub, sessionId } = await aSession()
    const choices = { model: 'm', effort: 'high', disabled_tools: disabledTools }
    expect(await publish(sub, sessionId, { model: 'm', effort: 'high', disabledTools })).toMatchObject(
      choices,
    )
    expect(await publish(sub, sessionId, {})).toMatchObject(choices)
  })

  it('a model without an effort, and tools that are allowed again, take the place of the former ones', async () => {
    const { sub, sessionId } = await aSession()
    await publish(sub, sessionId, { model: 'm', effort: 'high', disabledTools })
    const session = await publish(sub, sessionId, { model: 'n', disabledTools: [] })
    expect(session).toMatchObject({ model: 'n' })
    for (const field of ['effort', 'disabled_tools']) expect(session).not.toHaveProperty(field)
  })

  it('the project is that of the first turn, until the user changes it', async () => {
    const { sub, sessionId } = newConversationIds()
    expect(await publish(sub, sessionId, { projectId: 'p' })).toMatchObject({ project_id: 'p' })
    expect(await publish(sub, sessionId, { projectId: 'q' })).toMatchObject({ project_id: 'p' })
    expect(await publish(sub, sessionId, {})).toMatchObject({ project_id: 'p' })
    const { conversations } = stores
    expect(await conversations.listIdsOfProject(sub, 'p')).toEqual([sessionId])
    expect(await conversations.change(sub, sessionId, { project_id: 'q' })).toMatchObject({ project_id: 'q' })
    expect(await conversations.listIdsOfProject(sub, 'p')).toEqual([])
    const both = { project_id: null, pinned: true }
    const without = await conversations.change(sub, sessionId, both)
    expect(without).not.toHaveProperty('project_id')
    expect(without).toMatchObject({ pinned: true })
    expect(await conversations.listIdsOfProject(sub, 'q')).toEqual([])
  })
})

it('a corrected count tells searches that something changed; only a new message moves it up', async () => {
  const { sub, sessionId } = await aSession()
  const list = async () => (await stores.conversations.list(sub))[0]
  expect(await list()).toMatchObject({ updated_at: at, changed_at: at })
  const before = Date.now()
  await stores.conversations.setCount(sub, sessionId, 7)
  const corrected = await list()
  expect(corrected).toMatchObject({ updated_at: at, message_count: 7 })
  expect(Date.parse(corrected?.changed_at ?? '')).toBeGreaterThanOrEqual(before)
  const movedUpAtMs = Date.now() + 60_000
  const movedUpAt = new Date(movedUpAtMs).toISOString()
  await stores.conversations.setCount(sub, sessionId, 8, { movedUpAtMs })
  expect(await list()).toMatchObject({ updated_at: movedUpAt, changed_at: movedUpAt })
})

it('the message of a run without a claim is deleted by that run alone', async () => {
  const { sub, sessionId } = newConversationIds()
  const message = aMessage({ session_id: sessionId })
  const run = { runId: 'r1', startedAtMs: 5 }
  expect(await stores.messages.add(sub, message, run)).toBe(true)
  expect(await stores.messages.add(sub, message, { ...run, runId: 'r2' })).toBe(false)
  expect(await stores.messages.findRunId(sub, message)).toBe('r1')
  await stores.messages.deleteUnclaimed(sub, message, 'r2')
  await stores.messages.deleteOwn(sub, message, 4)
  expect(await stores.messages.findTurn(sub, sessionId, message.id)).toBe(1)
  expect(await stores.messages.add(sub, message, { ...run, runId: 'r3' }, 'r2')).toBe(false)
  expect(await stores.messages.add(sub, message, { ...run, runId: 'r3' }, 'r1')).toBe(true)
  expect(await stores.messages.findRunId(sub, message)).toBe('r3')
  await stores.messages.deleteUnclaimed(sub, message, 'r3')
  expect(await stores.messages.findRunId(sub, message)).toBeUndefined()
})

it('an earlier reply of a turn is one that an earlier run has stored', async () => {
  const { sub, sessionId } = newConversationIds()
  const reply = aMessage({
    session_id: sessionId,
    kind: 'reply',
    role: 'assistant',
    turn: 2,
    transcript_run: 'run-1',
  })
  await stores.messages.put(sub, reply, 5)
  const find = (turn: number, startedAtMs: number) =>
    stores.messages.findEarlierReply(sub, sessionId, { turn, startedAtMs })
  expect(await find(2, 6)).toEqual(reply)
  expect(await find(2, 5)).toBeUndefined()
  expect(await find(1, 6)).toBeUndefined()
})

describe('the newest messages', () => {
  const { messages } = stores

  /** Three messages of five letters each. */
  async function storeMessages() {
    const ids = newConversationIds()
    const stored = [1, 2, 3].map((turn) =>
      aMessage({ session_id: ids.sessionId, turn, id: `m${turn}`, content: `no. ${turn}`, created_at: at }),
    )
    await messages.putAll(ids.sub, stored)
    return { ...ids, stored }
  }

  it.each([
    [{ maxCharacters: 15 }, [1, 2, 3], null],
    [{ maxCharacters: 14 }, [2, 3], '000002#1'],
    [{ maxCharacters: 10 }, [2, 3], '000002#1'],
    [{ maxCharacters: 9 }, [3], '000003#1'],
    [{ maxCharacters: 0 }, [3], '000003#1'],
    // the table does not say whether a full page is the last one
    [{ maxMessages: 3 }, [1, 2, 3], '000001#1'],
    [{ maxMessages: 4 }, [1, 2, 3], null],
    [{ maxMessages: 2 }, [2, 3], '000002#1'],
    [{ before: '000003#1' }, [1, 2], null],
    [{ before: '000002#1', maxMessages: 1 }, [1], '000001#1'],
    [{ before: '000001#1' }, [], null],
    // the limits count from the message that is asked for
    [{ through: 'm2', maxMessages: 1 }, [2, 3], '000002#1'],
    [{ through: 'm2', maxCharacters: 10 }, [1, 2, 3], null],
    [{ through: 'm2', maxCharacters: 9 }, [2, 3], '000002#1'],
    [{ through: 'none', maxMessages: 1 }, [1, 2, 3], null],
  ])('within %j are those of the turns %j', async (limits, turns, earlier) => {
    const { sub, sessionId } = await storeMessages()
    const page = await messages.loadNewest(sub, sessionId, limits)
    expect(page.messages.map(({ turn }) => turn)).toEqual(turns)
    expect(page.earlier).toBe(earlier)
  })

  it('fit into so many bytes of a response', async () => {
    const { sub, sessionId, stored } = await storeMessages()
    const bytes = stored.slice(1).reduce((sum, message) => sum + responseBytes(toReadMessage(message)), 0)
    const load = async (maxBytes: number) =>
      (await messages.loadNewest(sub, sessionId, { maxBytes })).messages.map(({ turn }) => turn)
    expect(await load(bytes)).toEqual([2, 3])
    expect(await load(bytes - 1)).toEqual([3])
  })

  it('are read from a first page that is there already', async () => {
    const { sub, sessionId } = await storeMessages()
    const firstPage = await messages.loadNewestRows(sub, sessionId, { maxMessages: 2 })
    expect(firstPage.rows).toHaveLength(2)
    await messages.deleteTurn(sub, sessionId, 3)
    const load = async (options: object) =>
      (await messages.loadNewest(sub, sessionId, options)).messages.map(({ turn }) => turn)
    expect(await load({ firstPage })).toEqual([1, 2, 3])
    expect(await load({})).toEqual([1, 2])
  })
})

it('a message is stored with its position, and with what prompts need of it', async () => {
  const { sub, sessionId } = newConversationIds()
  const files = ['f', 'g'].map((id) => ({ id, name: `${id}.txt`, type: 'text/plain', size: 1 }))
  const stored = [
    aMessage({ session_id: sessionId, id: 'm', turn: 12, attachments: files }),
    aMessage({
      session_id: sessionId,
      id: 'r',
      turn: 12,
      role: 'assistant',
      kind: 'reply',
      transcript_run: 'run-1',
      cut: { model: 'm', from: 1, whole: 2 },
    }),
    aMessage({ session_id: sessionId, id: 's', turn: 12, role: 'assistant', kind: 'stop' }),
    aMessage({ session_id: sessionId, id: 'i', turn: 123, imported: true }),
  ]
  await stores.messages.putAll(sub, stored.toReversed())
  const read = stored.filter(({ kind }) => kind !== 'stop')
  expect((await stores.messages.loadAfter(sub, sessionId)).messages).toEqual(read)
  expect(await stores.messages.loadTurn(sub, sessionId, 12)).toEqual(read.slice(0, 2))
  expect(await stores.messages.loadTurn(sub, sessionId, 1)).toEqual([])
  expect(await stores.messages.loadOutline(sub, sessionId)).toEqual([
    { id: 'm', turn: 12, fileIds: ['f', 'g'] },
    { id: 'r', turn: 12, fileIds: [] },
    { id: 's', turn: 12, fileIds: [] },
    { id: 'i', turn: 123, fileIds: [] },
  ])
  await stores.messages.deleteTurn(sub, sessionId, 12)
  expect((await stores.messages.loadAfter(sub, sessionId)).messages).toEqual(stored.slice(3))
  for (const field of ['transcript_run', 'cut', 'imported', 'turn', 'kind'])
    expect(stored.map(toReadMessage).some((message) => field in message)).toBe(false)
})

it('a recount that another write overtakes counts again', async () => {
  const { sub, sessionId } = newConversationIds()
  const at = new Date().toISOString()
  await stores.conversations.upsert(sub, sessionId, {
    title: 'A',
    addedMessages: 1,
    at,
    replacesTitle: false,
  })
  await stores.messages.put(sub, aMessage({ session_id: sessionId }), 1)
  let reads = 0
  const loadContents: typeof stores.messages.loadContents = async (...args) => {
    const contents = await stores.messages.loadContents(...args)
    reads += 1
    if (reads > 1) return contents
    const reply = { kind: 'reply', role: 'assistant', content: 'Hi' } as const
    await stores.messages.put(sub, aMessage({ session_id: sessionId, ...reply }), 1)
    await stores.conversations.recordActivity(sub, sessionId, { addedMessages: 1, at })
    return contents
  }
  const racing = { ...stores, messages: { ...stores.messages, loadContents } }
  expect(await recountMessages(racing, { sub, sessionId })).toMatchObject({ message_count: 2 })
  expect(reads).toBe(2)
})

describe('the line after a stop, which earlier releases stored as a message of its own', () => {
  const line = 'Generation stopped by user.'
  const storeTurns = async () => {
    const { sub, sessionId } = newConversationIds()
    const put = (turn: number, kind: StoredMessage['kind'], content: string, ended?: 'stopped') =>
      stores.messages.put(
        sub,
        aMessage({
          session_id: sessionId,
          id: `${turn}-${kind}`,
          turn,
          kind,
          role: kind === 'user' ? 'user' : 'assistant',
          content,
          ...(ended && { ended }),
        }),
        1,
      )
    await put(1, 'user', 'One')
    await put(1, 'reply', 'Half', 'stopped')
    await put(1, 'stop', line)
    await put(2, 'user', 'Two')
    await put(2, 'stop', line)
    return { sub, sessionId }
  }
  const show = (messages: readonly StoredMessage[]) => messages.map(({ content, ended }) => [content, ended])
  const whole = [
    ['One', undefined],
    ['Half', 'stopped'],
    ['Two', undefined],
    ['', 'stopped'],
  ]

  it('is read as the mark of its reply, or as a reply without text', async () => {
    const { sub, sessionId } = await storeTurns()
    expect(show((await stores.messages.loadAfter(sub, sessionId)).messages)).toEqual(whole)
    expect(show((await stores.messages.loadNewest(sub, sessionId)).messages)).toEqual(whole)
    expect(show(await stores.messages.loadTurn(sub, sessionId, 1))).toEqual(whole.slice(0, 2))
    expect(show((await stores.messages.loadAfter(sub, sessionId, '000001#2')).messages)).toEqual(
      whole.slice(2),
    )
  })

  it.each([1, 2, 3])('is not apart from its reply in a page of %i', async (maxMessages) => {
    const { sub, sessionId } = await storeTurns()
    const { messages } = await stores.messages.loadNewest(sub, sessionId, { before: '000002#1', maxMessages })
    expect(show(messages)).toEqual(whole.slice(0, 2).slice(-maxMessages))
  })
})
