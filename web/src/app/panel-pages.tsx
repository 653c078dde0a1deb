import { t } from '@lingui/core/macro'
import { CalendarClock } from 'lucide-react'
import { NavLink } from 'react-router'
import { useRight } from '../lib/rights.ts'
import { schedulesPath } from '../lib/schedules.ts'

/** Pages that the panel of conversations leads to, above assistants and projects. @param onChosen called when one was chosen */
export function PanelPages({ onChosen }: { onChosen: () => void }) {
  const mayHaveSchedules = useRight('schedules')
  if (!mayHaveSchedules) return null
  return (
    <nav aria-label={t`Pages`} className="px-2 pb-2">
      <NavLink
        to={schedulesPath}
        onClick={onChosen}
        className="flex h-10 items-center gap-2.5 rounded-md px-3 font-medium text-ink no-underline hover:bg-surface-hover aria-[current]:bg-accent-soft focus-visible:-outline-offset-2 max-sm:h-11"
      >
        <CalendarClock aria-hidden size={16} className="shrink-0 text-ink-faint" />
        {t`Scheduled`}
      </NavLink>
    </nav>
  )
}
