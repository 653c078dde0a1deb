import { createHash } from 'node:crypto'
import * as z from 'zod'
import { sharedMessage, type ShareAudience, type SharedMessage } from '#shared/contracts/shares.ts'
import { unpackChunks } from '../platform/dynamodb/packed-chunks.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { SignInRequired } from './errors.ts'
import { loadEnded } from '../platform/auth/ended-additions.ts'
import { areLinksSuspended } from '../platform/auth/link-suspension.ts'

// separate from the repository: this function's role has no write permission

/** Names a link without revealing its secret. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('base64url')
export const snapshotKey = (secret: string) => `SHARE#${hashSecret(secret)}`
/** Of both heads. */
export const headPrefix = 'HEAD'
/** Snapshots for people have a head that releases without audiences do not know: going back to one of them opens no link to visitors. */
export const headKeys: Readonly<Record<ShareAudience, string>> = {
  link: 'HEAD',
  people: 'HEAD#people',
}
/** The start of the sort keys of a page, from 1. */
export const pagePrefix = (page: number) => `P#${String(page).padStart(7, '0')}#`

const headRow = z.object({
  title: z.string(),
  created_at: z.string(),
  ends_at: z.string(),
  pages: z.number().int(),
  /** absent in links of earlier releases */
  owner: z.string().optional(),
})
type SnapshotHead = z.infer<typeof headRow>

/** Whether a link has expired: the table deletes expired rows only some time later. */
export const hasEnded = (ends_at: string, nowMs: number) => Date.parse(ends_at) <= nowMs

/** Reads snapshots of shared conversations by the link's secret. */
export const snapshotReader = (table: Table) => ({
  /**
   * Every reader of a link passes here.
   * @returns undefined for a link that is unknown, revoked or expired, that a sign-out of its owner has ended, or whose owner's account is disabled
   * @throws SignInRequired for a visitor, if the link is for people
   */
  async find(
    secret: string,
    { nowMs, isSignedIn }: { nowMs: number; isSignedIn: boolean },
  ): Promise<SnapshotHead | undefined> {
    const [item] = await queryAll(table, { partition: snapshotKey(secret), prefix: headPrefix })
    const head = item && headRow.parse(item)
    if (!head || hasEnded(head.ends_at, nowMs)) return undefined
    if (head.owner !== undefined) {
      const [isSuspended, isEnded] = await Promise.all([
        areLinksSuspended(table, head.owner),
        loadEnded(table, head.owner),
      ])
      if (isSuspended || isEnded(head.created_at)) return undefined
    }
    if (item['SK'] !== headKeys.link && !isSignedIn) throw new SignInRequired('the link is for people')
    return head
  },

  /** @returns the messages of a page, from 1; undefined when the link was revoked meanwhile */
  async loadPage(secret: string, page: number): Promise<SharedMessage[] | undefined> {
    const rows = await queryAll(table, { partition: snapshotKey(secret), prefix: pagePrefix(page) })
    if (rows.length === 0) return undefined
    const data = rows.map((row) => z.instanceof(Uint8Array).parse(row['data']))
    return z.array(sharedMessage).parse(await unpackChunks(data))
  },
})
