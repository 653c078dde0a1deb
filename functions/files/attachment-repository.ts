import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { rowsOf } from '../platform/rows.ts'
import type { Table } from '../platform/table.ts'
import { fileKey, fileOf, filesPrefix, storedFile, type StoredFile } from './stored-file.ts'

/** An upload that is not completed is forgotten, as the store forgets its bytes. */
const unfinishedSeconds = 86_400

export const attachmentRepository = (table: Table) => {
  const { client, name: TableName } = table
  const { find, update } = storedFile(table)

  async function listAll(sub: string): Promise<StoredFile[]> {
    const items = await rowsOf(table, { partition: `U#${sub}`, prefix: filesPrefix })
    return items.map(fileOf)
  }

  return {
    find,

    /** Keeps a new file; one that is still to arrive from a browser is forgotten after a day. */
    async put(sub: string, file: StoredFile): Promise<void> {
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
    listAll,

    /** Every finished file of the caller. */
    list: async (sub: string) => (await listAll(sub)).filter(({ state }) => state === 'ready'),

    /** Its bytes come where they stay: without its row they would never be deleted. @throws AttachmentNotFound */
    hold: (sub: string, id: string) => update(sub, id, 'REMOVE #ttl', undefined),

    /** From here on messages may carry the file. @throws AttachmentNotFound when it was deleted meanwhile */
    finish: (sub: string, { id, preview }: Pick<StoredFile, 'id' | 'preview'>) =>
      update(sub, id, `SET #state = :ready REMOVE #ttl${preview ? '' : ', #preview'}`, { ':ready': 'ready' }),

    /** A message of this conversation carries the file. @throws AttachmentNotFound when it was deleted meanwhile */
    use: (sub: string, id: string, sessionId: string) =>
      update(sub, id, 'ADD #used_in :session', { ':session': new Set([sessionId]) }),

    /** The conversation is gone, and others use the file still. @throws AttachmentNotFound when it was deleted meanwhile */
    leave: (sub: string, id: string, sessionId: string) =>
      update(sub, id, 'DELETE #used_in :session', { ':session': new Set([sessionId]) }),

    async remove(sub: string, id: string): Promise<void> {
      await client.send(new DeleteCommand({ TableName, Key: fileKey(sub, id) }))
    },
  }
}

export type AttachmentRepository = ReturnType<typeof attachmentRepository>
