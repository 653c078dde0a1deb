import * as z from 'zod'
import { allowedTool, type AllowedTool } from '#shared/contracts/tools.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { putRow, deleteRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'

const prefix = 'ALLOW#'
const row = allowedTool.omit({ id: true }).extend({ SK: z.string().startsWith(prefix) })

/** Tools that a user has allowed permanently, identified by their fingerprint at that time. */
export const allowedToolRepository = (table: Table) => {
  const key = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `${prefix}${id}` })

  async function list(sub: string): Promise<AllowedTool[]> {
    const items = await queryAll(table, { partition: `U#${sub}`, prefix })
    return items.map((item) => {
      const { SK, ...tool } = row.parse(item)
      return { ...tool, id: SK.slice(prefix.length) }
    })
  }

  /** Succeeds if the tool is not allowed any more. */
  async function revoke(sub: string, id: string): Promise<void> {
    await deleteRow(table, key(sub, id))
  }

  return {
    list,
    revoke,

    /** Ends every permission for the tools of one integration or custom server. */
    async revokeAll(sub: string, mcpId: string): Promise<void> {
      const allowed = await list(sub)
      await Promise.all(allowed.filter(({ mcp_id }) => mcp_id === mcpId).map(({ id }) => revoke(sub, id)))
    },

    async allow(sub: string, { id, ...tool }: AllowedTool): Promise<void> {
      await putRow(table, { ...key(sub, id), ...tool })
    },
  }
}

export type AllowedToolRepository = ReturnType<typeof allowedToolRepository>
