import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { newConversationIds, openSharedStores } from '../../../test/support/conversations.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'

const { transcripts, table } = await openSharedStores()

const listKeys = async (sub: string) =>
  (await queryAll(table, { partition: `U#${sub}` })).map(({ SK }) => String(SK))

/** A text that does not get shorter. */
const randomText = (bytes: number) => randomBytes(bytes).toString('base64')

it('a transcript of any length is stored as it is, in rows that one item can hold', async () => {
  const { sub, sessionId } = newConversationIds()
  const text = `{"b":1,"a":"${randomText(900_000)}"}`
  await transcripts.save({ sub, sessionId, turn: 3, runId: 'r' }, text)
  await transcripts.save({ sub, sessionId, turn: 3, runId: 'r' }, text)
  const keys = await listKeys(sub)
  expect(keys.length).toBeGreaterThan(2)
  expect(keys[0]).toBe(`TURN#${sessionId}#000003#r#000`)
  expect(await transcripts.loadNewest(sub, sessionId, 1)).toEqual([{ turn: 3, runId: 'r', text }])
})

it('the newest are read, up to a number of characters, and those of which a row is missing are left out', async () => {
  const { sub, sessionId } = newConversationIds()
  for (const turn of [1, 2, 3])
    await transcripts.save({ sub, sessionId, turn, runId: 'r' }, randomText(500_000))
  const list = async (maxCharacters: number) =>
    (await transcripts.loadNewest(sub, sessionId, maxCharacters)).map(({ turn }) => turn)
  expect(await list(10)).not.toContain(1)
  expect(await list(10)).toContain(3)
  expect(await list(10_000_000)).toEqual([1, 2, 3])
  const { client, name: TableName } = table
  const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb')
  const key = { PK: `U#${sub}`, SK: `TURN#${sessionId}#000002#r#001` }
  await client.send(new DeleteCommand({ TableName, Key: key }))
  expect(await list(10_000_000)).toEqual([1, 3])
})

it('those of other conversations and users are not found, and of several runs of a turn each is its own', async () => {
  const { sub, sessionId } = newConversationIds()
  const run = { sub, sessionId, turn: 1 }
  await transcripts.save({ ...run, runId: 'r1' }, '1')
  await transcripts.save({ ...run, runId: 'r2' }, '2')
  const list = async (of: string, session: string) =>
    (await transcripts.loadNewest(of, session, 100)).map(({ text }) => text)
  expect(await list(sub, sessionId)).toEqual(['1', '2'])
  expect(await list(sub, `${sessionId}x`)).toEqual([])
  expect(await list(newConversationIds().sub, sessionId)).toEqual([])
})

it('they are deleted by run, turn or conversation, and copied by run', async () => {
  const { sub, sessionId } = newConversationIds()
  const other = newConversationIds().sessionId
  for (const [turn, runId] of [
    [1, 'a'],
    [1, 'b'],
    [2, 'c'],
    [12, 'd'],
  ] as const)
    await transcripts.save({ sub, sessionId, turn, runId }, runId)
  const rows = await transcripts.loadRows({ sub, sessionId, turn: 12, runId: 'd' })
  await transcripts.putRows({ sub, sessionId: other, turn: 1, runId: 'd' }, rows)
  const list = async (session = sessionId) =>
    (await transcripts.loadNewest(sub, session, 100)).map(({ text }) => text).join('')
  expect([await list(), await list(other)]).toEqual(['abcd', 'd'])
  await transcripts.deleteRun({ sub, sessionId, turn: 1, runId: 'a' })
  expect(await list()).toBe('bcd')
  await transcripts.deleteTurn(sub, sessionId, 1)
  expect(await list()).toBe('cd')
  await transcripts.deleteAll(sub, sessionId)
  expect([await list(), await list(other)]).toEqual(['', 'd'])
})
