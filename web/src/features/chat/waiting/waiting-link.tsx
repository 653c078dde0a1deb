import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { NavLink } from 'react-router'
import { waitingPath, waitingQuery } from '../../../lib/waiting.ts'

/** The way to what waits for the user, with how much it is. @param onChosen called when it was followed */
export function WaitingLink({ onChosen }: { onChosen: () => void }) {
  // loaded once the page is idle
  const { data: { total } = { total: 0 } } = useQuery({ ...waitingQuery, enabled: false })
  return (
    <nav aria-label={t`What waits for you`} className="px-2 pb-1">
      <NavLink
        to={waitingPath}
        onClick={onChosen}
        className="flex h-10 items-center gap-2.5 rounded-md px-3 font-medium text-ink no-underline hover:bg-surface-hover aria-[current]:bg-accent-soft focus-visible:-outline-offset-2 max-sm:h-11"
      >
        <Inbox aria-hidden size={16} className="shrink-0 text-ink-faint" />
        <span className="min-w-0 flex-1 truncate">{t`Waiting for you`}</span>
        {total > 0 && (
          <span className="grid h-5 min-w-5 place-items-center rounded-full bg-accent-soft px-1.5 text-xs font-semibold text-accent-ink tabular-nums in-aria-[current]:bg-surface-raised">
            {total}
          </span>
        )}
      </NavLink>
    </nav>
  )
}
