import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { deleteRows } from '../platform/dynamodb/delete-rows.ts'
import { packChunks, unpackChunks } from '../platform/dynamodb/packed-chunks.ts'
import { queryPages, queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import type { Run, StoredValue } from './run.ts'

type Identity = Pick<Run, 'sub' | 'sessionId' | 'runId'>

/** A question lapses after a day. Whoever comes back much later still gets the reply that was begun. */
const ttlSeconds = 90 * 86_400

const partition = (sub: string) => `U#${sub}`
const sessionPrefix = ({ sessionId }: Pick<Run, 'sessionId'>) => `PARK#${sessionId}#`
const runPrefix = (run: Identity) => `${sessionPrefix(run)}${run.runId}#`
const valuePrefix = (run: Identity, id: string) => `${runPrefix(run)}${id}#`

/**
 * What a waiting run needs to go on, in rows beside its item: compressed, and of any size (ADR 0038). They are written before the item
 * names them, and deleted after it no longer does; what a crash leaves lapses.
 */
export const parkedRows = (table: Table) => {
  async function remove(sub: string, prefix: string): Promise<void> {
    const keys = { partition: partition(sub), prefix, projection: 'PK, SK' }
    for await (const page of queryPages(table, keys)) await deleteRows(table, page)
  }

  return {
    /** @param id the same value under the same id may be written again. @returns what the run's item has to remember of it */
    async write(run: Identity & Pick<Run, 'ttl'>, id: string, value: unknown): Promise<StoredValue> {
      const chunks = await packChunks(value)
      const ttl = run.ttl ?? Math.floor(Date.now() / 1000) + ttlSeconds
      for (const [chunk, data] of chunks.entries()) {
        const SK = valuePrefix(run, id) + String(chunk).padStart(3, '0')
        await table.client.send(
          new PutCommand({ TableName: table.name, Item: { PK: partition(run.sub), SK, data, ttl } }),
        )
      }
      return { id, chunks: chunks.length }
    },

    /** @returns undefined when rows are missing */
    async read(run: Identity, { id, chunks }: StoredValue): Promise<unknown> {
      const found = await queryAll(table, { partition: partition(run.sub), prefix: valuePrefix(run, id) })
      const data = found.slice(0, chunks).map((row) => row['data'] as Uint8Array)
      return data.length === chunks ? unpackChunks(data) : undefined
    },

    removeValue: (run: Identity, { id }: StoredValue) => remove(run.sub, valuePrefix(run, id)),
    removeRun: (run: Identity) => remove(run.sub, runPrefix(run)),
    removeSession: (of: Pick<Run, 'sub' | 'sessionId'>) => remove(of.sub, sessionPrefix(of)),
  }
}
