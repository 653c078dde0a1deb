import { createHash } from 'node:crypto'
import { shareDays } from '#shared/limits.ts'
import { putRow, readRow } from '../dynamodb/rows.ts'
import type { Table } from '../dynamodb/table.ts'

/*
 * Links of a disabled account open for nobody. The row is beside the marks on tokens: what disables accounts reaches no snapshot, and what
 * shows snapshots writes no row.
 */

/** Names the owner of links for counting, in the rows that readers of a link cause; it is not shown. */
export const hashOwner = (sub: string) => createHash('sha256').update(`owner|${sub}`).digest('base64url')

/** @param owner the hash by which the heads of snapshots name it */
const linksKey = (owner: string) => ({ PK: `OUT#${owner}`, SK: 'LINKS' })

/** Longer than any link. */
const suspendedSeconds = (Math.max(...shareDays) + 1) * 86_400

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds

/** Whether the links of an owner open for nobody. @param owner the hash by which the head of a snapshot names it */
export async function areLinksSuspended(table: Table, owner: string): Promise<boolean> {
  const row = await readRow(table, linksKey(owner))
  return row?.['suspended'] === true
}

/** Suspends and resumes the links of an account. Both can be repeated. */
export const linkSuspension = (table: Table) => ({
  suspend: (sub: string): Promise<void> =>
    putRow(table, { ...linksKey(hashOwner(sub)), suspended: true, ttl: inSeconds(suspendedSeconds) }),

  /** Also when the account is erased: the row expires at once. */
  async resume(sub: string): Promise<void> {
    const owner = hashOwner(sub)
    if (await areLinksSuspended(table, owner))
      await putRow(table, { ...linksKey(owner), suspended: false, ttl: inSeconds(0) })
  },
})
export type LinkSuspension = ReturnType<typeof linkSuspension>
