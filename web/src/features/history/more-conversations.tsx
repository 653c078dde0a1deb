import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { Spinner } from '../../components/ui/spinner.tsx'
import { loadMoreSessions, type SessionView } from '../../lib/conversation-list.ts'

/** How far from the end of what is listed the next page is asked for. */
const aheadPx = 800

/** At the end of the list: reads the next page when one scrolls there. A failure leaves a Retry in its place. */
export function MoreSessions({
  view,
  next,
  scroller,
}: {
  view: SessionView
  /** names the next page */
  next: string
  scroller: RefObject<HTMLElement | null>
}) {
  const queryClient = useQueryClient()
  /** the page that could not be loaded */
  const [failed, setFailed] = useState<string>()
  const end = useRef<HTMLDivElement>(null)
  const hasFailed = failed === next
  const load = useCallback(async () => {
    setFailed(undefined)
    try {
      await loadMoreSessions(queryClient, view)
    } catch {
      setFailed(next)
    }
  }, [queryClient, view, next])
  useEffect(() => {
    if (!end.current || hasFailed) return
    let asked = false
    const observer = new IntersectionObserver(
      (entries) => {
        if (asked || !entries.some(({ isIntersecting }) => isIntersecting)) return
        asked = true
        void load()
      },
      { root: scroller.current, rootMargin: `0px 0px ${aheadPx}px 0px` },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [scroller, load, hasFailed])

  return (
    <div ref={end} role="status" className="flex min-h-11 items-center gap-2 px-5 text-sm text-ink-muted">
      {hasFailed ? (
        <>
          More conversations could not be loaded.
          <button type="button" className="link font-medium max-sm:min-h-11" onClick={() => void load()}>
            Retry
          </button>
        </>
      ) : (
        <>
          <Spinner /> Loading more conversations
        </>
      )}
    </div>
  )
}
