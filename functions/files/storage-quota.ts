import { storageGbPerUser } from '../platform/limits.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'
import { StorageFull } from './errors.ts'
import { parseFileRow, filesPrefix, type StoredFile } from './file-row.ts'

const bytesPerGb = 1024 ** 3
/** No recount this long after a change: an upload counts its bytes before it writes its row. Longer than one upload takes. */
const settlingMs = 60_000
/** How far the clocks of two functions may be apart. */
const clockSkewMs = 1_000

/** Bytes of a file and its smaller copy. */
export const storedBytes = ({ size, preview }: Pick<StoredFile, 'size' | 'preview'>): number =>
  size + (preview?.size ?? 0)

/** @param items rows of files; expired uploads that TTL has not deleted yet do not count */
export function sumStoredBytes(items: readonly Record<string, unknown>[], nowMs: number): number {
  const live = items.filter(({ ttl }) => ttl === undefined || Number(ttl) > nowMs / 1_000)
  return live.reduce((sum, item) => sum + storedBytes(parseFileRow(item)), 0)
}

/**
 * Counts the bytes of a user's files, announced uploads included, in one row. If the counter exceeds the quota, it is
 * recomputed from the rows of the files, so that a crash or an expired upload does not reduce the quota permanently. If other
 * requests run at the same time, the counter may be too high until the next recount.
 * @param gb by default that of shared/limits.ts
 */
export function storageQuota(table: Table, gb: number | undefined) {
  const limit = Math.floor((gb ?? storageGbPerUser) * bytesPerGb)
  const keyFor = (sub: string) => ({ PK: `U#${sub}`, SK: 'STORAGE' })

  /** The first file creates the counter. @returns false if there is no room */
  const add = async (sub: string, bytes: number): Promise<boolean> =>
    bytes <= limit &&
    updateIf(table, keyFor(sub), {
      update: 'ADD #bytes :bytes SET #changed_at = :now',
      condition: 'attribute_not_exists(#bytes) OR #bytes <= :room',
      values: { ':bytes': bytes, ':now': Date.now(), ':room': limit - bytes },
    })

  async function loadCount(sub: string): Promise<number | undefined> {
    const item = await readRow(table, keyFor(sub))
    return item === undefined ? undefined : Number(item['bytes'])
  }

  const sumRows = async (sub: string) =>
    sumStoredBytes(await queryAll(table, { partition: keyFor(sub).PK, prefix: filesPrefix }), Date.now())

  /** Corrects the counter, unless an upload may be in progress. @returns the bytes that the files use */
  async function recount(sub: string): Promise<number> {
    const before = await loadCount(sub)
    const bytes = await sumRows(sub)
    const nowMs = Date.now()
    // a concurrent request has changed the counter; the next rejection recomputes it
    if (before !== undefined && before !== bytes)
      await updateIf(table, keyFor(sub), {
        update: 'SET #bytes = :bytes, #recounted_at = :now',
        condition: '#bytes = :before AND (attribute_not_exists(#changed_at) OR #changed_at < :settled)',
        values: { ':bytes': bytes, ':before': before, ':now': nowMs, ':settled': nowMs - settlingMs },
      })
    return bytes
  }

  return {
    limit,

    /** Counts a file before its row is written. @throws StorageFull */
    async reserve(sub: string, bytes: number): Promise<void> {
      if (await add(sub, bytes)) return
      const used = await recount(sub)
      if (!(await add(sub, bytes))) throw new StorageFull({ used, limit })
    },

    /** @throws StorageFull if the quota has no room for that many bytes */
    async requireSpace(sub: string, bytes: number): Promise<void> {
      const fits = (used: number | undefined) => used !== undefined && used + bytes <= limit
      if (fits(await loadCount(sub))) return
      const used = await recount(sub)
      if (!fits(used)) throw new StorageFull({ used, limit })
    },

    /** Subtracts the bytes of deleted files. @param startedAtMs before their rows were deleted: a recount since then has not counted them */
    async release(sub: string, bytes: number, startedAtMs: number): Promise<void> {
      if (bytes === 0) return
      await updateIf(table, keyFor(sub), {
        update: 'ADD #bytes :bytes',
        condition:
          'attribute_exists(#bytes) AND (attribute_not_exists(#recounted_at) OR #recounted_at < :started)',
        values: { ':bytes': -bytes, ':started': startedAtMs - clockSkewMs },
      })
    },
  }
}
