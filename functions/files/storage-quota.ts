import { storageGbPerUser } from '../platform/limits.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { readRow, takeRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf, updateRow } from '../platform/dynamodb/update-row.ts'
import { storageFull } from './errors.ts'
import { parseFileRow, filesPrefix, type StoredFile } from './file-row.ts'

const bytesPerGb = 1024 ** 3
/** No recount this long after a change: an upload counts its bytes before it writes its row. Longer than one upload takes. */
const settlingMs = 60_000
/** How far the clocks of two functions may be apart. */
const clockSkewMs = 1_000

/** Bytes of a file with its smaller copy and its earlier versions. */
export const storedBytes = ({
  size,
  preview,
  versions = [],
}: Pick<StoredFile, 'size' | 'preview' | 'versions'>): number =>
  versions.slice(0, -1).reduce((sum, earlier) => sum + earlier.size, size + (preview?.size ?? 0))

/** @param items rows of files; expired uploads that TTL has not deleted yet do not count */
export function sumStoredBytes(items: readonly Record<string, unknown>[], nowMs: number): number {
  const live = items.filter(({ ttl }) => ttl === undefined || Number(ttl) > nowMs / 1_000)
  return live.reduce((sum, item) => sum + storedBytes(parseFileRow(item)), 0)
}

const textPrefix = 'TEXT#'
/** How much text was imported or copied into a conversation, a shared link, or a version of an assistant. */
const textKey = (sub: string, owner: string) => ({ PK: `U#${sub}`, SK: textPrefix + owner })

/**
 * Counts the bytes of a user's files, announced uploads included, and of texts that were imported or copied, in one row. If the counter
 * exceeds the quota, it is recomputed from their rows, so that a crash or an expired upload does not reduce the quota permanently. If other
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

  const loadRows = (sub: string, prefix: string) => queryAll(table, { partition: keyFor(sub).PK, prefix })

  /** Bytes of texts; expired links that TTL has not deleted yet do not count. */
  async function sumTexts(sub: string): Promise<number> {
    const rows = await loadRows(sub, textPrefix)
    const live = rows.filter(({ ttl }) => ttl === undefined || Number(ttl) > Date.now() / 1_000)
    return live.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  }

  const sumRows = async (sub: string) => {
    const [files, texts] = await Promise.all([loadRows(sub, filesPrefix), sumTexts(sub)])
    return sumStoredBytes(files, Date.now()) + texts
  }

  /** Corrects the counter, unless an upload may be in progress. @returns the bytes that the files and texts use */
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

  /** Counts bytes before they are stored. @throws StorageFull */
  async function reserve(sub: string, bytes: number): Promise<void> {
    if (await add(sub, bytes)) return
    const used = await recount(sub)
    if (!(await add(sub, bytes))) throw storageFull({ used, limit })
  }

  /** Subtracts the bytes of deleted rows. @param startedAtMs before these were deleted: a recount since then has not counted them */
  async function release(sub: string, bytes: number, startedAtMs: number): Promise<void> {
    if (bytes === 0) return
    await updateIf(table, keyFor(sub), {
      update: 'ADD #bytes :bytes',
      condition:
        'attribute_exists(#bytes) AND (attribute_not_exists(#recounted_at) OR #recounted_at < :started)',
      values: { ':bytes': -bytes, ':started': startedAtMs - clockSkewMs },
    })
  }

  return {
    limit,
    reserve,
    release,
    sumTexts,

    /**
     * Counts text before it is stored; text that is stored again counts again.
     * @param owner id of the conversation or the link that gets it
     * @param ttl epoch seconds after which it is gone by itself
     * @throws StorageFull
     */
    reserveText: async (sub: string, owner: string, bytes: number, ttl?: number): Promise<void> => {
      if (bytes === 0) return
      await reserve(sub, bytes)
      await updateRow(table, textKey(sub, owner), {
        update: `ADD #bytes :bytes${ttl === undefined ? '' : ' SET #ttl = :ttl'}`,
        values: { ':bytes': bytes, ...(ttl !== undefined && { ':ttl': ttl }) },
      })
    },

    /** Gives back what was counted for a conversation or a link that is deleted. Can be repeated. */
    releaseText: async (sub: string, owner: string): Promise<void> => {
      const startedAtMs = Date.now()
      const row = await takeRow(table, textKey(sub, owner))
      await release(sub, Number(row?.['bytes'] ?? 0), startedAtMs)
    },

    /** @throws StorageFull if the quota has no room for that many bytes */
    async requireSpace(sub: string, bytes: number): Promise<void> {
      const fits = (used: number | undefined) => used !== undefined && used + bytes <= limit
      if (fits(await loadCount(sub))) return
      const used = await recount(sub)
      if (!fits(used)) throw storageFull({ used, limit })
    },
  }
}

export type StorageQuota = ReturnType<typeof storageQuota>
