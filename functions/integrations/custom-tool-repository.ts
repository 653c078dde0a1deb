import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { CustomTool } from '#shared/contracts/integrations.ts'
import { maxCustomServers } from '#shared/limits.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { ToolNotFound, TooManyCustomServers } from './errors.ts'
import { isConditionFailed, updateIf, updateRow } from '../platform/dynamodb/update-row.ts'
import { apiKeyName } from '../mcp/headers.ts'

const key = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `T#${id}` })

/** Counts a user's tools in one item, so that adds at the same moment cannot pass the limit. */
const countKey = (sub: string) => ({ PK: `U#${sub}`, SK: 'TOOLCOUNT' })
/** By the id of each tool: when its place was taken. */
const places = z.record(z.string(), z.number()).catch({})
/** Longer than it takes to store a tool once it has its place: a place without a tool is then free again. */
const storingMs = 120_000

const row = z.object({
  SK: z.string().startsWith('T#'),
  name: z.string(),
  description: z.string(),
  server_url: z.string(),
  masks: z.record(z.string(), z.string()),
  secret_name: z.string().optional(),
  is_active: z.boolean(),
  created_at: z.string(),
  /** fingerprints of the tools that run without approval: those that only read, as the server listed them when it was added */
  read_only_tools: z.array(z.string()).optional().catch(undefined),
})

/** DATA-35: what the table holds of a tool; its key and its field values lie in the vault (DEC-083). */
export type ToolRow = Omit<z.output<typeof row>, 'SK'> & { id: string }

/** A removed tool's row stays this long; a list reads it, so that rows of those must not add up for ever. */
const removedForSeconds = 30 * 86_400

const fromItem = (item: Record<string, unknown>): ToolRow => {
  const { SK, ...fields } = row.parse(item)
  return { ...fields, id: SK.slice('T#'.length) }
}

export function toolView(sub: string, { masks, server_url, ...tool }: ToolRow): CustomTool {
  const fields = Object.entries(masks).filter(([name]) => name.startsWith('field:'))
  return {
    id: tool.id,
    name: tool.name,
    description: tool.description,
    is_active: tool.is_active,
    created_at: tool.created_at,
    user_id: sub,
    config: {
      serverUrl: server_url,
      apiKey: masks[apiKeyName] ?? '',
      customFields: Object.fromEntries(fields.map(([name, value]) => [name.slice('field:'.length), value])),
    },
  }
}

export const customToolRepository = (table: Table) => {
  const { client, name: TableName } = table
  const all = async (sub: string): Promise<ToolRow[]> =>
    (await queryAll(table, { partition: `U#${sub}`, prefix: 'T#' })).map(fromItem)
  const active = async (sub: string) => (await all(sub)).filter(({ is_active }) => is_active)

  const takeFreePlace = (sub: string, id: string, nowMs: number) =>
    updateIf(table, countKey(sub), {
      update: 'SET places.#id = :now',
      // one's own: the client repeats a write whose answer was lost
      condition: 'attribute_exists(places) AND (attribute_exists(places.#id) OR size(places) < :most)',
      names: { '#id': id },
      values: { ':now': nowMs, ':most': maxCustomServers },
    })

  /** @param takenAtMs only while the place was taken then */
  const freePlace = (sub: string, id: string, takenAtMs?: number) =>
    updateIf(table, countKey(sub), {
      update: 'REMOVE places.#id',
      condition: `attribute_exists(places.#id)${takenAtMs === undefined ? '' : ' AND places.#id = :at'}`,
      names: { '#id': id },
      ...(takenAtMs !== undefined && { values: { ':at': takenAtMs } }),
    })

  /** Counts tools that are older than the count, and frees the places of those whose adding or removal broke off. */
  async function recount(sub: string, nowMs: number): Promise<void> {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: countKey(sub), ConsistentRead: true }),
    )
    const ids = (await active(sub)).map(({ id }) => id)
    if (!Item) {
      await updateIf(table, countKey(sub), {
        update: 'SET places = :places',
        condition: 'attribute_not_exists(places)',
        values: { ':places': Object.fromEntries(ids.map((id) => [id, nowMs])) },
      })
      return
    }
    for (const [id, takenAtMs] of Object.entries(places.parse(Item['places'])))
      if (!ids.includes(id) && nowMs - takenAtMs > storingMs) await freePlace(sub, id, takenAtMs)
  }

  return {
    /**
     * Takes a place for a tool that is about to be stored.
     * @throws TooManyCustomServers
     */
    async takePlace(sub: string, id: string): Promise<void> {
      const nowMs = Date.now()
      if (await takeFreePlace(sub, id, nowMs)) return
      await recount(sub, nowMs)
      if (!(await takeFreePlace(sub, id, nowMs))) throw new TooManyCustomServers('no place is free')
    },

    /** Removed ones too: their rows stay (CUST-14), and a removal that was cut left its secret. */
    all,

    async add(sub: string, { id, ...tool }: ToolRow): Promise<void> {
      await client.send(new PutCommand({ TableName, Item: { ...key(sub, id), ...tool } }))
    },

    /** Takes back one that nobody has been told of. */
    async discard(sub: string, id: string): Promise<void> {
      await client.send(new DeleteCommand({ TableName, Key: key(sub, id) }))
      await freePlace(sub, id)
    },

    /** CUST-13: the active ones, newest first. */
    async list(sub: string): Promise<ToolRow[]> {
      return (await active(sub)).sort((a, b) => b.created_at.localeCompare(a.created_at))
    },

    /**
     * CUST-14: the row stays, inactive and without its server.
     * @returns the row as it is now; its secret is the caller's to delete, also when this is a repeat
     * @throws ToolNotFound
     */
    async retire(sub: string, id: string): Promise<ToolRow> {
      try {
        const { attributes } = await updateRow(table, key(sub, id), {
          update: 'SET is_active = :no, masks = :none',
          condition: 'attribute_exists(PK) AND (is_active = :yes OR attribute_exists(secret_name))',
          values: { ':no': false, ':yes': true, ':none': {} },
          returns: 'ALL_NEW',
        })
        await freePlace(sub, id)
        return fromItem(attributes ?? {})
      } catch (error) {
        if (!isConditionFailed(error)) throw error
        throw new ToolNotFound(id, { cause: error })
      }
    },

    /** The last step of a removal: from here on the row names no secret, and may go itself in a month. */
    async forgetSecret(sub: string, id: string): Promise<void> {
      await updateRow(table, key(sub, id), {
        update: 'REMOVE secret_name SET #ttl = :ttl',
        values: { ':ttl': Math.floor(Date.now() / 1_000) + removedForSeconds },
      })
    },
  }
}

export type CustomToolRepository = ReturnType<typeof customToolRepository>
