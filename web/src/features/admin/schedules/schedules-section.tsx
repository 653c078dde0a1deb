import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '../../../lib/navigation/router.tsx'
import type { PersonSchedules } from '#shared/contracts/admin-schedules.ts'
import { getOwn } from '#shared/get-own.ts'
import { QueryContent, MoreRows } from '../../../components/query-content.tsx'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { getActionErrorMessage } from '../../../lib/api/action-error.ts'
import { announce } from '../../../lib/browser/announce.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { formatDateTime } from '../../../lib/text/dates.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { adminUsersPath } from '../../../lib/navigation/paths.ts'
import { adminSchedulesQuery, auditQuery } from '../admin-queries.ts'

/** Who has how many schedules, and buttons to pause and resume those of a person. */
export function SchedulesSection() {
  const query = useInfiniteQuery(adminSchedulesQuery)
  return (
    <SettingsCard
      title={t`Schedules`}
      subtitle={t`Who has scheduled messages. What they say is not shown here. To stop those of everybody, use Site.`}
    >
      <CardSection>
        <QueryContent query={query} label={t`Loading the schedules`}>
          {(people) => (
            <>
              {people.length === 0 ? (
                <p className="text-ink-muted">
                  {query.hasNextPage ? t`Nobody among the first accounts.` : t`Nobody has a schedule.`}
                </p>
              ) : (
                <ul aria-label={t`Schedules`} className="-my-4 divide-y divide-line">
                  {people.map((person) => (
                    <PersonRow key={person.id} person={person} />
                  ))}
                </ul>
              )}
              <MoreRows query={query} />
            </>
          )}
        </QueryContent>
      </CardSection>
    </SettingsCard>
  )
}

const formatScheduleCount = (count: number) => plural(count, { one: '# schedule', other: `# schedules` })
const formatPausedCount = (count: number) => plural(count, { one: '# paused', other: `# paused` })

/** @returns undefined for an outcome that this page does not know */
function describeLastRun({ last_run: run }: PersonSchedules): string | undefined {
  if (!run) return t`no run yet`
  const time = formatDateTime(new Date(run.at))
  const texts: Record<typeof run.status, string> = {
    done: t`last run ${{ time }}: done`,
    waiting: t`last run ${{ time }}: waited for approval`,
    failed: t`last run ${{ time }}: failed`,
    skipped: t`last run ${{ time }}: skipped`,
  }
  return getOwn(texts, run.status)
}

function PersonRow({ person }: { person: PersonSchedules }) {
  const { id, email, count, paused, paused_by_administrator: pausedByAdministrator } = person
  const queryClient = useQueryClient()
  // `held`: all of them, also those that the person makes from now on
  const isPausedByAdministrator = person.held === true || (count > 0 && pausedByAdministrator === count)
  const change = useActionMutation(`schedules of ${id}`, {
    failureTitle: isPausedByAdministrator
      ? t`The schedules were not resumed`
      : t`The schedules were not paused`,
    run: async (action: 'pause' | 'resume') => {
      await callApi(action === 'pause' ? 'admin.pauseSchedules' : 'admin.resumeSchedules', {
        params: { userId: id },
      })
      return action
    },
    onSuccess: async (action) => {
      await Promise.all(
        [adminSchedulesQuery, auditQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
      )
      announce(action === 'pause' ? t`Schedules paused` : t`Schedules resumed`)
    },
  })
  const facts = [
    formatScheduleCount(count),
    paused > 0 ? formatPausedCount(paused) : undefined,
    describeLastRun(person),
  ].filter((fact) => fact !== undefined)
  return (
    <li className="grid gap-2 py-4">
      <div className="flex items-center justify-between gap-x-6 gap-y-2 max-sm:flex-col max-sm:items-stretch">
        <div className="min-w-0">
          <Link to={`${adminUsersPath}/${id}`} className="link font-medium wrap-anywhere">
            {email}
          </Link>
          <p className="text-sm text-ink-muted">{formatList(facts)}</p>
          {isPausedByAdministrator && (
            <p className="text-sm text-ink-muted">
              {t`Only an administrator can let them go on.`} {person.held && t`New ones wait, too.`}
            </p>
          )}
        </div>
        <Button
          className="shrink-0"
          busy={change.isBusy}
          aria-label={
            isPausedByAdministrator ? t`Resume the schedules of ${email}` : t`Pause the schedules of ${email}`
          }
          onClick={() => change.start(isPausedByAdministrator ? 'resume' : 'pause')}
        >
          {isPausedByAdministrator ? t`Resume` : t`Pause`}
        </Button>
      </div>
      {change.error && (
        <Callout variant="danger" error={change.error}>
          {getActionErrorMessage(change.error)}
        </Callout>
      )}
    </li>
  )
}
