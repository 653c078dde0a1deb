import type { Rule, Schedule, ScheduleAddition, ScheduleChange } from '#shared/contracts/schedules.ts'
import { isInstant, parseOnce } from '../../lib/text/describe-rule.ts'
import { findReadersZone } from '../../lib/text/time-zone.ts'
import type { Weekday } from '../../lib/text/week.ts'

type Channel = Schedule['notify'][number]

/** The values of the form of a schedule. Fields that the chosen kind of rule does not need keep their values. */
export interface ScheduleForm {
  /** of the schedule, also of a new one: sending the request again then creates no second one */
  id: string
  prompt: string
  kind: Rule['kind']
  /** `2026-12-01` */
  date: string
  /** `08:00` */
  time: string
  /** past each hour: `0` to `59` */
  minute: string
  days: readonly Weekday[]
  /** of a month: a number, or `last` */
  day: string
  timeZone: string
  /** empty: as in a new chat */
  model: string
  effort: string
  /** the project or assistant of its conversation: `project:<id>`, `assistant:<id>`, or empty */
  scope: string
  /** tools that run without asking */
  writes: readonly string[]
  notify: readonly Channel[]
}

/** Two digits, as dates are written. */
const pad = (part: number) => String(part).padStart(2, '0')

/** @returns `2026-12-01`, by the clock of this browser */
export function findTomorrow(): string {
  const now = new Date()
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** What a new schedule begins with: every Monday at eight. */
export const createScheduleForm = (): ScheduleForm => ({
  id: crypto.randomUUID(),
  prompt: '',
  kind: 'weekly',
  // chosen with its kind
  date: '',
  time: '08:00',
  minute: '0',
  days: ['mo'],
  day: '1',
  timeZone: findReadersZone(),
  model: '',
  effort: '',
  scope: '',
  writes: [],
  notify: ['push'],
})

/** What a scope of a form begins with; the id follows. */
export const scopePrefixes = { project: 'project:', assistant: 'assistant:' }

/** The local time of a zone, as `2026-12-01T08:00`; empty if it cannot be read. A zone that this browser does not know is read as UTC. */
function toZonedTime(at: string, timeZone: string): string {
  const time = parseOnce(at)
  if (Number.isNaN(time)) return ''
  if (!isInstant(at)) return new Date(time).toISOString().slice(0, 16)
  const format = (zone: string) =>
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    }).formatToParts(time)
  let parts
  try {
    parts = format(timeZone)
  } catch {
    parts = format('UTC')
  }
  const read = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return `${read('year')}-${read('month')}-${read('day')}T${read('hour')}:${read('minute')}`
}

type EditedSchedule = Pick<Schedule, 'id' | 'prompt' | 'rule' | 'time_zone' | 'writes' | 'notify'> &
  Partial<Pick<Schedule, 'model' | 'effort' | 'project_id' | 'assistant_id'>>

/** Converts a schedule, or a proposed one, to the values of the form. */
export function toScheduleForm(schedule: EditedSchedule): ScheduleForm {
  const { id, prompt, rule, time_zone, model = '', effort = '', project_id, assistant_id } = schedule
  const { writes, notify } = schedule
  const [date = '', time = ''] = rule.kind === 'once' ? toZonedTime(rule.at, time_zone).split('T') : []
  return {
    ...createScheduleForm(),
    id,
    prompt,
    kind: rule.kind,
    ...(rule.kind === 'once' && { date, time }),
    ...(rule.kind === 'hourly' && { minute: String(rule.minute) }),
    ...('time' in rule && { time: rule.time }),
    ...(rule.kind === 'weekly' && { days: rule.days }),
    ...(rule.kind === 'monthly' && { day: String(rule.day) }),
    timeZone: time_zone,
    model,
    effort,
    scope: buildScope({ projectId: project_id, assistantId: assistant_id }),
    writes: writes === 'ask' ? [] : writes,
    notify,
  }
}

/** Whether the field for a time has one. */
export const isTime = (time: string): boolean => /^\d\d:\d\d$/.test(time)
/** Whether the field for a day has one: it also takes years of five digits. */
export const isDate = (date: string): boolean => /^\d{4}-\d\d-\d\d$/.test(date)

/** @returns the rule; undefined while something of it is missing, which `findProblems` finds */
export function toRule({ kind, date, time, minute, days, day }: ScheduleForm): Rule | undefined {
  switch (kind) {
    case 'hourly':
      return /^[0-5]?\d$/.test(minute) ? { kind, minute: Number(minute) } : undefined
    case 'once':
      return isTime(time) && isDate(date) ? { kind, at: `${date}T${time}` } : undefined
    case 'daily':
      return isTime(time) ? { kind, time } : undefined
    case 'weekly':
      return isTime(time) && days.length > 0 ? { kind, days: [...days], time } : undefined
    case 'monthly':
      return isTime(time) ? { kind, day: day === 'last' ? day : Number(day), time } : undefined
  }
}

/** The scope of a form: of a project, of an assistant, or of neither. */
function buildScope({
  projectId,
  assistantId,
}: {
  projectId?: string | null | undefined
  assistantId?: string | null | undefined
}): string {
  if (projectId) return scopePrefixes.project + projectId
  return assistantId ? scopePrefixes.assistant + assistantId : ''
}

const readScope = (scope: string, prefix: string) =>
  scope.startsWith(prefix) ? scope.slice(prefix.length) : null

const toScopeIds = (scope: string) => ({
  project_id: readScope(scope, scopePrefixes.project),
  assistant_id: readScope(scope, scopePrefixes.assistant),
})

const toWrites = (writes: readonly string[]) => (writes.length === 0 ? ('ask' as const) : [...writes])

/** Converts the form of a new schedule to the body of `schedules.create`. @param rule of the form, see `toRule` */
export const toAddition = (form: ScheduleForm, rule: Rule): ScheduleAddition => ({
  id: form.id,
  prompt: form.prompt,
  rule,
  time_zone: form.timeZone,
  model: form.model || null,
  effort: form.effort || null,
  ...toScopeIds(form.scope),
  writes: toWrites(form.writes),
  notify: [...form.notify],
})

/** Compares rules and lists; a list in another order counts as changed. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Converts an edited form to the body of `schedules.update`, with what was changed only: a rule that is not sent keeps its next time, and a
 * paused schedule stays paused.
 * @returns undefined without a change
 */
export function toChange(form: ScheduleForm, rule: Rule, stored: ScheduleForm): ScheduleChange | undefined {
  const isNewZone = form.timeZone !== stored.timeZone
  const change: ScheduleChange = {
    ...(form.prompt.trim() !== stored.prompt.trim() && { prompt: form.prompt }),
    // without an offset the time is one of the zone
    ...((!isSame(rule, toRule(stored)) || (isNewZone && rule.kind === 'once')) && { rule }),
    ...(isNewZone && { time_zone: form.timeZone }),
    ...(form.model !== stored.model && { model: form.model || null }),
    ...(form.effort !== stored.effort && { effort: form.effort || null }),
    ...(form.scope !== stored.scope && toScopeIds(form.scope)),
    ...(!isSame(form.writes, stored.writes) && { writes: toWrites(form.writes) }),
    ...(!isSame(form.notify, stored.notify) && { notify: [...form.notify] }),
  }
  return Object.keys(change).length > 0 ? change : undefined
}
