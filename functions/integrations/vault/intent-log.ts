import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { queryAll } from '../../platform/dynamodb/query.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { partsOf, type HeldPlace, type Place } from './vault.ts'

const prefix = 'VS#'

const key = (sub: string, name: string) => {
  const { id, version } = partsOf(sub, name)
  return { PK: `U#${sub}`, SK: `${prefix}${id}#${version}` }
}

const row = z.object({ name: z.string(), stored_at: z.string() })

/**
 * Names of secrets, kept among the user's rows from before a secret is made until it is gone: nobody may ask Secrets Manager for all
 * secrets of a user, and one whose own row was never written would never be found.
 */
export const announcedSecrets = (table: Table) => {
  const { client, name: TableName } = table
  const all = async (sub: string) =>
    (await queryAll(table, { partition: `U#${sub}`, prefix })).map((item) => row.parse(item))
  const held = <P extends HeldPlace>(place: P): P => ({
    ...place,
    async remove(sub: string, name: string) {
      await place.remove(sub, name)
      await client.send(new DeleteCommand({ TableName, Key: key(sub, name) }))
    },
  })
  return {
    all,

    /** The place, with every secret announced that is put there. */
    placing: (place: Place): Place => ({
      ...held(place),
      async put(sub, name, typed) {
        const Item = { ...key(sub, name), name, stored_at: new Date().toISOString() }
        await client.send(new PutCommand({ TableName, Item }))
        await place.put(sub, name, typed)
      },
    }),

    /** DEC-086: removes what no row names. @param before what is younger may still get its row */
    async sweep(place: HeldPlace, sub: string, named: readonly string[], before: Date): Promise<void> {
      for (const { name, stored_at } of await all(sub))
        if (!named.includes(name) && stored_at < before.toISOString()) await held(place).remove(sub, name)
    },
  }
}

export type AnnouncedSecrets = ReturnType<typeof announcedSecrets>
