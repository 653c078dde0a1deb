import type { FileVersion } from '#shared/contracts/files.ts'
import { approvalLapsesAfterMs } from '#shared/limits.ts'
import { queryAll, queryPages } from '../platform/dynamodb/query.ts'
import { putRow, readRow, takeRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'
import { claimMs, releaseClaim } from './reading-repository.ts'
import { storageQuota, storedBytes, sumStoredBytes } from './storage-quota.ts'
import { fileKey, parseFileRow, filesPrefix, fileRows, isKept, type StoredFile } from './file-row.ts'

/** The row of an incomplete upload expires, as its object does. */
const unfinishedSeconds = 86_400
/** Temporary files live as long as an approval request of their reply. */
const temporaryMs = approvalLapsesAfterMs + 3_600_000

/** Expiry of a temporary file. @returns ISO time */
export const expiryOfTemporary = (nowMs: number) => new Date(nowMs + temporaryMs).toISOString()

/**
 * Reads and writes one file, or all files of a user. Reading several by id is in file-repository.ts, because a function's role allows
 * exactly the requests that its bundle contains.
 * @param storageGb the user's quota; by default that of shared/limits.ts
 */
export const baseFileRepository = (table: Table, storageGb?: number) => {
  const { find, update } = fileRows(table)
  const quota = storageQuota(table, storageGb)

  const queryRows = (sub: string) => queryAll(table, { partition: `U#${sub}`, prefix: filesPrefix })
  const isReady = (file: StoredFile) => file.state === 'ready' && isKept(file)

  /** @returns the bytes that the row counted; 0 if it did not exist */
  async function removeRow(sub: string, id: string): Promise<number> {
    const row = await takeRow(table, fileKey(sub, id))
    return row ? storedBytes(parseFileRow(row)) : 0
  }

  return {
    find,
    reserveText: quota.reserveText,
    releaseText: quota.releaseText,

    /** The file, also while it is being deleted. */
    async findAny(sub: string, id: string): Promise<StoredFile | undefined> {
      const item = await readRow(table, fileKey(sub, id))
      return item && parseFileRow(item)
    },

    /** @throws StorageFull if the quota has no room for that many bytes */
    requireSpace: (sub: string, bytes: number) => quota.requireSpace(sub, bytes),

    /**
     * Stores and counts a new file; the row of an upload that never arrives expires after a day.
     * @throws StorageFull
     */
    async put(sub: string, file: StoredFile): Promise<void> {
      await quota.reserve(sub, storedBytes(file))
      const isUpload = !file.is_generated && file.integration === undefined
      const ttl = Math.floor(Date.parse(file.created_at) / 1_000) + unfinishedSeconds
      await putRow(table, {
        ...fileKey(sub, file.id),
        ...file,
        ...(file.state === 'incoming' && isUpload && { ttl }),
      })
    },

    /** Keeps readers from a file for a minute, until `addVersion` or `release`. @returns false while one is reading it */
    hold: (sub: string, id: string, nowMs: number): Promise<boolean> =>
      updateIf(table, fileKey(sub, id), {
        update: 'SET #reading_until = :until',
        condition:
          'attribute_not_exists(#deleted_at) AND (attribute_not_exists(#reading_until) OR #reading_until < :now)',
        values: { ':until': nowMs + claimMs, ':now': nowMs },
      }),

    release: (sub: string, id: string) => releaseClaim(table, sub, id),

    /**
     * Counts a new version of a made file, which is read anew.
     * @returns false if another one came first, or the file was deleted
     * @throws StorageFull
     */
    async addVersion(sub: string, { id, versions = [] }: StoredFile, version: FileVersion): Promise<boolean> {
      await quota.reserve(sub, version.size)
      const startedAtMs = Date.now()
      const isAdded = await updateIf(table, fileKey(sub, id), {
        update:
          'SET #size = :size, #versions = :versions REMOVE #reading, #extracted_text, #reader_version, #text_length, #text, #pictures, #tables, #scans, #vectors_model, #vectors_due, #reading_until, #reading_attempts',
        condition: 'size(#versions) = :seen AND attribute_not_exists(#deleted_at)',
        values: { ':size': version.size, ':versions': [...versions, version], ':seen': versions.length },
      })
      if (!isAdded) await quota.release(sub, version.size, startedAtMs)
      return isAdded
    },

    /** Every file of the caller, also unfinished uploads and those that are being deleted. */
    listAll: async (sub: string): Promise<StoredFile[]> => (await queryRows(sub)).map(parseFileRow),

    /** Every finished file of the caller. */
    list: async (sub: string) => (await queryRows(sub)).map(parseFileRow).filter(isReady),

    /** The same, a page of the table at a time. */
    async *readPages(sub: string): AsyncGenerator<StoredFile[]> {
      for await (const rows of queryPages(table, { partition: `U#${sub}`, prefix: filesPrefix }))
        yield rows.map(parseFileRow).filter(isReady)
    },

    /** As `list`; `all` is that of `listAll`, and `storage` has the bytes that all files and texts use and the quota. */
    async listWithStorage(sub: string) {
      const [rows, textBytes] = await Promise.all([queryRows(sub), quota.sumTexts(sub)])
      const storage = {
        used_bytes: sumStoredBytes(rows, Date.now()) + textBytes,
        limit_bytes: quota.limit,
      }
      const all = rows.map(parseFileRow)
      return { all, files: all.filter(isReady), storage }
    },

    /**
     * Called before the object is moved to its final key. Without the row the object would never be deleted, so the row expires no
     * more by itself; an upload that ends here is deleted with its objects like a temporary file.
     * @returns false if the row is gone, or a concurrent request has completed the upload
     */
    beginMove: (sub: string, id: string, nowMs: number): Promise<boolean> =>
      updateIf(table, fileKey(sub, id), {
        update: 'SET #expires_at = :at REMOVE #ttl',
        condition: '#state = :incoming AND attribute_not_exists(#deleted_at)',
        values: { ':at': expiryOfTemporary(nowMs), ':incoming': 'incoming' },
      }),

    /** Lets messages reference the file. @throws AttachmentNotFound if it was deleted */
    markReady: (sub: string, { id, type, preview }: Pick<StoredFile, 'id' | 'type' | 'preview'>) =>
      update(
        sub,
        id,
        `SET #state = :ready, #type = :type REMOVE #ttl, #expires_at${preview ? '' : ', #preview'}`,
        {
          ':ready': 'ready',
          ':type': type,
        },
      ),

    /**
     * Makes a file temporary that nobody else uses: it is deleted with its turn, or after a day.
     * @param sessionId the only conversation that may use it; none may if it is undefined
     * @returns false if it is used otherwise, or was deleted
     */
    setExpiry: (sub: string, id: string, nowMs: number, sessionId?: string): Promise<boolean> =>
      updateIf(table, fileKey(sub, id), {
        update: 'SET #expires_at = :at',
        condition: `attribute_exists(PK) AND attribute_not_exists(#deleted_at) AND (attribute_not_exists(#used_in)${sessionId === undefined ? '' : ' OR #used_in = :own'})`,
        values: {
          ':at': expiryOfTemporary(nowMs),
          ...(sessionId !== undefined && { ':own': new Set([sessionId]) }),
        },
      }),

    /** Records that a message of the conversation references the file. @throws AttachmentNotFound if it was deleted */
    addReference: (sub: string, id: string, sessionId: string) =>
      update(sub, id, 'ADD #used_in :session REMOVE #expires_at', { ':session': new Set([sessionId]) }),

    /** Removes the reference of a deleted conversation. @throws AttachmentNotFound if it was deleted */
    removeReference: (sub: string, id: string, sessionId: string) =>
      update(sub, id, 'DELETE #used_in :session', { ':session': new Set([sessionId]) }),

    /**
     * First step of a deletion: from now on nobody finds or uses the file. Can be repeated.
     * @param seen what must not have changed since the file was read, by field
     * @returns false if it has, or the row is gone
     */
    markDeleted(
      sub: string,
      id: string,
      seen: { readonly [Field in 'used_in' | 'expires_at']?: StoredFile[Field] } = {},
    ): Promise<boolean> {
      const fields = Object.entries(seen)
      const conditions = fields.map(([field, value]) =>
        value === undefined ? `attribute_not_exists(#${field})` : `#${field} = :${field}`,
      )
      return updateIf(table, fileKey(sub, id), {
        update: 'SET #deleted_at = if_not_exists(#deleted_at, :now)',
        condition: ['attribute_exists(PK)', ...conditions].join(' AND '),
        values: {
          ':now': new Date().toISOString(),
          ...Object.fromEntries(
            fields.flatMap(([field, value]) => (value === undefined ? [] : [[`:${field}`, value]])),
          ),
        },
      })
    },

    /** Last step of a deletion: deletes the rows of files and subtracts their bytes from the quota's counter. Can be repeated. */
    async remove(sub: string, ids: readonly string[]): Promise<void> {
      const startedAtMs = Date.now()
      let bytes = 0
      try {
        for (const id of ids) bytes += await removeRow(sub, id)
      } finally {
        await quota.release(sub, bytes, startedAtMs)
      }
    },
  }
}

export type BaseFileRepository = ReturnType<typeof baseFileRepository>
