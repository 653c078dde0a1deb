import { t } from '@lingui/core/macro'
import { isDate, isTime, type ScheduleForm } from './schedule-form.ts'

/**
 * Finds the errors of a form.
 * @param options.isPast whether the only time of the rule is over
 * @returns the error of each field, undefined if it has none
 */
export function findProblems(
  { kind, prompt, date, time, days }: ScheduleForm,
  { isPast }: { isPast: boolean },
) {
  return {
    prompt: prompt.trim() === '' ? t`Please say what to do.` : undefined,
    days: kind === 'weekly' && days.length === 0 ? t`Please choose a day.` : undefined,
    date: kind === 'once' ? findDateProblem(date, { isPast }) : undefined,
    time: kind !== 'hourly' && !isTime(time) ? t`Please choose a time.` : undefined,
  }
}

function findDateProblem(date: string, { isPast }: { isPast: boolean }): string | undefined {
  if (!isDate(date)) return t`Please choose a day.`
  return isPast ? t`This time is over. Please choose a later one.` : undefined
}

/** The error of each field of the form; fields without one are absent or undefined. */
export type ScheduleProblems = Partial<ReturnType<typeof findProblems>>
