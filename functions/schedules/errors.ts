import { scheduleSentences } from '#shared/sentences/schedules.ts'
import { defineErrors } from '../platform/errors.ts'

export const { ScheduleNotFound, ScheduleRunning, TooManySchedules } = defineErrors(scheduleSentences, {
  /** Unknown, deleted or another user's: the response does not say which. */
  ScheduleNotFound: [404, 'schedule_not_found'],
  ScheduleRunning: [409, 'schedule_running'],
  /** of the user, or as many as their groups allow */
  TooManySchedules: [409, 'too_many_schedules'],
})
