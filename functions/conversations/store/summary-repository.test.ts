import { expect, it } from 'vitest'
import { newConversationIds, openSharedStores } from '../../../test/support/conversations.ts'
import { allTurns } from './branches.ts'

const { summaries } = await openSharedStores()
const summary = { text: 'Hello was said.', upToTurn: 4 }

it('a summary is found on branches that have the same turns up to its last one', async () => {
  const { sub, sessionId } = newConversationIds()
  const path = [
    { first: 6, last: Infinity },
    { first: 3, last: 4 },
    { first: 1, last: 1 },
  ]
  expect(await summaries.save(sub, sessionId, path, summary, 1)).toBe(true)
  const find = (...ranges: [first: number, last: number][]) =>
    summaries.find(
      sub,
      sessionId,
      ranges.map(([first, last]) => ({ first, last })),
    )
  expect(await find([6, Infinity], [3, 4], [1, 1])).toEqual(summary)
  expect(await find([3, 9], [1, 1])).toEqual(summary)
  expect(await find([5, 5], [3, 4], [1, 1])).toEqual(summary)
  expect(await find([4, 9], [1, 1])).toBeUndefined()
  expect(await find([3, 9], [1, 2])).toBeUndefined()
  expect(await find([1, Infinity])).toBeUndefined()
  expect(await summaries.find(sub, 'none', path)).toBeUndefined()
  expect(await summaries.find('nobody', sessionId, path)).toBeUndefined()
})

it('a newer summary takes the place of the former one', async () => {
  const { sub, sessionId } = newConversationIds()
  await summaries.save(sub, sessionId, allTurns, summary, 1)
  const newer = { text: 'Much was said.', upToTurn: 9 }
  await summaries.save(sub, sessionId, allTurns, newer, 1)
  expect(await summaries.find(sub, sessionId, allTurns)).toEqual(newer)
  await summaries.remove(sub, sessionId)
  expect(await summaries.find(sub, sessionId, allTurns)).toBeUndefined()
})

it('a summary of messages that were read before one was deleted is refused', async () => {
  const { sub, sessionId } = newConversationIds()
  await summaries.save(sub, sessionId, allTurns, summary, 1)
  const before = Date.now()
  await summaries.clear(sub, sessionId)
  expect(await summaries.find(sub, sessionId, allTurns)).toBeUndefined()
  expect(await summaries.save(sub, sessionId, allTurns, summary, before)).toBe(false)
  expect(await summaries.find(sub, sessionId, allTurns)).toBeUndefined()
  expect(await summaries.save(sub, sessionId, allTurns, summary, Date.now() + 60_000)).toBe(true)
  expect(await summaries.find(sub, sessionId, allTurns)).toEqual(summary)
})
