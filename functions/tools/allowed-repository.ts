import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { allowedTool, type AllowedTool } from '#shared/contracts/tools.ts'
import { rowsOf } from '../platform/rows.ts'
import type { Table } from '../platform/table.ts'

const prefix = 'ALLOW#'
const row = allowedTool.omit({ id: true }).extend({ SK: z.string().startsWith(prefix) })

/** Tools that a user has allowed for good, each as it was then: by its fingerprint. */
export const allowedRepository = (table: Table) => {
  const { client, name: TableName } = table
  const key = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `${prefix}${id}` })
  return {
    async list(sub: string): Promise<AllowedTool[]> {
      const items = await rowsOf(table, { partition: `U#${sub}`, prefix })
      return items.map((item) => {
        const { SK, ...tool } = row.parse(item)
        return { ...tool, id: SK.slice(prefix.length) }
      })
    },

    async allow(sub: string, { id, ...tool }: AllowedTool): Promise<void> {
      await client.send(new PutCommand({ TableName, Item: { ...key(sub, id), ...tool } }))
    },

    /** What is not allowed any more is no error. */
    async revoke(sub: string, id: string): Promise<void> {
      await client.send(new DeleteCommand({ TableName, Key: key(sub, id) }))
    },
  }
}

export type AllowedRepository = ReturnType<typeof allowedRepository>
