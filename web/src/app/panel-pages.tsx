import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Inbox } from 'lucide-react'
import { PanelLink } from '../components/panel-link.tsx'
import { useRight } from '../lib/account/account-queries.ts'
import { schedulesPath, waitingPath } from '../lib/navigation/paths.ts'
import { waitingQuery } from '../lib/queries/waiting-queries.ts'
import { formatCount } from '../lib/text/locale.ts'

/** Pages that the panel of conversations leads to, above assistants and projects. @param onChosen called when one was chosen */
export function PanelPages({ onChosen }: { onChosen: () => void }) {
  const mayHaveSchedules = useRight('schedules')
  // fetched by `useWaitingCount`
  const { data: list } = useQuery({ ...waitingQuery, enabled: false })
  const waitingCount = list?.total ?? 0
  return (
    <nav aria-label={t`Pages`} className="px-2 pb-2">
      <PanelLink to={waitingPath} icon={<Inbox {...iconProps} />} onChosen={onChosen}>
        <span className="min-w-0 flex-1 truncate">{t`Waiting for you`}</span>
        {waitingCount > 0 && (
          <span className="grid h-5 min-w-5 place-items-center rounded-full bg-accent-soft px-1.5 text-xs font-semibold text-accent-ink tabular-nums in-aria-[current]:bg-surface-raised">
            {formatCount(waitingCount)}
          </span>
        )}
      </PanelLink>
      {mayHaveSchedules && (
        <PanelLink to={schedulesPath} icon={<CalendarClock {...iconProps} />} onChosen={onChosen}>
          <span className="min-w-0 flex-1 truncate">{t`Scheduled`}</span>
        </PanelLink>
      )}
    </nav>
  )
}

const iconProps = { 'aria-hidden': true, size: 16, className: 'shrink-0 text-ink-faint' } as const
