import * as z from 'zod'
import { groupLimits, type GroupLimits } from '#shared/contracts/admin.ts'
import { fromPoolGroupName, toPoolGroupName } from '#shared/group-names.ts'

/** The key of the one row with the descriptions and limits of all groups. Members are in the user pool. */
export const groupsKey = { PK: 'GROUPS', SK: 'GROUPS' } as const

export interface StoredGroup {
  description: string
  limits: GroupLimits
  version: number
}

/** `version` counts the changes of the row, for optimistic locking. */
export interface GroupsRow {
  version: number
  groups: Record<string, StoredGroup>
  /** what is stored, by the names of the user pool, with what a later release has written */
  stored: Record<string, unknown>
}

const count = z.number().int().catch(0)
const row = z.object({ version: count, groups: z.record(z.string(), z.unknown()).catch({}) })
const storedGroup = z.object({
  description: z.string().catch(''),
  limits: z.record(z.string(), z.unknown()).catch({}),
  version: count,
})
const storedModels = z
  .array(z.unknown())
  .transform((ids) => ids.filter((id): id is string => typeof id === 'string'))
  .optional()

/**
 * Reads limits that this or another release has written. A limit that is unknown, or that cannot be read, is as the deployment has it;
 * a kind of tools that is unknown allows none.
 */
function parseLimits(stored: Readonly<Record<string, unknown>>): GroupLimits {
  const schemas = {
    ...groupLimits.shape,
    models: storedModels,
    tools: groupLimits.shape.tools.catch('none'),
  }
  const valid = Object.entries(schemas).flatMap(([name, schema]) => {
    const { data } = schema.safeParse(stored[name])
    return data === undefined ? [] : [[name, data] as const]
  })
  return Object.fromEntries(valid) as GroupLimits
}

/** Reads the row. What is wrong with one group, or one of its limits, concerns no other. @param item undefined before there are groups */
export function parseGroupsRow(item: unknown): GroupsRow {
  const { version, groups: stored } = row.parse(item ?? {})
  const groups = Object.entries(stored).map(([name, value]) => {
    const group = storedGroup.catch({ description: '', limits: {}, version: 0 }).parse(value)
    return [fromPoolGroupName(name), { ...group, limits: parseLimits(group.limits) }] as const
  })
  return { version, groups: Object.fromEntries(groups), stored }
}

/** Replaces a group in what is stored, and keeps the limits of a later release. @param group undefined removes it */
export function storeGroup(
  stored: GroupsRow['stored'],
  name: string,
  group: StoredGroup | undefined,
): GroupsRow['stored'] {
  const key = toPoolGroupName(name)
  const { [key]: before, ...others } = stored
  if (!group) return others
  const unknown = Object.entries(storedGroup.safeParse(before).data?.limits ?? {}).filter(
    ([limit]) => !(limit in groupLimits.shape),
  )
  return { ...others, [key]: { ...group, limits: { ...Object.fromEntries(unknown), ...group.limits } } }
}
