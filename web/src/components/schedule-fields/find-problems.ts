import { t } from '@lingui/core/macro'
import type { ScheduleForm } from './schedule-form.ts'

/** What has to be filled in or changed, by field. @param isPast the only time of the rule is over */
export function findProblems({ kind, prompt, date, time, days }: ScheduleForm, isPast: boolean) {
  return {
    prompt: prompt.trim() === '' ? t`Please say what to do.` : undefined,
    days: kind === 'weekly' && days.length === 0 ? t`Please choose a day.` : undefined,
    date:
      kind !== 'once'
        ? undefined
        : date === ''
          ? t`Please choose a day.`
          : isPast
            ? t`This time is over. Please choose a later one.`
            : undefined,
    time: kind !== 'hourly' && time === '' ? t`Please choose a time.` : undefined,
  }
}
export type ScheduleProblems = Partial<ReturnType<typeof findProblems>>
