import * as z from 'zod'
import type { CustomTool } from '#shared/contracts/integrations.ts'
import { maxCustomServers } from '#shared/limits.ts'
import { loadEnded } from '../../platform/auth/ended-additions.ts'
import { hashOwner } from '../../platform/auth/link-suspension.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { deleteRow, putRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { CustomToolNotFound, TooManyCustomTools } from './errors.ts'
import { updateIf, updateOrThrow, updateRow } from '../../platform/dynamodb/update-row.ts'
import { apiKeyField, listCustomFields, splitAddress } from '../../mcp/headers.ts'
import { findToolsRow, toolsRowKey } from './tools-row.ts'

const key = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `T#${id}` })

/** Longer than storing a tool takes. After it, a slot without a tool is released. */
const storingMs = 120_000

const row = z.object({
  SK: z.string().startsWith('T#'),
  name: z.string(),
  description: z.string(),
  /** with masked values if it contains a key; the whole address is among the credentials */
  server_url: z.string(),
  masks: z.record(z.string(), z.string()),
  secret_name: z.string().optional(),
  is_active: z.boolean(),
  created_at: z.string(),
  /** fingerprints of the tools that run without approval: those that the server listed as read-only when it was added */
  read_only_tools: z.array(z.string()).optional().catch(undefined),
})

/** A stored custom tool; its credentials are in the vault. */
export type CustomToolRow = Omit<z.output<typeof row>, 'SK'> & { id: string }

/** Identifies the credentials of a custom tool. */
export const getCustomToolVersion = ({ secret_name }: Pick<CustomToolRow, 'secret_name'>): string =>
  secret_name ?? 'open'

/** How long the row of a removed tool stays. It expires, because each list of a user's tools reads these rows too. */
const removedForSeconds = 30 * 86_400

const fromItem = (item: Record<string, unknown>): CustomToolRow => {
  const { SK, ...fields } = row.parse(item)
  return { ...fields, id: SK.slice('T#'.length) }
}

/** Builds what the page shows of a custom tool: its credentials masked, and no secret of its address. */
export function toCustomToolView(sub: string, { masks, server_url, ...tool }: CustomToolRow): CustomTool {
  return {
    id: tool.id,
    name: tool.name,
    description: tool.description,
    is_active: tool.is_active,
    created_at: tool.created_at,
    user_id: sub,
    config: {
      serverUrl: splitAddress(server_url).shown,
      apiKey: masks[apiKeyField] ?? '',
      customFields: listCustomFields(masks),
    },
  }
}

/** The custom tools of users, at most `maxCustomServers` for each. */
export const customToolRepository = (table: Table) => {
  const listAll = async (sub: string): Promise<CustomToolRow[]> =>
    (await queryAll(table, { partition: `U#${sub}`, prefix: 'T#' })).map(fromItem)
  /** Of those that were not removed, the ones that a sign-out has ended are no longer used. */
  async function listActive(sub: string, { ended }: { ended: boolean } = { ended: false }) {
    const active = (await listAll(sub)).filter(({ is_active }) => is_active)
    if (active.length === 0) return active
    const isEnded = await loadEnded(table, hashOwner(sub))
    return active.filter(({ created_at }) => isEnded(created_at) === ended)
  }

  const takeSlot = (sub: string, id: string, nowMs: number) =>
    updateIf(table, toolsRowKey(sub), {
      update: 'SET places.#id = :now',
      // the owner may repeat it: the SDK repeats a write whose response was lost
      condition: 'attribute_exists(places) AND (attribute_exists(places.#id) OR size(places) < :most)',
      names: { '#id': id },
      values: { ':now': nowMs, ':most': maxCustomServers },
    })

  /** @param reservedAtMs only while the slot was reserved then */
  const releaseSlot = (sub: string, id: string, reservedAtMs?: number) =>
    updateIf(table, toolsRowKey(sub), {
      update: 'REMOVE places.#id',
      condition: `attribute_exists(places.#id)${reservedAtMs === undefined ? '' : ' AND places.#id = :at'}`,
      names: { '#id': id },
      ...(reservedAtMs !== undefined && { values: { ':at': reservedAtMs } }),
    })

  /** Creates the counter for tools older than it, and releases slots of interrupted adds and removals. */
  async function recount(sub: string, nowMs: number): Promise<void> {
    const { places } = await findToolsRow(table, sub)
    const ids = (await listActive(sub)).map(({ id }) => id)
    if (!places) {
      await updateIf(table, toolsRowKey(sub), {
        update: 'SET places = :places',
        condition: 'attribute_not_exists(places)',
        values: { ':places': Object.fromEntries(ids.map((id) => [id, nowMs])) },
      })
      return
    }
    for (const [id, reservedAtMs] of Object.entries(places))
      if (!ids.includes(id) && nowMs - reservedAtMs > storingMs) await releaseSlot(sub, id, reservedAtMs)
  }

  return {
    /** Reserves a slot for a tool that is about to be stored. @throws TooManyCustomTools */
    async reserveSlot(sub: string, id: string): Promise<void> {
      const nowMs = Date.now()
      if (await takeSlot(sub, id, nowMs)) return
      await recount(sub, nowMs)
      if (!(await takeSlot(sub, id, nowMs))) throw new TooManyCustomTools('no slot is free')
    },

    /** Includes removed tools, whose row may still name a secret. */
    listAll,

    async add(sub: string, { id, ...tool }: CustomToolRow): Promise<void> {
      await putRow(table, { ...key(sub, id), ...tool })
    },

    /** Deletes a tool that was not reported as added. */
    async remove(sub: string, id: string): Promise<void> {
      await deleteRow(table, key(sub, id))
      await releaseSlot(sub, id)
    },

    /** Active tools, newest first. */
    async list(sub: string): Promise<CustomToolRow[]> {
      return (await listActive(sub)).sort((a, b) => b.created_at.localeCompare(a.created_at))
    },

    /** Tools that a sign-out has ended and that are not removed yet. */
    listEnded: (sub: string): Promise<CustomToolRow[]> => listActive(sub, { ended: true }),

    /**
     * Writes the name of another secret, unless that was done concurrently.
     * @throws CustomToolNotFound if the tool was removed or has another secret by now
     */
    async replaceSecret(
      sub: string,
      id: string,
      {
        previousName,
        secretName,
        masks,
      }: { previousName: string | undefined; secretName: string; masks: CustomToolRow['masks'] },
    ): Promise<void> {
      const isSame =
        previousName === undefined ? 'attribute_not_exists(secret_name)' : 'secret_name = :before'
      const isReplaced = await updateIf(table, key(sub, id), {
        update: 'SET secret_name = :secret, masks = :masks',
        // the SDK repeats a write whose response was lost
        condition: `is_active = :yes AND (${isSame} OR secret_name = :secret)`,
        values: {
          ':yes': true,
          ':secret': secretName,
          ':masks': masks,
          ...(previousName !== undefined && { ':before': previousName }),
        },
      })
      if (!isReplaced) throw new CustomToolNotFound(id)
    },

    /**
     * Deactivates a tool and clears what the user wrote; the row counts as deleted.
     * @returns the updated row; the caller has to delete its secret, also on a repeat
     * @throws CustomToolNotFound
     */
    async retire(sub: string, id: string): Promise<CustomToolRow> {
      const { attributes } = await updateOrThrow(
        table,
        key(sub, id),
        {
          update:
            'SET is_active = :no, masks = :none, #name = :empty, description = :empty, server_url = :empty, deleted_at = :now REMOVE read_only_tools',
          condition: 'attribute_exists(PK) AND (is_active = :yes OR attribute_exists(secret_name))',
          values: { ':no': false, ':yes': true, ':none': {}, ':empty': '', ':now': new Date().toISOString() },
          returns: 'ALL_NEW',
        },
        (cause) => new CustomToolNotFound(id, { cause }),
      )
      await releaseSlot(sub, id)
      return fromItem(attributes ?? {})
    },

    /** Last step of a removal: the row no longer names a secret and expires after 30 days. */
    async removeSecretName(sub: string, id: string): Promise<void> {
      await updateRow(table, key(sub, id), {
        update: 'REMOVE secret_name SET #ttl = :ttl',
        values: { ':ttl': Math.floor(Date.now() / 1_000) + removedForSeconds },
      })
    },
  }
}

export type CustomToolRepository = ReturnType<typeof customToolRepository>
