import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { findLimits } from '#shared/group-limits.ts'
import { groupRights, type GroupRight } from '#shared/group-rights.ts'
import { sayPlatform } from '#shared/sentences/platform.ts'
import type { SiteSettings } from '#shared/contracts/site.ts'
import type { User } from './auth/access-token.ts'
import type { Table } from './dynamodb/table.ts'
import { AppError } from './errors.ts'
import { groupsKey, parseGroupsRow } from './groups-row.ts'

type Groups = ReadonlyMap<string, GroupLimits>

const cacheMs = 60_000

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

/** Whether replies to a user read pages of the web: all that are known, none unasked, or none. */
export const findWebPages = (limits: GroupLimits, { webPages = 'on' }: Pick<SiteSettings, 'webPages'>) =>
  may(limits, 'web_pages') ? webPages : 'off'

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
  async function list(names: readonly string[] = []): Promise<Groups> {
    if (!cached || Date.now() >= cached.untilMs) return loadAnew(names)
    const { asked } = cached
    const groups = await cached.groups
    return names.every((name) => groups.has(name) || asked.has(name)) ? groups : loadAnew(names)
  }

  return {
    list,

    /** The names of all groups that have an entry. @param asked those that matter: one that is new counts at once */
    listNames: async (asked: readonly string[] = []): Promise<ReadonlySet<string>> =>
      new Set((await list(asked)).keys()),

    /** The limits in force for a user. */
    async find({ groups: names }: Pick<User, 'groups'>): Promise<GroupLimits> {
      const loadDefaults = async () =>
        typeof deploymentLimits === 'function' ? deploymentLimits() : deploymentLimits
      if (names.length === 0) return loadDefaults()
      const [groups, defaults] = await Promise.all([list(names), loadDefaults()])
      return findLimits(names, groups, defaults)
    },
  }
}
