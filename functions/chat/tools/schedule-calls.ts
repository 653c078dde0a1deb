import {
  changeRequest,
  creationRequest,
  type ChangeRequest,
  type CreationRequest,
  type RequestedTool,
} from '#shared/contracts/schedule-requests.ts'
import type { Rule } from '#shared/contracts/schedules.ts'
import { maxRunTokens } from '#shared/limits.ts'
import { findTimeZone, nextTime } from '#shared/schedule-times.ts'
import { saySchedule } from '#shared/sentences/schedules.ts'
import { maxWebSearches } from '../../platform/limits.ts'
import { ToolError } from '../../platform/tool-error.ts'
import type { Owner } from '../../schedules/manage-schedules.ts'
import type { OpenSchedules } from '../../schedules/open-schedules.ts'
import { fingerprintTool, type Tool } from '../../tools/calls/tool.ts'
import type { OpenedReply, ReplyDeps } from '../reply.ts'
import { mayBillSearches } from '../usage.ts'
import { priceAtMost } from './price-at-most.ts'
import { readRule, ruleForms } from './read-rule.ts'
import { findSchedule, formatLocal, getContent, isSame, summarise, toId } from './schedule-content.ts'

export interface ScheduleCallDeps {
  openSchedules: OpenSchedules
}

type Input = Record<string, unknown>
type Deps = Pick<ReplyDeps, 'limits' | 'models' | 'projects'> & ScheduleCallDeps

export type ScheduleCalls = ReturnType<typeof scheduleCalls>

/**
 * The calls of the tools for schedules: by the rules of the routes, and with what is shown to the user as what is stored.
 * @param listOffered the tools of connections in this conversation
 */
export function scheduleCalls(
  { openSchedules, limits = {}, models, projects }: Deps,
  { sub, groups, hints, user, projectId, assistant: replyAssistant }: OpenedReply,
  listOffered: () => readonly Tool[],
) {
  const owner: Owner = { sub, groups, limits }
  const open = (tools: readonly RequestedTool[] = []) =>
    openSchedules(async () =>
      tools.flatMap(({ name, fingerprint }) => (fingerprint === undefined ? [] : { name, fingerprint })),
    )
  const listSchedules = async () => (await open()).list(owner)

  /** The zone of the page, else of the quiet hours in the settings. */
  const ownTimeZone = [hints.time_zone, user.settings.notifications?.quiet_hours?.time_zone].flatMap((name) =>
    name ? (findTimeZone(name) ?? []) : [],
  )[0]

  /** @throws ToolError for an unknown zone, or if none is named and the user's is not known */
  function requireTimeZone(named: unknown): string {
    if (typeof named === 'string' && named.trim() !== '') {
      const zone = findTimeZone(named.trim())
      if (zone === undefined) throw new ToolError(saySchedule('bad_request.time_zone', { name: named }))
      return zone
    }
    if (ownTimeZone === undefined) throw new ToolError(saySchedule('schedule_call.no_time_zone'))
    return ownTimeZone
  }

  function requireRule(value: unknown): Rule {
    const rule = readRule(value)
    if (!rule) throw new ToolError(saySchedule('schedule_call.rule', { forms: ruleForms }))
    return rule
  }

  /** @throws ToolError for a rule whose only time is over: what time it is, the model may not know */
  function requireNext(rule: Rule, time_zone: string): void {
    const now = Date.now()
    if (nextTime(rule, time_zone, now) === undefined)
      throw new ToolError(saySchedule('schedule_call.over', { time_zone, now: formatLocal(now, time_zone) }))
  }

  const isWriting = ({ writes, integration }: Tool) => writes && integration !== undefined

  /**
   * Tools that run without asking, as they are now. Those that only read never ask, so they are left out.
   * @param before names that the schedule has
   */
  function readTools(value: unknown, before: readonly string[] = []): RequestedTool[] {
    const list = Array.isArray(value) ? value : []
    const names = [
      ...new Set(list.map((one: unknown) => String((one as { name?: unknown } | null)?.name ?? one))),
    ]
    const offered = new Map(listOffered().map((tool) => [tool.name, tool]))
    const unknown = names.filter((name) => !offered.get(name)?.integration && !before.includes(name))
    if (unknown.length > 0) {
      const possible = [...offered.values()].filter(isWriting).map(({ name }) => name)
      const named = { names: unknown.slice(0, 10).join(', ') }
      throw new ToolError(
        possible.length === 0
          ? saySchedule('schedule_call.no_tools', named)
          : saySchedule('schedule_call.tools', { ...named, offered: possible.slice(0, 50).join(', ') }),
      )
    }
    return names.flatMap((name): RequestedTool[] => {
      const tool = offered.get(name)
      if (!tool) return [{ name }]
      if (!isWriting(tool)) return []
      const { title, integration } = tool
      return [
        {
          name,
          ...(title !== undefined && { title }),
          ...(integration && { integration: integration.name }),
          fingerprint: fingerprintTool(tool),
        },
      ]
    })
  }

  /**
   * Completes the tools of an approved request: those that its user has added in the card have no fingerprint, and are approved as they are now.
   * @param before names that the schedule has: they stay as they were
   * @throws ToolError for a tool that is not offered, or that is not the one that was shown
   */
  function approveRequested(
    requested: readonly RequestedTool[] = [],
    before: readonly string[] = [],
  ): readonly RequestedTool[] {
    requireUnchanged(requested)
    const isAdded = ({ name, fingerprint }: RequestedTool) =>
      fingerprint === undefined && !before.includes(name)
    const added = requested.filter(isAdded).map(({ name }) => name)
    return [...requested.filter((tool) => !isAdded(tool)), ...readTools(added)]
  }

  /** @throws ToolError if a tool is not the one that was shown */
  function requireUnchanged(tools: readonly RequestedTool[] = []): void {
    const offered = new Map(listOffered().map((tool) => [tool.name, fingerprintTool(tool)]))
    const changed = tools.filter(
      ({ name, fingerprint }) => fingerprint !== undefined && offered.get(name) !== fingerprint,
    )
    if (changed.length > 0)
      throw new ToolError(
        saySchedule('schedule_call.tools_changed', { names: changed.map(({ name }) => name).join(', ') }),
      )
  }

  /** The most that the tokens and searches of a run cost with a model, in USD. */
  function estimateCost(model: string | undefined) {
    const named = models.allowed.find(({ id }) => id === model)
    const chosen = named ?? models.choose({}, {}).model
    if (!chosen.price) return {}
    const searches = mayBillSearches(chosen) ? maxWebSearches : 0
    return { max_cost_per_run: priceAtMost(maxRunTokens, chosen.price, searches) }
  }

  async function completeCreation(input: Input): Promise<CreationRequest> {
    const time_zone = requireTimeZone(input['time_zone'])
    const rule = requireRule(input['rule'])
    requireNext(rule, time_zone)
    const assistant = await replyAssistant?.content
    // what replies with an assistant have for a project is no project of the user
    const project =
      projectId === undefined || replyAssistant ? undefined : await projects.find(sub, projectId)
    return creationRequest.parse({
      prompt: input['prompt'],
      rule,
      time_zone,
      run_without_asking: readTools(input['run_without_asking']),
      notify: input['notify'] ?? ['push'],
      ...(project && { project: { id: project.id, name: project.name } }),
      ...(assistant && { assistant: { id: assistant.head.id, name: assistant.head.name } }),
      ...estimateCost(assistant ? assistant.head.model : project?.model),
    })
  }

  async function completeChange(input: Input): Promise<ChangeRequest> {
    const schedule = findSchedule(await listSchedules(), String(input['id']))
    const { id, version, prompt, rule, time_zone, writes, notify } = schedule
    const before = {
      prompt,
      rule,
      time_zone,
      writes,
      notify,
      is_paused: schedule.paused_because !== undefined,
    }
    const common = { id, version, before }
    if (input['delete'] === true) return changeRequest.parse({ ...common, delete: true })
    const names = writes === 'ask' ? [] : writes
    const zone = input['time_zone'] === undefined ? time_zone : requireTimeZone(input['time_zone'])
    const tools =
      input['run_without_asking'] === undefined ? undefined : readTools(input['run_without_asking'], names)
    const wanted = {
      prompt: input['prompt'],
      rule: input['rule'] === undefined ? undefined : requireRule(input['rule']),
      time_zone: zone,
      notify: input['notify'],
    }
    const changes = Object.fromEntries(
      Object.entries(wanted).filter(
        ([name, value]) => value !== undefined && !isSame(value, before[name as keyof typeof wanted]),
      ),
    )
    const { paused } = input
    const request = {
      ...changes,
      ...(tools &&
        !isSame(tools.map(({ name }) => name).toSorted(), names.toSorted()) && { run_without_asking: tools }),
      ...(typeof paused === 'boolean' && paused !== before.is_paused && { paused }),
    }
    if (Object.keys(request).length === 0) throw new ToolError(saySchedule('schedule_call.no_change'))
    if ('rule' in request || 'time_zone' in request || request.paused === false)
      requireNext(wanted.rule ?? rule, zone)
    return changeRequest.parse({
      ...common,
      ...request,
      ...('rule' in request && estimateCost(schedule.model)),
    })
  }

  return {
    completeCreation,
    completeChange,

    async list() {
      const now = Date.now()
      return {
        now: formatLocal(now, ownTimeZone ?? 'UTC'),
        // without one the model has to ask
        time_zone: ownTimeZone ?? 'UTC, because the time zone of the user is not known',
        schedules: (await listSchedules()).map(summarise),
      }
    },

    async create(input: Input) {
      const request = creationRequest.safeParse(input).data ?? (await completeCreation(input))
      const { prompt, rule, time_zone, notify, project, assistant } = request
      const tools = approveRequested(request.run_without_asking)
      requireNext(rule, time_zone)
      const schedules = await open(tools)
      const existing = await schedules.list(owner)
      const writes = tools.map(({ name }) => name)
      const context = {
        ...(project && { project_id: project.id }),
        ...(assistant && { assistant_id: assistant.id }),
      }
      const content = getContent({ ...request, writes, ...context })
      // one that is paused would not do what was approved
      const same = existing.find(
        (one) => one.paused_because === undefined && isSame(getContent(one), content),
      )
      if (same) return { already_existed: true, schedule: summarise(same) }
      const id = toId(sub, content)
      const created = await schedules.create(owner, {
        // a schedule that was changed since may have it
        ...(!existing.some((one) => one.id === id) && { id }),
        prompt,
        rule,
        time_zone,
        writes,
        notify,
        ...context,
      })
      return { schedule: summarise(created) }
    },

    async change(input: Input) {
      const request = changeRequest.safeParse(input).data ?? (await completeChange(input))
      const { id, version, before, run_without_asking: requested } = request
      if (request.delete) {
        const schedules = await open()
        await schedules.remove(sub, id, version)
        return { deleted: true, schedule: { id, prompt: before.prompt } }
      }
      const tools = requested && approveRequested(requested, before.writes === 'ask' ? [] : before.writes)
      const schedules = await open(tools)
      const { prompt, rule, time_zone, notify, paused } = request
      const changed = await schedules.change(owner, id, {
        version,
        ...(prompt !== undefined && { prompt }),
        ...(rule && { rule }),
        ...(time_zone !== undefined && { time_zone }),
        ...(notify && { notify }),
        ...(paused !== undefined && { paused }),
        ...(tools && { writes: tools.map(({ name }) => name) }),
      })
      return { schedule: summarise(changed) }
    },
  }
}
