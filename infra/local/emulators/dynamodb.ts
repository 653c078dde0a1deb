import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalCredentials } from '../credentials.ts'
import { AwsError, type AwsInput, serveAwsJson } from './aws-json.ts'
import {
  dynaliteDb,
  type DynaliteError,
  type DynaliteRequest,
  type DynaliteStore,
  endIterators,
  runDynalite,
} from './dynalite.ts'
import { hourly } from './hourly.ts'
import { leastReadUnits, writeUnits } from './item-size.ts'
import { checkRowAccess } from './row-policy.ts'
import { deleteLapsed, describeTimeToLive, updateTimeToLive } from './time-to-live.ts'

export interface DynamoDbEmulator {
  readonly url: string
  /** write units charged since the start, by DynamoDB's documented rule; also the header `x-juno-write-units` of every answer */
  writeUnits(): number
  /** read units charged since the start; also the header `x-juno-read-units` */
  readUnits(): number
  close(): Promise<void>
}

/** Another process keeps the data folder's table open. */
export class DataFolderInUse extends Error {}

const maxBodyBytes = 16 * 1024 * 1024

/**
 * DynamoDB for the SDK on a free port, kept in `<dataDir>/dynamodb`: every answered write survives a killed process, since it
 * is in the store's log, which belongs to the system's file cache by then.
 * @param tableName the product's single table, made when it is missing
 * @throws DataFolderInUse while another process has the folder
 */
export async function startDynamoDbEmulator({
  dataDir,
  tableName,
  credentials,
  region,
}: {
  dataDir: string
  tableName: string
  credentials: LocalCredentials
  region: string
}): Promise<DynamoDbEmulator> {
  const path = join(dataDir, 'dynamodb')
  await mkdir(path, { recursive: true })
  const store = dynaliteDb.create({ path, createTableMs: 0 })
  try {
    await store.db.open()
    endIterators(store)
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code !== 'LEVEL_LOCKED') throw error
    throw new DataFolderInUse(`The data folder ${dataDir} is in use by another running copy.`, {
      cause: error,
    })
  }

  const units = { read: 0, write: 0 }
  const meter = (kind: keyof typeof units, charged: number) => {
    units[kind] += charged
  }
  await createTable(store, tableName)
  const lapsing = hourly((nowMs) => deleteLapsed(store, tableName, nowMs))
  const server = await serveAwsJson({
    contentType: 'application/x-amz-json-1.0',
    maxBodyBytes,
    signer: { ...credentials, region, service: 'dynamodb' },
    async handle(operation, input, caller) {
      lapsing.due()
      checkRowAccess(caller, operation, input)
      return handle(store, operation, input, meter)
    },
    headers: () => ({
      'x-juno-write-units': String(units.write),
      'x-juno-read-units': String(units.read),
    }),
  })
  return {
    url: server.url,
    writeUnits: () => units.write,
    readUnits: () => units.read,
    async close() {
      await server.close()
      await lapsing.settled()
      await store.db.close()
    },
  }
}

type Meter = (kind: 'read' | 'write', units: number) => void

async function handle(
  store: DynaliteStore,
  operation: string,
  input: AwsInput,
  meter: Meter,
): Promise<object> {
  try {
    if (reads.has(operation)) return await meterRead(store, operation, input, meter)
    if (operation === 'UpdateTimeToLive') return await updateTimeToLive(store, input)
    if (operation === 'DescribeTimeToLive') return await describeTimeToLive(store, input)
    const observer = {
      charge: (units: number) => meter('write', units),
      wantsStoredItem: input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD',
    }
    const answer = runDynalite(store, operation, input, (request) => observeWrites(request, observer))
    if (!answer) throw new AwsError('UnknownOperationException', `Unknown operation ${operation}`)
    return await answer
  } catch (error) {
    throw asAwsError(error)
  }
}

const reads = new Set(['BatchGetItem', 'GetItem', 'Query', 'Scan'])

interface ReadAnswer {
  ConsumedCapacity?: { CapacityUnits: number } | { CapacityUnits: number }[]
}

/** dynalite counts what it reads, filtered items included, once it is asked to. */
async function meterRead(
  store: DynaliteStore,
  operation: string,
  input: AwsInput,
  meter: Meter,
): Promise<object> {
  const asked = input['ReturnConsumedCapacity'] ?? 'NONE'
  const counted = asked === 'NONE' ? { ...input, ReturnConsumedCapacity: 'TOTAL' } : input
  const answer = runDynalite(store, operation, counted, () => undefined)
  if (!answer) throw new AwsError('UnknownOperationException', `Unknown operation ${operation}`)
  const { ConsumedCapacity = [], ...rest } = (await answer) as ReadAnswer
  const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0)
  meter('read', Math.max(units, leastReadUnits(input['ConsistentRead'] === true)))
  return asked === 'NONE' ? rest : { ...rest, ConsumedCapacity }
}

function asAwsError(error: unknown): unknown {
  const { statusCode, body } = error as DynaliteError
  if (!statusCode || !body) return error
  const { __type, message = '', ...members } = body
  return new AwsError(__type, message, { status: statusCode, members, cause: error })
}

/*
 * What happens inside dynalite's lock of an item can only be seen from inside: there the old item is exact. So two of its
 * functions are wrapped. They know a write by the identity of the item or key it is about, which batch writes keep as well.
 */
interface WriteObserver {
  charge(units: number): void
  wantsStoredItem: boolean
}

const observers = new WeakMap<object, WriteObserver>()

function observeWrites(request: DynaliteRequest, observer: WriteObserver) {
  const batch = Object.values(request.RequestItems ?? {}).flat()
  for (const { Item, Key } of [
    request,
    ...batch.map((entry) => ({ ...entry.PutRequest, ...entry.DeleteRequest })),
  ]) {
    const subject = Item ?? Key
    if (subject) observers.set(subject, observer)
  }
}

const observerOf = ({ Item, Key }: DynaliteRequest) => observers.get(Item ?? Key ?? {})

const checkConditional = dynaliteDb.checkConditional.bind(dynaliteDb)
const addConsumedCapacity = dynaliteDb.addConsumedCapacity.bind(dynaliteDb)

dynaliteDb.checkConditional = (request, stored) => {
  const refusal = checkConditional(request, stored)
  const observer = refusal ? observerOf(request) : undefined
  observer?.charge(writeUnits(stored, request.Item))
  if (refusal?.body && stored && observer?.wantsStoredItem) refusal.body.Item = stored
  return refusal
}

dynaliteDb.addConsumedCapacity = (request, isRead, oldItem, newItem) => {
  const consumed = addConsumedCapacity(request, isRead, oldItem, newItem)
  if (isRead) return consumed
  const units = writeUnits(oldItem, newItem)
  observerOf(request)?.charge(units)
  return consumed ? { ...consumed, CapacityUnits: units } : consumed
}

/** The product's table, as infra/aws makes it: string keys PK and SK, on demand, time to live in `ttl`. */
async function createTable(store: DynaliteStore, name: string): Promise<void> {
  const nobody = () => undefined
  const exists = await describe(store, name)
  if (!exists)
    await handle(
      store,
      'CreateTable',
      {
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'PK', AttributeType: 'S' },
          { AttributeName: 'SK', AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: 'PK', KeyType: 'HASH' },
          { AttributeName: 'SK', KeyType: 'RANGE' },
        ],
      },
      nobody,
    )
  while ((await describe(store, name))?.Table.TableStatus !== 'ACTIVE') await new Promise(setImmediate)
  if (!exists)
    await updateTimeToLive(store, {
      TableName: name,
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    })
}

async function describe(store: DynaliteStore, name: string) {
  try {
    const answer = await handle(store, 'DescribeTable', { TableName: name }, () => undefined)
    return answer as { Table: { TableStatus: string } }
  } catch (error) {
    if (error instanceof AwsError && error.type.endsWith('#ResourceNotFoundException')) return undefined
    throw error
  }
}
