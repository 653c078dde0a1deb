import { expect, it } from 'vitest'
import { newConversationIds, aMessage, aRun, openSharedStores } from '../../../test/support/conversations.ts'
import { pageBytes } from '../../platform/limits.ts'
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
