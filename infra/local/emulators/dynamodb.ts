import type { LocalCredentials } from '../credentials.ts'
import { AwsError, type AwsInput, serveAwsJson } from './aws-json.ts'
import { type DynaliteError, type DynaliteStore, runDynalite } from './dynalite.ts'
import { runHourly } from './run-hourly.ts'
import { type Item, getMinReadUnits } from './item-size.ts'
import { meterWrites, yieldBetweenItems } from './metered-store.ts'
import { checkRowAccess } from './row-policy.ts'
import { openTableFile } from './table-file.ts'
import { deleteExpired, describeTimeToLive, updateTimeToLive } from './time-to-live.ts'

export interface DynamoDbEmulator {
  readonly url: string
  /** write units charged since the start, by DynamoDB's documented rule; also the header `x-juno-write-units` of every response */
  writeUnits(): number
  /** read units charged since the start; also the header `x-juno-read-units` */
  readUnits(): number
  close(): Promise<void>
}

const maxBodyBytes = 16 * 1024 * 1024

interface TableOptions {
  /** the product's single table, created when it is missing */
  tableName: string
  credentials: LocalCredentials
  region: string
}

/**
 * DynamoDB for the SDK on a free port, stored in `<dataDir>/dynamodb`: every acknowledged write survives a killed process.
 * @throws DataFolderInUse while another process has the folder
 */
export async function startDynamoDbEmulator({
  dataDir,
  ...options
}: TableOptions & { dataDir: string }): Promise<DynamoDbEmulator> {
  const file = await openTableFile(dataDir)
  const emulator = await serveStore(file.store, options)
  return {
    ...emulator,
    async close() {
      await emulator.close()
      file.close()
    },
  }
}

/** Serves a store that the caller closes. */
export async function serveStore(
  store: DynaliteStore,
  { tableName, credentials, region }: TableOptions,
): Promise<DynamoDbEmulator> {
  const units = { read: 0, write: 0 }
  const meter = (kind: keyof typeof units, charged: number) => {
    units[kind] += charged
  }
  await createTable(store, tableName)
  const hourlyCleanup = runHourly((nowMs) => deleteExpired(store, tableName, nowMs))
  const server = await serveAwsJson({
    contentType: 'application/x-amz-json-1.0',
    maxBodyBytes,
    signer: { ...credentials, region, service: 'dynamodb' },
    async handle(operation, input, caller) {
      hourlyCleanup.runIfDue()
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
      await hourlyCleanup.waitForEnd()
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
    if (readOperations.has(operation)) return await meterRead(store, operation, input, meter)
    if (operation === 'UpdateTimeToLive') return await updateTimeToLive(store, input)
    if (operation === 'DescribeTimeToLive') return await describeTimeToLive(store, input)
    return await meterWrite(store, operation, input, meter)
  } catch (error) {
    throw asAwsError(error)
  }
}

const readOperations = new Set(['BatchGetItem', 'GetItem', 'Query', 'Scan'])

interface DynaliteOutput {
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[]
}

interface ConsumedCapacity {
  TableName: string
  CapacityUnits: number
}

/** Makes dynalite count read units, which include filtered items. */
async function meterRead(
  store: DynaliteStore,
  operation: string,
  input: AwsInput,
  meter: Meter,
): Promise<object> {
  const mode = input['ReturnConsumedCapacity'] ?? 'NONE'
  const meteredInput = mode === 'NONE' ? { ...input, ReturnConsumedCapacity: 'TOTAL' } : input
  const { ConsumedCapacity = [], ...rest } = await run(store, operation, meteredInput)
  const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0)
  meter('read', Math.max(units, getMinReadUnits(input['ConsistentRead'] === true)))
  return mode === 'NONE' ? rest : { ...rest, ConsumedCapacity }
}

/** Charges writes by the documented rule, and adds the stored item to a failed condition on request: dynalite does neither. */
async function meterWrite(
  store: DynaliteStore,
  operation: string,
  input: AwsInput,
  meter: Meter,
): Promise<object> {
  const writes = meterWrites(store)
  // dynalite removes unknown members from the request
  const wantsStoredItem = input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD'
  try {
    const { ConsumedCapacity, ...output } = await run(writes.store, operation, input)
    if (!ConsumedCapacity) return output
    const correct = (consumed: ConsumedCapacity) => ({
      ...consumed,
      CapacityUnits: writes.units.get(consumed.TableName) ?? 0,
    })
    const corrected = Array.isArray(ConsumedCapacity)
      ? ConsumedCapacity.map(correct)
      : correct(ConsumedCapacity)
    return { ...output, ConsumedCapacity: corrected }
  } catch (error) {
    const { body } = error as DynaliteError
    if (body?.__type.endsWith('#ConditionalCheckFailedException')) {
      writes.chargeRefusal(String(input['TableName']), input['Item'] as Item | undefined)
      if (wantsStoredItem && writes.storedItem) body.Item = writes.storedItem
    }
    throw error
  } finally {
    meter(
      'write',
      [...writes.units.values()].reduce((sum, units) => sum + units, 0),
    )
  }
}

async function run(store: DynaliteStore, operation: string, input: AwsInput): Promise<DynaliteOutput> {
  const output = runDynalite(
    operation.startsWith('Batch') ? yieldBetweenItems(store) : store,
    operation,
    input,
  )
  if (!output) throw new AwsError('UnknownOperationException', `Unknown operation ${operation}`)
  return await output
}

function asAwsError(error: unknown): unknown {
  const { statusCode, body } = error as DynaliteError
  if (!statusCode || !body) return error
  const { __type, message = '', ...members } = body
  return new AwsError(__type, message, { status: statusCode, members, cause: error })
}

/** The product's table, as infra/aws defines it: string keys PK and SK, on demand, time to live in `ttl`. */
async function createTable(store: DynaliteStore, name: string): Promise<void> {
  const ignoreUnits = () => undefined
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
      ignoreUnits,
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
    const output = await handle(store, 'DescribeTable', { TableName: name }, () => undefined)
    return output as { Table: { TableStatus: string } }
  } catch (error) {
    if (error instanceof AwsError && error.type.endsWith('#ResourceNotFoundException')) return undefined
    throw error
  }
}
