import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { Schedule, ScheduledRunStatus } from '#shared/contracts/schedules.ts'
import { Spinner } from '../../components/ui/spinner.tsx'
import { StatusIcon, type StatusVariant } from '../../components/ui/status-icon.tsx'
import { formatRunTime } from '../../lib/format-run-time.ts'
import { conversationPath } from '../../lib/new-chat.ts'
import { describeRunReason, hasConversation, runStates } from './describe-state.ts'

const statusVariants: Record<ScheduledRunStatus, StatusVariant> = {
  done: 'ok',
  waiting: 'warn',
  failed: 'bad',
  skipped: 'off',
}

/** The run that is under way, or how the last one went, with the way to it. */
export function RunState({ schedule }: { schedule: Schedule }) {
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
      <p role="status" className="text-sm text-ink-muted">
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
  // why it is paused is said below
  const reason =
    last.because === undefined || last.because === schedule.paused_because
      ? undefined
      : describeRunReason(last.because)
  return (
    <p className="text-sm text-ink-muted">
      <StatusIcon variant={statusVariants[last.status]} className="me-1.5 inline-block" />
      {t`${{ state: runStates[last.status] }}, ${{ when: formatRunTime(last.at, zone) }}`}
      {reason !== undefined && `. ${reason}`}
      {renderLink(reason === undefined ? ' · ' : ' ')}
    </p>
  )
}
