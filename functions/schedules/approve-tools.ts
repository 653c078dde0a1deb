import { saySchedule } from '#shared/sentences/schedules.ts'
import { BadRequest } from '../platform/errors.ts'
import type { ApprovedTool } from './schedule-row.ts'

/** A tool of the user as it is offered now. `fingerprint` identifies its whole definition. */
export interface OfferedTool {
  name: string
  fingerprint: string
}

/**
 * Notes tools that run without asking as they are now: one whose definition changes asks again.
 * @param offered the tools of the user; called only if names are given
 * @param before tools that the schedule has approved: they stay as they were, also while their server cannot be reached
 * @throws BadRequest naming those that the user does not have
 */
export async function approveTools(
  names: readonly string[] | 'ask',
  offered: () => Promise<readonly OfferedTool[]>,
  before: readonly ApprovedTool[] | 'ask' = 'ask',
): Promise<'ask' | ApprovedTool[]> {
  if (names === 'ask' || names.length === 0) return 'ask'
  const known = await offered()
  const approvedBefore = before === 'ask' ? [] : before
  const isNamed = (name: string) => (one: { name: string }) => one.name === name
  const unknown = names.filter((name) => ![...known, ...approvedBefore].some(isNamed(name)))
  if (unknown.length > 0)
    throw new BadRequest(
      saySchedule('bad_request.schedule_tools', { names: unknown.slice(0, 10).join(', ') }),
    )
  return [...new Set(names)].flatMap((name) => {
    const tool = known.find(isNamed(name)) ?? approvedBefore.find(isNamed(name))
    return tool ? [{ name, fingerprint: tool.fingerprint }] : []
  })
}
