import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  paginateScan,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'

interface CopyOptions {
  /** the table that was restored, and the one that is in use */
  readonly from: string
  readonly to: string
  /** whose rows; nobody else's are touched */
  readonly subs: ReadonlySet<string>
  /** everything as it was, over what is there by now */
  readonly overwrite: boolean
  readonly nowMs: number
}

/**
 * What a person took back after the moment that is restored must not come back by itself: connections with their credentials, typed
 * values and tools, what was always allowed, sign-ins under way at providers.
 */
const revocable = /^(?:I|C|V|TOOLS|ALLOW|OS)#/
/** A link to a shared conversation does not come back at all: who revoked it meant it, and what it showed is in no row of its owner's. */
const neverRestored = /^SHARE#/
const writesAtOnce = 16

/**
 * Copies rows of people from a restored table into the one in use. A row that is there stays as it is, but for the mark of a deleted
 * conversation; what has expired, and all that belongs to nobody, stays away: registry, counters and facts of the deployment are made anew.
 * @returns how many were written, and how many were there
 */
export async function copyRows(
  client: DynamoDBClient,
  { from, to, subs, overwrite, nowMs }: CopyOptions,
): Promise<{ written: number; present: number }> {
  let written = 0
  let present = 0

  async function put(Item: Record<string, AttributeValue>): Promise<void> {
    const missing = {
      ConditionExpression: 'attribute_not_exists(PK) OR attribute_exists(deleted_at)',
    }
    try {
      await client.send(new PutItemCommand({ TableName: to, Item, ...(!overwrite && missing) }))
      written += 1
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      present += 1
    }
  }
  const wanted = (row: Record<string, AttributeValue>) => {
    const owner = findOwner(row)
    const expiresAt = Number(row['ttl']?.N ?? Infinity)
    return (
      owner !== undefined &&
      subs.has(owner) &&
      expiresAt > nowMs / 1000 &&
      !neverRestored.test(row['SK']?.S ?? '') &&
      (overwrite || !revocable.test(row['SK']?.S ?? ''))
    )
  }

  for await (const { Items = [] } of paginateScan({ client }, { TableName: from, ConsistentRead: true })) {
    const rows = Items.filter(wanted)
    for (let first = 0; first < rows.length; first += writesAtOnce)
      await Promise.all(rows.slice(first, first + writesAtOnce).map(put))
  }
  return { written, present }
}

/** The person a row belongs to: by its key, or as the one an address leads to. */
function findOwner({ PK, SK, sub }: Record<string, AttributeValue>): string | undefined {
  const key = PK?.S ?? ''
  if (key.startsWith('U#')) return key.slice(2)
  return key.startsWith('E#') && SK?.S === 'OWNER' ? sub?.S : undefined
}
