import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod'
import type { Table } from '../platform/table.ts'

/** A row of the table takes 400 KB. */
const maxBytes = 350_000
/** A list serves while its server is out of reach; nobody needs it after a week. */
const keptSeconds = 7 * 86_400

const entry = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  schema: z.record(z.string(), z.unknown()),
  readOnly: z.boolean(),
})

const serverList = z.object({
  /** of what was connected */
  version: z.string(),
  listedAtMs: z.number(),
  /** how the server is spoken to */
  legacy: z.boolean(),
  entries: z.array(entry),
  /** why some of its tools are not offered, in words */
  leftOut: z.array(z.string()),
})

/** What a server said it can do, cleaned. */
export type ServerList = z.output<typeof serverList>
export type ListedTool = z.output<typeof entry>

/** The last list of each of a user's servers. */
export const toolListRepository = ({ client, name: TableName }: Table) => {
  const key = (sub: string, mcpId: string) => ({ PK: `U#${sub}`, SK: `TOOLS#${mcpId}` })
  return {
    async find(sub: string, mcpId: string): Promise<ServerList | undefined> {
      const { Item } = await client.send(new GetCommand({ TableName, Key: key(sub, mcpId) }))
      const packed: unknown = Item?.['list']
      if (!(packed instanceof Uint8Array)) return undefined
      return serverList.parse(JSON.parse(gunzipSync(packed).toString()))
    },

    /** One that is too large is not kept: it is asked for anew. */
    async put(sub: string, mcpId: string, list: ServerList): Promise<void> {
      const packed = gzipSync(JSON.stringify(list))
      if (packed.length > maxBytes) return
      const ttl = Math.floor(list.listedAtMs / 1_000) + keptSeconds
      await client.send(new PutCommand({ TableName, Item: { ...key(sub, mcpId), list: packed, ttl } }))
    },
  }
}

export type ToolListRepository = ReturnType<typeof toolListRepository>
