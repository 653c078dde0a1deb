import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { findProblems, type ScheduleProblems } from '../../components/schedule-fields/find-problems.ts'
import {
  createScheduleForm,
  toRule,
  toScheduleForm,
  type ScheduleForm,
} from '../../components/schedule-fields/schedule-form.ts'
import { useNextTimes } from '../../components/schedule-fields/use-next-times.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { scheduleInputKey } from './schedule-input.ts'
import { useSaveSchedule } from './use-save-schedule.ts'

/**
 * The form of a schedule: its values, what is wrong with them, and saving.
 * @returns `problems` are those to show: none before the user has tried to save; `element` is the form's ref
 */
export function useScheduleForm(schedule: Schedule | undefined) {
  const [empty] = useState(createScheduleForm)
  const stored = schedule ? toScheduleForm(schedule) : empty
  const input = useInput(scheduleInputKey(schedule?.id), { stored, onLeave: 'keep' })
  // what was entered before a new release may lack a field
  const form: ScheduleForm = { ...stored, ...input.value }
  const set = (change: Partial<ScheduleForm>) => input.change({ ...form, ...change })
  const element = useRef<HTMLFormElement>(null)
  const [isValidated, setIsValidated] = useState(false)
  const rule = toRule(form)
  const nextTimes = useNextTimes(rule, form.timeZone)
  const allProblems = findProblems(form, { isPast: rule?.kind === 'once' && nextTimes?.length === 0 })
  const problems: ScheduleProblems = isValidated ? allProblems : {}

  const { isBusy, error, start } = useSaveSchedule({ schedule, stored, form, rule })
  const submit = () => {
    // rendered at once, so that the fields that are wrong have their `aria-invalid`
    flushSync(() => setIsValidated(true))
    if (Object.values(allProblems).every((problem) => problem === undefined)) start(input)
    else element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }
  return { element, input, stored, form, set, rule, nextTimes, problems, submit, isBusy, error }
}
