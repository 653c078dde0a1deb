import { getOwn } from '#shared/get-own.ts'
import type { ChangeRequest, CreationRequest } from '#shared/contracts/schedule-requests.ts'
import type { Rule } from '#shared/contracts/schedules.ts'
import { nextTimes } from '#shared/schedule-times.ts'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'

type Arguments = ApprovalRequest['arguments']

/** What a reply asks to do with a schedule: to create one, or to change, pause or delete one. */
export type ScheduleRequest = ({ kind: 'creation' } & CreationRequest) | ({ kind: 'change' } & ChangeRequest)

const isText = (value: unknown) => typeof value === 'string'
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isChannels = (value: unknown) =>
  Array.isArray(value) && value.every((channel) => channel === 'mail' || channel === 'push')
const hasOnly = (value: Record<string, unknown>, names: readonly string[]) =>
  Object.keys(value).every((name) => names.includes(name))

/** Whether this release can calculate when a rule runs. */
function isSupportedTime(rule: unknown, timeZone: unknown): boolean {
  if (!isRecord(rule) || !isText(timeZone)) return false
  try {
    // throws if it cannot
    nextTimes(rule as Rule, String(timeZone), Date.now(), 1)
    return true
  } catch {
    return false
  }
}

const isTool = (value: unknown) =>
  isRecord(value) &&
  hasOnly(value, ['name', 'title', 'integration', 'fingerprint']) &&
  isText(value['name']) &&
  Object.values(value).every(isText)

const isNamed = (value: unknown) => isRecord(value) && isText(value['id']) && isText(value['name'])

/** Checks the type of each argument that is present. */
const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isText,
  version: (value) => typeof value === 'number',
  before: (value) =>
    isRecord(value) && isText(value['prompt']) && isSupportedTime(value['rule'], value['time_zone']),
  prompt: isText,
  rule: isRecord,
  time_zone: isText,
  run_without_asking: (value) => Array.isArray(value) && value.every(isTool),
  notify: isChannels,
  project: isNamed,
  assistant: isNamed,
  max_cost_per_run: (value) => typeof value === 'number',
  paused: (value) => typeof value === 'boolean',
  delete: (value) => value === true,
}

/** The arguments that say what a schedule does, and when. */
const contentNames = ['prompt', 'rule', 'time_zone', 'run_without_asking', 'notify'] as const

/** Whether a request says what a schedule does or when, and not only that it is paused, continued or deleted. */
export const hasContent = (request: ScheduleRequest): boolean =>
  contentNames.some((name) => request[name] !== undefined)

/**
 * Parses what a reply asks to do with a schedule.
 * @returns undefined if the card could not show all of it: then the raw arguments are shown
 */
export function parseScheduleRequest({
  tool,
  arguments: values,
}: Pick<ApprovalRequest, 'tool'> & { arguments: Arguments }): ScheduleRequest | undefined {
  const isKnown = Object.entries(values).every(([name, value]) => getOwn(checks, name)?.(value) === true)
  if (!isKnown) return undefined
  const has = (name: string) => values[name] !== undefined
  if (tool === 'create_schedule') {
    const isWhole = contentNames.every(has) && !['id', 'before', 'paused', 'delete'].some(has)
    return isWhole && isSupportedTime(values['rule'], values['time_zone'])
      ? { kind: 'creation', ...(values as unknown as CreationRequest) }
      : undefined
  }
  // the type of each value is checked above
  const request = values as unknown as ChangeRequest
  const isWhole = ['id', 'version', 'before'].every(has) && !has('project') && !has('assistant')
  return isWhole &&
    isSupportedTime(request.rule ?? request.before.rule, request.time_zone ?? request.before.time_zone)
    ? { kind: 'change', ...request }
    : undefined
}

const weeksPerMonth = 365.25 / 12 / 7

/** Counts how often a schedule runs in a month, on average; undefined if it runs only once. */
export function countMonthlyRuns(rule: Rule): number | undefined {
  switch (rule.kind) {
    case 'once':
      return undefined
    case 'hourly':
      return Math.round(weeksPerMonth * 7 * 24)
    case 'daily':
      return Math.round(weeksPerMonth * 7)
    case 'weekly':
      return Math.round(weeksPerMonth * new Set(rule.days).size)
    case 'monthly':
      return 1
  }
}
