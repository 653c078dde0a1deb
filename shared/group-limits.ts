import type { GroupLimits, ToolsAllowed } from '#shared/contracts/admin.ts'
import { groupRights } from '#shared/group-rights.ts'
import { adminGroup } from '#shared/user-pool.ts'

/** From the least to the most. */
const toolsByExtent: readonly ToolsAllowed[] = ['none', 'built_in', 'catalogue', 'all']

/** How a connection's tools are called: by the product's own code, at a server of the catalogue, or at a server of the user's own. */
export type ConnectionKind = 'built_in' | 'remote' | 'custom'

const leastExtent = { built_in: 'built_in', remote: 'catalogue', custom: 'all' } as const

/** Whether a user whose groups allow this much may use connections of this kind. */
export const isConnectionAllowed = (kind: ConnectionKind, allowed: ToolsAllowed = 'all'): boolean =>
  toolsByExtent.indexOf(allowed) >= toolsByExtent.indexOf(leastExtent[kind])

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

/**
 * The limits of a user in several groups: of each limit the most generous of those groups that set it, and where none does, the site's.
 * The second factor is required if anything requires it.
 * @param siteLimits those that it does not name do not exist
 * @returns of the rights those that the user does not have
 */
export function mergeLimits(groups: readonly GroupLimits[], siteLimits: GroupLimits): GroupLimits {
  const all = [siteLimits, ...groups]
  const isForbidden = (right: (typeof groupRights)[number]) =>
    all.some((limits) => limits[right] === false) && !groups.some((limits) => limits[right])
  const models = groups.flatMap((limits) => limits.models ?? [])
  const tools = toolsByExtent.findLast((extent) => groups.some((limits) => limits.tools === extent))
  const { require_two_factor: _, ...merged } = siteLimits
  if (groups.some((limits) => limits.models)) merged.models = [...new Set(models)]
  if (tools) merged.tools = tools
  for (const name of amountLimits) {
    const amounts = groups.flatMap((limits) => limits[name] ?? [])
    if (amounts.length > 0) merged[name] = Math.max(...amounts)
  }
  for (const right of groupRights) {
    delete merged[right]
    if (isForbidden(right)) merged[right] = false
  }
  return { ...merged, ...(all.some((limits) => limits.require_two_factor) && { require_two_factor: true }) }
}

/**
 * The limits in force for a user. Administrators always have every right.
 * @param names of the user's groups: one without limits has no say, such as the group that the user pool adds users of a provider to
 */
export function findLimits(
  names: readonly string[],
  limitsByGroup: ReadonlyMap<string, GroupLimits>,
  siteLimits: GroupLimits,
): GroupLimits {
  const merged = mergeLimits(
    names.flatMap((name) => limitsByGroup.get(name) ?? []),
    siteLimits,
  )
  if (names.includes(adminGroup)) for (const right of groupRights) delete merged[right]
  return merged
}
