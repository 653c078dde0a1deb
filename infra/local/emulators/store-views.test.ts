import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createDynaliteTable } from '../../../test/support/dynalite-table.ts'
import { runDynalite } from './dynalite.ts'
import { yieldBetweenItems } from './store-views.ts'
import { openTableFile } from './table-file.ts'

const TableName = 'juno'

it('handles other requests between the items of a batch', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-batch-'))
  const file = await openTableFile(dataDir)
  onTestFinished(async () => {
    file.close()
    await rm(dataDir, { recursive: true })
  })
  const { store } = file
  const key = (n: number) => ({ PK: { S: 'b' }, SK: { S: `${n}` } })
  const keys = Array.from({ length: 25 }, (_, n) => key(n))
  await createDynaliteTable(store, TableName)
  const write = (text: string) =>
    runDynalite(yieldBetweenItems(store), 'BatchWriteItem', {
      RequestItems: {
        [TableName]: keys.map((Key) => ({ PutRequest: { Item: { ...Key, text: { S: text } } } })),
      },
    })
  await write('old')
  const [, output] = await Promise.all([
    write('new'),
    // in reverse order, so that the read meets old and new items
    runDynalite(yieldBetweenItems(store), 'BatchGetItem', {
      RequestItems: { [TableName]: { Keys: keys.toReversed() } },
    }),
  ])
  const { Responses } = output as { Responses: Record<string, { text: { S: string } }[]> }
  const texts = (Responses[TableName] ?? []).map(({ text }) => text.S)
  expect(texts).toHaveLength(25)
  expect(new Set(texts)).toEqual(new Set(['old', 'new']))
})
