import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { foldGroupName } from '#shared/group-names.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { groupsQuery, siteQuery } from '../admin-queries.ts'
import { useGroupLimits } from '../limits-change.tsx'
import { LimitsList } from '../limits-list.tsx'

/** More combinations of groups are counted only. */
const maxShown = 10

const describeMore = (count: number) =>
  plural(count, { one: 'and # more combination of groups', other: 'and # more combinations of groups' })

/**
 * The limits that invited people will have: those of their groups and of the one that every new account joins.
 * @param people the groups of each, as they are written
 */
export function InvitedLimits({ people }: { people: readonly (readonly string[])[] }) {
  const { data: groups = [] } = useQuery(groupsQuery)
  const { data: site } = useQuery(siteQuery)
  const find = useGroupLimits()
  if (!find) return null
  const defaultGroup = site?.settings.defaultGroup.value ?? []
  const combinations = new Map<string, string[]>()
  for (const written of people) {
    const folded = new Set([defaultGroup, ...written].flat().map(foldGroupName))
    const names = groups.flatMap(({ name }) => (folded.has(foldGroupName(name)) ? [name] : []))
    if (names.length > 0) combinations.set(names.join('\n'), names)
  }
  const shown = [...combinations.values()].slice(0, maxShown)
  if (shown.length === 0) return null
  return (
    <div className="grid gap-2">
      <p className="text-sm font-medium">{t`Limits of their accounts`}</p>
      {shown.map((names) => (
        <div key={names.join('\n')} className="grid gap-1">
          <p className="text-sm wrap-anywhere text-ink-muted">{formatList(names)}</p>
          <LimitsList limits={find(names)} label={t`Limits in ${{ groups: formatList(names) }}`} />
        </div>
      ))}
      {combinations.size > maxShown && (
        <p className="text-sm text-ink-muted">{describeMore(combinations.size - maxShown)}</p>
      )}
    </div>
  )
}
