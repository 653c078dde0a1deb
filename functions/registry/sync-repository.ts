import * as z from 'zod'
import { exclusions, syncResult, type SyncResult } from '#shared/contracts/registry.ts'
import { readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { isConditionFailed, updateIf, updateRow } from '../platform/dynamodb/update-row.ts'

const key = { PK: 'SYNC', SK: 'SYNC' }

const snapshotName = z.object({
  version: z.string(),
  chunks: z.number(),
  /** its chunks no longer expire */
  kept: z.boolean().optional(),
})
type SnapshotName = z.infer<typeof snapshotName>

/** State of the sync between runs. */
const syncState = z.object({
  /** the repository's directories, each with the revision that its entry was built from */
  names: z.record(z.string(), z.string()).default({}),
  etag: z.string().optional(),
  /** cursor of the MCP Registry's next page, while a walk is unfinished */
  cursor: z.string().optional(),
  /** the walk in progress reads the changes since then; absent while it reads everything */
  since: z.string().optional(),
  /** start of the walk in progress; the next one reads the changes since then */
  walkStarted: z.string().optional(),
  /** number of entries that the last sync of the MCP Registry excluded, by reason */
  excluded: exclusions.optional(),
  snapshot: snapshotName.optional(),
  /** stays for readers that have begun to read it */
  previous: snapshotName.optional(),
})
export type SyncState = z.infer<typeof syncState>

const row = syncState.extend({
  lastSync: z.string().optional(),
  result: syncResult.optional(),
  leaseOwner: z.string().optional(),
  leaseUntilSeconds: z.number().optional(),
})

/** The part of the record that readers see. */
export interface SyncRecord {
  snapshot: SnapshotName | undefined
  /** when the last successful sync ended */
  lastSync: string | undefined
  /** of the last sync that finished */
  result: SyncResult | undefined
  excluded: SyncState['excluded']
  running: boolean
  /** the last sync let its lease expire, and left no result */
  died: boolean
}

/** The row with the sync's state, and with the lease that allows one sync at a time. */
export const syncRepository = (table: Table) => {
  /** @returns false if the lease is lost and nothing was written */
  const write = (owner: string, update: string, values: Record<string, unknown>): Promise<boolean> =>
    updateIf(table, key, { update, condition: 'leaseOwner = :owner', values: { ...values, ':owner': owner } })

  return {
    /**
     * Takes the lease unless another sync holds it. Can be repeated by the same owner, because the client retries a request whose response
     * was lost.
     * @returns the state so far, or undefined if another sync is running
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

    /** Saves the state and extends the lease. @returns false if the lease is lost */
    checkpoint(owner: string, state: SyncState, untilSeconds: number): Promise<boolean> {
      const { sets, removes, values } = buildUpdate(state)
      return write(owner, buildExpression([...sets, 'leaseUntilSeconds = :until'], removes), {
        ...values,
        ':until': untilSeconds,
      })
    },

    /** Saves the state and the result, and releases the lease. A sync that has lost its lease saves nothing. */
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
      const item = await readRow(table, key)
      const { snapshot, lastSync, result, excluded, leaseUntilSeconds } = row.parse(item ?? {})
      const running = (leaseUntilSeconds ?? 0) * 1_000 > nowMs
      return {
        snapshot,
        lastSync,
        result,
        excluded,
        running,
        died: leaseUntilSeconds !== undefined && !running,
      }
    },
  }
}

export type SyncRepository = ReturnType<typeof syncRepository>

const fields = [
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
