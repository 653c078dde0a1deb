import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod'
import { storedSentence, type Sentence } from '#shared/sentences/sentence.ts'
import { chunkBytes } from '../platform/limits.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { putRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateRow } from '../platform/dynamodb/update-row.ts'

const prefix = 'TOOLS#'
/** A list is used for at most a week while its server does not respond. */
const retentionSeconds = 7 * 86_400

const entry = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  schema: z.record(z.string(), z.unknown()),
  /** what its structured results match, as its server says */
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  /** the server says that it may delete or overwrite things */
  destructive: z.boolean(),
  /** hash of the tool's definition and the server's origin */
  fingerprint: z.string(),
  /** address of the app that shows its results */
  appUri: z.string().optional(),
  /** who may call it; absent: the model and apps of the server */
  visibility: z.array(z.enum(['model', 'app'])).optional(),
})

const textOfOlderRelease = z.string().transform((text): Sentence => ({ code: 'tool_unusable', text }))

const serverList = z.object({
  version: z.string(),
  listedAtMs: z.number(),
  /** how long the server says that it is fresh; absent if it says nothing */
  freshMs: z.number().optional(),
  /** whether the server needs the older handshake */
  legacy: z.boolean(),
  /** what the server says about its tools; absent if it says nothing */
  instructions: z.string().optional(),
  entries: z.array(entry),
  /** why some of its tools are not offered */
  leftOut: z.array(z.union([storedSentence, textOfOlderRelease])),
})

const failure = z.object({
  /** version of the connection */
  version: z.string(),
  atMs: z.number(),
  /** the server does not accept the connection: for the page, since every reply asks it again */
  needsReconnect: z.boolean().optional(),
})

/** A server's last list and the time of a later failure. */
export interface StoredToolList {
  list?: ToolList | undefined
  failed?: z.output<typeof failure> | undefined
}

/** The version of a list: that of its connection, and the address. */
export const buildListVersion = ({ version, url }: { version: string; url: string }) => `${version} ${url}`
const isOfVersion = (listVersion: string, version: string) => listVersion.startsWith(`${version} `)

/** A server's tools, sanitized. */
export type ToolList = z.output<typeof serverList>
export type StoredTool = z.output<typeof entry>

/** The last list of each of a user's servers. */
export const toolListRepository = (table: Table) => {
  const { client, name: TableName } = table
  const key = (sub: string, mcpId: string) => ({ PK: `U#${sub}`, SK: `${prefix}${mcpId}` })
  return {
    async find(sub: string, mcpId: string): Promise<StoredToolList> {
      const { Item } = await client.send(new GetCommand({ TableName, Key: key(sub, mcpId) }))
      const packed: unknown = Item?.['list']
      return {
        failed: failure.safeParse(Item?.['failed']).data,
        ...(packed instanceof Uint8Array && {
          // a list in an older format is fetched again
          list: serverList.safeParse(JSON.parse(gunzipSync(packed).toString())).data,
        }),
      }
    },

    /** @returns tells whether a server of the user did not accept a connection when its tools were listed last */
    async findRejected(sub: string): Promise<(mcpId: string, version: string) => boolean> {
      const rows = await queryAll(table, {
        partition: `U#${sub}`,
        prefix,
        projection: 'SK, failed',
      })
      const failures = new Map(rows.map(({ SK, failed }) => [SK, failure.safeParse(failed).data]))
      return (mcpId, version) => {
        const failed = failures.get(`${prefix}${mcpId}`)
        return failed?.needsReconnect === true && isOfVersion(failed.version, version)
      }
    },

    /** Stores a failure beside the last list. */
    async putFailure(sub: string, mcpId: string, failed: z.output<typeof failure>): Promise<void> {
      await updateRow(table, key(sub, mcpId), {
        update: 'SET failed = :failed, #ttl = if_not_exists(#ttl, :ttl)',
        values: { ':failed': failed, ':ttl': Math.floor(failed.atMs / 1_000) + retentionSeconds },
      })
    },

    /** Stores a list and clears the failure. A list that is too large is not stored. */
    async put(sub: string, mcpId: string, list: ToolList): Promise<void> {
      const packed = gzipSync(JSON.stringify(list))
      if (packed.length > chunkBytes) return
      const ttl = Math.floor(list.listedAtMs / 1_000) + retentionSeconds
      await putRow(table, { ...key(sub, mcpId), list: packed, ttl })
    },
  }
}

export type ToolListRepository = ReturnType<typeof toolListRepository>
