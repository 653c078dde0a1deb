import { describe, expect, it } from 'vitest'
import {
  aConversation,
  aMessage,
  aRun,
  openSharedStores,
  toTranscript,
} from '../../test/support/conversations.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { deleteConversation } from './delete-conversation.ts'
import { ConversationNotFound } from './errors.ts'
import { readConversation } from './read-conversation.ts'
import { finishRun, type EndedReply } from '../runs/finish-run.ts'

const stores = await openSharedStores()

/** A conversation with one message of the user and a run that answers it. */
async function asked(changes: Parameters<typeof aRun>[0] | object = {}) {
  const place = aConversation()
  const run = await stores.runs.claim(aRun({ ...place, ...changes }), undefined)
  const message = aMessage({
    session_id: place.sessionId,
    created_at: new Date(run.startedAtMs).toISOString(),
  })
  await stores.messages.put(place.sub, message, run.startedAtMs)
  const at = message.created_at
  await stores.conversations.upsert(place.sub, place.sessionId, {
    title: 'Hello',
    added: 1,
    at,
    retitle: false,
  })
  return { ...place, run }
}

const written = (content: string): EndedReply => ({ status: 'done', content, toolCalls: [], logged: false })

describe('list', () => {
  it('HIST-23 HIST-24 DEC-045 lists what has real content, newest update first', async () => {
    const { sub } = aConversation()
    const at = (day: number) => `2026-03-0${day}T00:00:00.000Z`
    await stores.conversations.upsert(sub, 'old', { title: 'Old', added: 2, at: at(1), retitle: false })
    await stores.conversations.upsert(sub, 'new', { title: 'New', added: 1, at: at(3), retitle: false })
    await stores.conversations.upsert(sub, 'empty', { title: 'Empty', added: 0, at: at(4), retitle: false })
    const list = await stores.conversations.list(sub)
    expect(list).toHaveLength(2)
    expect(list.map(({ id }) => id)).toEqual(['new', 'old'])
    expect(list.every(({ message_count }) => message_count > 0)).toBe(true)
  })

  it('DATA-02 DATA-11 lists the conversations of one user, each with its count', async () => {
    const [{ sub }, other] = [aConversation(), aConversation()]
    const at = '2026-03-01T00:00:00.000Z'
    await stores.conversations.upsert(sub, 'mine', { title: 'Mine', added: 2, at, retitle: false })
    await stores.conversations.upsert(other.sub, 'foreign', {
      title: 'Foreign',
      added: 1,
      at,
      retitle: false,
    })
    const list = await stores.conversations.list(sub)
    expect(list.map(({ id }) => id)).toEqual(['mine'])
    expect(list[0]).toMatchObject({ user_id: sub, message_count: 2 })
  })

  it('DATA-10 HIST-17 a title is set while there is none, kept afterwards, and every update moves it up', async () => {
    const { sub, sessionId } = aConversation()
    const publish = (title: string, day: number, retitle: boolean) =>
      stores.conversations.upsert(sub, sessionId, {
        title,
        added: 1,
        at: `2026-03-0${day}T00:00:00.000Z`,
        retitle,
      })
    expect((await publish('New Chat', 1, false)).session).toMatchObject({ title: 'New Chat' })
    expect((await publish('Rome', 2, true)).session).toMatchObject({ title: 'Rome' })
    expect((await publish('Paris', 3, false)).session).toMatchObject({
      title: 'Rome',
      created_at: '2026-03-01T00:00:00.000Z',
      updated_at: '2026-03-03T00:00:00.000Z',
    })
  })

  it("HIST-25 lists nobody else's", async () => {
    const { sub } = await asked()
    expect(await stores.conversations.list(sub)).toHaveLength(1)
    expect(await stores.conversations.list(`${sub}x`)).toEqual([])
  })
})

describe('store', () => {
  it('DATA-01 DATA-03 DATA-13 stores the reply and reads the conversation back in order', async () => {
    const { run, sub, sessionId } = await asked()
    await finishRun(stores, run, written('Hi!'))
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

  it('a reply is stored though its checkpoints cannot be removed', async () => {
    const { run, sub, sessionId } = await asked()
    const clear = () => Promise.reject(new Error('the table did not answer'))
    const faltering = { ...stores, logs: { ...stores.logs, deleteRun: clear } }
    const stored = await finishRun(faltering, run, { ...written('Hi!'), logged: true })
    expect(stored?.session.message_count).toBe(2)
    const { run: left } = await readConversation(stores, { sub, sessionId })
    expect(left).toBeNull()
  })

  it('DEC-120 CHAT-49 DEC-009 keeps what was written, marked, then the line; only the first counts', async () => {
    const { run, sub, sessionId } = await asked()
    await finishRun(stores, run, { ...written('Half a'), status: 'stopped' })
    const { messages, session } = await readConversation(stores, { sub, sessionId })
    expect(toTranscript(messages).slice(1)).toEqual([
      ['assistant', 'Half a'],
      ['assistant', 'Generation stopped by user.'],
    ])
    expect(messages[1]?.ended).toBe('stopped')
    expect(session.message_count).toBe(2)
  })

  it('DEC-009 a stop before the first word leaves the line alone', async () => {
    const { run, sub, sessionId } = await asked()
    await finishRun(stores, run, { ...written(''), status: 'stopped' })
    const { messages } = await readConversation(stores, { sub, sessionId })
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Generation stopped by user.'],
    ])
  })

  it('DEC-005 pages of a long conversation follow each other without a gap', async () => {
    const { run, sub, sessionId } = await asked()
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
  it('DEC-033 one whose deletion was cut is still among those of which something is left', async () => {
    const { sub, sessionId } = await asked()
    await stores.conversations.markDeleted(sub, sessionId, Date.now())
    expect(await stores.conversations.list(sub)).toEqual([])
    expect(await stores.conversations.listIds(sub)).toEqual([sessionId])
    await deleteConversation(stores, { sub, sessionId })
    expect(await stores.conversations.listIds(sub)).toEqual([])
  })

  it('HIST-26 takes what a waiting reply would go on with along', async () => {
    const { run, sub, sessionId } = await asked()
    const question = { callId: 'c', tool: 't', arguments: '{}', askedAtMs: 1 }
    const parked = { kind: 'approval', title: '', fingerprint: '', ...question } as const
    const transcript = { messages: [], content: 'CANARY', toolCalls: [], attachments: [], position: 1 }
    await stores.runs.park(run, [parked], transcript)
    const rows = () => queryAll(stores.table, { partition: `U#${sub}`, prefix: 'PARK#' })
    expect(await rows()).toHaveLength(1)
    await deleteConversation(stores, { sub, sessionId })
    expect(await rows()).toEqual([])
  })

  it('HIST-26 DEC-006 leaves nothing but a tombstone, and can be repeated', async () => {
    const { run, sub, sessionId } = await asked()
    await finishRun(stores, run, written('Hi!'))
    await deleteConversation(stores, { sub, sessionId })
    await deleteConversation(stores, { sub, sessionId })
    expect(await stores.conversations.list(sub)).toEqual([])
    expect(await stores.conversations.find(sub, sessionId)).toBe('deleted')
    expect((await stores.messages.loadNewest(sub, sessionId)).messages).toEqual([])
    expect(await stores.runs.find(sub, sessionId)).toBeUndefined()
    await expect(readConversation(stores, { sub, sessionId })).rejects.toBeInstanceOf(ConversationNotFound)
  })

  it('HIST-25 is not found for another user’s conversation, which stays', async () => {
    const { sub, sessionId } = await asked()
    await expect(deleteConversation(stores, { sub: 'stranger', sessionId })).rejects.toBeInstanceOf(
      ConversationNotFound,
    )
    expect(await stores.conversations.list(sub)).toHaveLength(1)
  })

  it('DEC-008 a reply that ends after the deletion takes itself back', async () => {
    const { run, sub, sessionId } = await asked()
    await deleteConversation(stores, { sub, sessionId })
    await expect(finishRun(stores, run, written('Too late'))).rejects.toMatchObject({ code: 'run_lost' })
    expect((await stores.messages.loadNewest(sub, sessionId)).messages).toEqual([])
    expect(await stores.conversations.find(sub, sessionId)).toBe('deleted')
  })
})

describe('recovery', () => {
  const stale = { heartbeatAtMs: Date.now() - 60_000, startedAtMs: Date.now() - 90_000 }
  const checkpoint = { from: 0, to: 8, textId: 't', text: 'Once upo' }

  it('a run that lost its function becomes interrupted, and its checkpoints become the reply', async () => {
    const { run, sub, sessionId } = await asked(stale)
    await stores.logs.append(run, [checkpoint])
    const read = await readConversation(stores, { sub, sessionId })
    expect(read.run).toMatchObject({ status: 'interrupted', run_id: run.runId })
    expect(read.messages.at(-1)).toMatchObject({ content: 'Once upo', ended: 'interrupted' })
    expect(read.session.message_count).toBe(2)
    expect((await readConversation(stores, { sub, sessionId })).session.message_count).toBe(2)
    expect(await stores.logs.read(run, 0)).toEqual([])
  })

  it('a writer that comes back to life overwrites nothing that was rescued, and takes nothing of it away', async () => {
    const { run, sub, sessionId } = await asked(stale)
    await stores.logs.append(run, [checkpoint])
    await readConversation(stores, { sub, sessionId })
    await expect(finishRun(stores, run, written('Once upon a time'))).rejects.toMatchObject({
      code: 'run_lost',
    })
    const { messages } = await readConversation(stores, { sub, sessionId })
    expect(toTranscript(messages).at(-1)).toEqual(['assistant', 'Once upo'])
  })

  it('readers that meet the lost run at the same moment agree', async () => {
    const { run, sub, sessionId } = await asked(stale)
    await stores.logs.append(run, [checkpoint])
    await Promise.all(Array.from({ length: 5 }, () => readConversation(stores, { sub, sessionId })))
    const { messages } = await readConversation(stores, { sub, sessionId })
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Once upo'],
    ])
  })
})
