import type { ReactNode } from 'react'
import { Link, useLocation } from '../lib/navigation/router.tsx'

/** A link of the panel of conversations to a page. @param onChosen called when it was chosen for this window */
export function PanelLink({
  to,
  icon,
  onChosen,
  children,
}: {
  to: string
  icon: ReactNode
  onChosen: () => void
  children: ReactNode
}) {
  const { pathname } = useLocation()
  return (
    <Link
      to={to}
      aria-current={`${pathname}/`.startsWith(`${to}/`) ? 'page' : undefined}
      onClick={({ metaKey, ctrlKey, shiftKey }) => {
        // these keys open the link elsewhere
        if (!metaKey && !ctrlKey && !shiftKey) onChosen()
      }}
      className="flex h-10 items-center gap-2.5 rounded-md px-3 font-medium text-ink no-underline hover:bg-surface-hover aria-[current]:bg-accent-soft focus-visible:-outline-offset-2 max-sm:h-11"
    >
      {icon}
      {children}
    </Link>
  )
}
