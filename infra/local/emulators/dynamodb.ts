import type { LocalCredentials } from '../credentials.ts'
import { AwsError, type AwsInput, serveAwsJson } from './aws-json.ts'
import { type DynaliteError, type DynaliteStore, runDynalite } from './dynalite.ts'
import { runHourly } from './run-hourly.ts'
import { checkRowAccess } from './row-policy.ts'
import { rememberReads, yieldBetweenItems } from './store-views.ts'
import { openTableFile } from './table-file.ts'
import { deleteExpired } from './time-to-live.ts'

export interface DynamoDbEmulator {
  readonly url: string
  readonly store: DynaliteStore
  close(): Promise<void>
}

/** Runs an action on the store, and returns its output. */
export type RunAction = (store: DynaliteStore, operation: string, input: AwsInput) => Promise<object>

/** Tests measure what actions cost, and send it with every response. */
export const added: {
  meter?: (run: RunAction) => RunAction
  headers?: (store: DynaliteStore) => Record<string, string>
} = {}

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
  await createTable(store, tableName)
  const hourlyCleanup = runHourly((nowMs) => deleteExpired(store, tableName, nowMs))
  const server = await serveAwsJson({
    contentType: 'application/x-amz-json-1.0',
    maxBodyBytes,
    signer: { ...credentials, region, service: 'dynamodb' },
    async handle(operation, input, caller) {
      hourlyCleanup.runIfDue()
      checkRowAccess(caller, operation, input)
      return handle(store, operation, input)
    },
    headers: () => added.headers?.(store) ?? {},
  })
  return {
    url: server.url,
    store,
    async close() {
      await server.close()
      await hourlyCleanup.waitForEnd()
    },
  }
}

const handle: RunAction = async (store, operation, input) => {
  try {
    return await (added.meter?.(run) ?? run)(store, operation, input)
  } catch (error) {
    throw asAwsError(error)
  }
}

/** Adds the stored item to a failed condition on request, which dynalite does not. */
const run: RunAction = async (store, operation, input) => {
  const { view, findLastItem } = rememberReads(
    operation.startsWith('Batch') ? yieldBetweenItems(store) : store,
  )
  // dynalite removes unknown members from the request
  const wantsStoredItem = input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD'
  try {
    const output = runDynalite(view, operation, input)
    if (!output) throw new AwsError('UnknownOperationException', `Unknown operation ${operation}`)
    return (await output) as object
  } catch (error) {
    const { body } = error as DynaliteError
    const storedItem = findLastItem()
    if (wantsStoredItem && storedItem && body?.__type.endsWith('#ConditionalCheckFailedException'))
      body.Item = storedItem
    throw error
  }
}

function asAwsError(error: unknown): unknown {
  const { statusCode, body } = error as DynaliteError
  if (!statusCode || !body) return error
  const { __type, message = '', ...members } = body
  return new AwsError(__type, message, { status: statusCode, members, cause: error })
}

/** The product's table, as infra/aws defines it: string keys PK and SK, on demand, time to live in `ttl`. */
async function createTable(store: DynaliteStore, name: string): Promise<void> {
  if (!(await describe(store, name)))
    await handle(store, 'CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
    })
  while ((await describe(store, name))?.Table.TableStatus !== 'ACTIVE') await new Promise(setImmediate)
}

async function describe(store: DynaliteStore, name: string) {
  try {
    const output = await handle(store, 'DescribeTable', { TableName: name })
    return output as { Table: { TableStatus: string } }
  } catch (error) {
    if (error instanceof AwsError && error.type.endsWith('#ResourceNotFoundException')) return undefined
    throw error
  }
}
