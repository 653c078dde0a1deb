import { createHash } from 'node:crypto'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { nextTimes } from '#shared/schedule-times.ts'
import { saySchedule } from '#shared/sentences/schedules.ts'
import { ToolError } from '../../platform/tool-error.ts'

/** A time in a zone, for models: `Saturday 2026-11-28 08:05`. */
export function formatLocal(time: number, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone }).format(time)
  const clock = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(
    time,
  )
  return `${day} ${clock}`
}

/** What models, and the line below a reply, get of a schedule. */
export const summarise = ({ id, prompt, rule, time_zone, writes, notify, paused_because }: Schedule) => ({
  id,
  prompt,
  rule,
  time_zone,
  run_without_asking: writes === 'ask' ? [] : writes,
  notify,
  ...(paused_because === undefined
    ? { next_runs: nextTimes(rule, time_zone, Date.now(), 3).map((time) => formatLocal(time, time_zone)) }
    : { paused_because }),
})

/** Whether two values are the same JSON. */
export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What makes two schedules one: all that the card shows. */
export const getContent = ({
  prompt,
  rule,
  time_zone,
  notify,
  writes,
  project_id = '',
  assistant_id = '',
}: Pick<Schedule, 'prompt' | 'rule' | 'time_zone' | 'notify' | 'writes' | 'project_id' | 'assistant_id'>) => [
  prompt,
  rule,
  time_zone,
  notify.toSorted(),
  writes === 'ask' ? [] : writes.toSorted(),
  project_id,
  assistant_id,
]

/** The same content has the same id: two calls that are approved at once create one schedule. */
export const toId = (sub: string, content: ReturnType<typeof getContent>) =>
  createHash('sha256')
    .update(JSON.stringify([sub, ...content]))
    .digest('hex')
    .slice(0, 32)

/**
 * Finds what a call names: by id, else by its text, if that leaves no doubt.
 * @throws ToolError if there is none
 */
export function findSchedule(schedules: readonly Schedule[], named: string): Schedule {
  const text = named.trim().toLowerCase()
  const byText = schedules.filter(({ prompt }) => text !== '' && prompt.toLowerCase().includes(text))
  const found =
    schedules.find(({ id }) => id === named.trim()) ?? (byText.length === 1 ? byText[0] : undefined)
  if (!found) throw new ToolError(saySchedule('schedule_call.not_found', { tool: 'list_schedules' }))
  return found
}
