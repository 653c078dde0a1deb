import { describe, expect, it, vi } from 'vitest'
import { newConversationIds, aMessage, aRun, openSharedStores } from '../../../test/support/conversations.ts'
import { pageBytes } from '../../platform/limits.ts'
import type { Run } from '../store/run.ts'
import { commitReplacement } from './commit-replacement.ts'
import { loadTurn, repairTurn, type TurnRequest } from './load-turn.ts'

const historyLimits = { maxCharacters: 48_000, maxMessages: 100 }

const stores = await openSharedStores()

/** A conversation with two messages that do not fit together into a prompt. */
async function aLongConversation() {
  const request = newConversationIds()
  const put = (turn: number, content: string) =>
    stores.messages.put(request.sub, aMessage({ session_id: request.sessionId, turn, content }), turn)
  await put(1, 'a'.repeat(historyLimits.maxCharacters))
  await put(2, 'The newest one')
  return request
}

const listTurns = ({ recentMessages }: Awaited<ReturnType<typeof loadTurn>>) =>
  recentMessages.map(({ turn }) => turn)

it('a new message loads the newest messages that fit', async () => {
  expect(
    listTurns(
      await loadTurn(stores, {
        ...(await aLongConversation()),
        messageId: 'm',
        replaces: undefined,
        historyLimits,
      }),
    ),
  ).toEqual([2])
})

it('an edited message is found before more than a page of later messages, with as much before it as a prompt holds', async () => {
  const { sub, sessionId } = newConversationIds()
  const put = (turn: number, content: string, id: string = crypto.randomUUID()) =>
    stores.messages.put(sub, aMessage({ session_id: sessionId, turn, content, id }), turn)
  await put(1, 'Too far back')
  await put(2, 'a'.repeat(historyLimits.maxCharacters - 10))
  await put(3, 'Edited', 'm-3')
  const lastTurn = 3 + Math.ceil(pageBytes / 90_000)
  for (let turn = 4; turn <= lastTurn; turn += 1) await put(turn, 'b'.repeat(90_000))
  const request = { sub, sessionId, messageId: 'm', replaces: 'm-3', historyLimits }
  const state = await loadTurn(stores, request)
  expect(listTurns(state)).toEqual(Array.from({ length: lastTurn - 1 }, (_, index) => index + 2))
  expect(state.hasEarlier).toBe(true)
})

it('an empty conversation has no messages, and its run if there is one', async () => {
  const request = { ...newConversationIds(), messageId: 'm', replaces: undefined, historyLimits }
  expect(await loadTurn(stores, request)).toEqual({
    session: undefined,
    run: undefined,
    recentMessages: [],
    hasEarlier: false,
  })
  const run = await stores.runs.claim(aRun({ sub: request.sub, sessionId: request.sessionId }), undefined)
  expect(await loadTurn(stores, request)).toEqual({
    session: undefined,
    run,
    recentMessages: [],
    hasEarlier: false,
  })
})

it('a deleted conversation gets no message', async () => {
  const { sub, sessionId } = await storeConversation()
  await stores.conversations.markDeleted(sub, sessionId, Date.now())
  await expect(loadTurn(stores, { sub, sessionId, messageId: 'm', historyLimits })).rejects.toMatchObject({
    code: 'session_not_found',
  })
})

/** Two answered turns, the second of which is another version of the first; the conversation counts nine messages. */
async function storeConversation(changes: Partial<Run> = {}) {
  const ids = newConversationIds()
  const { sub, sessionId } = ids
  const at = '2026-03-01T10:00:00.000Z'
  const activity = { title: 'Tea', addedMessages: 9, at, replacesTitle: false }
  await stores.conversations.upsert(sub, sessionId, activity)
  const reply = { role: 'assistant', kind: 'reply' } as const
  await stores.messages.putAll(
    sub,
    [
      aMessage({ session_id: sessionId, id: 'm1' }),
      aMessage({ session_id: sessionId, id: 'r1', ...reply }),
      aMessage({ session_id: sessionId, id: 'm2', turn: 2 }),
      aMessage({ session_id: sessionId, id: 'r2', turn: 2, ...reply }),
    ].map((message) => ({ ...message, created_at: at })),
  )
  const run = aRun({ ...ids, turn: 2, messageId: 'm2', status: 'done', ...changes })
  await stores.runs.claim(run, undefined)
  const request = { ...ids, messageId: 'm3', content: 'And now?', historyLimits }
  return { ...ids, run, request }
}

const listIds = ({ recentMessages }: Awaited<ReturnType<typeof loadTurn>>) =>
  recentMessages.map(({ id }) => id)
const branches = { forks: [{ turn: 2, versionOf: 1 }], head: 1 }

it('the branch that is shown is read, or that of the message if it is sent again', async () => {
  const { request } = await storeConversation({ branches })
  expect(listIds(await loadTurn(stores, request))).toEqual(['m1', 'r1'])
  expect(listIds(await loadTurn(stores, { ...request, messageId: 'm2' }))).toEqual(['m2', 'r2'])
  const limited = await loadTurn(stores, {
    ...request,
    historyLimits: { ...historyLimits, maxMessages: 1 },
  })
  expect([listIds(limited), limited.hasEarlier]).toEqual([['r1'], true])
})

describe('what an earlier turn has left', () => {
  const repair = async (
    { request }: Awaited<ReturnType<typeof storeConversation>>,
    changes: Partial<TurnRequest> = {},
  ) => {
    const state = await loadTurn(stores, request)
    const setCount = vi.spyOn(stores.conversations, 'setCount')
    const repaired = await repairTurn(stores, { ...request, ...changes }, state)
    return { state, repaired, counts: setCount.mock.calls.map(([, , count]) => count) }
  }

  it('is nothing after a reply to another message', async () => {
    const find = vi.spyOn(stores.runs, 'find')
    const { state, repaired, counts } = await repair(await storeConversation())
    expect(repaired).toEqual(state)
    expect(counts).toEqual([])
    expect(find).toHaveBeenCalledOnce()
  })

  it.each<[what: string, changes: Partial<Run>, messageId: string, counts: number[]]>([
    ['the same message, which may not have been counted', { status: 'failed' }, 'm2', [4]],
    ['the same message while it is answered', { status: 'running' }, 'm2', []],
    ['another message, which failed', { status: 'failed' }, 'm3', []],
    ['a run that was marked as interrupted', { status: 'interrupted' }, 'm3', [4]],
  ])('is counted if it is %s: %j', async (_, changes, messageId, expected) => {
    const { state, repaired, counts } = await repair(await storeConversation(changes), { messageId })
    expect(counts).toEqual(expected)
    expect(repaired).toEqual(state)
  })

  it('is a lost reply, which belongs to the conversation from then on', async () => {
    const longAgo = Date.now() - 60_000
    const conversation = await storeConversation({
      status: 'running',
      turn: 3,
      messageId: 'm9',
      startedAtMs: longAgo,
      heartbeatAtMs: longAgo,
    })
    await stores.logs.append(conversation.run, [{ from: 0, to: 4, textId: 't', text: 'Half' }])
    const { state, repaired } = await repair(conversation)
    expect(repaired.run).toMatchObject({ runId: conversation.run.runId, status: 'interrupted' })
    expect(repaired.session).toBe(state.session)
    expect(listIds(repaired)).toEqual([...listIds(state), conversation.run.replyId])
  })

  it('is a message that was replaced, and is an earlier version from then on', async () => {
    const conversation = await storeConversation({ replaces: { messageId: 'm1', turn: 1 } })
    const { state, repaired } = await repair(conversation)
    expect(listIds(state)).toEqual(['m1', 'r1'])
    expect(listIds(repaired)).toEqual(['m2', 'r2'])
    expect(repaired.run).toMatchObject({ branches: { forks: [{ turn: 2, versionOf: 1 }] } })
    expect(repaired.run).not.toHaveProperty('replaces')
    expect(repaired.session).toMatchObject({ message_count: 2 })
  })

  it('stays as it is while the conversation has no row', async () => {
    const conversation = await storeConversation({ replaces: { messageId: 'm1', turn: 1 } })
    const state = { ...(await loadTurn(stores, conversation.request)), session: undefined }
    const setCount = vi.spyOn(stores.conversations, 'setCount')
    expect(await repairTurn(stores, { ...conversation.request, messageId: 'm2' }, state)).toEqual(state)
    expect(await repairTurn(stores, conversation.request, { ...state, run: undefined })).toEqual({
      ...state,
      run: undefined,
    })
    expect(setCount).not.toHaveBeenCalled()
  })
})

describe('a replaced message becomes an earlier version', () => {
  it.each<[changes: Partial<Run>, isCommitted: boolean]>([
    [{ status: 'done' }, true],
    [{ status: 'stopped' }, true],
    [{ status: 'incomplete' }, true],
    // after some words
    [{ status: 'failed' }, true],
    [{ status: 'interrupted' }, true],
    [{ status: 'running' }, false],
    [{ status: 'waiting' }, false],
    [{ status: 'done', turn: 3 }, false],
  ])('after a run with %j: %s', async (changes, isCommitted) => {
    const replaces = { messageId: 'm1', turn: 1 }
    const { run } = await storeConversation({ replaces, ...changes })
    const committed = await commitReplacement(stores, run)
    expect(committed !== undefined).toBe(isCommitted)
    expect(committed?.run.branches).toEqual(isCommitted ? { forks: [{ turn: 2, versionOf: 1 }] } : undefined)
    expect(committed?.session.message_count).toBe(isCommitted ? 2 : undefined)
    const stored = await stores.runs.find(run.sub, run.sessionId)
    expect(stored?.replaces).toEqual(isCommitted ? undefined : run.replaces)
  })

  it('unless none was replaced', async () => {
    expect(await commitReplacement(stores, (await storeConversation()).run)).toBeUndefined()
  })
})
