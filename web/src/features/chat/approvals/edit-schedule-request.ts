import type { RequestedTool } from '#shared/contracts/schedule-requests.ts'
import type { Schedule } from '#shared/contracts/schedules.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import {
  toChange,
  toRule,
  toScheduleForm,
  type ScheduleForm,
} from '../../../components/schedule-fields/schedule-form.ts'
import { hasContent, type ScheduleRequest } from './schedule-request.ts'

/** Whether a request can be edited: it says what a schedule does, and does not delete it. */
export const isRequestEditable = (request: ScheduleRequest): boolean =>
  hasContent(request) && (request.kind === 'creation' || request.delete === undefined)

const readNames = (tools: readonly RequestedTool[]) => tools.map(({ name }) => name)

/** Converts a request to the form in which its user edits it: the schedule as it would be stored. */
export function toRequestForm(request: ScheduleRequest): ScheduleForm {
  const before = request.kind === 'change' ? request.before : undefined
  const { prompt, rule, time_zone, notify, run_without_asking: tools } = request
  // complete: a creation has all of these fields, and a change has those that stay in `before`
  const merged = { ...before, ...omitUndefined({ prompt, rule, time_zone, notify }) } as Pick<
    Schedule,
    'prompt' | 'rule' | 'time_zone' | 'notify'
  >
  return toScheduleForm({
    id: '',
    ...merged,
    writes: tools ? readNames(tools) : (before?.writes ?? 'ask'),
  })
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

const omitUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>

/**
 * Applies what the user has edited to a request. The rest stays as it was asked.
 * @param form a form without problems
 * @param listed the user's tools, for the names of added ones; undefined while they are loading
 * @returns the same object if nothing was changed
 */
export function editRequest(
  request: ScheduleRequest,
  form: ScheduleForm,
  listed: readonly IntegrationTools[] | undefined,
): ScheduleRequest {
  const rule = toRule(form)
  const change = rule && toChange(form, rule, toRequestForm(request))
  if (!change) return request
  const { prompt, rule: newRule, time_zone, notify } = change
  const tools = change.writes && form.writes.map((name) => findTool(name, request.run_without_asking, listed))
  return {
    ...request,
    ...omitUndefined({
      prompt: prompt?.trim(),
      rule: newRule,
      time_zone,
      notify,
      run_without_asking: tools,
    }),
  }
}

function findTool(
  name: string,
  requested: readonly RequestedTool[] = [],
  listed: readonly IntegrationTools[] = [],
): RequestedTool {
  const known = requested.find((tool) => tool.name === name)
  if (known) return known
  const connection = listed.find(({ capabilities }) => capabilities.some(({ tool }) => tool === name))
  const title = connection?.capabilities.find(({ tool }) => tool === name)?.name
  return {
    name,
    ...(title !== undefined && { title }),
    ...(connection && { integration: connection.name }),
  }
}
