import { AwsError, type AwsInput, optionalText } from './aws-json.ts'
import { type DynaliteError, type DynaliteStore, runDynalite } from './dynalite.ts'
import type { Item } from './dynalite.ts'

/** The table's time to live, which dynalite does not support. */

interface TimeToLive {
  AttributeName: string
  Enabled: boolean
}

const timeToLiveKey = (table: string) => `time-to-live~${table}`

/** Turns it on or off. @throws AwsError when nothing would change */
export async function updateTimeToLive(store: DynaliteStore, input: AwsInput) {
  const table = await requireTable(store, input)
  const specification = input['TimeToLiveSpecification'] as Partial<TimeToLive> | undefined
  const { AttributeName, Enabled } = specification ?? {}
  if (!AttributeName || typeof Enabled !== 'boolean')
    throw new AwsError(
      'com.amazon.coral.validate#ValidationException',
      'TimeToLiveSpecification is incomplete',
    )
  if (readTimeToLive(store, table).Enabled === Enabled)
    throw new AwsError(
      'com.amazon.coral.validate#ValidationException',
      `TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`,
    )
  store.writeSetting(timeToLiveKey(table), { AttributeName, Enabled })
  return { TimeToLiveSpecification: { AttributeName, Enabled } }
}

export async function describeTimeToLive(store: DynaliteStore, input: AwsInput) {
  const { AttributeName, Enabled } = readTimeToLive(store, await requireTable(store, input))
  return {
    TimeToLiveDescription: Enabled
      ? { TimeToLiveStatus: 'ENABLED', AttributeName }
      : { TimeToLiveStatus: 'DISABLED' },
  }
}

function readTimeToLive(store: DynaliteStore, table: string): TimeToLive {
  const stored = store.readSetting(timeToLiveKey(table)) as TimeToLive | undefined
  return stored ?? { AttributeName: '', Enabled: false }
}

function requireTable(store: DynaliteStore, input: AwsInput): Promise<string> {
  const name = optionalText(input, 'TableName') ?? ''
  return new Promise((resolve, reject) => {
    store.getTable(name, false, (error) => (error ? reject(error) : resolve(name)))
  })
}

/** Like DynamoDB, it does not delete rows that expired more than five years ago. */
const oldestSeconds = 5 * 365 * 86_400

/**
 * Deletes expired rows, page by page, as DynamoDB does some time after they expire. A row whose `ttl` changes in the meantime stays.
 */
export async function deleteExpired(store: DynaliteStore, TableName: string, nowMs: number): Promise<void> {
  const { AttributeName, Enabled } = readTimeToLive(store, TableName)
  if (!Enabled) return
  const nowSeconds = Math.floor(nowMs / 1_000)
  const run = (operation: string, input: object) => runDynalite(store, operation, input)
  const names = { '#ttl': AttributeName }
  let start: Item | undefined
  do {
    const page = (await run('Scan', {
      TableName,
      ProjectionExpression: 'PK, SK, #ttl',
      FilterExpression: '#ttl BETWEEN :oldest AND :now',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: {
        ':oldest': { N: String(nowSeconds - oldestSeconds) },
        ':now': { N: String(nowSeconds) },
      },
      ...(start && { ExclusiveStartKey: start }),
    })) as { Items: Item[]; LastEvaluatedKey?: Item }
    for (const { PK, SK, [AttributeName]: ttl } of page.Items) {
      // a test has moved the clock back: rows written since then may not be expired
      if (Date.now() < nowMs) return
      await run('DeleteItem', {
        TableName,
        Key: { PK, SK },
        ConditionExpression: '#ttl = :ttl',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ':ttl': ttl },
      })?.catch((error: DynaliteError) => {
        if (!error.body?.__type.endsWith('#ConditionalCheckFailedException')) throw error
      })
    }
    start = page.LastEvaluatedKey
  } while (start)
}
