import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { BatchGetCommand, DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { reading, type Reading } from '#shared/contracts/files.ts'
import { rowsOf } from '../platform/rows.ts'
import type { Table } from '../platform/table.ts'
import { AttachmentNotFound } from './errors.ts'

const row = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  state: z.enum(['incoming', 'ready']),
  created_at: z.string(),
  /** the page's own smaller copy of a picture */
  preview: z.object({ type: z.string(), size: z.number() }).optional(),
  reading: reading.optional(),
  /** DOC-08: the beginning of the text, at most 2,000 characters; all of it lies in the store */
  extracted_text: z.string().optional(),
  is_generated: z.boolean().optional(),
  prompt: z.string().optional(),
})
/** A file of a user, as it is kept. */
export type StoredFile = z.infer<typeof row>

/** An upload that is not completed is forgotten, as the store forgets its bytes. */
const unfinishedSeconds = 86_400
const batchSize = 100

const key = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `A#${id}` })

export const attachmentRepository = (table: Table) => {
  const { client, name: TableName } = table
  async function update(sub: string, id: string, expression: string, values: Record<string, unknown>) {
    try {
      await client.send(
        new UpdateCommand({
          TableName,
          Key: key(sub, id),
          UpdateExpression: expression,
          ConditionExpression: 'attribute_exists(PK)',
          ExpressionAttributeNames: Object.fromEntries(
            [...expression.matchAll(/#(\w+)/g)].map(([token, field]) => [token, field ?? '']),
          ),
          ExpressionAttributeValues: values,
        }),
      )
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      throw new AttachmentNotFound(`file ${id} was deleted meanwhile`, { cause: error })
    }
  }

  async function listAll(sub: string): Promise<StoredFile[]> {
    const items = await rowsOf(table, { partition: `U#${sub}`, prefix: 'A#' })
    return items.map((item) => row.parse(item))
  }

  return {
    /** Keeps a new file; one that is still to arrive is forgotten after a day. */
    async put(sub: string, file: StoredFile): Promise<void> {
      const ttl = Math.floor(Date.parse(file.created_at) / 1_000) + unfinishedSeconds
      await client.send(
        new PutCommand({
          TableName,
          Item: { ...key(sub, file.id), ...file, ...(file.state === 'incoming' && { ttl }) },
        }),
      )
    },

    /** @throws AttachmentNotFound */
    async find(sub: string, id: string): Promise<StoredFile> {
      const { Item } = await client.send(
        new GetCommand({ TableName, Key: key(sub, id), ConsistentRead: true }),
      )
      if (!Item) throw new AttachmentNotFound(`no file ${id}`)
      return row.parse(Item)
    },

    /** Those of the ids that are the caller's, by id. */
    async findMany(sub: string, ids: readonly string[]): Promise<Map<string, StoredFile>> {
      const found = new Map<string, StoredFile>()
      let wanted: Record<string, unknown>[] = [...new Set(ids)].map((id) => key(sub, id))
      while (wanted.length > 0) {
        const { Responses, UnprocessedKeys } = await client.send(
          new BatchGetCommand({
            RequestItems: { [TableName]: { Keys: wanted.slice(0, batchSize), ConsistentRead: true } },
          }),
        )
        for (const item of Responses?.[TableName] ?? []) {
          const file = row.parse(item)
          found.set(file.id, file)
        }
        wanted = [...(UnprocessedKeys?.[TableName]?.Keys ?? []), ...wanted.slice(batchSize)]
      }
      return found
    },

    /** Every file of the caller, unfinished uploads too. */
    listAll,

    /** Every finished file of the caller. */
    list: async (sub: string) => (await listAll(sub)).filter(({ state }) => state === 'ready'),

    /** From here on messages may carry the file. @throws AttachmentNotFound when it was deleted meanwhile */
    finish: (sub: string, { id, preview }: Pick<StoredFile, 'id' | 'preview'>) =>
      update(sub, id, `SET #state = :ready REMOVE #ttl${preview ? '' : ', #preview'}`, { ':ready': 'ready' }),

    /** What an analysis found. @throws AttachmentNotFound when the file was deleted meanwhile */
    saveReading: (sub: string, id: string, found: { reading: Reading; extractedText: string }) =>
      update(sub, id, 'SET #reading = :reading, #extracted_text = :text', {
        ':reading': found.reading,
        ':text': found.extractedText,
      }),

    async remove(sub: string, id: string): Promise<void> {
      await client.send(new DeleteCommand({ TableName, Key: key(sub, id) }))
    },
  }
}

export type AttachmentRepository = ReturnType<typeof attachmentRepository>
