import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { CircleStop, Info, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { composerNote } from '../lib/composer-note.ts'
import { useStore } from '../lib/create-store.ts'
import { refreshSite, siteState } from '../lib/site-state.ts'

const refreshMs = 30_000

/** What administrators have to say to everybody: that replies are stopped, and their notice. Asks again each 30 seconds while it is seen: a change counts within a minute. */
export function SiteNotice() {
  const site = useStore(siteState)
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') void refreshSite()
    }
    refresh()
    const timer = setInterval(refresh, refreshMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [])
  const isStopped = site?.replies === 'off'
  useEffect(() => {
    if (site) composerNote.setState(isStopped ? t`An administrator has stopped all replies.` : '')
  }, [site, isStopped])
  const notice = site?.notice
  return (
    <div role="status" className="print:hidden">
      {isStopped && (
        <NoticeLine Icon={CircleStop} isWarning>
          {t`An administrator has stopped all replies.`} {t`You can go on reading, searching and exporting.`}
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
