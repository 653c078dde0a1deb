import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { randomBytes } from 'node:crypto'
import type { AuditEntry } from '#shared/contracts/admin.ts'
import { AppError } from './errors.ts'
import { isConditionFailed, wasRetried } from './dynamodb/update-row.ts'
import type { Table } from './dynamodb/table.ts'

/** Entries are deleted after this time. */
const entryDays = 400

export type Actor = AuditEntry['actor']
export type AuditEvent = Pick<AuditEntry, 'actor' | 'action' | 'target' | 'details'>

/** The partition of a month's entries. @param month `2026-11`, UTC */
export const auditPartition = (month: string): string => `AUDIT#${month}`

/** Appends to the log of administrative actions. No role may change or delete an entry. */
export const auditLog = (table: Table) => {
  async function append(event: AuditEvent, nowMs: number): Promise<void> {
    const at = new Date(nowMs).toISOString()
    const row = {
      PK: auditPartition(at.slice(0, 7)),
      SK: `${at}_${randomBytes(8).toString('hex')}`,
      at,
      ...event,
      ttl: Math.floor(nowMs / 1000) + entryDays * 86_400,
    }
    try {
      await table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: row,
          ConditionExpression: 'attribute_not_exists(PK)',
        }),
      )
    } catch (error) {
      // ids are random: it is our own entry, whose first response was lost
      if (!isConditionFailed(error) || !wasRetried(error)) throw error
    }
  }

  return {
    append,

    /**
     * Writes an entry, then acts. Whatever took effect is therefore in the log, also when the process ends in between. An action that
     * fails leaves a second entry with the failure.
     * @throws what `act` throws; nothing is done when the entry cannot be written
     */
    async record<Result>(event: AuditEvent, act: () => Promise<Result>): Promise<Result> {
      const startMs = Date.now()
      await append(event, startMs)
      try {
        return await act()
      } catch (error) {
        const failed = error instanceof AppError ? error.code : 'internal_error'
        // entries of the same millisecond have no order
        const failedMs = Math.max(Date.now(), startMs + 1)
        // the error itself matters more than its entry
        await append({ ...event, details: { ...event.details, failed } }, failedMs).catch(() => undefined)
        throw error
      }
    },
  }
}

export type AuditLog = ReturnType<typeof auditLog>
