import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { type DynamoDbEmulator, startDynamoDbEmulator } from '../../infra/local/emulators/dynamodb.ts'
import { DataFolderInUse } from '../../infra/local/emulators/table-file.ts'
import { testCredentials } from '../support/credentials.ts'
import { chargedUnits } from '../support/metered-table.ts'

const TableName = 'juno'
const region = 'us-east-1'
let dataDir: string
let emulator: DynamoDbEmulator
let db: DynamoDBDocumentClient

function connect(url: string) {
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: url,
      region,
      credentials: testCredentials,
    }),
  )
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'juno-dynamodb-'))
  emulator = await startDynamoDbEmulator({
    dataDir,
    tableName: TableName,
    credentials: testCredentials,
    region,
  })
  db = connect(emulator.url)
})

afterEach(async () => {
  db.destroy()
  await emulator.close()
  await rm(dataDir, { recursive: true })
})

const countWriteUnits = async (write: () => Promise<unknown>) => {
  const before = chargedUnits(emulator.store).write
  await write()
  return chargedUnits(emulator.store).write - before
}

it('creates the table with string keys', async () => {
  const { Table } = await db.send(new DescribeTableCommand({ TableName }))
  expect(Table).toMatchObject({
    TableStatus: 'ACTIVE',
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    KeySchema: [
      { AttributeName: 'PK', KeyType: 'HASH' },
      { AttributeName: 'SK', KeyType: 'RANGE' },
    ],
  })
})

it('deletes expired rows with the first request an hour later, and no others', async () => {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const expirations: [string, number | string | undefined][] = [
    ['past', nowSeconds + 60],
    ['future', nowSeconds + 7_200],
    ['none', undefined],
    ['no number', 'soon'],
    ['over five years past', 12],
  ]
  for (const [SK, ttl] of expirations)
    await db.send(new PutCommand({ TableName, Item: { PK: 'a', SK, ...(ttl !== undefined && { ttl }) } }))
  const listKeys = async () => {
    const { Items = [] } = await db.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'PK = :a',
        ExpressionAttributeValues: { ':a': 'a' },
        ConsistentRead: true,
      }),
    )
    return Items.map(({ SK }) => String(SK)).toSorted()
  }
  const allKeys = expirations.map(([SK]) => SK).toSorted()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
  onTestFinished(() => void vi.useRealTimers())
  // late, as on AWS
  expect(await listKeys()).toEqual(allKeys)
  vi.setSystemTime(Date.now() + 3_600_000)
  await vi.waitFor(async () => expect(await listKeys()).toEqual(allKeys.filter((key) => key !== 'past')))
})

it('returns the stored item with a failed condition on request', async () => {
  await db.send(new PutCommand({ TableName, Item: { PK: 'a', SK: '1', rev: 3 } }))
  const put = new PutCommand({
    TableName,
    Item: { PK: 'a', SK: '1', rev: 4 },
    ConditionExpression: 'attribute_not_exists(PK)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  const refusal = await db.send(put).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ConditionalCheckFailedException)
  expect(refusal).toMatchObject({
    name: 'ConditionalCheckFailedException',
    message: 'The conditional request failed',
    Item: { PK: { S: 'a' }, SK: { S: '1' }, rev: { N: '3' } },
  })
})

it('does not return the stored item with a failed condition unless requested', async () => {
  await db.send(new PutCommand({ TableName, Item: { PK: 'a', SK: '1' } }))
  const deletion = new DeleteCommand({
    TableName,
    Key: { PK: 'a', SK: '1' },
    ConditionExpression: 'rev = :r',
    ExpressionAttributeValues: { ':r': 1 },
  })
  const refusal = await db.send(deletion).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ name: 'ConditionalCheckFailedException' })
  expect((refusal as ConditionalCheckFailedException).Item).toBeUndefined()
})

it('lets exactly one of many racing conditional writes through', async () => {
  const take = (owner: number) =>
    db.send(
      new UpdateCommand({
        TableName,
        Key: { PK: 'lease', SK: 'x' },
        UpdateExpression: 'SET #owner = :o',
        ConditionExpression: 'attribute_not_exists(#owner)',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':o': owner },
      }),
    )
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, owner) => take(owner)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('pages a query with Limit and LastEvaluatedKey, in both directions', async () => {
  for (let n = 0; n < 7; n++) await db.send(new PutCommand({ TableName, Item: { PK: 'p', SK: `M#${n}`, n } }))
  await db.send(new PutCommand({ TableName, Item: { PK: 'p', SK: 'S#1' } }))
  const read = async (ScanIndexForward: boolean) => {
    const pages: number[][] = []
    let ExclusiveStartKey: Record<string, unknown> | undefined
    do {
      const page = await db.send(
        new QueryCommand({
          TableName,
          Limit: 3,
          ScanIndexForward,
          ExclusiveStartKey,
          KeyConditionExpression: 'PK = :p AND begins_with(SK, :s)',
          ExpressionAttributeValues: { ':p': 'p', ':s': 'M#' },
        }),
      )
      pages.push((page.Items ?? []).map((item) => item['n'] as number))
      ExclusiveStartKey = page.LastEvaluatedKey
    } while (ExclusiveStartKey)
    return pages
  }
  expect(await read(true)).toEqual([[0, 1, 2], [3, 4, 5], [6]])
  expect(await read(false)).toEqual([[6, 5, 4], [3, 2, 1], [0]])
})

it('ends a page at 1 MB', async () => {
  const text = 'x'.repeat(300_000)
  for (let n = 0; n < 5; n++)
    await db.send(new PutCommand({ TableName, Item: { PK: 'big', SK: `${n}`, text } }))
  const page = await db.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'PK = :p',
      ExpressionAttributeValues: { ':p': 'big' },
    }),
  )
  expect(page.Items?.length).toBeLessThan(5)
  expect(page.LastEvaluatedKey).toMatchObject({ PK: 'big' })
})

it('writes and deletes in batches and refuses duplicates', async () => {
  const put = (SK: string) => ({ PutRequest: { Item: { PK: 'b', SK } } })
  await db.send(new BatchWriteCommand({ RequestItems: { [TableName]: [put('1'), put('2'), put('3')] } }))
  const response = await db.send(
    new BatchWriteCommand({
      RequestItems: { [TableName]: [{ DeleteRequest: { Key: { PK: 'b', SK: '1' } } }] },
    }),
  )
  expect(response.UnprocessedItems).toEqual({})
  const { Items } = await db.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'PK = :p',
      ExpressionAttributeValues: { ':p': 'b' },
    }),
  )
  expect(Items?.map(({ SK }) => SK)).toEqual(['2', '3'])
  const duplicateBatch = new BatchWriteCommand({ RequestItems: { [TableName]: [put('4'), put('4')] } })
  await expect(db.send(duplicateBatch)).rejects.toMatchObject({ name: 'ValidationException' })
})

it('updates with SET, ADD, REMOVE, DELETE and list_append and returns the new item', async () => {
  const Key = { PK: 'u', SK: '1' }
  await db.send(
    new PutCommand({ TableName, Item: { ...Key, gone: 1, tags: new Set(['a', 'b']), words: ['x'] } }),
  )
  const { Attributes } = await db.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression:
        'SET title = :t, words = list_append(words, :l), made = if_not_exists(made, :n) ADD rev :n REMOVE gone DELETE tags :b',
      ExpressionAttributeValues: { ':t': 'Rome', ':l': ['y'], ':n': 1, ':b': new Set(['b']) },
      ReturnValues: 'ALL_NEW',
    }),
  )
  expect(Attributes).toEqual({
    ...Key,
    title: 'Rome',
    words: ['x', 'y'],
    made: 1,
    rev: 1,
    tags: new Set(['a']),
  })
})

it('refuses a reserved word without a name placeholder', async () => {
  const update = new UpdateCommand({
    TableName,
    Key: { PK: 'u', SK: '1' },
    UpdateExpression: 'SET status = :s',
    ExpressionAttributeValues: { ':s': 'done' },
  })
  await expect(db.send(update)).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringMatching(/reserved keyword: status/) as string,
  })
})

it('refuses unknown tables, unknown operations and existing tables with DynamoDB’s errors', async () => {
  const readOfMissingTable = db.send(new GetCommand({ TableName: 'other', Key: { PK: 'a', SK: 'b' } }))
  await expect(readOfMissingTable).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  const secondCreation = db.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    }),
  )
  await expect(secondCreation).rejects.toMatchObject({ name: 'ResourceInUseException' })
  const transaction = db.send(new TransactWriteCommand({ TransactItems: [] }))
  await expect(transaction).rejects.toMatchObject({
    name: 'UnknownOperationException',
    $metadata: { httpStatusCode: 400 },
  })
})

it('charges one unit for each started KB of the larger of the old and new item', async () => {
  const Key = { PK: 'w', SK: '1' }
  const put = (size: number) =>
    db.send(new PutCommand({ TableName, Item: { ...Key, text: 'x'.repeat(size) } }))
  // names and keys: PK + w + SK + 1 + text = 10 bytes
  expect(await countWriteUnits(() => put(1014))).toBe(1)
  expect(await countWriteUnits(() => put(1015))).toBe(2)
  expect(await countWriteUnits(() => put(1))).toBe(2)
  expect(await countWriteUnits(() => put(5_000))).toBe(5)
  const update = new UpdateCommand({
    TableName,
    Key,
    UpdateExpression: 'SET n = :n',
    ExpressionAttributeValues: { ':n': 1 },
  })
  expect(await countWriteUnits(() => db.send(update))).toBe(5)
  expect(await countWriteUnits(() => db.send(new DeleteCommand({ TableName, Key })))).toBe(5)
  expect(await countWriteUnits(() => db.send(new DeleteCommand({ TableName, Key })))).toBe(1)
  expect(await countWriteUnits(() => db.send(new GetCommand({ TableName, Key })))).toBe(0)
})

it('charges refused conditions, counts batches item by item and returns the sum in a header', async () => {
  const text = 'x'.repeat(2_000)
  await db.send(new PutCommand({ TableName, Item: { PK: 'w', SK: '1', text } }))
  const conditionalUpdate = new UpdateCommand({
    TableName,
    Key: { PK: 'w', SK: '1' },
    UpdateExpression: 'SET n = :n',
    ConditionExpression: 'attribute_not_exists(PK)',
    ExpressionAttributeValues: { ':n': 1 },
  })
  expect(await countWriteUnits(() => db.send(conditionalUpdate).catch(() => undefined))).toBe(2)
  const batch = new BatchWriteCommand({
    RequestItems: {
      [TableName]: [
        { PutRequest: { Item: { PK: 'w', SK: '2', text } } },
        { DeleteRequest: { Key: { PK: 'w', SK: '1' } } },
        { DeleteRequest: { Key: { PK: 'w', SK: 'none' } } },
      ],
    },
  })
  expect(await countWriteUnits(() => db.send(batch))).toBe(2 + 2 + 1)
  const response = await fetch(emulator.url)
  expect(response.headers.get('x-juno-write-units')).toBe(String(chargedUnits(emulator.store).write))
})

it('charges reads by started 4 KB, half of it unless they are strongly consistent, and does not return the count', async () => {
  const put = (SK: string, size: number) =>
    db.send(new PutCommand({ TableName, Item: { PK: 'r', SK, text: 'x'.repeat(size) } }))
  await put('1', 100)
  await put('2', 5_000)
  const countReadUnits = async <T>(send: () => Promise<T>) => {
    const before = chargedUnits(emulator.store).read
    const response = await send()
    expect(response).not.toHaveProperty('ConsumedCapacity')
    return chargedUnits(emulator.store).read - before
  }
  const get = (SK: string, ConsistentRead = false) =>
    countReadUnits(() => db.send(new GetCommand({ TableName, Key: { PK: 'r', SK }, ConsistentRead })))
  expect(await get('1')).toBe(0.5)
  expect(await get('2')).toBe(1)
  expect(await get('1', true)).toBe(1)
  expect(await get('2', true)).toBe(2)
  expect(await get('none')).toBe(0.5)
  const batchGet = new BatchGetCommand({
    RequestItems: {
      [TableName]: { Keys: ['1', '2', 'none'].map((SK) => ({ PK: 'r', SK })), ConsistentRead: true },
    },
  })
  expect(await countReadUnits(() => db.send(batchGet))).toBe(4)
  const query = (PK: string, FilterExpression?: string) =>
    countReadUnits(() =>
      db.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'PK = :pk',
          ExpressionAttributeValues: { ':pk': PK },
          FilterExpression,
        }),
      ),
    )
  // 5,100 bytes including the names: the read items count, not the returned ones
  expect(await query('r')).toBe(1)
  expect(await query('r', 'attribute_not_exists(absent)')).toBe(1)
  expect(await query('nobody')).toBe(0.5)
  const keys = { [TableName]: { Keys: ['1', '2'].map((SK) => ({ PK: 'r', SK })) } }
  expect(await countReadUnits(() => db.send(new BatchGetCommand({ RequestItems: keys })))).toBe(1.5)
  const result = await db.send(
    new GetCommand({ TableName, Key: { PK: 'r', SK: '2' }, ReturnConsumedCapacity: 'TOTAL' }),
  )
  expect(result.ConsumedCapacity?.CapacityUnits).toBe(1)
  const response = await fetch(emulator.url)
  expect(response.headers.get('x-juno-read-units')).toBe(String(chargedUnits(emulator.store).read))
})

it('survives clients that disconnect in the middle of a request', async () => {
  for (let n = 0; n < 5; n++)
    await new Promise<void>((resolve) => {
      const interruptedRequest = request(emulator.url, {
        method: 'POST',
        headers: { 'content-length': 1_000 },
      })
      interruptedRequest.on('error', () => resolve())
      interruptedRequest.write('{"TableName":', () => interruptedRequest.destroy(new Error('gone')))
    })
  expect(
    await countWriteUnits(() => db.send(new PutCommand({ TableName, Item: { PK: 'a', SK: '1' } }))),
  ).toBe(1)
})

it('keeps its data across a restart and refuses to open a folder twice', async () => {
  await db.send(new PutCommand({ TableName, Item: { PK: 'a', SK: '1', text: 'kept' } }))
  const second = startDynamoDbEmulator({
    dataDir,
    tableName: TableName,
    credentials: testCredentials,
    region,
  })
  await expect(second).rejects.toBeInstanceOf(DataFolderInUse)
  await emulator.close()
  db.destroy()
  emulator = await startDynamoDbEmulator({
    dataDir,
    tableName: TableName,
    credentials: testCredentials,
    region,
  })
  db = connect(emulator.url)
  const { Item } = await db.send(new GetCommand({ TableName, Key: { PK: 'a', SK: '1' } }))
  expect(Item).toEqual({ PK: 'a', SK: '1', text: 'kept' })
})

it('keeps acknowledged writes when the process is killed', async () => {
  const killedDataDir = await mkdtemp(join(tmpdir(), 'juno-dynamodb-killed-'))
  onTestFinished(() => rm(killedDataDir, { recursive: true }))
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'dynamodb-process.ts'), killedDataDir, TableName],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [url] = (await once(child.stdout, 'data')) as [Buffer]
  const client = connect(url.toString().trim())
  const acknowledgedKeys: string[] = []
  const writes = (async () => {
    for (let n = 0; ; n += 1) {
      const SK = String(n)
      await client.send(new PutCommand({ TableName, Item: { PK: 'k', SK, text: 'x'.repeat(3_000) } }))
      acknowledgedKeys.push(SK)
    }
  })().catch(() => undefined)
  await vi.waitFor(() => expect(acknowledgedKeys.length).toBeGreaterThan(50))
  child.kill('SIGKILL')
  await once(child, 'exit')
  client.destroy()
  await writes
  const restarted = await startDynamoDbEmulator({
    dataDir: killedDataDir,
    tableName: TableName,
    credentials: testCredentials,
    region,
  })
  onTestFinished(() => restarted.close())
  const reader = connect(restarted.url)
  onTestFinished(() => reader.destroy())
  for (const SK of acknowledgedKeys) {
    const { Item } = await reader.send(new GetCommand({ TableName, Key: { PK: 'k', SK } }))
    expect(Item).toEqual({ PK: 'k', SK, text: 'x'.repeat(3_000) })
  }
})

it('returns the charged units of a write on request', async () => {
  const text = 'x'.repeat(2_000)
  const { ConsumedCapacity } = await db.send(
    new PutCommand({ TableName, Item: { PK: 'c', SK: '1', text }, ReturnConsumedCapacity: 'TOTAL' }),
  )
  expect(ConsumedCapacity).toEqual({ TableName, CapacityUnits: 2 })
  const batch = await db.send(
    new BatchWriteCommand({
      RequestItems: { [TableName]: [{ DeleteRequest: { Key: { PK: 'c', SK: '1' } } }] },
      ReturnConsumedCapacity: 'TOTAL',
    }),
  )
  expect(batch.ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 2 }])
})
