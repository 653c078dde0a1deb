import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/** Scrolling down to within this distance of the end follows it again. */
const nearPx = 32
const roundingPx = 2

const stopFollowingEvent = 'juno-stay'

/** Stops following the end: the reader works with something further up, which must not move while the end grows. */
export const stopFollowing = (node: Element | null) =>
  node?.dispatchEvent(new Event(stopFollowingEvent, { bubbles: true }))

/**
 * Keeps the end of a scroller in view while the reader is there, and leaves them alone once they have scrolled up.
 * @param content what grows inside the scroller
 * @param footer what grows below it, in the same scroller, and would cover its end
 */
export function useStickToBottom(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  footer: RefObject<HTMLElement | null>,
) {
  const isSticking = useRef(true)
  const lastTop = useRef(0)
  const [isAtEnd, setAtEnd] = useState(true)

  const scrollToEnd = useCallback((node: HTMLElement) => {
    node.scrollTop = node.scrollHeight
    // the event of this scroll may come after the reader has scrolled up
    lastTop.current = node.scrollTop
  }, [])

  const jumpToEnd = useCallback(() => {
    isSticking.current = true
    setAtEnd(true)
    const node = scroller.current
    if (node) scrollToEnd(node)
  }, [scroller, scrollToEnd])

  useEffect(() => {
    const node = scroller.current
    const contentNode = content.current
    if (!node || !contentNode) return
    lastTop.current = node.scrollTop
    const getDistance = () => node.scrollHeight - node.clientHeight - node.scrollTop
    const onScroll = () => {
      const isUp = node.scrollTop < lastTop.current
      lastTop.current = node.scrollTop
      if (isUp && getDistance() > roundingPx) isSticking.current = false
      else if (!isUp && getDistance() <= nearPx) isSticking.current = true
      setAtEnd(isSticking.current)
    }
    const onStopFollowing = () => {
      isSticking.current = false
    }
    const observer = new ResizeObserver(() => {
      if (isSticking.current) scrollToEnd(node)
      else if (getDistance() <= roundingPx) setAtEnd(true)
    })
    observer.observe(contentNode)
    if (footer.current) observer.observe(footer.current)
    node.addEventListener('scroll', onScroll, { passive: true })
    node.addEventListener(stopFollowingEvent, onStopFollowing)
    scrollToEnd(node)
    return () => {
      observer.disconnect()
      node.removeEventListener('scroll', onScroll)
      node.removeEventListener(stopFollowingEvent, onStopFollowing)
    }
  }, [scroller, content, footer, scrollToEnd])

  return { atEnd: isAtEnd, jumpToEnd }
}
