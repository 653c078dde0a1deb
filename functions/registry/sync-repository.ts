import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { Table } from '../platform/table.ts'

const key = { PK: 'SYNC', SK: 'SYNC' }

const row = z.object({
  lastSync: z.string().optional(),
  names: z.record(z.string(), z.string()).default({}),
  etag: z.string().optional(),
})

/** What the last successful sync knew. */
export interface KnownServers {
  /** the servers' directory names, each with the revision of its content */
  names: Record<string, string>
  etag: string | undefined
}

/** REG-25: how a sync ended. */
export interface SyncResult {
  success: boolean
  stats: { total: number; new: number; updated: number }
  errors: string[]
}

/** The record of the registry's sync, with the lease that lets one sync run at a time. */
export const syncRepository = ({ client, name: TableName }: Table) => ({
  /**
   * Takes the lease unless another sync holds one that has not run out.
   * @returns what is known so far, or undefined when another sync is at work
   */
  async take(owner: string, { nowSeconds, untilSeconds }: { nowSeconds: number; untilSeconds: number }) {
    try {
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName,
          Key: key,
          UpdateExpression: 'SET leaseOwner = :owner, leaseUntilSeconds = :until',
          ConditionExpression: 'attribute_not_exists(leaseUntilSeconds) OR leaseUntilSeconds <= :now',
          ExpressionAttributeValues: { ':owner': owner, ':until': untilSeconds, ':now': nowSeconds },
          ReturnValues: 'ALL_NEW',
        }),
      )
      const { names, etag } = row.parse(Attributes)
      return { names, etag } satisfies KnownServers
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      return undefined
    }
  },

  /**
   * Records how the sync ended and gives the lease back. A sync that has lost its lease records nothing.
   * @param known absent when the sync failed: what was known then stays
   */
  async finish(owner: string, result: SyncResult, at: Date, known?: KnownServers): Promise<void> {
    const { success, stats, errors } = result
    const sets = ['lastSync = :at', 'success = :success', 'stats = :stats', '#errors = :errors']
    const removes = ['leaseOwner', 'leaseUntilSeconds']
    if (known) {
      sets.push('#names = :names')
      if (known.etag) sets.push('etag = :etag')
      else removes.push('etag')
    }
    try {
      await client.send(
        new UpdateCommand({
          TableName,
          Key: key,
          UpdateExpression: `SET ${sets.join(', ')} REMOVE ${removes.join(', ')}`,
          ConditionExpression: 'leaseOwner = :owner',
          ExpressionAttributeNames: { '#errors': 'errors', ...(known && { '#names': 'names' }) },
          ExpressionAttributeValues: {
            ':owner': owner,
            ':at': at.toISOString(),
            ':success': success,
            ':stats': stats,
            ':errors': errors,
            ...(known && { ':names': known.names }),
            ...(known?.etag && { ':etag': known.etag }),
          },
        }),
      )
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
    }
  },
})

export type SyncRepository = ReturnType<typeof syncRepository>
