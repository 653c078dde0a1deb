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
