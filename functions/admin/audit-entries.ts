import { sayPlatform } from '#shared/sentences/platform.ts'
import * as z from 'zod'
import { auditEntry, type AuditEntry } from '#shared/contracts/admin.ts'
import { auditPartition } from '../platform/audit-log.ts'
import { queryPage } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { BadRequest } from '../platform/errors.ts'

const entriesPerPage = 50
/** No deployment has entries of an earlier month. */
const firstMonth = '2026-11'

const cursorText = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])(\|[\w:.-]{1,64})?$/)

/** A month and, if the page before ended in it, the last entry of that page. */
interface Position {
  month: string
  before?: string | undefined
}

/** Reads the log of administrative actions, newest entries first. */
export const auditEntries = (table: Table) => ({
  /** @throws BadRequest for an invalid cursor */
  async list(
    cursor: string | undefined,
    nowMs: number,
  ): Promise<{ entries: AuditEntry[]; next_cursor: string | null }> {
    const entries: AuditEntry[] = []
    let position: Position | undefined =
      cursor === undefined ? { month: toMonth(nowMs) } : parseCursor(cursor, toMonth(nowMs))
    while (position && position.month >= firstMonth && entries.length < entriesPerPage) {
      const { month, before: after }: Position = position
      const page = await queryPage(table, {
        partition: auditPartition(month),
        newestFirst: true,
        limit: entriesPerPage - entries.length,
        after,
      })
      entries.push(...page.rows.map((row) => auditEntry.parse({ ...row, id: row['SK'] })))
      position = page.next === undefined ? { month: toPreviousMonth(month) } : { month, before: page.next }
    }
    const hasMore = position && position.month >= firstMonth
    return { entries, next_cursor: hasMore && position ? formatCursor(position) : null }
  },
})

const formatCursor = ({ month, before }: Position): string =>
  Buffer.from(before === undefined ? month : `${month}|${before}`).toString('base64url')

/** @param latestMonth a cursor with a later month is rejected, because every month in between would be read */
function parseCursor(cursor: string, latestMonth: string): Position {
  const text = cursorText.safeParse(Buffer.from(cursor, 'base64url').toString())
  const [month = '', before] = text.data?.split('|') ?? []
  if (!text.success || month > latestMonth) throw new BadRequest(sayPlatform('bad_request.list_changed'))
  return { month, before }
}

const toMonth = (ms: number): string => new Date(ms).toISOString().slice(0, 7)

function toPreviousMonth(month: string): string {
  return toMonth(Date.parse(`${month}-01T00:00:00Z`) - 86_400_000)
}
