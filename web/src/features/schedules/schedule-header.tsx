import { t } from '@lingui/core/macro'
import { ArrowLeft, Ellipsis, MessageSquare, Pause, Play, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useNavigate } from '../../lib/navigation/router.tsx'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../components/ui/menu.tsx'
import { conversationPath } from '../../lib/navigation/new-chat.ts'
import {
  describePause,
  getScheduleTitle,
  hasConversation,
  isPausedByAdministrator,
} from './describe-state.ts'
import { RunState } from './run-state.tsx'
import { useScheduleActions } from './use-schedule-actions.ts'
import { schedulesPath } from '../../lib/navigation/paths.ts'

/** The title of a page below the list, with the way back. @param children what can be done there */
export function ScheduleHeading({
  title,
  note,
  children,
}: {
  title: string
  note?: string
  children?: ReactNode
}) {
  return (
    <header className="mb-5 flex min-h-11 items-center gap-3 max-sm:gap-1">
      <Link
        to={schedulesPath}
        aria-label={t`Back to your schedules`}
        className={buttonClass({ variant: 'ghost', size: 'icon', className: '-ms-2 shrink-0' })}
      >
        <ArrowLeft aria-hidden size={20} strokeWidth={1.75} className="mirrored:-scale-x-100" />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-lg/6 font-semibold tracking-tight" dir="auto" title={title}>
          {title}
        </h1>
        {note !== undefined && <p className="text-sm text-ink-muted">{note}</p>}
      </div>
      {children}
    </header>
  )
}

/** How its last run went, and whether it is paused. */
export function ScheduleState({ schedule, isAllowed }: { schedule: Schedule; isAllowed: boolean }) {
  const { resuming } = useScheduleActions(schedule)
  const { paused_because: pausedBecause } = schedule
  return (
    <div className="grid gap-3 has-[p]:mb-4">
      <RunState schedule={schedule} />
      {pausedBecause !== undefined && (
        <Callout
          variant="info"
          action={
            isAllowed && !isPausedByAdministrator(schedule)
              ? { label: t`Resume`, onClick: () => resuming.start() }
              : undefined
          }
        >
          {describePause(pausedBecause)}
        </Callout>
      )}
    </div>
  )
}

/** What can be done with a schedule. */
export function ScheduleMenu({ schedule, isAllowed }: { schedule: Schedule; isAllowed: boolean }) {
  const navigate = useNavigate()
  const { running, pausing, remove } = useScheduleActions(schedule)
  const { session_id: sessionId, running_since: since, paused_because: pausedBecause } = schedule
  return (
    <>
      {isAllowed && !isPausedByAdministrator(schedule) && (
        <Button
          size="sm"
          busy={running.isBusy}
          disabled={since !== undefined}
          onClick={() => running.start()}
        >
          <Play aria-hidden size={16} />
          {t`Run now`}
        </Button>
      )}
      <Menu>
        <MenuTrigger asChild>
          <IconButton
            label={t`More for ${{ title: getScheduleTitle(schedule) }}`}
            tooltip={false}
            icon={<Ellipsis size={20} strokeWidth={1.75} />}
            className="-me-2"
          />
        </MenuTrigger>
        <MenuContent>
          {hasConversation(schedule) && (
            <MenuItem
              icon={<MessageSquare aria-hidden size={16} />}
              onSelect={() => navigate(conversationPath(sessionId))}
            >
              {t`Open its chat`}
            </MenuItem>
          )}
          {pausedBecause === undefined && (
            <MenuItem icon={<Pause aria-hidden size={16} />} onSelect={() => pausing.start()}>
              {t`Pause`}
            </MenuItem>
          )}
          {(hasConversation(schedule) || pausedBecause === undefined) && <MenuSeparator />}
          <MenuItem
            isDestructive
            icon={<Trash2 aria-hidden size={16} />}
            onSelect={() => {
              remove()
              navigate(schedulesPath)
            }}
          >
            {t`Delete`}
          </MenuItem>
        </MenuContent>
      </Menu>
    </>
  )
}
