import type { AuditEntry, GroupLimits } from '#shared/contracts/admin.ts'
import type { PublicModel } from '#shared/models.ts'
import { formatDate } from '../../../lib/dates.ts'
import { formatCount, formatList } from '../../../lib/locale.ts'
import { describeLimits } from '../describe-limits.ts'
import * as texts from './texts.tsx'

type Detail = NonNullable<AuditEntry['details']>[string]

/** The details of an entry as short phrases. Empty values and zeros are left out, except in limits. */
export function describeDetails(
  { action, details = {} }: Pick<AuditEntry, 'action' | 'details'>,
  models?: readonly PublicModel[],
): string[] {
  // the details of a group are its limits, and which fields changed
  if (action === 'group.created' || action === 'group.updated')
    return [
      ...describeLimits(details as GroupLimits, models),
      ...(details['changed'] === undefined ? [] : describeOthers({ changed: details['changed'] })),
    ]
  return describeOthers(details)
}

function describeOthers(details: Readonly<Record<string, Detail>>): string[] {
  return Object.entries(details).flatMap(([name, value]) => {
    const text = formatDetail(value)
    return text === undefined ? [] : [texts.detail(name.replaceAll('_', ' '), text)]
  })
}

function formatDetail(value: Detail): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : formatList(value)
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value === 'number') return value === 0 ? undefined : formatCount(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatDate(new Date(value)) : value
}
