import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { findLimits } from '#shared/group-limits.ts'
import { Callout } from '../../components/ui/callout.tsx'
import { useConfig } from '../../lib/api/config.ts'
import { formatList } from '../../lib/text/locale.ts'
import { groupsQuery } from './admin-queries.ts'
import { describeLimits } from './describe-limits.ts'

/** @returns a function that finds the limits that groups set together, by their names; undefined until the groups are loaded */
export function useGroupLimits(): ((names: readonly string[]) => GroupLimits) | undefined {
  const { data: groups } = useQuery(groupsQuery)
  if (!groups) return undefined
  const limitsByGroup = new Map(groups.map(({ name, limits }) => [name, limits]))
  return (names) => findLimits(names, limitsByGroup, {})
}

/** What a change takes away and adds; nothing where it does neither. @param whose for whom it is so */
export function LimitsChange({
  before,
  after,
  whose,
}: {
  before: GroupLimits
  after: GroupLimits
  whose?: string
}) {
  const models = useConfig()?.models
  const [old, next] = [describeLimits(before, models), describeLimits(after, models)]
  const ended = old.filter((phrase) => !next.includes(phrase))
  const added = next.filter((phrase) => !old.includes(phrase))
  if (ended.length + added.length === 0) return null
  return (
    <Callout variant="info">
      {whose !== undefined && <span className="block">{whose}</span>}
      {ended.length > 0 && (
        <span className="block text-ink">{t`Takes away these limits: ${{ limits: formatList(ended) }}`}</span>
      )}
      {added.length > 0 && (
        <span className="block text-ink">{t`Adds these limits: ${{ limits: formatList(added) }}`}</span>
      )}
      <span className="block">{t`Where none of the groups sets a limit, the installation’s counts.`}</span>
    </Callout>
  )
}
