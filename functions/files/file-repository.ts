import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { approvalLapsesAfterMs } from '#shared/limits.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { storageQuota, storedBytes, sumStoredBytes } from './storage-quota.ts'
import { fileKey, fileOf, filesPrefix, storedFile, type StoredFile } from './file-row.ts'

/** An upload that is not completed is forgotten, as the store forgets its bytes. */
const unfinishedSeconds = 86_400
/** A message can be sent again for as long as a question of its reply can be answered. */
const temporaryMs = approvalLapsesAfterMs + 3_600_000

/** When a file goes that is not to stay. @returns ISO time */
const temporaryUntil = (nowMs: number) => new Date(nowMs + temporaryMs).toISOString()

/** @param storageGb what a user's files may take up; undefined: as shared/limits.ts has it */
export const attachmentRepository = (table: Table, storageGb?: number) => {
  const { client, name: TableName } = table
  const { find, update } = storedFile(table)
  const quota = storageQuota(table, storageGb)

  const readRows = (sub: string) => queryAll(table, { partition: `U#${sub}`, prefix: filesPrefix })
  const isReady = ({ state }: StoredFile) => state === 'ready'

  /** @returns the bytes that its row stood for; 0 when it was gone */
  async function removeRow(sub: string, id: string): Promise<number> {
    const { Attributes } = await client.send(
      new DeleteCommand({ TableName, Key: fileKey(sub, id), ReturnValues: 'ALL_OLD' }),
    )
    return Attributes ? storedBytes(fileOf(Attributes)) : 0
  }

  return {
    find,

    /** @throws StorageFull when the user's files could not take up so much more */
    requireRoom: (sub: string, bytes: number) => quota.requireRoom(sub, bytes),

    /**
     * Keeps a new file, counted from now on; one that is still to arrive from a browser is forgotten after a day.
     * @throws StorageFull
     */
    async put(sub: string, file: StoredFile): Promise<void> {
      await quota.reserve(sub, storedBytes(file))
      const ttl = Math.floor(Date.parse(file.created_at) / 1_000) + unfinishedSeconds
      await client.send(
        new PutCommand({
          TableName,
          Item: {
            ...fileKey(sub, file.id),
            ...file,
            ...(file.state === 'incoming' && !file.is_generated && { ttl }),
          },
        }),
      )
    },

    /** Every file of the caller, unfinished uploads too. */
    listAll: async (sub: string): Promise<StoredFile[]> => (await readRows(sub)).map(fileOf),

    /** Every finished file of the caller. */
    list: async (sub: string) => (await readRows(sub)).map(fileOf).filter(isReady),

    /** The same, with what all files take up, unfinished uploads included, and what they may. */
    async listWithStorage(sub: string) {
      const rows = await readRows(sub)
      const storage = { used_bytes: sumStoredBytes(rows, Date.now()), limit_bytes: quota.limit }
      return { files: rows.map(fileOf).filter(isReady), storage }
    },

    /** Its bytes come where they stay: without its row they would never be deleted. @throws AttachmentNotFound */
    hold: (sub: string, id: string) => update(sub, id, 'REMOVE #ttl', undefined),

    /** From here on messages may carry the file. @throws AttachmentNotFound when it was deleted meanwhile */
    finish: (sub: string, { id, preview }: Pick<StoredFile, 'id' | 'preview'>) =>
      update(sub, id, `SET #state = :ready REMOVE #ttl${preview ? '' : ', #preview'}`, { ':ready': 'ready' }),

    /** The file is not to stay: it goes with its turn, or in a day. @throws AttachmentNotFound when it was deleted meanwhile */
    expire: (sub: string, id: string, nowMs: number) =>
      update(sub, id, 'SET #expires_at = :at', { ':at': temporaryUntil(nowMs) }),

    /** A message of this conversation carries the file, and goes with it. @throws AttachmentNotFound when it was deleted meanwhile */
    use: (sub: string, id: string, sessionId: string) =>
      update(sub, id, 'ADD #used_in :session REMOVE #expires_at', { ':session': new Set([sessionId]) }),

    /** The conversation is gone, and others use the file still. @throws AttachmentNotFound when it was deleted meanwhile */
    leave: (sub: string, id: string, sessionId: string) =>
      update(sub, id, 'DELETE #used_in :session', { ':session': new Set([sessionId]) }),

    /** Removes the rows of files, and counts their bytes no more. Can be repeated. */
    async remove(sub: string, ids: readonly string[]): Promise<void> {
      let bytes = 0
      try {
        for (const id of ids) bytes += await removeRow(sub, id)
      } finally {
        await quota.release(sub, bytes)
      }
    },
  }
}

export type AttachmentRepository = ReturnType<typeof attachmentRepository>
