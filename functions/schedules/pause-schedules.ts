import type { PauseReason } from '#shared/contracts/schedules.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { scheduleRepository } from './schedule-repository.ts'
import type { ScheduleRow } from './schedule-row.ts'

/** Stops the schedules whose conversation or project is deleted: their owner decides what becomes of them. Can be repeated. */
export async function pauseSchedules(
  table: Table,
  sub: string,
  isAffected: (row: ScheduleRow) => boolean,
  because: PauseReason,
): Promise<void> {
  const schedules = scheduleRepository(table)
  for (const row of await schedules.list(sub))
    if (isAffected(row)) await schedules.pause(sub, row.id, because)
}
