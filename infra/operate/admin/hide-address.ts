import { auditPartition } from '../../../functions/platform/audit-log.ts'
import { queryPages } from '../../../functions/platform/dynamodb/query.ts'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { updateIf } from '../../../functions/platform/dynamodb/update-row.ts'
import { userHash } from '../../../functions/platform/telemetry/logger.ts'
import { foldEmail } from '#shared/user-pool.ts'

/** Entries are deleted after 400 days, which touch at most this many months. */
const months = 15

/**
 * Replaces the address of an erased person in the audit log by the hash that the logs have of them: who did what to whom can still be
 * followed. No function of the product may change an entry. Can be repeated.
 * @returns how many entries were changed
 */
export async function hideAddress(
  table: Table,
  { email, sub }: { email: string; sub: string },
  nowMs: number,
): Promise<number> {
  const hash = userHash(sub)
  const isTheirs = (text: unknown) => typeof text === 'string' && foldEmail(text) === foldEmail(email)
  let changed = 0
  for (const month of listMonths(nowMs))
    for await (const rows of queryPages(table, { partition: auditPartition(month), prefix: '' }))
      for (const { PK, SK, target, actor } of rows) {
        const isActor = isTheirs((actor as { email?: unknown } | undefined)?.email)
        const sets = [
          ...(isTheirs(target) ? ['#target = :hash'] : []),
          ...(isActor ? ['#actor.email = :hash'] : []),
        ]
        if (sets.length === 0) continue
        await updateIf(
          table,
          { PK: String(PK), SK: String(SK) },
          { update: `SET ${sets.join(', ')}`, condition: 'attribute_exists(PK)', values: { ':hash': hash } },
        )
        changed += 1
      }
  return changed
}

/** The months whose entries may still be there, newest first. */
function listMonths(nowMs: number): string[] {
  const now = new Date(nowMs)
  return Array.from({ length: months }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  )
}
