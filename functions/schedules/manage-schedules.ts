import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { Rule, Schedule, ScheduleAddition, ScheduleChange } from '#shared/contracts/schedules.ts'
import { maxSchedules } from '#shared/limits.ts'
import { findTimeZone, nextTime } from '#shared/schedule-times.ts'
import { saySchedule } from '#shared/sentences/schedules.ts'
import type { ListedModel } from '#shared/models.ts'
import type { AssistantReader, Member } from '../assistants/assistant-reader.ts'
import { AssistantNotFound } from '../assistants/errors.ts'
import { BadRequest, ChangedElsewhere } from '../platform/errors.ts'
import { requireRecentSignIn } from '../platform/auth/recent-sign-in.ts'
import type { RevocationMark } from '../platform/auth/token-revocation.ts'
import { requireRight } from '../platform/group-limits.ts'
import type { ProjectRepository } from '../projects/project-repository.ts'
import { approveTools, type OfferedTool } from './approve-tools.ts'
import { clearIndex, type DueEntry, type DueIndex } from './due-index.ts'
import {
  PausedByAdministrator,
  ScheduleNotFound,
  ScheduleRunning,
  SchedulesStopped,
  TooManySchedules,
} from './errors.ts'
import type { ScheduleFields, ScheduleRepository } from './schedule-repository.ts'
import { toRunMessage, type RunMessage, type ScheduleRow } from './schedule-row.ts'
import { pauseRefused, type Standing } from './find-pause.ts'
import { showSchedule, type FindRun } from './show-schedule.ts'

/** As for replies that a person has asked for. */
const defaultChannels = ['push'] as const

/** Whose schedules: groups count as the token has them. */
export interface Owner extends Member {
  limits: GroupLimits
  /** seconds; absent in a reply: there, whoever answers the card signs in (`submitDecision`) */
  signedInAt?: number
}

export interface ManageDeps {
  schedules: ScheduleRepository
  index: DueIndex
  projects: Pick<ProjectRepository, 'require'>
  assistants: Pick<AssistantReader, 'find'>
  /** of the user, that may write */
  listTools: (owner: Owner) => Promise<readonly OfferedTool[]>
  /** of the deployment; undefined where its server lists them */
  models: readonly ListedModel[] | undefined
  findRun: FindRun
  send: (message: RunMessage) => Promise<void>
  /** whether an administrator has stopped all schedules */
  isStopped: () => Promise<boolean>
  loadMark: (sub: string) => Promise<RevocationMark | undefined>
  now: () => number
}

/** Creates, changes, starts and deletes the schedules of a user: for the routes, and for the tools of a chat. */
export const manageSchedules = (deps: ManageDeps) => {
  const {
    schedules,
    index,
    projects,
    assistants,
    models,
    listTools,
    findRun,
    send,
    isStopped,
    loadMark,
    now,
  } = deps

  /** @throws ProjectNotFound, AssistantNotFound */
  async function checkPlace(
    owner: Owner,
    { project_id, assistant_id }: Pick<ScheduleAddition, 'project_id' | 'assistant_id'>,
  ): Promise<void> {
    if (project_id) await projects.require(owner.sub, project_id)
    if (assistant_id && !(await assistants.find(owner, assistant_id)))
      throw new AssistantNotFound(`no assistant ${assistant_id}`)
  }

  /** @throws BadRequest for a model that is not offered here, or an effort that it does not have */
  function checkModel({ model, effort }: Pick<ScheduleAddition, 'model' | 'effort'>): void {
    if (!models) return
    const named = model ? models.filter(({ id }) => id === model) : models
    if (model && named.length === 0)
      throw new BadRequest(saySchedule('bad_request.schedule_model', { name: model }))
    if (effort && !named.some(({ efforts = [] }) => efforts.includes(effort)))
      throw new BadRequest(saySchedule('bad_request.schedule_effort', { name: effort }))
  }

  /** @throws BadRequest for a rule whose only time is over */
  function findNext(rule: Rule, zone: string): number {
    const next = nextTime(rule, zone, now())
    if (next === undefined) throw new BadRequest(saySchedule('bad_request.schedule_over'))
    return next
  }

  async function putDue(entry: DueEntry): Promise<void> {
    await index.begin(now())
    await index.put(entry)
  }

  async function loadStanding(owner: Owner): Promise<Standing> {
    return { ...owner, mark: await loadMark(owner.sub) }
  }

  async function show(owner: Owner, row: ScheduleRow): Promise<Schedule> {
    const current = await pauseRefused(assistants, await loadStanding(owner), row)
    return showSchedule(findRun, owner.sub, current, now())
  }

  async function require(sub: string, id: string): Promise<ScheduleRow> {
    const row = await schedules.find(sub, id)
    if (!row) throw new ScheduleNotFound(`no schedule ${id}`)
    return row
  }

  /** Counts the new one too, so that two at once cannot both be the last one. */
  async function checkCount(owner: Owner, own: string): Promise<void> {
    const max = Math.min(maxSchedules, owner.limits.max_schedules ?? maxSchedules)
    const others = (await schedules.list(owner.sub)).filter(({ id }) => id !== own)
    if (others.length >= max) throw new TooManySchedules({ max })
  }

  /** Tools that run unasked would outlive a stolen session. @throws SignInTooOld */
  function requirePresence({ signedInAt }: Owner, writes: ScheduleRow['writes'] | undefined): void {
    if (signedInAt !== undefined && writes !== undefined && writes !== 'ask')
      requireRecentSignIn({ signedInAt }, now())
  }

  return {
    async list(owner: Owner): Promise<Schedule[]> {
      const { sub } = owner
      const [rows, standing] = await Promise.all([schedules.list(sub), loadStanding(owner)])
      return Promise.all(
        rows.map(async (row) =>
          showSchedule(findRun, sub, await pauseRefused(assistants, standing, row), now()),
        ),
      )
    },

    read: async (owner: Owner, id: string): Promise<Schedule> => show(owner, await require(owner.sub, id)),

    /**
     * The same addition again changes nothing. While an administrator has paused the user's schedules, a new one is paused, too.
     * @throws BadRequest, NotAllowedByGroup, SignInTooOld, TooManySchedules, and as `checkPlace`
     */
    async create(owner: Owner, body: ScheduleAddition): Promise<Schedule> {
      const { sub } = owner
      const id = body.id ?? crypto.randomUUID()
      const same = await schedules.find(sub, id)
      if (same) return show(owner, same)
      requireRight(owner.limits, 'schedules')
      const time_zone = requireTimeZone(body.time_zone)
      const next = findNext(body.rule, time_zone)
      checkModel(body)
      await checkPlace(owner, body)
      await checkCount(owner, id)
      const isHeld = await schedules.isHeld(sub)
      const isOn = !body.paused && !isHeld
      const at = now()
      const writes = await approveTools(body.writes ?? 'ask', () => listTools(owner))
      requirePresence(owner, writes)
      const row: ScheduleRow = {
        id,
        v: 1,
        version: 1,
        prompt: body.prompt,
        rule: body.rule,
        time_zone,
        session_id: crypto.randomUUID(),
        writes,
        notify: [...new Set(body.notify ?? defaultChannels)],
        created_at: at,
        approved_at: at,
        failures: 0,
        ...given(body),
        ...(isOn ? { next_at: next } : { paused_because: isHeld ? 'administrator' : 'user' }),
        ...(isHeld && body.paused && { paused_before: 'user' }),
      }
      if (isOn) await putDue({ sub, id, at: next })
      if (!(await schedules.create(sub, row))) return show(owner, await require(sub, id))
      try {
        await checkCount(owner, id)
      } catch (error) {
        await schedules.remove(sub, id)
        throw error
      }
      // an administrator who pauses in this moment may not have found it
      const paused = !isHeld && (await schedules.isHeld(sub)) ? await schedules.hold(sub, id) : undefined
      return show(owner, paused ?? row)
    },

    /**
     * What a person changes, they approve anew: a schedule that was paused goes on if `paused: false` says so.
     * @throws as `create`; ChangedElsewhere if it was changed since the given version, ScheduleNotFound, PausedByAdministrator
     */
    async change(owner: Owner, id: string, { version, ...body }: ScheduleChange): Promise<Schedule> {
      const { sub } = owner
      const seen = await require(sub, id)
      const isPausedOnly = body.paused === true && Object.keys(body).length === 1
      if (!isPausedOnly) requireRight(owner.limits, 'schedules')
      const time_zone = body.time_zone === undefined ? undefined : requireTimeZone(body.time_zone)
      // an earlier one that is no longer offered stays until it is changed
      if (body.model !== undefined || body.effort !== undefined)
        checkModel({ model: seen.model, effort: body.model === undefined ? undefined : seen.effort, ...body })
      // one that goes on needs what it belongs to
      await checkPlace(owner, body.paused === false ? { ...seen, ...body } : body)
      const writes = body.writes && (await approveTools(body.writes, () => listTools(owner), seen.writes))
      // a prompt says what tools that run unasked do
      if (!isPausedOnly) requirePresence(owner, writes ?? seen.writes)
      const standing = await loadStanding(owner)
      const changed = await schedules.change(sub, id, async (stored) => {
        const row = await pauseRefused(assistants, standing, stored)
        if (version !== undefined && version !== row.version)
          throw new ChangedElsewhere(`schedule ${id} has version ${row.version}`)
        const isHeld = row.paused_because === 'administrator'
        if (isHeld && body.paused === false)
          throw new PausedByAdministrator(`schedule ${id} is paused by an administrator`)
        const pausedBecause =
          body.paused === undefined || isHeld ? row.paused_because : body.paused ? 'user' : undefined
        // a run that is due in this moment stays due, also if a client sends again what is stored
        const goesOn =
          body.paused === false && (row.paused_because !== undefined || row.next_at === undefined)
        const isNewTime = goesOn || isOther(body.rule, row.rule) || isOther(time_zone, row.time_zone)
        const isOn = pausedBecause === undefined && (isNewTime || row.next_at !== undefined)
        const next_at = !isOn
          ? undefined
          : isNewTime
            ? findNext(body.rule ?? row.rule, time_zone ?? row.time_zone)
            : row.next_at
        if (next_at !== undefined && next_at !== row.next_at) await putDue({ sub, id, at: next_at })
        // a conversation has its project and its assistant from its beginning on
        const isNewPlace = places.some(
          (name) => body[name] !== undefined && (body[name] ?? undefined) !== row[name],
        )
        const fields: ScheduleFields = {
          version: row.version + 1,
          ...given(body),
          ...(body.prompt !== undefined && { prompt: body.prompt }),
          ...(body.rule && { rule: body.rule }),
          ...(time_zone !== undefined && { time_zone }),
          ...(writes && { writes }),
          ...(isNewPlace && { session_id: crypto.randomUUID() }),
          ...(body.notify && { notify: [...new Set(body.notify)] }),
          next_at,
          paused_because: pausedBecause,
          // once the administrator lets it go on, it stays paused
          ...(isHeld && body.paused === true && { paused_before: 'user' as const }),
          ...(!isPausedOnly && { approved_at: now() }),
          ...(body.paused === false && { failures: 0, announced_cause: undefined }),
        }
        return fields
      })
      if (!changed) throw new ScheduleNotFound(`schedule ${id} was deleted`)
      return show(owner, changed)
    },

    /**
     * Hands a run over at once, also while its owner has paused the schedule.
     * @throws ScheduleRunning, ScheduleNotFound, NotAllowedByGroup, SchedulesStopped, PausedByAdministrator
     */
    async run(owner: Owner, id: string): Promise<Schedule> {
      const { sub, limits } = owner
      await require(sub, id)
      requireRight(limits, 'schedules')
      if (await isStopped()) throw new SchedulesStopped('an administrator has stopped all schedules')
      const at = now()
      // the dispatcher sends it again if it gets lost
      await putDue({ sub, id, at })
      const handed = { at, since: at, by_hand: true } as const
      const standing = await loadStanding(owner)
      const row = await schedules.change(sub, id, async (stored) => {
        const current = await pauseRefused(assistants, standing, stored)
        if (current.paused_because === 'administrator')
          throw new PausedByAdministrator(`schedule ${id} is paused by an administrator`)
        if (current.handed) throw new ScheduleRunning(`a run of ${id} is under way`)
        // who starts it is signed in, and approves this run only of one that is paused
        const { paused_because, next_at } = current
        return {
          handed,
          ...(paused_because === undefined ? { approved_at: at } : { paused_because, next_at }),
        }
      })
      if (!row) throw new ScheduleNotFound(`schedule ${id} was deleted`)
      await send(toRunMessage(sub, id, at))
      return show(owner, row)
    },

    /**
     * Succeeds if it does not exist (any more). Its conversation stays.
     * @param version the one seen: only that is deleted
     * @throws ChangedElsewhere if it was changed since
     */
    async remove(sub: string, id: string, version?: number): Promise<void> {
      const row = await schedules.find(sub, id)
      await schedules.remove(sub, id, version)
      const left = version === undefined ? undefined : await schedules.find(sub, id)
      if (left) throw new ChangedElsewhere(`schedule ${id} has version ${left.version}`)
      if (row) await clearIndex(index, sub, row)
    },
  }
}

/** Whether a body changes a field. */
const isOther = (given: unknown, stored: unknown) =>
  given !== undefined && JSON.stringify(given) !== JSON.stringify(stored)

/** @throws BadRequest for a name that is no zone's */
function requireTimeZone(name: string): string {
  const zone = findTimeZone(name)
  if (zone === undefined) throw new BadRequest(saySchedule('bad_request.time_zone', { name }))
  return zone
}

/** What a schedule belongs to. */
const places = ['project_id', 'assistant_id'] as const
const optional = ['model', 'effort', ...places] as const
type Optional = Pick<ScheduleAddition, (typeof optional)[number]>

/** The optional fields of a body; null removes one. */
const given = (body: Partial<Optional>): { [Name in keyof Optional]?: string | undefined } =>
  Object.fromEntries(
    optional.flatMap((name) => {
      const value = body[name]
      return value === undefined ? [] : [[name, value ?? undefined] as const]
    }),
  )
