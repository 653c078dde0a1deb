import { GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { reading } from '#shared/contracts/files.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { AttachmentNotFound } from './errors.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'

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
  /** conversations whose messages carry the file */
  used_in: z.set(z.string()).optional(),
  /** ISO time; the file is not to stay, and goes by then at the latest */
  expires_at: z.string().optional(),
})
/** A file of a user, as it is kept. */
export type StoredFile = z.infer<typeof row>

/** The files of a user: what one has in common with all. */
export const filesPrefix = 'A#'
export const fileKey = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `${filesPrefix}${id}` })
export const fileOf = (item: Record<string, unknown>): StoredFile => row.parse(item)

/** One file read, and one changed: what every part of the product that has to do with files needs. */
export const storedFile = (table: Table) => ({
  /** @throws AttachmentNotFound */
  find: async (sub: string, id: string): Promise<StoredFile> => {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: fileKey(sub, id), ConsistentRead: true }),
    )
    if (!Item) throw new AttachmentNotFound(`no file ${id}`)
    return fileOf(Item)
  },

  /** @param expression with `#field` for names @throws AttachmentNotFound when it was deleted meanwhile */
  update: async (
    sub: string,
    id: string,
    expression: string,
    values: Record<string, unknown> | undefined,
  ): Promise<void> => {
    const change = { update: expression, condition: 'attribute_exists(PK)', values }
    if (!(await updateIf(table, fileKey(sub, id), change)))
      throw new AttachmentNotFound(`file ${id} was deleted meanwhile`)
  },
})
