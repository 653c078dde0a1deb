import { readRow } from './dynamodb/rows.ts'
import type { Table } from './dynamodb/table.ts'
import { parseSiteSettings, siteSettingsKey } from './site-settings.ts'

/** The attribute of the site's settings with the time (ms) at which schedules went on after a stop. */
export const resumedAtName = 'schedules_resumed_at'

/** Whether administrators have stopped all schedules, and since when they go on (ms; 0 if they were never stopped). */
export interface ScheduleStop {
  isStopped: boolean
  resumedAt: number
}

/** Reads it as it is now: one that was cached would hand over what was stopped a moment ago. @throws errors of the table */
export async function readScheduleStop(table: Table): Promise<ScheduleStop> {
  const row = await readRow(table, siteSettingsKey)
  const resumedAt = Number(row?.[resumedAtName] ?? 0)
  return {
    isStopped: parseSiteSettings(row).schedules === 'off',
    resumedAt: Number.isSafeInteger(resumedAt) ? resumedAt : 0,
  }
}
