import { defineSentences } from './to-sentence.ts'

/** Errors of schedules. */
export const scheduleSentences = {
  schedule_not_found: 'This schedule does not exist any more.',
  schedule_running: 'This schedule is running already. Please wait until its run has ended.',
  schedules_stopped: 'An administrator has stopped all schedules.',
  schedule_paused_by_administrator:
    'An administrator has paused this schedule. Only an administrator can let it go on.',
  too_many_schedules: 'You have {max} schedules, which is the most. Delete one first.',
  'bad_request.time_zone': 'There is no time zone with the name {name}.',
  'bad_request.schedule_over': 'The time of this schedule is over. Please choose a later one.',
  'bad_request.schedule_tools': 'You have no tools with these names: {names}.',
} as const

export const saySchedule = defineSentences(scheduleSentences)
