import { expect, it } from 'vitest'
import { newConversationIds, aMessage, aRun, openSharedStores } from '../../test/support/conversations.ts'
import { loadTurn } from './load-turn.ts'

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

it('a regenerated message loads all messages, because the one it replaces may be an early one', async () => {
  expect(
    listTurns(
      await loadTurn(stores, {
        ...(await aLongConversation()),
        messageId: 'm',
        replaces: 'm-1',
        historyLimits,
      }),
    ),
  ).toEqual([1, 2])
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
