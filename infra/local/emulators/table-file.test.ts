import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { type DynaliteStore, runDynalite } from './dynalite.ts'
import { DataFolderInUse, openTableFile, TwoTables } from './table-file.ts'

/** dynalite with its own store, as earlier versions used it. */
interface LevelStore extends DynaliteStore {
  db: { open(): Promise<void>; close(): Promise<void>; put(key: string, value: object): Promise<void> }
}
const dynaliteDb: { create(options: object): LevelStore } = createRequire(import.meta.url)('dynalite/db')

let dataDir: string
let folder: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'juno-table-file-'))
  folder = join(dataDir, 'dynamodb')
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

async function writeLevelDb() {
  const store = dynaliteDb.create({ path: folder, createTableMs: 0 })
  await store.db.open()
  await runDynalite(store, 'CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'PK', KeyType: 'HASH' },
      { AttributeName: 'SK', KeyType: 'RANGE' },
    ],
  })
  for (let status; status !== 'ACTIVE'; await new Promise(setImmediate))
    status = (
      (await runDynalite(store, 'DescribeTable', { TableName })) as { Table: { TableStatus: string } }
    ).Table.TableStatus
  for (const Item of rows) await runDynalite(store, 'PutItem', { TableName, Item: structuredClone(Item) })
  await store.db.put(`time-to-live~${TableName}`, { AttributeName: 'ttl', Enabled: true })
  return store
}

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

it('converts an earlier version’s table once, and deletes the old files', async () => {
  await (await writeLevelDb()).db.close()
  const { store, ...file } = await open()
  for (const person of ['U#0 ä', 'U#1 ä', 'U#2 ä'])
    expect(await query(store, person)).toEqual(listRows(person))
  expect(store.readSetting(`time-to-live~${TableName}`)).toEqual({ AttributeName: 'ttl', Enabled: true })
  await runDynalite(store, 'PutItem', { TableName, Item: { PK: { S: 'new' }, SK: { S: 'M#1' } } })
  file.close()
  expect(await readdir(folder)).toEqual(['table.sqlite'])
  const reopenedFile = await open()
  expect(await query(reopenedFile.store, 'new')).toHaveLength(1)
  expect(await query(reopenedFile.store, 'U#1 ä')).toEqual(listRows('U#1 ä'))
})

it('finishes a conversion that was killed after its transaction, and converts nothing twice', async () => {
  await (await writeLevelDb()).db.close()
  const first = await open()
  await runDynalite(first.store, 'DeleteItem', { TableName, Key: { PK: rows[0]?.PK, SK: rows[0]?.SK } })
  first.close()
  const database = new DatabaseSync(join(folder, 'table.sqlite'))
  database.exec('PRAGMA user_version = 1')
  database.close()
  await writeFile(join(folder, '000005.ldb'), 'what was left')
  await writeFile(join(folder, 'CURRENT'), 'MANIFEST-000004')
  const { store } = await open()
  expect(await query(store, 'U#0 ä')).toEqual(listRows('U#0 ä').slice(1))
  expect(existsSync(join(folder, 'CURRENT'))).toBe(false)
  expect(existsSync(join(folder, '000005.ldb'))).toBe(false)
})

it('asks which table is right if an earlier version ran in between, and changes neither', async () => {
  const first = await open()
  first.close()
  await (await writeLevelDb()).db.close()
  const before = (await readdir(folder)).toSorted()
  await expect(openTableFile(dataDir)).rejects.toThrow(TwoTables)
  await expect(openTableFile(dataDir)).rejects.toThrow(/delete .*table\.sqlite\*/)
  expect((await readdir(folder)).toSorted()).toEqual(before)
})

it('leaves a folder alone that an earlier version has open', async () => {
  const { db } = await writeLevelDb()
  onTestFinished(() => db.close())
  await expect(openTableFile(dataDir)).rejects.toThrow(DataFolderInUse)
  expect(existsSync(join(folder, 'CURRENT'))).toBe(true)
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
