import { t } from '@lingui/core/macro'
import { CalendarClock, Ellipsis, MessageSquare, Pencil, Play, Trash2, TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Schedule, ScheduledRunStatus } from '#shared/contracts/schedules.ts'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../components/ui/menu.tsx'
import { Spinner } from '../../components/ui/spinner.tsx'
import { StatusIcon, type StatusVariant } from '../../components/ui/status-icon.tsx'
import { Switch } from '../../components/ui/switch.tsx'
import { describeRule } from '../../lib/describe-rule.ts'
import { formatRunTime } from '../../lib/format-run-time.ts'
import { conversationPath } from '../../lib/new-chat.ts'
import { schedulePath } from '../../lib/schedule-queries.ts'
import {
  describePause,
  describeRunReason,
  getScheduleTitle,
  hasConversation,
  isOver,
  isPausedByAdministrator,
  runStates,
} from './describe-state.ts'
import { useScheduleActions } from './use-schedule-actions.ts'

const statusVariants: Record<ScheduledRunStatus, StatusVariant> = {
  done: 'ok',
  waiting: 'warn',
  failed: 'bad',
  skipped: 'off',
}

/** A schedule: what it does, when, how its last run went, and what can be done with it. */
export function ScheduleRow({ schedule, isAllowed }: { schedule: Schedule; isAllowed: boolean }) {
  const navigate = useNavigate()
  const { id, rule, time_zone: zone, next_at: nextAt, paused_because: pausedBecause } = schedule
  const title = getScheduleTitle(schedule)
  const times = describeRule(rule, zone)
  const row = useRef<HTMLLIElement>(null)
  const menuButton = useRef<HTMLButtonElement>(null)
  const { pausing, resuming, running, remove } = useScheduleActions(schedule)
  const mayStart = isAllowed && !isPausedByAdministrator(schedule)
  const isBusy = pausing.isBusy || resuming.isBusy
  const isOn = pausing.isBusy ? false : resuming.isBusy || pausedBecause === undefined
  const removeRow = () => {
    const neighbour = row.current?.nextElementSibling ?? row.current?.previousElementSibling
    const target = neighbour?.querySelector<HTMLElement>('[aria-haspopup=menu]')
    remove()
    target?.focus()
  }
  return (
    <li ref={row} className="flex items-start gap-3 px-4 py-3.5">
      <span
        aria-hidden
        className="mt-0.5 grid size-8 shrink-0 place-items-center rounded-sm bg-surface-hover text-ink-faint max-sm:hidden"
      >
        <CalendarClock size={16} />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="font-medium">
          <Link
            to={schedulePath(id)}
            title={title}
            className="line-clamp-2 rounded-sm text-ink wrap-anywhere no-underline hover:underline"
          >
            <bdi>{title}</bdi>
          </Link>
        </p>
        <p className="text-sm text-ink-muted">
          {times}
          {nextAt !== undefined && (
            <span className="max-sm:block">
              {times !== undefined && (
                <>
                  <span aria-hidden className="max-sm:hidden">
                    {' '}
                    ·{' '}
                  </span>
                  <span className="sr-only">. </span>
                </>
              )}
              {t`Next: ${{ when: formatRunTime(nextAt, zone) }}`}
            </span>
          )}
        </p>
        <RunState schedule={schedule} />
        {pausedBecause !== undefined && (
          <p className="mt-0.5 flex gap-1.5 text-sm text-ink-muted">
            {pausedBecause !== 'user' && (
              <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
            )}
            {describePause(pausedBecause)}
          </p>
        )}
        {isOver(schedule) && schedule.running_since === undefined && (
          <p className="text-sm text-ink-muted">{t`Its time is over.`}</p>
        )}
      </div>
      <div className="flex shrink-0 items-center gap-1.5">
        {!isOver(schedule) && (
          <Switch
            aria-label={t`${title}: on or paused`}
            checked={isOn}
            aria-busy={isBusy || undefined}
            disabled={!mayStart && pausedBecause !== undefined}
            onChange={(on) => (on ? resuming : pausing).start()}
          />
        )}
        <Menu>
          <MenuTrigger asChild>
            <IconButton
              ref={menuButton}
              label={t`More for ${{ title }}`}
              tooltip={false}
              icon={<Ellipsis size={16} />}
              className="-me-2"
            />
          </MenuTrigger>
          <MenuContent>
            {mayStart && (
              <MenuItem
                icon={<Play aria-hidden size={16} />}
                disabled={schedule.running_since !== undefined || running.isBusy}
                onSelect={() => running.start()}
              >
                {t`Run now`}
              </MenuItem>
            )}
            {hasConversation(schedule) && (
              <MenuItem
                icon={<MessageSquare aria-hidden size={16} />}
                onSelect={() => void navigate(conversationPath(schedule.session_id))}
              >
                {t`Open its chat`}
              </MenuItem>
            )}
            <MenuItem
              icon={<Pencil aria-hidden size={16} />}
              onSelect={() => void navigate(schedulePath(id))}
            >
              {t`Edit`}
            </MenuItem>
            <MenuSeparator />
            <MenuItem isDestructive icon={<Trash2 aria-hidden size={16} />} onSelect={removeRow}>
              {t`Delete`}
            </MenuItem>
          </MenuContent>
        </Menu>
      </div>
    </li>
  )
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
