import { describe, expect, it } from 'vitest'
import {
  newConversationIds,
  aMessage,
  aRun,
  openSharedStores,
  toTranscript,
  aTranscript,
} from '../../test/support/conversations.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { deleteConversation } from './delete-conversation.ts'
import { ConversationNotFound } from './store/errors.ts'
import { readConversation } from './read-conversation.ts'
import { finishRun, type EndedReply } from './turns/finish-run.ts'

const stores = await openSharedStores()

/** Starts a conversation: one message of the user, and the run of its reply. */
async function startConversation(changes: Parameters<typeof aRun>[0] | object = {}) {
  const conversation = newConversationIds()
  const run = await stores.runs.claim(aRun({ ...conversation, ...changes }), undefined)
  const message = aMessage({
    session_id: conversation.sessionId,
    created_at: new Date(run.startedAtMs).toISOString(),
  })
  await stores.messages.put(conversation.sub, message, run.startedAtMs)
  const at = message.created_at
  await stores.conversations.upsert(conversation.sub, conversation.sessionId, {
    title: 'Hello',
    addedMessages: 1,
    at,
    replacesTitle: false,
  })
  return { ...conversation, run }
}

const toEndedReply = (content: string): EndedReply => ({
  status: 'done',
  content,
  toolCalls: [],
  attachments: [],
  hasCheckpoints: false,
})

describe('list', () => {
  it('HIST-23 HIST-24 DEC-045 lists conversations that have content, last updated first', async () => {
    const { sub } = newConversationIds()
    const at = (day: number) => `2026-03-0${day}T00:00:00.000Z`
    await stores.conversations.upsert(sub, 'old', {
      title: 'Old',
      addedMessages: 2,
      at: at(1),
      replacesTitle: false,
    })
    await stores.conversations.upsert(sub, 'new', {
      title: 'New',
      addedMessages: 1,
      at: at(3),
      replacesTitle: false,
    })
    await stores.conversations.upsert(sub, 'empty', {
      title: 'Empty',
      addedMessages: 0,
      at: at(4),
      replacesTitle: false,
    })
    const list = await stores.conversations.list(sub)
    expect(list).toHaveLength(2)
    expect(list.map(({ id }) => id)).toEqual(['new', 'old'])
    expect(list.every(({ message_count }) => message_count > 0)).toBe(true)
  })

  it('DATA-02 DATA-11 lists the conversations of one user, each with its count', async () => {
    const [{ sub }, other] = [newConversationIds(), newConversationIds()]
    const at = '2026-03-01T00:00:00.000Z'
    await stores.conversations.upsert(sub, 'mine', {
      title: 'Mine',
      addedMessages: 2,
      at,
      replacesTitle: false,
    })
    await stores.conversations.upsert(other.sub, 'foreign', {
      title: 'Foreign',
      addedMessages: 1,
      at,
      replacesTitle: false,
    })
    const list = await stores.conversations.list(sub)
    expect(list.map(({ id }) => id)).toEqual(['mine'])
    expect(list[0]).toMatchObject({ user_id: sub, message_count: 2 })
  })

  it('DATA-10 HIST-17 sets the title once, and every message changes the time of the last update', async () => {
    const { sub, sessionId } = newConversationIds()
    const publish = (title: string, day: number, replacesTitle: boolean) =>
      stores.conversations.upsert(sub, sessionId, {
        title,
        addedMessages: 1,
        at: `2026-03-0${day}T00:00:00.000Z`,
        replacesTitle,
      })
    expect((await publish('New Chat', 1, false)).session).toMatchObject({ title: 'New Chat' })
    expect((await publish('Rome', 2, true)).session).toMatchObject({ title: 'Rome' })
    expect((await publish('Paris', 3, false)).session).toMatchObject({
      title: 'Rome',
      created_at: '2026-03-01T00:00:00.000Z',
      updated_at: '2026-03-03T00:00:00.000Z',
    })
  })

  it("HIST-25 lists no other user's conversations", async () => {
    const { sub } = await startConversation()
    expect(await stores.conversations.list(sub)).toHaveLength(1)
    expect(await stores.conversations.list(`${sub}x`)).toEqual([])
  })
})

describe('store', () => {
  it('DATA-01 DATA-03 DATA-13 stores the reply and reads the conversation back in order', async () => {
    const { run, sub, sessionId } = await startConversation()
    await finishRun(stores, run, toEndedReply('Hi!'))
    const read = await readConversation(stores, { sub, sessionId })
    expect(read.session).toMatchObject({ id: sessionId, user_id: sub, title: 'Hello', message_count: 2 })
    expect(toTranscript(read.messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
    ])
    const times = read.messages.map(({ created_at }) => created_at)
    expect(times.toSorted()).toEqual(times)
    expect(new Set(times).size).toBe(2)
    expect(read.run).toBeNull()
  })

  it('stores a reply although its checkpoints cannot be removed', async () => {
    const { run, sub, sessionId } = await startConversation()
    const deleteRun = () => Promise.reject(new Error('the table did not answer'))
    const falteringStores = { ...stores, logs: { ...stores.logs, deleteRun } }
    const stored = await finishRun(falteringStores, run, { ...toEndedReply('Hi!'), hasCheckpoints: true })
    expect(stored?.session.message_count).toBe(2)
    const { run: remainingRun } = await readConversation(stores, { sub, sessionId })
    expect(remainingRun).toBeNull()
  })

  it('DEC-120 CHAT-49 DEC-009 keeps a stopped reply as one message, marked as stopped', async () => {
    const { run, sub, sessionId } = await startConversation()
    await finishRun(stores, run, { ...toEndedReply('Half a'), status: 'stopped' })
    const { messages, session } = await readConversation(stores, { sub, sessionId })
    expect(toTranscript(messages).slice(1)).toEqual([['assistant', 'Half a']])
    expect(messages[1]?.ended).toBe('stopped')
    expect(session.message_count).toBe(2)
  })

  it('DEC-009 stores a stopped reply that had no text yet', async () => {
    const { run, sub, sessionId } = await startConversation()
    await finishRun(stores, run, { ...toEndedReply(''), status: 'stopped' })
    const { messages } = await readConversation(stores, { sub, sessionId })
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', ''],
    ])
    expect(messages[1]?.ended).toBe('stopped')
  })

  it('DEC-005 reads a long conversation in pages without a gap', async () => {
    const { run, sub, sessionId } = await startConversation()
    for (let turn = 2; turn <= 100; turn += 1)
      await stores.messages.put(
        sub,
        aMessage({ session_id: sessionId, turn, content: `no ${turn}` }),
        run.startedAtMs,
      )
    const seen: number[] = []
    let before: string | undefined
    do {
      const page = await stores.messages.loadNewest(sub, sessionId, { before, maxCharacters: 150 })
      seen.unshift(...page.messages.map(({ turn }) => turn))
      before = page.earlier ?? undefined
    } while (before)
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  })
})

describe('delete', () => {
  it('DEC-033 keeps the id of a conversation until its deletion is complete', async () => {
    const { sub, sessionId } = await startConversation()
    await stores.conversations.markDeleted(sub, sessionId, Date.now())
    expect(await stores.conversations.list(sub)).toEqual([])
    expect(await stores.conversations.listIds(sub)).toEqual([sessionId])
    await deleteConversation(stores, { sub, sessionId })
    expect(await stores.conversations.listIds(sub)).toEqual([])
  })

  it('HIST-26 also deletes the transcript of a waiting reply', async () => {
    const { run, sub, sessionId } = await startConversation()
    const question = { callId: 'c', tool: 't', arguments: '{}', askedAtMs: 1 }
    const approval = { kind: 'approval', title: '', fingerprint: '', ...question } as const
    const transcript = aTranscript({ text: 'CANARY' })
    await stores.runs.startWaiting(run, [approval], transcript)
    const rows = () => queryAll(stores.table, { partition: `U#${sub}`, prefix: 'PARK#' })
    expect(await rows()).toHaveLength(1)
    await deleteConversation(stores, { sub, sessionId })
    expect(await rows()).toEqual([])
  })

  it('HIST-26 DEC-006 leaves only a tombstone, and can be repeated', async () => {
    const { run, sub, sessionId } = await startConversation()
    await finishRun(stores, run, toEndedReply('Hi!'))
    await deleteConversation(stores, { sub, sessionId })
    await deleteConversation(stores, { sub, sessionId })
    expect(await stores.conversations.list(sub)).toEqual([])
    expect(await stores.conversations.find(sub, sessionId)).toBe('deleted')
    expect((await stores.messages.loadNewest(sub, sessionId)).messages).toEqual([])
    expect(await stores.runs.find(sub, sessionId)).toBeUndefined()
    await expect(readConversation(stores, { sub, sessionId })).rejects.toBeInstanceOf(ConversationNotFound)
  })

  it('HIST-25 does not find or delete another user’s conversation', async () => {
    const { sub, sessionId } = await startConversation()
    await expect(deleteConversation(stores, { sub: 'stranger', sessionId })).rejects.toBeInstanceOf(
      ConversationNotFound,
    )
    expect(await stores.conversations.list(sub)).toHaveLength(1)
  })

  it('DEC-008 stores nothing of a reply that ends after the deletion', async () => {
    const { run, sub, sessionId } = await startConversation()
    await deleteConversation(stores, { sub, sessionId })
    await expect(finishRun(stores, run, toEndedReply('Too late'))).rejects.toMatchObject({ code: 'run_lost' })
    expect((await stores.messages.loadNewest(sub, sessionId)).messages).toEqual([])
    expect(await stores.conversations.find(sub, sessionId)).toBe('deleted')
  })
})

describe('recovery', () => {
  const staleTimes = { heartbeatAtMs: Date.now() - 60_000, startedAtMs: Date.now() - 90_000 }
  const checkpoint = { from: 0, to: 8, textId: 't', text: 'Once upo' }

  it('marks a lost run as interrupted, and stores its checkpoints as the reply', async () => {
    const { run, sub, sessionId } = await startConversation(staleTimes)
    await stores.logs.append(run, [checkpoint])
    const read = await readConversation(stores, { sub, sessionId })
    expect(read.run).toMatchObject({ status: 'interrupted', run_id: run.runId })
    expect(read.messages.at(-1)).toMatchObject({ content: 'Once upo', ended: 'interrupted' })
    expect(read.session.message_count).toBe(2)
    expect((await readConversation(stores, { sub, sessionId })).session.message_count).toBe(2)
    expect(await stores.logs.read(run, 0)).toEqual([])
  })

  it('does not let a writer that comes back overwrite the recovered reply', async () => {
    const { run, sub, sessionId } = await startConversation(staleTimes)
    await stores.logs.append(run, [checkpoint])
    await readConversation(stores, { sub, sessionId })
    await expect(finishRun(stores, run, toEndedReply('Once upon a time'))).rejects.toMatchObject({
      code: 'run_lost',
    })
    const { messages } = await readConversation(stores, { sub, sessionId })
    expect(toTranscript(messages).at(-1)).toEqual(['assistant', 'Once upo'])
  })

  it('recovers a reply once for simultaneous readers', async () => {
    const { run, sub, sessionId } = await startConversation(staleTimes)
    await stores.logs.append(run, [checkpoint])
    await Promise.all(Array.from({ length: 5 }, () => readConversation(stores, { sub, sessionId })))
    const { messages } = await readConversation(stores, { sub, sessionId })
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Once upo'],
    ])
  })
})
