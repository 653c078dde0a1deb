import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { Spinner } from '../../components/ui/spinner.tsx'
import {
  loadMoreConversations,
  type ConversationListView,
} from '../../lib/conversations/conversation-list.ts'
import { focusLastRow } from './row-focus.ts'

/** The distance from the end of the list at which the next page is loaded: about the height of a screen, so that scrolling seldom waits. */
const prefetchPx = 800

/** Loads the next page when the user scrolls to the end. Offers to try again after a failure. */
export function MoreConversations({
  view,
  nextCursor,
  scroller,
}: {
  view: ConversationListView
  /** the cursor of the next page */
  nextCursor: string
  scroller: RefObject<HTMLElement | null>
}) {
  const queryClient = useQueryClient()
  /** the cursor of the page that failed */
  const [failedCursor, setFailedCursor] = useState<string>()
  const end = useRef<HTMLDivElement>(null)
  const hasFailed = failedCursor === nextCursor
  const load = useCallback(async () => {
    setFailedCursor(undefined)
    try {
      await loadMoreConversations(queryClient, view)
    } catch {
      setFailedCursor(nextCursor)
    }
  }, [queryClient, view, nextCursor])
  const retry = () => {
    focusLastRow()
    void load()
  }
  useEffect(() => {
    if (!end.current || hasFailed) return
    let hasRequested = false
    const observer = new IntersectionObserver(
      (entries) => {
        if (hasRequested || !entries.some(({ isIntersecting }) => isIntersecting)) return
        hasRequested = true
        void load()
      },
      { root: scroller.current, rootMargin: `0px 0px ${prefetchPx}px 0px` },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [scroller, load, hasFailed])

  return (
    <div ref={end} role="status" className="flex min-h-11 items-center gap-2 px-3 text-sm text-ink-muted">
      {hasFailed ? (
        <>
          {t`More conversations could not be loaded.`}
          <button type="button" className="link font-medium max-sm:min-h-11" onClick={retry}>
            {t`Try again`}
          </button>
        </>
      ) : (
        <>
          <Spinner /> {t`Loading more conversations`}
        </>
      )}
    </div>
  )
}
