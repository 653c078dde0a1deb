import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { createDynaliteTable } from '../../../test/support/dynalite-table.ts'
import { type DynaliteStore, runDynalite } from './dynalite.ts'
import { openTableFile } from './table-file.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'juno-table-file-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
})

const TableName = 'juno'
const rows = Array.from({ length: 30 }, (_, n) => ({
  PK: { S: `U#${n % 3} ä` },
  SK: { S: `M#${n}` },
  text: { S: `${'ü\u{1F600}'.repeat(n * 100)} \0 \ud800` },
  n: { N: String(n) },
  some: { L: [{ BOOL: true }, { NULL: true }, { B: 'AAEC' }, { SS: ['a', 'b'] }] },
}))

async function open() {
  const file = await openTableFile(dataDir)
  onTestFinished(() => {
    try {
      file.close()
    } catch {
      // closed by the test
    }
  })
  return file
}

async function query(store: DynaliteStore, person: string) {
  const output = await runDynalite(store, 'Query', {
    TableName,
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :m)',
    ExpressionAttributeValues: { ':pk': { S: person }, ':m': { S: 'M#' } },
  })
  return (output as { Items: object[] }).Items
}

const listRows = (person: string) =>
  rows.filter(({ PK }) => PK.S === person).toSorted((a, b) => (a.SK.S < b.SK.S ? -1 : 1))

it('is there again when it is opened again, every value as it was', async () => {
  const { store, ...file } = await open()
  await createDynaliteTable(store, TableName)
  for (const Item of rows) await runDynalite(store, 'PutItem', { TableName, Item: structuredClone(Item) })
  file.close()
  const reopenedFile = await open()
  for (const person of ['U#0 ä', 'U#1 ä', 'U#2 ä'])
    expect(await query(reopenedFile.store, person)).toEqual(listRows(person))
})

it('orders and bounds a query like DynamoDB, backwards and forwards', async () => {
  const { store } = await open()
  const items = store.getItemDb(TableName)
  const otherItems = store.getItemDb(`${TableName}2`)
  for (const key of ['a/1', 'a/2', 'a/3', 'b/1', '~']) items.put(key, { key }, () => undefined)
  otherItems.put('a/0', { key: 'other' }, () => undefined)
  const read = (options: object) =>
    new Promise<string[]>((resolve) => {
      const found: string[] = []
      items
        .createValueStream(options)
        .on('data', ({ key }: { key: string }) => found.push(key))
        .on('end', () => resolve(found))
    })
  expect(await read({})).toEqual(['a/1', 'a/2', 'a/3', 'b/1', '~'])
  expect(await read({ gte: 'a/2', lt: 'b/1' })).toEqual(['a/2', 'a/3'])
  expect(await read({ gt: 'a/2', lte: 'b/1' })).toEqual(['a/3', 'b/1'])
  expect(await read({ gte: 'a/', lt: 'a/~', reverse: true, limit: 2 })).toEqual(['a/3', 'a/2'])
  expect(await read({ limit: -1, reverse: true })).toHaveLength(5)
  await new Promise<void>((resolve) => store.deleteItemDb(TableName, () => resolve()))
  expect(await read({})).toEqual([])
  let storedValue: unknown
  otherItems.get('a/0', (_, value) => (storedValue = value))
  expect(storedValue).toEqual({ key: 'other' })
})
