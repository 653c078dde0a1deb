import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Inbox, type LucideIcon } from 'lucide-react'
import { NavLink } from 'react-router'
import { formatCount } from '../lib/locale.ts'
import { useRight } from '../lib/rights.ts'
import { schedulesPath } from '../lib/schedule-queries.ts'
import { waitingPath, waitingQuery } from '../lib/waiting-queries.ts'

/** Pages that the panel of conversations leads to, above assistants and projects. @param onChosen called when one was chosen */
export function PanelPages({ onChosen }: { onChosen: () => void }) {
  const mayHaveSchedules = useRight('schedules')
  // loaded once the page is idle
  const { data: { total } = { total: 0 } } = useQuery({ ...waitingQuery, enabled: false })
  return (
    <nav aria-label={t`Pages`} className="px-2 pb-2">
      <PanelLink to={waitingPath} icon={Inbox} count={total} onChosen={onChosen}>
        {t`Waiting for you`}
      </PanelLink>
      {mayHaveSchedules && (
        <PanelLink to={schedulesPath} icon={CalendarClock} onChosen={onChosen}>
          {t`Scheduled`}
        </PanelLink>
      )}
    </nav>
  )
}

function PanelLink({
  to,
  icon: Icon,
  count = 0,
  children,
  onChosen,
}: {
  to: string
  icon: LucideIcon
  /** shown at the end, unless it is 0 */
  count?: number
  children: string
  onChosen: () => void
}) {
  return (
    <NavLink
      to={to}
      onClick={onChosen}
      className="flex h-10 items-center gap-2.5 rounded-md px-3 font-medium text-ink no-underline hover:bg-surface-hover aria-[current]:bg-accent-soft focus-visible:-outline-offset-2 max-sm:h-11"
    >
      <Icon aria-hidden size={16} className="shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {count > 0 && (
        <span className="grid h-5 min-w-5 place-items-center rounded-full bg-accent-soft px-1.5 text-xs font-semibold text-accent-ink tabular-nums in-aria-[current]:bg-surface-raised">
          {formatCount(count)}
        </span>
      )}
    </NavLink>
  )
}
