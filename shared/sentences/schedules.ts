import { defineSentences } from './to-sentence.ts'

/** Errors of schedules, and of the tools that create and change them. */
export const scheduleSentences = {
  schedule_not_found: 'This schedule does not exist any more.',
  schedule_running: 'This schedule is running already. Please wait until its run has ended.',
  schedules_stopped: 'An administrator has stopped all schedules.',
  schedule_paused_by_administrator:
    'An administrator has paused this schedule. Only an administrator can let it go on.',
  too_many_schedules: 'You have {max} schedules, which is the most. Delete one first.',
  'bad_request.time_zone': 'There is no time zone with the name {name}.',
  'bad_request.schedule_over': 'The time of this schedule is over. Please choose a later one.',
  'bad_request.schedule_model': 'There is no model with the name {name} here (“model”).',
  'bad_request.schedule_effort': 'The model does not have the effort {name} (“effort”).',
  'bad_request.schedule_tools': 'You have no tools with these names: {names}.',
  'schedule_call.no_time_zone':
    'The time zone of the user is not known. Ask for it, and name it, as in Europe/Berlin.',
  'schedule_call.over': 'This time is over: in {time_zone} it is {now}. Choose a later one.',
  'schedule_call.rule': 'The rule is incomplete. It has one of these forms: {forms}.',
  'schedule_call.no_change': 'Name something to change that is not so already.',
  'schedule_call.not_found': 'There is no such schedule. Call {tool} for those that there are.',
  'schedule_call.tools':
    'These are none of the tools in this conversation that a schedule can call without asking: {names}. There are: {offered}.',
  'schedule_call.no_tools':
    'In this conversation there are no tools that a schedule can call without asking: leave out {names}.',
  'schedule_call.tools_changed':
    'These tools have changed since the approval was asked for: {names}. Ask for it again.',
} as const

export const saySchedule = defineSentences(scheduleSentences)
