import { useQuery } from '@tanstack/react-query'
import { adminGroup } from '#shared/user-pool.ts'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { groupsQuery } from './admin-queries.ts'
import { CheckRow } from './check-row.tsx'
import { LoadError } from './section-parts.tsx'
import * as texts from './texts.ts'

/** Chooses groups by check boxes. */
export function GroupChoice({
  chosenGroups,
  onChange,
}: {
  chosenGroups: readonly string[]
  onChange: (groups: string[]) => void
}) {
  const { data: groups, error, isPending, refetch } = useQuery(groupsQuery)
  const listedGroups = [
    ...(groups ?? []),
    // groups that were deleted meanwhile: they can only be unchecked
    ...chosenGroups
      .filter((name) => !groups?.some((group) => group.name === name))
      .map((name) => ({ name, description: '' })),
  ]
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{texts.groupsLegend}</legend>
      {isPending ? (
        <Skeleton className="h-3.5 w-40" />
      ) : !groups ? (
        <LoadError error={error} onRetry={() => void refetch()}>
          {texts.groupsNotLoaded}
        </LoadError>
      ) : listedGroups.length === 0 ? (
        <p className="text-sm text-ink-muted">{texts.noGroups}</p>
      ) : (
        <div className="-mx-2.5 grid max-h-60 overflow-y-auto scroll-quiet">
          {listedGroups.map(({ name, description }) => (
            <CheckRow
              key={name}
              label={name}
              hint={name === adminGroup ? texts.adminsHint : description}
              isChecked={chosenGroups.includes(name)}
              onChange={(isOn) =>
                onChange(isOn ? [...chosenGroups, name] : chosenGroups.filter((each) => each !== name))
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}
