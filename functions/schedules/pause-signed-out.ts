import { hasSignedOutSince, type RevocationMark } from '../platform/auth/token-revocation.ts'
import { toPaused, withFields } from './schedule-repository.ts'
import type { ScheduleRow } from './schedule-row.ts'

/**
 * Signing out everywhere pauses what was approved before. The worker stores that when the next run is due, and tells its owner; until then it is
 * told from the mark.
 */
export const pauseSignedOut = (row: ScheduleRow, mark: RevocationMark | undefined): ScheduleRow =>
  row.paused_because === undefined && hasSignedOutSince(mark, row.approved_at)
    ? withFields(row, toPaused('signed_out'))
    : row
