import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import * as z from 'zod'
import { rowFormat } from '#shared/row-format.ts'
import { createRow, readRow } from '../../../functions/platform/dynamodb/rows.ts'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'

/** The one row about the format of the others: the oldest that a migration has left, and how far an unfinished one is. */
export const formatKey = { PK: 'FORMAT', SK: 'FORMAT' } as const

const progress = z.object({
  to: z.number(),
  /** the row after which it goes on; absent: at the beginning */
  cursor: z.object({ PK: z.string(), SK: z.string() }).optional(),
  begun_at: z.string(),
  read: z.number(),
  /** by the number of the migration in the list */
  changed: z.array(z.number()),
  left: z.number(),
})
export type Progress = z.output<typeof progress>

const row = z.object({
  /** what all rows have at least; absent: nobody has recorded it */
  format: z.number().optional().catch(undefined),
  progress: progress.optional().catch(undefined),
})

/** What is recorded of the rows' format. */
export type RecordedFormat = z.output<typeof row>

/** @returns an empty object if nothing is recorded */
export const readFormat = async (table: Table): Promise<RecordedFormat> =>
  row.parse((await readRow(table, formatKey)) ?? {})

/** Records the format of a table that has been created for this release. What is recorded already stays. */
export const recordNewTable = (table: Table): Promise<boolean> =>
  createRow(table, { ...formatKey, format: rowFormat })

/**
 * Forgets the format, and a migration under way, before rows of an earlier time are written: they may have an older format, and stand
 * before the row at which the migration would go on.
 */
export const forgetFormat = (client: DynamoDBClient, TableName: string) =>
  client.send(new DeleteItemCommand({ TableName, Key: { PK: { S: formatKey.PK }, SK: { S: formatKey.SK } } }))
