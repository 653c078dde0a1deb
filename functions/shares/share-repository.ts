import * as z from 'zod'
import { share as shareSchema, type Share, type SharedMessage } from '#shared/contracts/shares.ts'
import { deleteByPrefix, deleteRows } from '../platform/dynamodb/delete-rows.ts'
import { packChunks } from '../platform/dynamodb/packed-chunks.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { readRow, putRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'
import { storageQuota } from '../files/storage-quota.ts'
import { loadEnded } from '../platform/auth/ended-additions.ts'
import { hashOwner } from '../platform/auth/link-suspension.ts'
import { headKeys, hasEnded, pagePrefix, snapshotKey } from './snapshot-reader.ts'

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
})
type OwnerRow = Share & { state: 'making' | 'published' | 'revoked' }

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
    const { PK, SK } = ownerKey(sub, id)
    await deleteRows(table, [{ PK, SK }])
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
      { secret, ends_at }: Share,
      page: number,
      messages: readonly SharedMessage[],
    ): Promise<void> {
      for (const [chunk, data] of (await packChunks(messages)).entries())
        await putRow(table, {
          PK: snapshotKey(secret),
          SK: pagePrefix(page) + String(chunk).padStart(3, '0'),
          data,
          ttl: toEpochSeconds(ends_at),
        })
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
