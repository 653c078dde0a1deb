import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { exclusions, syncResult, type SyncResult } from '#shared/contracts/registry.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { isConditionFailed, updateIf, updateRow } from '../platform/dynamodb/update-row.ts'

const key = { PK: 'SYNC', SK: 'SYNC' }

const snapshotName = z.object({
  version: z.string(),
  chunks: z.number(),
  /** its chunks have no end any more */
  kept: z.boolean().optional(),
})
type SnapshotName = z.infer<typeof snapshotName>

/** State of the sync between runs. */
const syncState = z.object({
  /** of the snapshot: one of an older version lacks entries, so everything is asked for again */
  format: z.number().optional(),
  /** the repository's directories, each with the revision of its content that the entry was made from */
  names: z.record(z.string(), z.string()).default({}),
  etag: z.string().optional(),
  /** where the MCP Registry's next page begins, when a walk through it is not at its end */
  cursor: z.string().optional(),
  /** the walk in progress asks for what changed since then; absent while it asks for everything */
  since: z.string().optional(),
  /** begin of the walk in progress, from which the next one asks for changes */
  walkStarted: z.string().optional(),
  /** entries that the last sync of the MCP Registry read and left out, by reason */
  excluded: exclusions.optional(),
  snapshot: snapshotName.optional(),
  /** kept for readers that are in the middle of it */
  previous: snapshotName.optional(),
})
export type SyncState = z.infer<typeof syncState>

const row = syncState.extend({
  lastSync: z.string().optional(),
  result: syncResult.optional(),
  leaseOwner: z.string().optional(),
  leaseUntilSeconds: z.number().optional(),
})

/** What readers see of the syncs. */
export interface SyncRecord {
  snapshot: SnapshotName | undefined
  /** the end of the last successful sync */
  lastSync: string | undefined
  result: SyncResult | undefined
  excluded: SyncState['excluded']
  running: boolean
}

/** The record of the registry's sync, with the lease that lets one sync run at a time. */
export const syncRepository = (table: Table) => {
  const { client, name: TableName } = table
  /** @returns false when the lease is lost: then nothing was written */
  const write = (owner: string, update: string, values: Record<string, unknown>): Promise<boolean> =>
    updateIf(table, key, { update, condition: 'leaseOwner = :owner', values: { ...values, ':owner': owner } })

  return {
    /**
     * Takes the lease unless another sync holds one that has not run out. One's own is taken again: the client repeats a request
     * whose answer was lost.
     * @returns what is known so far, or undefined when another sync is at work
     */
    async take(owner: string, { nowSeconds, untilSeconds }: { nowSeconds: number; untilSeconds: number }) {
      try {
        const { attributes } = await updateRow(table, key, {
          update: 'SET leaseOwner = :owner, leaseUntilSeconds = :until',
          condition:
            'attribute_not_exists(leaseUntilSeconds) OR leaseUntilSeconds <= :now OR leaseOwner = :owner',
          values: { ':owner': owner, ':until': untilSeconds, ':now': nowSeconds },
          returns: 'ALL_NEW',
        })
        return syncState.parse(attributes)
      } catch (error) {
        if (!isConditionFailed(error)) throw error
        return undefined
      }
    },

    /** Records what is reached and keeps the lease. @returns false when the lease is lost */
    checkpoint(owner: string, state: SyncState, untilSeconds: number): Promise<boolean> {
      const { sets, removes, values } = buildUpdate(state)
      return write(owner, buildExpression([...sets, 'leaseUntilSeconds = :until'], removes), {
        ...values,
        ':until': untilSeconds,
      })
    },

    /** Records how the sync ended and gives the lease back. A sync that has lost its lease records nothing. */
    finish(owner: string, state: SyncState, result: SyncResult, at: Date): Promise<boolean> {
      const { sets, removes, values } = buildUpdate(state)
      return write(
        owner,
        buildExpression(
          [...sets, '#result = :result', ...(result.success ? ['lastSync = :at'] : [])],
          [...removes, 'leaseOwner', 'leaseUntilSeconds'],
        ),
        { ...values, ':result': result, ...(result.success && { ':at': at.toISOString() }) },
      )
    },

    async read(nowMs: number): Promise<SyncRecord> {
      const { Item } = await client.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }))
      const { snapshot, lastSync, result, excluded, leaseUntilSeconds } = row.parse(Item ?? {})
      return { snapshot, lastSync, result, excluded, running: (leaseUntilSeconds ?? 0) * 1_000 > nowMs }
    },
  }
}

export type SyncRepository = ReturnType<typeof syncRepository>

const fields = [
  'format',
  'names',
  'etag',
  'cursor',
  'since',
  'walkStarted',
  'excluded',
  'snapshot',
  'previous',
] as const

function buildUpdate(state: SyncState) {
  const present = fields.filter((field) => state[field] !== undefined)
  return {
    sets: present.map((field) => `#${field} = :${field}`),
    removes: fields.filter((field) => state[field] === undefined).map((field) => `#${field}`),
    values: Object.fromEntries(present.map((field) => [`:${field}`, state[field]])),
  }
}

const buildExpression = (sets: string[], removes: string[]) =>
  `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`
