import * as z from 'zod'
import type { Table } from '../dynamodb/table.ts'
import { putIf, putRow, readRow } from '../dynamodb/rows.ts'
import { hashOwner } from './link-suspension.ts'

/*
 * Somebody with a stolen token may have added links and own servers, which outlive the token. So a sign-out everywhere ends those that were
 * added in the day before it, for good. The row is beside the marks on tokens, as what signs people out reaches no rows of theirs; it is named
 * by a hash, as what shows links knows only that.
 */

const dayMs = 86_400_000
/** Longer than any link lasts. Ended servers are deleted when their owner's are listed. */
const keptMs = 400 * dayMs

/** From when to when (ms) what was added has ended. */
const range = z.object({ from: z.number(), to: z.number() })
type Range = z.infer<typeof range>
const row = z.object({
  ended: z.array(range).catch([]),
  rev: z.number().catch(0),
})

const endedKey = (owner: string) => ({ PK: `OUT#${owner}`, SK: 'ENDED' })

/*
 * After a restoration into another deployment everybody resets their password, as no backup has it. That is no sign of a stolen token: what was
 * added until then stays, except what the former deployment had ended.
 */
const restoredKey = (owner: string) => ({ PK: `OUT#${owner}`, SK: 'RESTORED' })
const load = async (table: Table, owner: string) => {
  const item = await readRow(table, endedKey(owner))
  return item && row.parse(item)
}

/** @param createdAt ISO time of a link or server */
export type HasEnded = (createdAt: string) => boolean

/** Loads which links and servers of an owner a sign-out has ended. @param owner the hash by which the head of a snapshot names it */
export async function loadEnded(table: Table, owner: string): Promise<HasEnded> {
  const { ended = [] } = (await load(table, owner)) ?? {}
  return (createdAt) => {
    const at = Date.parse(createdAt)
    return ended.some(({ from, to }) => at > from && at <= to)
  }
}

const maxAttempts = 10

/** Notes that an account was restored: sign-outs end nothing that was added until then. Can be repeated. */
export const noteRestored = (table: Table, sub: string, nowMs: number): Promise<void> =>
  putRow(table, { ...restoredKey(hashOwner(sub)), at: nowMs, ttl: Math.ceil((nowMs + 2 * dayMs) / 1_000) })

/** Adds a time to those whose additions have ended. Can be repeated. */
async function addRange(table: Table, owner: string, range: Range, nowMs: number): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const found = await load(table, owner)
    const known = (found?.ended ?? []).filter((one) => one.to > nowMs - keptMs)
    // what overlaps is one, so the row stays small
    const overlapping = known.filter((one) => one.from <= range.to && one.to >= range.from)
    const ended = [
      ...known.filter((one) => !overlapping.includes(one)),
      {
        from: Math.min(range.from, ...overlapping.map((one) => one.from)),
        to: Math.max(range.to, ...overlapping.map((one) => one.to)),
      },
    ]
    const isWritten = await putIf(
      table,
      {
        ...endedKey(owner),
        ended,
        rev: (found?.rev ?? 0) + 1,
        ttl: Math.ceil((nowMs + keptMs) / 1_000),
      },
      found
        ? { ConditionExpression: 'rev = :seen', ExpressionAttributeValues: { ':seen': found.rev } }
        : { ConditionExpression: 'attribute_not_exists(PK)' },
    )
    if (isWritten) return
  }
  throw new Error('too many concurrent sign-outs')
}

/** Ends what a user has added in the day before a sign-out. Can be repeated. */
export async function endAdditions(table: Table, sub: string, nowMs: number): Promise<void> {
  const owner = hashOwner(sub)
  const restored = await readRow(table, restoredKey(owner))
  // tokens are rejected to the end of the second
  const to = nowMs - (nowMs % 1_000) + 999
  await addRange(table, owner, { from: Math.max(to - dayMs, Number(restored?.['at'] ?? 0)), to }, nowMs)
}

/** Adds what a row of another deployment says to the row of the same owner here. Can be repeated. */
export async function mergeEnded(
  table: Table,
  other: Readonly<Record<string, unknown>>,
  nowMs: number,
): Promise<void> {
  const owner = String(other['PK']).slice(endedKey('').PK.length)
  for (const range of row.parse(other).ended)
    if (range.to > nowMs - keptMs) await addRange(table, owner, range, nowMs)
}

/** Nothing of an erased account stays: the row, if there is one, expires at once. */
export async function forgetEnded(table: Table, sub: string): Promise<void> {
  const owner = hashOwner(sub)
  const found = await load(table, owner)
  if (found) await putRow(table, { ...endedKey(owner), ...found, ttl: Math.floor(Date.now() / 1_000) })
}
