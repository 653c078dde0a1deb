import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, expect, it } from 'vitest'
import { rowFormat } from '#shared/row-format.ts'
import { mockClient } from '../../../test/support/mock-client.ts'
import { checkRowFormat } from './row-format.ts'
import type { DoctorInput } from './stacks.ts'

const table = mockClient(DynamoDBDocumentClient)
afterEach(() => table.reset())

/** @param recorded the row, undefined if there is none @param outputs of the deployed stacks */
function check(
  recorded: object | undefined,
  outputs: Record<string, string> = { TableName: 'juno', RowFormat: String(rowFormat) },
) {
  table
    .on(GetCommand, { TableName: 'juno', Key: { PK: 'FORMAT', SK: 'FORMAT' } })
    .resolves(recorded ? { Item: { PK: 'FORMAT', SK: 'FORMAT', ...recorded } } : {})
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }))
  return checkRowFormat({
    region: 'eu-west-1',
    stacks: Promise.resolve([{ stack: { Outputs } }]),
  } as unknown as DoctorInput)
}
const lists =
  'npm run migrate -- --dry-run -c … lists older rows; without --dry-run it changes them and records the format.'

it('the recorded format is this release’s', async () => {
  expect(await check({ format: rowFormat })).toEqual({
    level: 'ok',
    found: `format ${rowFormat} is recorded, which this release writes.`,
  })
})

it.each([
  ['an older one', { format: rowFormat - 1 }, `format ${rowFormat - 1} is recorded`],
  ['none', undefined, 'that of the rows is not recorded'],
  // a migration that has left rows
  ['none, but a row', { ended_at: '2026-11-28T12:00:00Z' }, 'that of the rows is not recorded'],
])('%s is recorded: the command that lists older rows', async (_, recorded, what) => {
  expect(await check(recorded)).toEqual({
    level: 'warning',
    found: `this release writes format ${rowFormat}, and ${what}.`,
    next: lists,
  })
})

it('before the deployment of this release, the command comes after it', async () => {
  expect(await check(undefined, { TableName: 'juno' })).toMatchObject({
    level: 'warning',
    next: `After the deployment: ${lists}`,
  })
})

it('a migration that was interrupted is to be finished', async () => {
  const progress = { to: rowFormat, begun_at: '2026-11-28T12:00:00Z', read: 9, changed: [1], left: 0 }
  expect(await check({ format: rowFormat - 1, progress })).toEqual({
    level: 'warning',
    found: `a migration to format ${rowFormat}, begun at 2026-11-28T12:00:00Z, is unfinished.`,
    next: 'npm run migrate -- -c …',
  })
})

it('rows of a later release are a problem', async () => {
  expect(await check({ format: rowFormat + 1 })).toMatchObject({
    level: 'problem',
    found: expect.stringContaining(
      `they have format ${rowFormat + 1}, and this release knows ${rowFormat}`,
    ) as string,
  })
})

it('reports nothing before the first deployment', async () => {
  expect(await check(undefined, {})).toBeUndefined()
})
