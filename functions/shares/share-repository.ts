import * as z from 'zod'
import { share as shareSchema, sharedMessage, type Share } from '#shared/contracts/shares.ts'
import { deleteByPrefix, deleteRows } from '../platform/dynamodb/delete-rows.ts'
import { packChunks, unpackChunks } from '../platform/dynamodb/packed-chunks.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { deleteRow, putIf, readRow, putRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { isConditionFailed, updateIf, updateRow } from '../platform/dynamodb/update-row.ts'
import { storageQuota } from '../files/storage-quota.ts'
import { loadEnded } from '../platform/auth/ended-additions.ts'
import { hashOwner } from '../platform/auth/link-suspension.ts'
import { headKeys, headPrefix, hasEnded, pagePrefix, snapshotKey } from './snapshot-reader.ts'

/*
 * A link has a row among its owner's (`U#sub` / `SHARE#id`), which knows the secret, and a snapshot in a partition of its own, whose key is a
 * hash of the secret: `HEAD`, and the messages in pages of one or more chunks. All of them end by themselves with the link.
 */

/** A link whose creation was interrupted is removed with the next one after this time: longer than a function needs for one. */
const creationTimeoutMs = 60_000

const ownerPrefix = 'SHARE#'
const ownerKey = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: ownerPrefix + id })
const ownerRow = shareSchema.omit({ id: true }).extend({
  SK: z.string().startsWith(ownerPrefix),
  message_count: z.number().default(0),
  state: z.enum(['making', 'published', 'revoked']),
  /** how often its messages were changed */
  rev: z.number().default(0),
})
type OwnerRow = Share & Pick<z.infer<typeof ownerRow>, 'state' | 'rev'>

/** A message of a snapshot, with the ids by which deletions find it; readers are not told them. Links of earlier releases have none. */
const snapshotMessage = sharedMessage.extend({
  id: z.string().optional(),
  file_ids: z.array(z.string()).optional(),
  /** of each table */
  table_files: z.array(z.array(z.string())).optional(),
})
export type SnapshotMessage = z.infer<typeof snapshotMessage>

/** What is deleted of a conversation. */
export interface Deletion {
  messages: readonly { id: string; role: string; content: string }[]
  fileIds: ReadonlySet<string>
  /** a title that quotes a deleted message is replaced */
  title?: { seen: ReadonlySet<string>; next: string }
}

/** @returns the message without what is deleted; undefined if all of it is */
function withoutDeleted(
  message: SnapshotMessage,
  { messages, fileIds }: Deletion,
): SnapshotMessage | undefined {
  const isDeleted = messages.some(({ id, role, content }) =>
    message.id === undefined ? role === message.role && content === message.content : id === message.id,
  )
  if (isDeleted) return undefined
  const { file_ids: ids = [], tables, table_files: tableFiles } = message
  const isLeft = (id: string) => !fileIds.has(id)
  if (ids.every(isLeft) && (tableFiles ?? []).flat().every(isLeft)) return message
  const left = ids.filter(isLeft)
  const hasFiles = (_: unknown, index: number) => (tableFiles?.[index] ?? []).every(isLeft)
  return {
    ...message,
    files: message.files - (ids.length - left.length),
    file_ids: left,
    ...(tables && { tables: tables.filter(hasFiles), table_files: tableFiles?.filter(hasFiles) }),
  }
}

/** Converts an ISO time to seconds since 1970, as a TTL needs it; rounded up, so that no row ends too early. */
export const toEpochSeconds = (iso: string) => Math.ceil(Date.parse(iso) / 1_000)

const fromRow = (item: Record<string, unknown>): OwnerRow => {
  const { SK, ...fields } = ownerRow.parse(item)
  return { ...fields, id: SK.slice(ownerPrefix.length) }
}

/** Reads and writes the links of owners and their snapshots, whose texts are a part of the owner's storage. */
export const shareRepository = (table: Table) => {
  const { releaseText } = storageQuota(table, undefined)

  const listAll = async (sub: string): Promise<OwnerRow[]> =>
    (await queryAll(table, { partition: `U#${sub}`, prefix: ownerPrefix })).map(fromRow)

  /** @returns false when the row is gone, or the condition does not hold */
  function setState(sub: string, id: string, values: Partial<OwnerRow>, condition: string): Promise<boolean> {
    const entries = Object.entries(values)
    return updateIf(table, ownerKey(sub, id), {
      update: `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      condition,
      values: {
        ...Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
        ...(condition.includes(':revoked') && { ':revoked': 'revoked' }),
      },
    })
  }

  /** Removes what a link shows; can be repeated. */
  async function removeSnapshot(secret: string): Promise<void> {
    // the head is deleted first, by key order: the link stops working at once
    await deleteByPrefix(table, snapshotKey(secret), '')
  }

  /** Marks the link as revoked first, so that a concurrent creation cannot publish it; its row is deleted last. */
  async function remove(sub: string, { id, secret }: Pick<OwnerRow, 'id' | 'secret'>): Promise<void> {
    await setState(sub, id, { state: 'revoked' }, 'attribute_exists(PK)')
    await removeSnapshot(secret)
    await releaseText(sub, id)
    await deleteRow(table, ownerKey(sub, id))
  }

  const toChunkRow = (
    { secret, ends_at }: Pick<Share, 'secret' | 'ends_at'>,
    page: number,
    chunk: number,
    data: Uint8Array,
  ) => ({
    PK: snapshotKey(secret),
    SK: pagePrefix(page) + String(chunk).padStart(3, '0'),
    data,
    ttl: toEpochSeconds(ends_at),
  })

  /** Takes what is deleted out of a page. @returns how many messages are left; undefined if an interrupted change has damaged the page */
  async function cleanPage(link: OwnerRow, page: number, deletion: Deletion): Promise<number | undefined> {
    for (;;) {
      const rows = await queryAll(table, { partition: snapshotKey(link.secret), prefix: pagePrefix(page) })
      const [seen, ...others] = rows.map((row) => z.instanceof(Uint8Array).parse(row['data']))
      if (!seen) return 0
      const before = await unpackChunks([seen, ...others]).then(
        (messages) => z.array(snapshotMessage).parse(messages),
        () => undefined,
      )
      if (!before) return undefined
      const after = before.flatMap((message) => withoutDeleted(message, deletion) ?? [])
      if (after.length === before.length && after.every((message, index) => message === before[index]))
        return before.length
      const [first = seen, ...more] = await packChunks(after)
      const isOurs = await putIf(table, toChunkRow(link, page, 0, first), {
        ConditionExpression: '#data = :seen',
        ExpressionAttributeNames: { '#data': 'data' },
        ExpressionAttributeValues: { ':seen': seen },
      })
      // another deletion was faster
      if (!isOurs) continue
      for (const [index, data] of more.entries()) await putRow(table, toChunkRow(link, page, index + 1, data))
      const surplus = rows.slice(more.length + 1)
      await deleteRows(
        table,
        surplus.map(({ PK, SK }) => ({ PK: String(PK), SK: String(SK) })),
      )
      return after.length
    }
  }

  /** Counts a change of a link's messages. @returns the link; undefined if it is gone */
  async function beginChange(sub: string, { id }: OwnerRow): Promise<OwnerRow | undefined> {
    try {
      const { attributes } = await updateRow(table, ownerKey(sub, id), {
        update: 'ADD #rev :one',
        condition: '#state = :published',
        values: { ':one': 1, ':published': 'published' },
        returns: 'ALL_NEW',
      })
      return fromRow(attributes ?? {})
    } catch (error) {
      if (isConditionFailed(error)) return undefined
      throw error
    }
  }

  /** Takes what is deleted out of a link, again if another deletion has changed it meanwhile. One that shows nothing more is removed. */
  async function cleanLink(sub: string, listed: OwnerRow, deletion: Deletion): Promise<void> {
    for (;;) {
      const link = await beginChange(sub, listed)
      const [head] = link
        ? await queryAll(table, { partition: snapshotKey(link.secret), prefix: headPrefix })
        : []
      // it is being made, and may have read what is deleted; or its removal was interrupted
      if (!link || !head) return remove(sub, listed)
      let count = 0
      for (let page = 1; page <= Number(head['pages']); page += 1) {
        const left = await cleanPage(link, page, deletion)
        if (left === undefined) return remove(sub, link)
        count += left
      }
      if (count === 0) return remove(sub, link)
      const title = deletion.title?.seen.has(link.title) ? deletion.title.next : link.title
      if (title !== link.title) await putRow(table, { ...head, title })
      const isUnchanged = await updateIf(table, ownerKey(sub, link.id), {
        update: 'SET #message_count = :count, #title = :title',
        condition: '#rev = :rev AND #state = :published',
        values: { ':count': count, ':title': title, ':rev': link.rev, ':published': 'published' },
      })
      if (isUnchanged) return
    }
  }

  return {
    /** The links that work, newest first, and those whose revocation was interrupted, so that it can be repeated. */
    async list(sub: string, nowMs: number): Promise<Share[]> {
      const [links, isEnded] = await Promise.all([listAll(sub), loadEnded(table, hashOwner(sub))])
      return links
        .filter(({ created_at }) => !isEnded(created_at))
        .filter(
          ({ state, message_count }) => state === 'published' || (state === 'revoked' && message_count > 0),
        )
        .filter(({ ends_at }) => !hasEnded(ends_at, nowMs))
        .sort((a, b) => b.created_at.localeCompare(a.created_at))
        .map((link) => shareSchema.parse(link))
    },

    /**
     * Reserves a link, after deleting links that have ended, and those whose creation or revocation was interrupted.
     * @returns false when there are already `maxLinks`
     */
    async reserve(sub: string, link: Share, maxLinks: number, nowMs: number): Promise<boolean> {
      await putRow(table, {
        ...link,
        ...ownerKey(sub, link.id),
        state: 'making',
        ttl: toEpochSeconds(link.ends_at),
      })
      // this link is counted too, so that two at once cannot both be the last one
      const [links, isEnded] = await Promise.all([listAll(sub), loadEnded(table, hashOwner(sub))])
      const leftovers = links.filter(
        ({ state, created_at, ends_at }) =>
          state === 'revoked' ||
          isEnded(created_at) ||
          hasEnded(ends_at, nowMs) ||
          (state === 'making' && nowMs - Date.parse(created_at) > creationTimeoutMs),
      )
      for (const one of leftovers) await remove(sub, one)
      if (links.length - leftovers.length <= maxLinks) return true
      await remove(sub, link)
      return false
    },

    /** Stores a page of a snapshot, from 1. Nobody sees it before it is published. */
    async putPage(
      link: Pick<Share, 'secret' | 'ends_at'>,
      page: number,
      messages: readonly SnapshotMessage[],
    ): Promise<void> {
      for (const [chunk, data] of (await packChunks(messages)).entries())
        await putRow(table, toChunkRow(link, page, chunk, data))
    },

    /**
     * Publishes a link whose pages are stored.
     * @returns false when it was revoked meanwhile, by hand or with its conversation or its owner; nothing of it is left then
     */
    async publish(sub: string, link: Share, pages: number): Promise<boolean> {
      const { id, secret, audience, title, created_at, ends_at, message_count } = link
      await putRow(table, {
        PK: snapshotKey(secret),
        SK: headKeys[audience],
        title,
        created_at,
        ends_at,
        pages,
        owner: hashOwner(sub),
        ttl: toEpochSeconds(ends_at),
      })
      const canBePublished = 'attribute_exists(PK) AND #state <> :revoked'
      if (await setState(sub, id, { state: 'published', title, message_count }, canBePublished)) return true
      await remove(sub, link)
      return false
    },

    remove,

    /**
     * Takes what was deleted out of the links of these conversations, by default of all; can be repeated. Links that are being made are
     * removed.
     */
    async removeDeleted(sub: string, deletion: Deletion, sessionIds?: ReadonlySet<string>): Promise<void> {
      for (const link of await listAll(sub))
        if (sessionIds?.has(link.session_id) ?? true) await cleanLink(sub, link, deletion)
    },

    /** @returns whether the user had such a link, which no longer works */
    async revoke(sub: string, id: string): Promise<boolean> {
      const item = await readRow(table, ownerKey(sub, id))
      if (!item) return false
      await remove(sub, fromRow(item))
      return true
    },

    /** Removes the links that a sign-out has ended; can be repeated. */
    async removeEnded(sub: string): Promise<void> {
      const [links, isEnded] = await Promise.all([listAll(sub), loadEnded(table, hashOwner(sub))])
      for (const link of links) if (isEnded(link.created_at)) await remove(sub, link)
    },

    /** Removes the links of a conversation, or of a user; can be repeated. */
    async removeAll(sub: string, sessionId?: string): Promise<void> {
      for (const link of await listAll(sub))
        if (sessionId === undefined || link.session_id === sessionId) await remove(sub, link)
    },
  }
}

export type ShareRepository = ReturnType<typeof shareRepository>
