import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/** A reader who scrolls down to within this distance of the end, a little more than a line of text, follows it again. */
const nearPx = 32
/** Browsers round scroll positions. */
const roundingPx = 2

/** Events by which a reader may begin to scroll. */
const readerEvents = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

const stopFollowingEvent = 'stop-following-end'

/**
 * Stops the scroller around a node from following its end: the reader works with the node, which must not move while the end grows.
 * @param node inside the scroller; null does nothing
 * @returns whether it followed its end
 */
export const stopFollowingEnd = (node: Element | null): boolean =>
  node?.dispatchEvent(new Event(stopFollowingEvent, { bubbles: true, cancelable: true })) === false

/**
 * Keeps the end of a scroller in view while the reader is there, and stops once they have scrolled up.
 * @param content grows inside the scroller
 * @param footer grows below the content, in the same scroller
 * @param options.isFollowedAtFirst whether the end is followed before the reader scrolls, or `jumpToEnd` is called
 * @returns `isAtEnd`: whether the end is followed or in view; `jumpToEnd` scrolls there and follows it again
 */
export function useStickToBottom(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  footer: RefObject<HTMLElement | null>,
  { isFollowedAtFirst }: { isFollowedAtFirst: boolean },
) {
  const isSticking = useRef(isFollowedAtFirst)
  /** From a jump to the end until the reader does something. Meanwhile a scroll upwards comes from rows that are laid out late. */
  const isPinned = useRef(false)
  const lastTop = useRef(0)
  const lastHeight = useRef(0)
  const [isAtEnd, setAtEnd] = useState(true)

  const scrollToEnd = useCallback((node: HTMLElement) => {
    node.scrollTop = node.scrollHeight
    // the event of this scroll may come after the reader has scrolled up
    lastTop.current = node.scrollTop
    lastHeight.current = node.scrollHeight
  }, [])

  const jumpToEnd = useCallback(() => {
    isSticking.current = true
    isPinned.current = true
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
      const isResized = node.scrollHeight !== lastHeight.current
      if (isUp && isPinned.current && isResized) return scrollToEnd(node)
      lastTop.current = node.scrollTop
      lastHeight.current = node.scrollHeight
      const distance = getDistance()
      // what has shrunk to its end scrolls up, too
      if (distance <= (isUp ? roundingPx : nearPx)) isSticking.current = true
      else if (isUp) isSticking.current = false
      setAtEnd(isSticking.current)
    }
    const onStopFollowing = (event: Event) => {
      if (isSticking.current) event.preventDefault()
      isSticking.current = false
      isPinned.current = false
    }
    const onReaderEvent = (event: Event) => {
      // a letter is text, not a wish to scroll
      const isTyping =
        event.target instanceof HTMLTextAreaElement && (event as KeyboardEvent).key?.length === 1
      if (!isTyping) isPinned.current = false
    }
    const observer = new ResizeObserver(() => {
      if (isSticking.current) scrollToEnd(node)
      else setAtEnd(getDistance() <= roundingPx)
    })
    observer.observe(contentNode)
    if (footer.current) observer.observe(footer.current)
    node.addEventListener('scroll', onScroll, { passive: true })
    node.addEventListener(stopFollowingEvent, onStopFollowing)
    // in the capture phase: before the handler that sends a message and jumps to the end
    for (const type of readerEvents) addEventListener(type, onReaderEvent, { capture: true, passive: true })
    if (isSticking.current) scrollToEnd(node)
    return () => {
      for (const type of readerEvents) removeEventListener(type, onReaderEvent, { capture: true })
      observer.disconnect()
      node.removeEventListener('scroll', onScroll)
      node.removeEventListener(stopFollowingEvent, onStopFollowing)
    }
  }, [scroller, content, footer, scrollToEnd])

  return { isAtEnd, jumpToEnd }
}
