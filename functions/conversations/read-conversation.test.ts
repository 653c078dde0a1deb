import { describe, expect, it, vi } from 'vitest'
import { aMessage, aRun, newConversationIds, openSharedStores } from '../../test/support/conversations.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'
import { addVersions } from './message-versions.ts'
import { readConversation } from './read-conversation.ts'
import { claimFinishedRun } from './store/claim-finished-run.ts'
import type { StoredMessage } from './store/message-row.ts'
import { toRunView, type Run } from './store/run.ts'

const stores = await openSharedStores()
const at = '2026-03-01T10:00:00.000Z'

/** Two messages in a conversation that counts so many. */
async function storeConversation(count = 2) {
  const ids = newConversationIds()
  const { sub, sessionId } = ids
  const activity = { title: 'Tea', addedMessages: count, at, replacesTitle: false }
  await stores.conversations.upsert(sub, sessionId, activity)
  const message = { session_id: sessionId, created_at: at }
  await stores.messages.putAll(sub, [
    aMessage({ ...message, id: 'm1' }),
    aMessage({ ...message, id: 'm2', turn: 2 }),
  ])
  return ids
}

it.each<[status: Run['status'], isShown: boolean]>([
  ['running', true],
  ['waiting', true],
  ['failed', true],
  ['stopped', true],
  ['incomplete', true],
  ['interrupted', true],
  ['done', false],
])('a run that is %s is part of its conversation: %s', async (status, isShown) => {
  const ids = await storeConversation()
  const run = await stores.runs.claim(aRun({ ...ids, status }), undefined)
  expect((await readConversation(stores, ids)).run).toEqual(isShown ? toRunView(run) : null)
})

describe('a wrong count', () => {
  const read = async (count: number, { before, run }: { before?: string; run?: Partial<Run> } = {}) => {
    const ids = await storeConversation(count)
    if (run) await stores.runs.claim(aRun({ ...ids, ...run }), undefined)
    const setCount = vi.spyOn(stores.conversations, 'setCount').mockClear()
    const { session } = await readConversation(stores, { ...ids, before })
    return [session.message_count, setCount.mock.calls.length]
  }

  it('is corrected when all messages are read', async () => {
    expect(await read(5)).toEqual([2, 1])
    expect(await read(1, { run: { status: 'failed' } })).toEqual([2, 1])
  })

  it('stays while a reply is written or waits, and when not all are read; a right one is not written', async () => {
    expect(await read(5, { run: { status: 'running' } })).toEqual([5, 0])
    expect(await read(5, { run: { status: 'waiting' } })).toEqual([5, 0])
    expect(await read(5, { before: '000002#1' })).toEqual([5, 0])
    expect(await read(2)).toEqual([2, 0])
  })
})

it('a page with links and the run fits into a response; the rest comes with the next one', async () => {
  const ids = await storeConversation()
  const run = await stores.runs.claim(aRun(ids), undefined)
  const room = pageBytes - responseBytes(toRunView(run))
  const toSize = (message: StoredMessage, bytes: number): StoredMessage => ({
    ...message,
    content: 'x'.repeat(bytes - responseBytes({ ...message, content: '' })),
  })
  const readWith = async (...sizes: number[]) => {
    const addLinks = async (_: string, messages: readonly StoredMessage[]) =>
      messages.map((message, index) => toSize(message, sizes[index] ?? 0))
    const files = { ...stores.files, addLinks } as typeof stores.files
    const page = await readConversation({ ...stores, files }, ids)
    return [page.messages.map(({ id }) => id), page.earlier]
  }
  expect(await readWith(1_000, room - 1_000)).toEqual([['m1', 'm2'], null])
  expect(await readWith(1_000, room - 999)).toEqual([['m2'], '000002#1'])
  // one at least
  expect(await readWith(1_000, room + 1)).toEqual([['m2'], '000002#1'])
})

it.each([true, false])('a conversation that is not there is not found (deleted: %s)', async (isDeleted) => {
  const ids = isDeleted ? await storeConversation() : newConversationIds()
  if (isDeleted) await stores.conversations.markDeleted(ids.sub, ids.sessionId, Date.now())
  await expect(readConversation(stores, ids)).rejects.toMatchObject({ code: 'session_not_found' })
})

it('a message says which version it is, if it has others and is the user’s', () => {
  const branches = {
    forks: [
      { turn: 3, versionOf: 1 },
      { turn: 5, versionOf: 1 },
    ],
  }
  const message = (turn: number) => aMessage({ session_id: 's', turn })
  expect([1, 3, 5].map((turn) => addVersions(message(turn), branches).versions)).toEqual([
    { shown: 1, count: 3 },
    { shown: 2, count: 3 },
    { shown: 3, count: 3 },
  ])
  const others = [message(2), { ...message(3), kind: 'reply' as const }]
  for (const other of others) expect(addVersions(other, branches)).toBe(other)
  expect(addVersions(others[0] ?? message(2), undefined)).toBe(others[0])
})

it('a conversation that was stored without a run gets one that is done', async () => {
  const ids = newConversationIds()
  const turn = { runId: 'r', turn: 7, messageId: 'm7', replyId: 'a7' }
  const before = Date.now()
  await claimFinishedRun(stores, { ...ids, ...turn })
  const run = await stores.runs.find(ids.sub, ids.sessionId)
  expect(run).toEqual({
    ...ids,
    ...turn,
    epoch: 1,
    status: 'done',
    isSaved: true,
    startedAtMs: run?.heartbeatAtMs,
    heartbeatAtMs: run?.heartbeatAtMs,
    fileIds: [],
    watchedUntilMs: 0,
    pending: [],
  })
  expect(run?.heartbeatAtMs).toBeGreaterThanOrEqual(before)
  await expect(claimFinishedRun(stores, { ...ids, ...turn })).rejects.toMatchObject({ code: 'run_changed' })
})
