import { t } from '@lingui/core/macro'
import { Link } from '../../lib/navigation/router.tsx'
import { getOwn } from '#shared/get-own.ts'
import type { Schedule, ScheduledRunStatus } from '#shared/contracts/schedules.ts'
import { Spinner } from '../../components/ui/spinner.tsx'
import { StatusIcon, type StatusVariant } from '../../components/ui/status-icon.tsx'
import { formatRunTime } from '../../lib/text/format-run-time.ts'
import { conversationPath } from '../../lib/navigation/new-chat.ts'
import { describeRunReason, describeRunStatus, hasConversation } from './describe-state.ts'

const statusVariants: Record<ScheduledRunStatus, StatusVariant> = {
  done: 'ok',
  waiting: 'warn',
  failed: 'bad',
  skipped: 'off',
}

/** The run that is under way, or how the last one went, with a link to its chat. */
export function RunState({ schedule }: { schedule: Schedule }) {
  return (
    // there before its text, which is announced when it changes
    <div role="status" className="text-sm text-ink-muted empty:absolute">
      <RunLine schedule={schedule} />
    </div>
  )
}

function RunLine({ schedule }: { schedule: Schedule }) {
  const { running_since: since, last_run: last, session_id: sessionId, time_zone: zone } = schedule
  const { retry_at: retryAt } = schedule
  const renderLink = (separator: string) =>
    hasConversation(schedule) && (
      <>
        {separator}
        <Link to={conversationPath(sessionId)} className="link">
          {last?.status === 'waiting' && since === undefined ? t`Answer it` : t`Open its chat`}
        </Link>
      </>
    )
  if (since !== undefined)
    return (
      <p>
        <span className="me-1.5 inline-block align-[-0.125rem]">
          <Spinner />
        </span>
        {retryAt === undefined
          ? t`Running since ${{ when: formatRunTime(since, zone) }}`
          : t`Its model did not reply. Next attempt: ${{ when: formatRunTime(retryAt, zone) }}.`}
        {renderLink(retryAt === undefined ? ' · ' : ' ')}
      </p>
    )
  if (!last) return undefined
  const state = describeRunStatus(last.status)
  const when = formatRunTime(last.at, zone)
  // why it is paused is said below
  const reason =
    last.because === undefined || last.because === schedule.paused_because
      ? undefined
      : describeRunReason(last.because)
  return (
    <p>
      <StatusIcon
        variant={getOwn<StatusVariant>(statusVariants, last.status) ?? 'off'}
        className="me-1.5 inline-block"
      />
      {state === undefined ? when : t`${state}, ${when}`}
      {reason !== undefined && `. ${reason}`}
      {renderLink(reason === undefined ? ' · ' : ' ')}
    </p>
  )
}
