import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { beforeEach, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { aMessage } from '../../../test/support/conversations.ts'
import { openTable } from '../../platform/dynamodb/table.ts'
import { messageRepository } from './message-repository.ts'
import { conversationRepository } from './conversation-repository.ts'

const at = '2026-03-01T00:00:00.000Z'
const db = mockClient(DynamoDBDocumentClient)
const sessions = () => conversationRepository(openTable('table'))
const messages = () => messageRepository(openTable('table'))
beforeEach(() => {
  process.env['AWS_REGION'] ??= 'eu-central-1'
  db.reset()
})
const session = { SK: 'S#one', title: 'Tea', created_at: at, updated_at: at, message_count: 1 }
const repeatedWrite = { $metadata: { attempts: 2 } }

it('all reads are strongly consistent', async () => {
  db.on(GetCommand).resolves({})
  db.on(QueryCommand).resolves({ Items: [] })
  await sessions().find('ann', 'one')
  await sessions().list('ann')
  await messages().loadNewest('ann', 'one')
  await messages().loadAfter('ann', 'one')
  await messages().hasReply('ann', 'one', 1)
  await messages().findTurn('ann', 'one', 'm-1')
  expect(db.calls()).toHaveLength(6)
  for (const { args } of db.calls()) expect(args[0].input).toMatchObject({ ConsistentRead: true })
})

it('reads no more messages than requested', async () => {
  db.on(QueryCommand).resolves({ Items: [], LastEvaluatedKey: { PK: 'U#ann', SK: 'M#one#000001#1' } })
  db.on(QueryCommand, { ExclusiveStartKey: { PK: 'U#ann', SK: 'M#one#000001#1' } }).resolves({ Items: [] })
  expect(await messages().loadNewest('ann', 'one', { maxMessages: 5 })).toEqual({
    messages: [],
    earlier: null,
  })
  const inputs = db.commandCalls(QueryCommand).map(({ args }) => args[0].input)
  expect(inputs).toHaveLength(2)
  for (const input of inputs) expect(input).toMatchObject({ Limit: 5, ScanIndexForward: false })
})

it('skips turns of other branches without reading them', async () => {
  const row = (turn: number) => {
    const { turn: _, kind: __, ...fields } = aMessage({ session_id: 'one', turn })
    return { PK: 'U#ann', SK: `M#one#00000${turn}#1`, ...fields }
  }
  const path = [
    { first: 7, last: 8 },
    { first: 1, last: 2 },
  ]
  db.on(QueryCommand)
    .resolvesOnce({
      Items: [row(8), row(7), row(6)],
      LastEvaluatedKey: { PK: 'U#ann', SK: 'M#one#000006#1' },
    })
    .resolvesOnce({ Items: [row(2)], LastEvaluatedKey: { PK: 'U#ann', SK: 'M#one#000002#1' } })
    .resolves({ Items: [row(1)] })
  const { messages: found, earlier } = await messages().loadNewest('ann', 'one', { path })
  expect(found.map(({ turn }) => turn)).toEqual([1, 2, 7, 8])
  expect(earlier).toBeNull()
  const starts = db.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExclusiveStartKey?.['SK'])
  expect(starts).toEqual(['M#one#000009#', 'M#one#000003#', 'M#one#000002#1'])
})

it('reads nothing when the branch has no messages before the cursor', async () => {
  const path = [{ first: 4, last: 5 }]
  expect(await messages().loadNewest('ann', 'one', { path, before: '000003#1' })).toEqual({
    messages: [],
    earlier: null,
  })
  expect(db.calls()).toEqual([])
})

it('reports a count as unsure when the client repeated the write', async () => {
  db.on(UpdateCommand).resolves({ Attributes: session, ...repeatedWrite })
  db.on(PutCommand).resolves(repeatedWrite)
  const change = { title: 'Tea', addedMessages: 1, at, replacesTitle: false }
  expect(await sessions().upsert('ann', 'one', change)).toMatchObject({ isCountExact: false })
  expect(await sessions().recordActivity('ann', 'one', change)).toMatchObject({ isCountExact: false })
  expect(await messages().put('ann', aMessage({ session_id: 'one' }), 1)).toBeUndefined()
})

it('does not report failures of the table as a missing conversation or message', async () => {
  const down = new Error('the table is down')
  db.onAnyCommand().rejects(down)
  const message = aMessage({ session_id: 'one' })
  await expect(sessions().change('ann', 'one', { title: 'Mine' })).rejects.toBe(down)
  await expect(messages().put('ann', message, 1)).rejects.toBe(down)
  await expect(messages().deleteOwn('ann', message, 1)).rejects.toBe(down)
  expect(db.commandCalls(DeleteCommand)).toHaveLength(1)
})

it('rejects a row whose key has an unknown form', async () => {
  db.on(QueryCommand).resolves({ Items: [{ ...aMessage({ session_id: 'one' }), SK: 'M#one#1#1' }] })
  await expect(messages().loadNewest('ann', 'one')).rejects.toThrow('a key of another form')
})
