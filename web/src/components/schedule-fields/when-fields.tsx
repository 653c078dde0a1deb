import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { useId } from 'react'
import type { Rule } from '#shared/contracts/schedules.ts'
import { fieldAttributes, FieldError, TextField } from '../ui/field.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { describeRule } from '../../lib/text/describe-rule.ts'
import { formatCount } from '../../lib/text/locale.ts'
import type { Input } from '../../lib/input/use-input.ts'
import { formatWeekday, isoWeek, listWeekdays, type Weekday } from '../../lib/text/week.ts'
import { formatRunTime } from '../../lib/text/format-run-time.ts'
import { findTomorrow, type ScheduleForm } from './schedule-form.ts'
import type { ScheduleProblems } from './find-problems.ts'
import { listTimeZones } from './time-zones.ts'

const kinds: readonly { value: ScheduleForm['kind']; label: string }[] = [
  { value: 'once', label: t({ message: 'Once', context: 'schedule' }) },
  { value: 'hourly', label: t`Every hour` },
  { value: 'daily', label: t`Every day` },
  { value: 'weekly', label: t`Every week` },
  { value: 'monthly', label: t`Every month` },
]

const daysOfMonth = [
  ...Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: formatCount(index + 1) })),
  { value: 'last', label: t`The last day` },
]

interface WhenFieldsProps {
  form: ScheduleForm
  input: Input<ScheduleForm>
  /** of the form; undefined while something is missing */
  rule: Rule | undefined
  /** in milliseconds since 1970; undefined while they are not known */
  nextTimes: readonly number[] | undefined
  /** whether the page itself shows the rule and its next times, beside the fields */
  isShownBeside?: boolean
  problems: ScheduleProblems
  onChange: (change: Partial<ScheduleForm>) => void
}

/** When a schedule runs, with its rule as a sentence and its next times. */
export function WhenFields({
  form,
  input,
  rule,
  nextTimes,
  isShownBeside = false,
  problems,
  onChange,
}: WhenFieldsProps) {
  const { kind, date, day, days, timeZone } = form
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <SelectField
          label={t`Repeats`}
          value={kind}
          options={kinds}
          onChange={(next) =>
            onChange({ kind: next, ...(next === 'once' && date === '' && { date: findTomorrow() }) })
          }
        />
        {kind === 'once' && (
          <TextField label={t`Day`} type="date" required input={input.at('date')} error={problems.date} />
        )}
        {kind === 'monthly' && (
          <SelectField
            label={t`Day of the month`}
            value={day}
            options={daysOfMonth}
            onChange={(next) => onChange({ day: next })}
          />
        )}
        {kind === 'weekly' && (
          <div className="col-span-full">
            <Days days={days} error={problems.days} onChange={(next) => onChange({ days: next })} />
          </div>
        )}
        {kind === 'hourly' ? (
          <SelectField
            label={t`Minutes past the hour`}
            value={form.minute}
            options={listMinutes(form.minute)}
            onChange={(minute) => onChange({ minute })}
          />
        ) : (
          <TextField label={t`Time`} type="time" required input={input.at('time')} error={problems.time} />
        )}
        <SelectField
          label={t`Time zone`}
          value={timeZone}
          options={listTimeZones(timeZone)}
          onChange={(next) => onChange({ timeZone: next })}
        />
      </div>
      {!isShownBeside && <RuleSummary rule={rule} timeZone={timeZone} nextTimes={nextTimes} />}
    </>
  )
}

/** A rule as a sentence, with its next times. The sentence is announced when it changes. */
function RuleSummary({
  rule,
  timeZone,
  nextTimes,
}: Pick<WhenFieldsProps, 'rule' | 'nextTimes'> & { timeZone: string }) {
  return (
    <div className={clsx('grid gap-3 rounded-md bg-surface-sunken', rule && 'p-4')}>
      <p aria-live="polite" className="font-medium">
        {rule && describeRule(rule, timeZone)}
      </p>
      {nextTimes && nextTimes.length > 0 && (
        <div className="text-sm">
          <h3 className="text-ink-muted">{t`Next times`}</h3>
          <ol aria-label={t`Next times`}>
            {nextTimes.map((time) => (
              <li key={time}>{formatRunTime(time, timeZone)}</li>
            ))}
          </ol>
        </div>
      )}
    </div>
  )
}

/** The quarters of an hour, and the minute that another client has set. */
const listMinutes = (chosen: string) =>
  [...new Set([0, 15, 30, 45, Number(chosen)])]
    .sort((a, b) => a - b)
    .map((minute) => ({ value: String(minute), label: formatCount(minute) }))

function Days({
  days,
  error,
  onChange,
}: {
  days: ScheduleForm['days']
  error: string | undefined
  onChange: (days: ScheduleForm['days']) => void
}) {
  const { id, ...errorAttributes } = fieldAttributes(useId(), error, undefined)
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{t`Days`}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1.5 max-sm:gap-1">
        {listWeekdays().map((day, index) => (
          <label
            key={day}
            className="relative grid h-11 min-w-0 cursor-pointer place-items-center rounded-md border border-line-control bg-surface-raised px-1 text-sm font-medium text-ink-muted select-none hover:border-ink-faint has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus forced-colors:has-checked:border-[Highlight]"
          >
            <input
              type="checkbox"
              // the first one gets the focus when no day is chosen
              {...(index === 0 && errorAttributes)}
              aria-label={formatWeekday(day)}
              checked={days.includes(day)}
              onChange={({ target }) =>
                // in the order of the week, so that turning a day on and off again is no change
                onChange(isoWeek.filter((one) => (one === day ? target.checked : days.includes(one))))
              }
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <DayLabel day={day} />
          </label>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

/** Longer names of days do not fit beside each other on a phone of 320 px. */
const maxDayCharacters = 4

/** The beginning of a day's name; on a phone its letter in a language that has no short names, such as Arabic. */
function DayLabel({ day }: { day: Weekday }) {
  const name = formatWeekday(day, 'short')
  const isShort = name.length <= maxDayCharacters
  return (
    <>
      <span aria-hidden className={clsx('truncate', !isShort && 'max-sm:hidden')}>
        {name}
      </span>
      {!isShort && (
        <span aria-hidden className="sm:hidden">
          {formatWeekday(day, 'narrow')}
        </span>
      )}
    </>
  )
}
