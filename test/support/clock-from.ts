import { movedDate } from './moved-date.ts'

/*
 * Loaded first by a process of a test: its clock begins at `CLOCK_FROM_MS`. What was stored then, and expires, is still there.
 */

const startedAt = Date.now()
const from = Number(process.env['CLOCK_FROM_MS'] ?? startedAt)
globalThis.Date = movedDate(() => from - startedAt)
