import { expect, it } from 'vitest'
import { aMessage, newConversationIds, openSharedStores } from '../../test/support/conversations.ts'
import { deleteTurn } from './delete-turn.ts'
import { claimFinishedRun } from './store/claim-finished-run.ts'
import { allTurns } from './store/branches.ts'

const stores = await openSharedStores()

it('a deletion that was interrupted can be repeated, and leaves nothing that quotes the message', async () => {
  const ids = { ...newConversationIds(), messageId: 'm-1' }
  const { sub, sessionId } = ids
  await stores.conversations.upsert(sub, sessionId, {
    title: 'Tea',
    addedMessages: 2,
    at: '2026-03-01T10:00:00.000Z',
    replacesTitle: false,
  })
  await stores.messages.putAll(sub, [
    aMessage({ session_id: sessionId, id: 'm-1' }),
    aMessage({ session_id: sessionId, id: 'm-2', turn: 2 }),
  ])
  await claimFinishedRun(stores, { sub, sessionId, runId: 'r', turn: 2, messageId: 'm-2', replyId: 'p' })
  await stores.summaries.save(sub, sessionId, allTurns, { text: 'Hello was said.', upToTurn: 1 }, 1)
  const down = new Error('the table is down')
  const fail = () => Promise.reject(down)
  const broken = [
    { ...stores, summaries: { ...stores.summaries, clear: fail } },
    { ...stores, messages: { ...stores.messages, deleteTurn: fail } },
    // after its last write
    { ...stores, conversations: { ...stores.conversations, setCount: fail } },
  ]
  for (const partial of broken) await expect(deleteTurn(partial, ids)).rejects.toBe(down)
  await expect(deleteTurn(stores, ids)).rejects.toMatchObject({ code: 'message_not_found' })
  expect(await stores.summaries.find(sub, sessionId, allTurns)).toBeUndefined()
  expect((await stores.messages.loadOutline(sub, sessionId)).map(({ id }) => id)).toEqual(['m-2'])
  expect(await stores.conversations.find(sub, sessionId)).toMatchObject({ message_count: 1 })
})

/** Two turns; files belong to the messages as named. */
async function storeTurns(filesOfFirst: readonly string[], filesOfSecond: readonly string[]) {
  const ids = newConversationIds()
  const { sub, sessionId } = ids
  const toFiles = (names: readonly string[]) =>
    names.map((id) => ({ id, name: `${id}.txt`, type: 'text/plain', size: 1 }))
  const at = '2026-03-01T10:00:00.000Z'
  const session = { title: 'Tea', addedMessages: 3, at, replacesTitle: false }
  await stores.conversations.upsert(sub, sessionId, session)
  const message = { session_id: sessionId }
  await stores.messages.putAll(sub, [
    aMessage({ ...message, id: 'm-1', attachments: toFiles(filesOfFirst) }),
    aMessage({ ...message, id: 'r-1', role: 'assistant', kind: 'reply' }),
    aMessage({ ...message, id: 'm-2', turn: 2, attachments: toFiles(filesOfSecond) }),
  ])
  return ids
}

it.each<[what: string, first: string[], second: string[], deleted: string[]]>([
  ['its own files', ['f', 'g'], [], ['f', 'g']],
  ['no file that another message has', ['f', 'g'], ['g', 'h'], ['f']],
  ['no file if all are used', ['g'], ['g'], []],
  ['no file if it has none', [], ['h'], []],
])('a turn takes %s along', async (_, first, second, deleted) => {
  const ids = await storeTurns(first, second)
  const calls: unknown[][] = []
  const files = {
    ...stores.files,
    deleteConversationFiles: async (...args: unknown[]) => void calls.push(args),
  }
  const { messages, session } = await deleteTurn({ ...stores, files }, { ...ids, messageId: 'r-1' })
  expect(messages.map(({ id }) => id)).toEqual(['m-2'])
  expect(session.message_count).toBe(1)
  expect(calls).toEqual(deleted.length > 0 ? [[ids.sub, [ids.sessionId], new Set(deleted)]] : [])
})

it('a message of a conversation that is not there, or was deleted, is not found', async () => {
  const ids = { ...newConversationIds(), messageId: 'm-1' }
  await expect(deleteTurn(stores, ids)).rejects.toMatchObject({ code: 'session_not_found' })
  const stored = await storeTurns([], [])
  await stores.conversations.markDeleted(stored.sub, stored.sessionId, Date.now())
  await expect(deleteTurn(stores, { ...stored, messageId: 'm-1' })).rejects.toMatchObject({
    code: 'session_not_found',
  })
})
