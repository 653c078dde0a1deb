import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { queryAll } from '../../platform/dynamodb/query.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { parseTyped, partsOf, type Place, serialise } from './vault.ts'
import { isConditionFailed } from '../../platform/dynamodb/update-row.ts'

const prefix = 'V#'

const key = (sub: string, name: string) => {
  const { id, version } = partsOf(sub, name)
  return { PK: `U#${sub}`, SK: `${prefix}${id}#${version}` }
}

/** What a value is sealed for: it opens for this user, integration and version only. */
export const typedContext = (sub: string, { id, version }: { id: string; version: string }) =>
  `typed|${sub}|${id}|${version}`

const contextOf = (sub: string, name: string) => typedContext(sub, partsOf(sub, name))

const row = z.object({ sealed: z.string(), stored_at: z.string().catch('') })

/** Typed values in the user's own rows, sealed (ADR 0019). */
export const tablePlace = (table: Table, sealer: Pick<Sealer, 'seal' | 'open'>) => {
  const { client, name: TableName } = table

  const find: Place['find'] = async (sub, name) => {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: key(sub, name), ConsistentRead: true }),
    )
    return Item && parseTyped(await sealer.open(row.parse(Item).sealed, contextOf(sub, name)))
  }

  const place: Place = {
    find,

    async put(sub, name, typed) {
      const sealed = await sealer.seal(serialise(typed), contextOf(sub, name))
      try {
        await client.send(
          new PutCommand({
            TableName,
            Item: { ...key(sub, name), sealed, stored_at: new Date().toISOString() },
            ConditionExpression: 'attribute_not_exists(PK)',
          }),
        )
      } catch (error) {
        if (!isConditionFailed(error)) throw error
        // the client repeats a write whose answer was lost, and a move repeats what was cut
        if (!isDeepStrictEqual(await find(sub, name), typed)) throw error
      }
    },

    async remove(sub, name) {
      await client.send(new DeleteCommand({ TableName, Key: key(sub, name) }))
    },
  }

  return {
    ...place,

    /** DEC-086: removes what a crash left without a row that names it. @param before what is younger may still get its row */
    sweep: async (sub: string, named: readonly string[], before: Date): Promise<void> => {
      const kept = new Set(named.map((name) => key(sub, name).SK))
      const rows = await queryAll(table, { partition: `U#${sub}`, prefix, projection: 'PK, SK, stored_at' })
      for (const { PK, SK, stored_at } of rows)
        if (!kept.has(String(SK)) && String(stored_at) < before.toISOString())
          await client.send(new DeleteCommand({ TableName, Key: { PK, SK } }))
    },
  }
}

export type TablePlace = ReturnType<typeof tablePlace>
