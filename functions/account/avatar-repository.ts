import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { deleteRows } from '../platform/dynamodb/delete-rows.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'

/** A picture that was uploaded and never saved goes away by itself. */
const unsavedSeconds = 86_400

const key = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `AVATAR#${id}` })

const row = z.object({ type: z.enum(['image/webp', 'image/jpeg']), bytes: z.instanceof(Uint8Array) })
export type Picture = z.infer<typeof row>

/** Pictures of users, each small enough for a row of its own. They never change: a new one has a new id. */
export const avatarRepository = (table: Table) => {
  const { client, name: TableName } = table
  return {
    async find(sub: string, id: string): Promise<Picture | undefined> {
      // consistent: the page asks for it in the moment that it was saved
      const { Item } = await client.send(
        new GetCommand({ TableName, Key: key(sub, id), ConsistentRead: true }),
      )
      return Item && row.parse(Item)
    },

    /** Stores a picture for the time until it is saved. */
    async put(sub: string, id: string, picture: Picture, nowMs: number): Promise<void> {
      const ttl = Math.floor(nowMs / 1000) + unsavedSeconds
      await client.send(new PutCommand({ TableName, Item: { ...key(sub, id), ...picture, ttl } }))
    },

    /** Keeps a picture for good. @returns false when there is none of that id */
    keep: (sub: string, id: string): Promise<boolean> =>
      updateIf(table, key(sub, id), { update: 'REMOVE #ttl', condition: 'attribute_exists(PK)' }),

    /** Removes all kept pictures but one, those among them that an earlier change did not get to. */
    async removeOthers(sub: string, kept: string | null): Promise<void> {
      const rows = await queryAll(table, {
        partition: `U#${sub}`,
        prefix: 'AVATAR#',
        projection: 'PK, SK, #ttl',
        names: { '#ttl': 'ttl' },
      })
      const others = rows.filter(({ SK, ttl }) => ttl === undefined && SK !== `AVATAR#${kept ?? ''}`)
      await deleteRows(table, others)
    },
  }
}

export type AvatarRepository = ReturnType<typeof avatarRepository>
