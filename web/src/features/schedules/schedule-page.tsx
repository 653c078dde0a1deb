import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { QueryContent } from '../../components/query-content.tsx'
import { buttonClass } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useRight } from '../../lib/account/account-queries.ts'
import type { ToolsQuery } from '../../lib/conversations/tool-picker-context.ts'
import { schedulesPath } from '../../lib/navigation/paths.ts'
import { Link } from '../../lib/navigation/router.tsx'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { schedulesQuery } from '../../lib/queries/schedule-queries.ts'
import { getScheduleTitle } from './describe-state.ts'
import { ScheduleEditor } from './schedule-editor.tsx'
import { ScheduleHeading } from './schedule-header.tsx'
import { SchedulePageFrame } from './schedule-page-frame.tsx'
import { useIsScheduleDeleting } from './use-schedule-actions.ts'

/** The page of a schedule, or of a new one. @param tools of the user's connections */
export function SchedulePage({ scheduleId, tools }: { scheduleId: string | undefined; tools: ToolsQuery }) {
  const query = useQuery(schedulesQuery)
  const isDeleting = useIsScheduleDeleting()
  const isAllowed = useRight('schedules')
  const schedule = query.data?.find(({ id }) => id === scheduleId && !isDeleting(id))
  const otherTitle = scheduleId === undefined ? t`New schedule` : t`Schedule`
  useDocumentTitle(schedule ? getScheduleTitle(schedule) : otherTitle)
  if (scheduleId === undefined)
    return (
      <SchedulePageFrame>
        {isAllowed ? (
          <ScheduleEditor schedule={undefined} tools={tools} isAllowed />
        ) : (
          <>
            <ScheduleHeading title={t`New schedule`} />
            <Callout variant="info">{t`Your group may not use schedules. An administrator can tell more.`}</Callout>
          </>
        )}
      </SchedulePageFrame>
    )
  return (
    <SchedulePageFrame>
      {query.data && !schedule ? (
        <div className="grid justify-items-start gap-4 py-12">
          <h1 className="text-base font-normal text-ink-muted">{t`This schedule does not exist any more.`}</h1>
          <Link to={schedulesPath} className={buttonClass()}>
            {t`Back to your schedules`}
          </Link>
        </div>
      ) : (
        <>
          {!schedule && <h1 className="sr-only">{t`Schedule`}</h1>}
          <QueryContent
            query={{ ...query, data: schedule }}
            label={t`Loading the schedule`}
            failure={t`The schedule could not be loaded.`}
            placeholder={
              <>
                <Skeleton className="h-8 w-48" />
                <Skeleton className="h-64 w-full rounded-lg" />
              </>
            }
          >
            {(loaded) => (
              <ScheduleEditor key={loaded.id} schedule={loaded} tools={tools} isAllowed={isAllowed} />
            )}
          </QueryContent>
        </>
      )}
    </SchedulePageFrame>
  )
}
