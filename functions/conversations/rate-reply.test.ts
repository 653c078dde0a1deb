import { expect, it } from 'vitest'
import { aMessage, newConversationIds, openSharedStores } from '../../test/support/conversations.ts'
import { noUsage } from './turns/stored-reply.ts'
import { deleteConversation } from './delete-conversation.ts'
import { deleteTurn } from './delete-turn.ts'
import { rateReply } from './rate-reply.ts'
import type { StoredMessage } from './store/message-row.ts'

const stores = await openSharedStores()

/** A conversation with one turn. @param changes of its reply `r-1` */
async function storeTurn(changes: Partial<StoredMessage> = {}) {
  const ids = newConversationIds()
  const { sub, sessionId } = ids
  const session = { title: 'Tea', addedMessages: 2, at: '2026-03-01T10:00:00.000Z', replacesTitle: false }
  await stores.conversations.upsert(sub, sessionId, session)
  await stores.messages.putAll(sub, [
    aMessage({ session_id: sessionId, id: 'm-1' }),
    aMessage({
      session_id: sessionId,
      id: 'r-1',
      role: 'assistant',
      kind: 'reply',
      usage: { ...noUsage(), model: 'gpt-5' },
      ...changes,
    }),
  ])
  return { ...ids, messageId: 'r-1' }
}

const listRatings = async (sub: string) =>
  (await stores.feedback.list(sub)).map(({ messageId, rating, text, named, model }) =>
    [messageId, rating, text, named && 'named', model].filter((part) => part !== undefined),
  )

it('the last request counts, whole and once: repeated, changed, with a text and without, taken back', async () => {
  const ids = await storeTurn()
  const steps = [
    [
      { rating: 'down', text: 'Wrong', readable: true, named: true },
      [['r-1', 'down', 'Wrong', 'named', 'gpt-5']],
    ],
    [{ rating: 'down', text: 'Wrong', readable: true, named: false }, [['r-1', 'down', 'Wrong', 'gpt-5']]],
    // a text that was about the other thumb does not stay; a name without a text is nothing
    [{ rating: 'up', text: '', named: true }, [['r-1', 'up', 'gpt-5']]],
    [{ rating: 'up', text: null }, [['r-1', 'up', 'gpt-5']]],
    [null, []],
    [null, []],
  ] as const
  for (const [rating, stored] of steps) {
    await rateReply(stores, ids, rating)
    expect(await listRatings(ids.sub)).toEqual(stored)
  }
})

it.each<[what: string, changes: Partial<StoredMessage>]>([
  ['imported', { imported: true }],
  ['of no known model', { usage: noUsage() }],
  ['a failure, which another attempt replaces', { ended: 'failed' }],
  ['interrupted', { ended: 'interrupted' }],
])('a reply that is %s is not rated', async (_, changes) => {
  const ids = await storeTurn(changes)
  await expect(rateReply(stores, ids, { rating: 'up' })).rejects.toMatchObject({ code: 'reply_not_rated' })
  expect(await listRatings(ids.sub)).toEqual([])
})

it.each(['stopped', 'incomplete'] as const)('a reply that is %s can be rated', async (ended) => {
  const ids = await storeTurn({ ended })
  await rateReply(stores, ids, { rating: 'down' })
  expect(await listRatings(ids.sub)).toEqual([['r-1', 'down', 'gpt-5']])
})

it.each([
  ['m-1', 'reply_not_rated'],
  ['m-2', 'message_not_found'],
])('message %s: %s', async (messageId, code) => {
  const ids = await storeTurn()
  await expect(rateReply(stores, { ...ids, messageId }, { rating: 'up' })).rejects.toMatchObject({ code })
})

it.each([
  ['turn', deleteTurn],
  ['conversation', deleteConversation],
])('no rating outlives its %s, whichever of rating and deletion comes last', async (_, remove) => {
  const ids = await storeTurn()
  const before = {
    ...stores.feedback,
    put: async (...args: Parameters<typeof stores.feedback.put>) => {
      await remove(stores, ids)
      await stores.feedback.put(...args)
    },
  }
  await expect(rateReply({ ...stores, feedback: before }, ids, { rating: 'up' })).rejects.toMatchObject({
    code: expect.stringMatching(/^(message|session)_not_found$/) as unknown,
  })
  expect(await listRatings(ids.sub)).toEqual([])

  const others = await storeTurn()
  // the rating is stored while the deletion is under way: after it has begun to delete messages, and before these are gone
  const rate = () => rateReply(stores, others, { rating: 'up' }).catch(() => undefined)
  const messages = {
    ...stores.messages,
    deleteTurn: async (...args: Parameters<typeof stores.messages.deleteTurn>) => {
      await rate()
      await stores.messages.deleteTurn(...args)
    },
    deleteAll: async (...args: Parameters<typeof stores.messages.deleteAll>) => {
      await rate()
      await stores.messages.deleteAll(...args)
    },
  }
  await remove({ ...stores, messages }, others)
  expect(await listRatings(others.sub)).toEqual([])
})
