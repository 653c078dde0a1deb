import { t } from '@lingui/core/macro'
import { CalendarClock, Ellipsis, MessageSquare, Pencil, Play, Trash2, TriangleAlert } from 'lucide-react'
import { useRef, type RefObject } from 'react'
import { Link, useNavigate } from '../../lib/navigation/router.tsx'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../components/ui/menu.tsx'
import { Switch } from '../../components/ui/switch.tsx'
import { describeRule } from '../../lib/text/describe-rule.ts'
import { formatRunTime } from '../../lib/text/format-run-time.ts'
import { conversationPath } from '../../lib/navigation/new-chat.ts'
import {
  describePause,
  getScheduleTitle,
  hasConversation,
  isOver,
  isPausedByAdministrator,
} from './describe-state.ts'
import { RunState } from './run-state.tsx'
import { useScheduleActions } from './use-schedule-actions.ts'
import { schedulePath } from '../../lib/navigation/paths.ts'

/** A schedule: what it does, when, how its last run went, and what can be done with it. */
export function ScheduleRow({ schedule, isAllowed }: { schedule: Schedule; isAllowed: boolean }) {
  const { id, rule, time_zone: zone, next_at: nextAt, paused_because: pausedBecause } = schedule
  const title = getScheduleTitle(schedule)
  const times = describeRule(rule, zone)
  const row = useRef<HTMLLIElement>(null)
  const { pausing, resuming, remove } = useScheduleActions(schedule)
  const mayStart = isAllowed && !isPausedByAdministrator(schedule)
  const isBusy = pausing.isBusy || resuming.isBusy
  const isOn = pausing.isBusy ? false : resuming.isBusy || pausedBecause === undefined
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
        <RowMenu schedule={schedule} mayStart={mayStart} row={row} onDelete={remove} />
      </div>
    </li>
  )
}

/** The button of the menu in the row below another one, or else above it. */
function findNeighbourButton(row: HTMLElement | null): HTMLElement | null {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  return neighbour?.querySelector<HTMLElement>('[aria-haspopup=menu]') ?? null
}

function RowMenu({
  schedule,
  mayStart,
  row,
  onDelete,
}: {
  schedule: Schedule
  mayStart: boolean
  row: RefObject<HTMLElement | null>
  onDelete: () => void
}) {
  const navigate = useNavigate()
  /** what gets the focus when a deletion closes the menu: its own button is gone then */
  const focusTarget = useRef<HTMLElement>(null)
  const { running } = useScheduleActions(schedule)
  const title = getScheduleTitle(schedule)
  return (
    <Menu>
      <MenuTrigger asChild>
        <IconButton
          label={t`More for ${{ title }}`}
          tooltip={false}
          icon={<Ellipsis size={16} />}
          className="-me-2"
        />
      </MenuTrigger>
      <MenuContent
        onCloseAutoFocus={(event) => {
          if (!focusTarget.current) return
          event.preventDefault()
          focusTarget.current.focus()
        }}
      >
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
            onSelect={() => navigate(conversationPath(schedule.session_id))}
          >
            {t`Open its chat`}
          </MenuItem>
        )}
        <MenuItem
          icon={<Pencil aria-hidden size={16} />}
          onSelect={() => navigate(schedulePath(schedule.id))}
        >
          {t`Edit`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          isDestructive
          icon={<Trash2 aria-hidden size={16} />}
          onSelect={() => {
            focusTarget.current = findNeighbourButton(row.current)
            onDelete()
          }}
        >
          {t`Delete`}
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
