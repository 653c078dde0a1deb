import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { useConversationState, type Conversation } from '../state/conversation.ts'

/** How far from the view the top may be: about a screen, so that messages are there before the user reaches them. */
const aheadPx = 600

/** When the user comes near the top, more of the loaded messages are shown, and after them earlier ones are loaded. */
export function EarlierMessages({
  conversation,
  hiddenCount,
  scroller,
  onShow,
}: {
  conversation: Conversation
  /** how many loaded messages are not rendered */
  hiddenCount: number
  scroller: RefObject<HTMLElement | null>
  /** called to render more messages */
  onShow: () => void
}) {
  const previousCursor = useConversationState(conversation, (state) => state.previousCursor)
  const [hasFailed, setFailed] = useState(false)
  const requestedCursor = useRef<string>(null)
  const sentinel = useRef<HTMLDivElement>(null)
  const hasMore = hiddenCount > 0 || previousCursor !== null

  const load = () => {
    // one page at a time
    if (requestedCursor.current === previousCursor && !hasFailed) return
    requestedCursor.current = previousCursor
    setFailed(false)
    conversation.loadEarlier().then(onShow, () => setFailed(true))
  }
  useEffect(() => {
    // a cursor that comes back, as with another version of the conversation, is requested again
    requestedCursor.current = null
  }, [previousCursor])
  const showMore = useEffectEvent(() => {
    scrollOffTop(scroller.current)
    if (hiddenCount > 0) onShow()
    else if (!hasFailed) load()
  })
  // begins anew after each page: an observer reports again only after the sentinel was out of sight
  useEffect(() => {
    if (!sentinel.current || !hasMore) return
    const observer = new IntersectionObserver(
      // a busy browser reports several entries at once
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) showMore()
      },
      { root: scroller.current, rootMargin: `${aheadPx}px 0px 0px` },
    )
    observer.observe(sentinel.current)
    return () => observer.disconnect()
  }, [hasMore, hiddenCount, previousCursor, scroller])

  if (!hasMore) return null
  return (
    <div ref={sentinel} className="flex justify-center pb-6 text-sm text-ink-muted">
      {hasFailed ? (
        <button type="button" className="link font-medium" onClick={load}>
          {t`Load earlier messages`}
        </button>
      ) : (
        <span className="inline-flex items-center gap-2">
          <Spinner /> {t`Earlier messages`}
        </span>
      )}
    </div>
  )
}

/** Leaves scroll position 0, at which browsers do not keep the visible messages in place when others are added above. */
function scrollOffTop(node: HTMLElement | null) {
  if (node?.scrollTop === 0) node.scrollTop = 1
}
