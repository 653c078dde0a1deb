import { DeleteItemCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { schedulePrefix } from '../../../functions/schedules/schedule-row.ts'
import { mockClient } from '../../../test/support/mock-client.ts'
import { copyRows } from './restored-rows.ts'

it.each([
  ['that ran', undefined, 'restored'],
  ['that its user had paused', 'user', 'restored'],
  // its user could go on with it otherwise
  ['that an administrator had paused', 'administrator', 'administrator'],
])('a schedule %s comes back paused', async (_, before, after) => {
  const client = mockClient(DynamoDBClient)
  const row = {
    PK: { S: 'U#ann' },
    SK: { S: `${schedulePrefix}monday` },
    next_at: { N: '1' },
    handed: { M: {} },
    ...(before !== undefined && { paused_because: { S: before } }),
  }
  client.on(ScanCommand).resolves({ Items: [row] })
  const options = { from: 'old', to: 'new', subs: new Set(['ann']), overwrite: false, nowMs: 0 }
  expect(await copyRows(new DynamoDBClient({ region: 'eu-central-1' }), options)).toEqual({
    written: 1,
    present: 0,
  })
  const [put] = client.commandCalls(PutItemCommand)
  expect(put?.args[0].input.Item).toEqual({
    PK: row.PK,
    SK: row.SK,
    paused_because: { S: after },
  })
})

it('the format of the rows is unknown again, before the first row of an earlier time is written', async () => {
  const client = mockClient(DynamoDBClient)
  client.on(ScanCommand).resolves({ Items: [{ PK: { S: 'U#ann' }, SK: { S: 'PROFILE' } }] })
  const options = { from: 'old', to: 'new', subs: new Set(['ann']), overwrite: false, nowMs: 0 }
  await copyRows(new DynamoDBClient({ region: 'eu-central-1' }), options)
  const commands = client.calls().map(({ args: [command] }) => command)
  expect(commands.map(({ constructor }) => constructor)).toEqual([
    DeleteItemCommand,
    ScanCommand,
    PutItemCommand,
  ])
  expect(commands[0]?.input).toEqual({ TableName: 'new', Key: { PK: { S: 'FORMAT' }, SK: { S: 'FORMAT' } } })
})
