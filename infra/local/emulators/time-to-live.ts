import { AwsError, type AwsInput, optionalText } from './aws-json.ts'
import { type DynaliteError, type DynaliteStore, runDynalite } from './dynalite.ts'
import type { Item } from './item-size.ts'

/** The table's time to live, which dynalite does not support. */

interface TimeToLive {
  AttributeName: string
  Enabled: boolean
}

const timeToLiveKey = (table: string) => `time-to-live~${table}`

/** Turns it on or off. @throws AwsError when nothing would change */
export async function updateTimeToLive(store: DynaliteStore, input: AwsInput) {
  const table = await existingTable(store, input)
  const specification = input['TimeToLiveSpecification'] as Partial<TimeToLive> | undefined
  const { AttributeName, Enabled } = specification ?? {}
  if (!AttributeName || typeof Enabled !== 'boolean')
    throw new AwsError(
      'com.amazon.coral.validate#ValidationException',
      'TimeToLiveSpecification is incomplete',
    )
  if (timeToLive(store, table).Enabled === Enabled)
    throw new AwsError(
      'com.amazon.coral.validate#ValidationException',
      `TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`,
    )
  store.writeSetting(timeToLiveKey(table), { AttributeName, Enabled })
  return { TimeToLiveSpecification: { AttributeName, Enabled } }
}

export async function describeTimeToLive(store: DynaliteStore, input: AwsInput) {
  const { AttributeName, Enabled } = timeToLive(store, await existingTable(store, input))
  return {
    TimeToLiveDescription: Enabled
      ? { TimeToLiveStatus: 'ENABLED', AttributeName }
      : { TimeToLiveStatus: 'DISABLED' },
  }
}

function timeToLive(store: DynaliteStore, table: string): TimeToLive {
  const stored = store.readSetting(timeToLiveKey(table)) as TimeToLive | undefined
  return stored ?? { AttributeName: '', Enabled: false }
}

function existingTable(store: DynaliteStore, input: AwsInput): Promise<string> {
  const name = optionalText(input, 'TableName') ?? ''
  return new Promise((resolve, reject) => {
    store.getTable(name, false, (error) => (error ? reject(error) : resolve(name)))
  })
}

/** Like DynamoDB, rows whose end is more than five years ago are not deleted. */
const oldestSeconds = 5 * 365 * 86_400

/**
 * Deletes expired rows, page by page, as DynamoDB does some time after their end. A row whose end changes in the meantime stays.
 */
export async function deleteLapsed(store: DynaliteStore, TableName: string, nowMs: number): Promise<void> {
  const { AttributeName, Enabled } = timeToLive(store, TableName)
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
