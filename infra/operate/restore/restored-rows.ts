import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  paginateScan,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'

import type { PauseReason } from '#shared/contracts/schedules.ts'
import { schedulePrefix } from '../../../functions/schedules/schedule-row.ts'
import { forgetFormat } from '../migrate/recorded-format.ts'

interface CopyOptions {
  /** the restored table, and the one in use */
  readonly from: string
  readonly to: string
  /** users whose rows are copied */
  readonly subs: ReadonlySet<string>
  /** replaces existing rows */
  readonly overwrite: boolean
  readonly nowMs: number
}

/**
 * Rows that a user may have revoked since the backup, which are not restored unless `overwrite` is set: connections, credentials, tools,
 * always-allowed tools, OAuth states.
 */
const revocable = /^(?:I|C|V|TOOLS|ALLOW|OS)#/
/** Share links are never restored: a user may have revoked them, and their snapshots are not among the user's rows. */
const neverRestored = /^SHARE#/
const writesAtOnce = 16

/**
 * Copies users' rows from a restored table into the one in use. Existing rows are not replaced, except tombstones of conversations.
 * Expired rows and rows without an owner are skipped: registry, counters and site configuration are created again by the product.
 * @returns the numbers of written and of already present rows
 */
export async function copyRows(
  client: DynamoDBClient,
  { from, to, subs, overwrite, nowMs }: CopyOptions,
): Promise<{ written: number; present: number }> {
  let written = 0
  let present = 0

  async function put(row: Record<string, AttributeValue>): Promise<void> {
    const Item = row['SK']?.S?.startsWith(schedulePrefix) ? toPausedSchedule(row) : row
    const unlessPresent = {
      ConditionExpression: 'attribute_not_exists(PK) OR attribute_exists(deleted_at)',
    }
    try {
      await client.send(new PutItemCommand({ TableName: to, Item, ...(!overwrite && unlessPresent) }))
      written += 1
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      present += 1
    }
  }
  const isSelected = (row: Record<string, AttributeValue>) => {
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

  await forgetFormat(client, to)
  for await (const { Items = [] } of paginateScan({ client }, { TableName: from, ConsistentRead: true })) {
    const rows = Items.filter(isSelected)
    for (let first = 0; first < rows.length; first += writesAtOnce)
      await Promise.all(rows.slice(first, first + writesAtOnce).map(put))
  }
  return { written, present }
}

/** A schedule does nothing by itself until its person goes on with it: they may have stopped or deleted it since. */
export function toPausedSchedule(row: Record<string, AttributeValue>): Record<string, AttributeValue> {
  const attributes = Object.entries(row).filter(([name]) => name !== 'next_at' && name !== 'handed')
  // what an administrator has paused stays so, whoever goes on with the rest
  const isHeld = row['paused_because']?.S === ('administrator' satisfies PauseReason)
  return {
    ...Object.fromEntries(attributes),
    ...(!isHeld && { paused_because: { S: 'restored' satisfies PauseReason } }),
  }
}

/** The user whom a row belongs to, by its key, or by the e-mail index. */
function findOwner({ PK, SK, sub }: Record<string, AttributeValue>): string | undefined {
  const key = PK?.S ?? ''
  if (key.startsWith('U#')) return key.slice(2)
  return key.startsWith('E#') && SK?.S === 'OWNER' ? sub?.S : undefined
}
