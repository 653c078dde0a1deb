import * as z from 'zod'
import { maxAvatarBytes } from '#shared/limits.ts'
import { matchesType } from '../files/file-content.ts'
import { removeMetadata } from '../files/remove-metadata.ts'
import { deleteRows } from '../platform/dynamodb/delete-rows.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { deleteRow, readRow, putRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'
import { InvalidAvatar } from './errors.ts'

/** A picture that was uploaded and never saved expires. */
const unsavedSeconds = 86_400
/** Pictures of a user that wait to be saved. */
const maxUnsavedAvatars = 5

const key = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `AVATAR#${id}` })

const row = z.object({ type: z.enum(['image/webp', 'image/jpeg']), bytes: z.instanceof(Uint8Array) })
export type Avatar = z.infer<typeof row>

/** Pictures of users, each small enough for a row of its own. They never change: a new one has a new id. */
export const avatarRepository = (table: Table) => {
  const listAll = (sub: string) =>
    queryAll(table, {
      partition: `U#${sub}`,
      prefix: 'AVATAR#',
      projection: 'PK, SK, #ttl',
      names: { '#ttl': 'ttl' },
    })

  return {
    async find(sub: string, id: string): Promise<Avatar | undefined> {
      // consistent: the page asks for it right after it was saved
      const item = await readRow(table, key(sub, id))
      return item && row.parse(item)
    },

    /** Stores a picture for the time until it is saved. Of those that wait longest all but a few go: no quota counts them. */
    async put(sub: string, id: string, picture: Avatar, nowMs: number): Promise<void> {
      const unsaved = (await listAll(sub)).flatMap(({ SK, ttl }) =>
        typeof ttl === 'number' ? { SK, ttl } : [],
      )
      const oldest = unsaved.toSorted((a, b) => b.ttl - a.ttl).slice(maxUnsavedAvatars - 1)
      // one that is being saved stays
      const condition = {
        ConditionExpression: 'attribute_exists(#ttl)',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
      }
      await Promise.all(
        oldest.map(({ SK }) => deleteRow(table, { PK: `U#${sub}`, SK: String(SK) }, condition)),
      )
      const ttl = Math.floor(nowMs / 1000) + unsavedSeconds
      await putRow(table, { ...key(sub, id), ...picture, ttl })
    },

    /** Saves an uploaded picture. @returns false if there is no picture with that id */
    save: (sub: string, id: string): Promise<boolean> =>
      updateIf(table, key(sub, id), { update: 'REMOVE #ttl', condition: 'attribute_exists(PK)' }),

    /** Deletes all saved pictures but one, including those that an earlier interrupted change left. */
    async deleteOthers(sub: string, currentId: string | null): Promise<void> {
      const others = (await listAll(sub)).filter(
        ({ SK, ttl }) => ttl === undefined && SK !== `AVATAR#${currentId ?? ''}`,
      )
      await deleteRows(table, others)
    },
  }
}

export type AvatarRepository = ReturnType<typeof avatarRepository>

/**
 * Parses a picture: the type comes from its first bytes, never from its name. The browser draws it again, other clients need not: what it
 * says besides its pixels is removed here.
 * @param data base64
 * @throws InvalidAvatar for anything but a WebP or JPEG of at most 60 kB
 */
export function parseAvatar(data: string): Avatar {
  const bytes = new Uint8Array(Buffer.from(data, 'base64'))
  if (bytes.length > maxAvatarBytes) throw new InvalidAvatar(`a picture of ${bytes.length} bytes`)
  const type = (['image/webp', 'image/jpeg'] as const).find((one) => matchesType(bytes, one))
  const cleaned = type && removeMetadata(bytes, type)
  if (cleaned) return { type, bytes: cleaned }
  throw new InvalidAvatar('neither WebP nor JPEG')
}
