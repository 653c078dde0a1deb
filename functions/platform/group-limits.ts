import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { GroupLimits, ToolsAllowed } from '#shared/contracts/admin.ts'
import { groupRights, type GroupRight } from '#shared/group-rights.ts'
import { sayPlatform } from '#shared/sentences/platform.ts'
import type { SiteSettings } from '#shared/contracts/site.ts'
import { adminGroup } from '#shared/user-pool.ts'
import type { User } from './auth/access-token.ts'
import type { Table } from './dynamodb/table.ts'
import { AppError } from './errors.ts'
import { groupsKey, parseGroupsRow } from './groups-row.ts'

type Groups = ReadonlyMap<string, GroupLimits>

const cacheMs = 60_000

const amountLimits = [
  'tokens_per_day',
  'tokens_per_month',
  'images_per_day',
  'uploads_per_day',
  'cost_per_day',
  'cost_per_month',
  'storage_gb',
  'max_schedules',
] as const

class NotAllowedByGroup extends AppError {
  readonly status = 403

  constructor(right: GroupRight) {
    super(sayPlatform(`not_allowed.${right}`), `the groups forbid ${right}`)
  }
}

/** Whether a user may do something. @param limits in force for the user */
export const may = (limits: GroupLimits, right: GroupRight): boolean => limits[right] !== false

/** @throws NotAllowedByGroup */
export function requireRight(limits: GroupLimits, right: GroupRight): void {
  if (!may(limits, right)) throw new NotAllowedByGroup(right)
}

/** The rights that a user does not have, each with the value false. */
export const findMissingRights = (limits: GroupLimits): Partial<Record<GroupRight, false>> =>
  Object.fromEntries(groupRights.flatMap((right) => (may(limits, right) ? [] : [[right, false]])))

/** With a limit of costs, models whose price is not known may not be used: nobody could tell when the limit is reached. */
export const toModelLimits = (
  { models, cost_per_day, cost_per_month }: GroupLimits,
  { siteCostPerDay }: Pick<SiteSettings, 'siteCostPerDay'> = {},
) => ({
  ...(models && { models }),
  ...([cost_per_day, cost_per_month, siteCostPerDay].some((limit) => limit !== undefined) && {
    priced_models_only: true,
  }),
})

/** From the least to the most. */
const toolsByExtent: readonly ToolsAllowed[] = ['none', 'built_in', 'catalogue', 'all']

/** How a connection's tools are called: by the product's own code, at a server of the catalogue, or at a server of the user's own. */
export type ConnectionKind = 'built_in' | 'remote' | 'custom'

const leastExtent = { built_in: 'built_in', remote: 'catalogue', custom: 'all' } as const

/** Whether a user whose groups allow this much may use connections of this kind. */
export const isConnectionAllowed = (kind: ConnectionKind, allowed: ToolsAllowed = 'all'): boolean =>
  toolsByExtent.indexOf(allowed) >= toolsByExtent.indexOf(leastExtent[kind])

/** @returns undefined, which is no limit, if any of the values is */
function findMost<Value>(
  values: readonly (Value | undefined)[],
  pickMostGenerous: (defined: readonly Value[]) => Value | undefined,
): Value | undefined {
  const defined = values.filter((value) => value !== undefined)
  return defined.length < values.length ? undefined : pickMostGenerous(defined)
}

/**
 * The limits in force for a user in several groups. Groups without an entry do not count, because the user pool adds users of an identity
 * provider to a group of its own. Administrators without an entry have the deployment's limits, and always every right.
 * @param names of the user's groups
 * @param limitsByGroup of the groups that have an entry
 */
export function findLimits(
  names: readonly string[],
  limitsByGroup: ReadonlyMap<string, GroupLimits>,
  deploymentLimits: GroupLimits,
): GroupLimits {
  const limits = names.flatMap((name) => limitsByGroup.get(name) ?? (name === adminGroup ? {} : []))
  const merged = mergeLimits(limits, deploymentLimits)
  if (!names.includes(adminGroup)) return merged
  const isRight = (name: string) => groupRights.some((right) => right === name)
  return Object.fromEntries(Object.entries(merged).filter(([name]) => !isRight(name)))
}

/**
 * The limits of a user in several groups: of each limit the most generous one. A group that does not name a limit has the deployment's.
 * The second factor is required if anything requires it.
 * @param groups none: the user has the deployment's limits
 * @param deploymentLimits those that it does not name do not exist
 */
export function mergeLimits(groups: readonly GroupLimits[], deploymentLimits: GroupLimits): GroupLimits {
  if (groups.length === 0) return deploymentLimits
  const values = <Name extends keyof GroupLimits>(name: Name) =>
    groups.map((limits) => limits[name] ?? deploymentLimits[name])
  const models = findMost(values('models'), (lists) => [...new Set(lists.flat())])
  const tools = findMost(values('tools'), (kinds) =>
    toolsByExtent.findLast((extent) => kinds.includes(extent)),
  )
  const isTwoFactorRequired = [deploymentLimits, ...groups].some((limits) => limits.require_two_factor)
  const merged: GroupLimits = {
    ...(models && { models }),
    ...(tools && { tools }),
    ...(isTwoFactorRequired && { require_two_factor: true }),
    ...Object.fromEntries(
      groupRights.flatMap((right) => (groups.some((limits) => may(limits, right)) ? [] : [[right, false]])),
    ),
  }
  for (const name of amountLimits) {
    const largest = findMost(values(name), (numbers) => Math.max(...numbers))
    if (largest !== undefined) merged[name] = largest
  }
  return merged
}

/**
 * Reads the groups' limits, once in 60 seconds and for a group that is new; users without groups cost no read.
 * @param deploymentLimits those that the function enforces, or how to load them
 */
export function groupLimitsReader(
  { client, name: TableName }: Table,
  deploymentLimits: GroupLimits | (() => Promise<GroupLimits>),
) {
  let cached: { groups: Promise<Groups>; untilMs: number; asked: ReadonlySet<string> } | undefined

  async function load(): Promise<Groups> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: groupsKey }))
    const { groups } = parseGroupsRow(Item)
    return new Map(Object.entries(groups).map(([name, { limits }]) => [name, limits]))
  }

  function loadAnew(names: readonly string[]): Promise<Groups> {
    const isFresh = cached !== undefined && Date.now() < cached.untilMs
    const asked = new Set([...names, ...(isFresh && cached ? cached.asked : [])])
    const entry = { groups: load(), untilMs: Date.now() + cacheMs, asked }
    cached = entry
    // the next call tries again
    entry.groups.catch(() => {
      if (cached === entry) cached = undefined
    })
    return entry.groups
  }

  /** @param names of groups: a new one counts at once, and one without an entry is asked for once in that time */
  async function loadCached(names: readonly string[] = []): Promise<Groups> {
    if (!cached || Date.now() >= cached.untilMs) return loadAnew(names)
    const { asked } = cached
    const groups = await cached.groups
    return names.every((name) => groups.has(name) || asked.has(name)) ? groups : loadAnew(names)
  }

  return {
    /** The names of all groups that have an entry. @param asked those that matter: one that is new counts at once */
    listNames: async (asked: readonly string[] = []): Promise<ReadonlySet<string>> =>
      new Set((await loadCached(asked)).keys()),

    /** The limits in force for a user. */
    async find({ groups: names }: Pick<User, 'groups'>): Promise<GroupLimits> {
      const loadDefaults = async () =>
        typeof deploymentLimits === 'function' ? deploymentLimits() : deploymentLimits
      if (names.length === 0) return loadDefaults()
      const [groups, defaults] = await Promise.all([loadCached(names), loadDefaults()])
      return findLimits(names, groups, defaults)
    },
  }
}
