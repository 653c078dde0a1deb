import { scheduleSentences } from '#shared/sentences/schedules.ts'
import { defineErrors } from '../platform/errors.ts'

export const {
  PausedByAdministrator,
  ScheduleNotFound,
  ScheduleRunning,
  SchedulesStopped,
  TooManySchedules,
} = defineErrors(scheduleSentences, {
  /** Unknown, deleted or another user's: the response does not say which. */
  ScheduleNotFound: [404, 'schedule_not_found'],
  ScheduleRunning: [409, 'schedule_running'],
  /** all of them, by an administrator */
  SchedulesStopped: [409, 'schedules_stopped'],
  /** this one: only an administrator lets it go on */
  PausedByAdministrator: [403, 'schedule_paused_by_administrator'],
  /** of the user, or as many as their groups allow */
  TooManySchedules: [409, 'too_many_schedules'],
})
