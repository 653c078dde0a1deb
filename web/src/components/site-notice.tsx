import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { CircleStop, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useStore } from '../lib/browser/create-store.ts'
import { composerNote } from '../lib/input/composer-text.ts'
import { refreshSite, siteState } from '../lib/sign-in/site-state.ts'

/** How often a visible tab asks for the state of the site while replies go on: seldom, because the service itself refuses replies that are stopped. */
const refreshMs = 180_000
/** The shortest time between two requests, as each focus of the tab asks, too. */
const minRefreshMs = 30_000

const stoppedText = t`An administrator has stopped all replies.`

/**
 * Shows everybody that replies are stopped, and the notice of the administrators. A tab that stays open may show them late (`refreshMs`).
 */
export function SiteNotice() {
  const site = useStore(siteState)
  const isStopped = site?.replies === 'off'
  useSiteRefresh(isStopped ? minRefreshMs : refreshMs)
  useEffect(() => {
    if (site) composerNote.setState(isStopped ? stoppedText : '')
  }, [site, isStopped])
  const notice = site?.notice
  return (
    <div role="status" className="print:hidden">
      {isStopped && (
        <NoticeLine Icon={CircleStop} isWarning>
          {stoppedText} {t`You can go on reading, searching and exporting.`}
        </NoticeLine>
      )}
      {notice && (
        <NoticeLine
          Icon={notice.kind === 'warning' ? TriangleAlert : Info}
          isWarning={notice.kind === 'warning'}
        >
          <span dir="auto">{notice.text}</span>
        </NoticeLine>
      )}
    </div>
  )
}

/** Asks the service for the state of the site now, regularly, and when the user comes back to the tab. */
function useSiteRefresh(everyMs: number): void {
  const askedAt = useRef(-Infinity)
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState !== 'visible' || Date.now() - askedAt.current < minRefreshMs) return
      askedAt.current = Date.now()
      void refreshSite()
    }
    refresh()
    const timer = setInterval(refresh, everyMs)
    document.addEventListener('visibilitychange', refresh)
    addEventListener('focus', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
      removeEventListener('focus', refresh)
    }
  }, [everyMs])
}

/** One line of text with an icon. */
export function NoticeLine({
  Icon,
  isWarning,
  children,
}: {
  Icon: LucideIcon
  isWarning: boolean
  children: ReactNode
}) {
  return (
    <p
      className={clsx(
        'flex min-h-9 items-center justify-center gap-2 px-4 py-1.5 text-sm wrap-anywhere',
        isWarning ? 'bg-warning-soft text-ink' : 'bg-surface-hover text-ink-muted',
      )}
    >
      <Icon
        aria-hidden
        size={16}
        className={clsx('shrink-0', isWarning ? 'text-warning' : 'text-ink-faint')}
      />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
