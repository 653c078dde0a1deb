import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { Group } from '#shared/contracts/admin.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { groupsQuery } from './admin-queries.ts'
import { CheckRow } from '../../components/ui/check-row.tsx'
import { QueryContent } from '../../components/query-content.tsx'

/** What is shown about a group. The group of administrators may do what its limits do not say, so that it always has a description. */
export const describeGroup = ({ name, description }: Pick<Group, 'name' | 'description'>): string =>
  name === adminGroup && description === '' ? t`Can do everything in the administration` : description

export function GroupChoice({
  chosenGroups,
  onChange,
}: {
  chosenGroups: readonly string[]
  onChange: (groups: string[]) => void
}) {
  const query = useQuery(groupsQuery)
  const { data: groups } = query
  const listedGroups = [
    ...(groups ?? []),
    // groups that were deleted meanwhile: they can only be unchecked
    ...chosenGroups
      .filter((name) => !groups?.some((group) => group.name === name))
      .map((name) => ({ name, description: '' })),
  ]
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{t`Groups`}</legend>
      <QueryContent
        query={{ ...query, data: groups && listedGroups }}
        label={t`Loading the groups`}
        failure={t`The groups could not be loaded.`}
        empty={t`No groups`}
      >
        {(list) => (
          <div className="-mx-2.5 grid max-h-60 overflow-y-auto scroll-quiet">
            {list.map(({ name, description }) => (
              <CheckRow
                key={name}
                label={name}
                hint={describeGroup({ name, description })}
                isChecked={chosenGroups.includes(name)}
                onChange={(isOn) =>
                  onChange(isOn ? [...chosenGroups, name] : chosenGroups.filter((each) => each !== name))
                }
              />
            ))}
          </div>
        )}
      </QueryContent>
    </fieldset>
  )
}
