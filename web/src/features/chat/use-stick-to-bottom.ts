import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/** Scrolling down to within this distance of the end sticks to it again. */
const nearPx = 32
const roundingPx = 2

const stayEvent = 'juno-stay'

/** Stops following the end: the reader works with something in the middle, which must not move when it grows. */
export const stopFollowing = (node: Element | null) =>
  node?.dispatchEvent(new Event(stayEvent, { bubbles: true }))

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
  const [isAtEnd, setAtEnd] = useState(true)

  const jumpToEnd = useCallback(() => {
    isSticking.current = true
    setAtEnd(true)
    const node = scroller.current
    if (node) scrollToEnd(node)
  }, [scroller])

  useEffect(() => {
    const node = scroller.current
    const grows = content.current
    if (!node || !grows) return
    let lastTop = node.scrollTop
    const distance = () => node.scrollHeight - node.clientHeight - node.scrollTop
    const onScroll = () => {
      const up = node.scrollTop < lastTop
      lastTop = node.scrollTop
      if (up && distance() > roundingPx) isSticking.current = false
      else if (!up && distance() <= nearPx) isSticking.current = true
      setAtEnd(isSticking.current)
    }
    const onStay = () => {
      isSticking.current = false
    }
    const observer = new ResizeObserver(() => {
      if (isSticking.current) scrollToEnd(node)
      else if (distance() <= roundingPx) setAtEnd(true)
    })
    observer.observe(grows)
    if (footer.current) observer.observe(footer.current)
    node.addEventListener('scroll', onScroll, { passive: true })
    node.addEventListener(stayEvent, onStay)
    scrollToEnd(node)
    return () => {
      observer.disconnect()
      node.removeEventListener('scroll', onScroll)
      node.removeEventListener(stayEvent, onStay)
    }
  }, [scroller, content, footer])

  return { atEnd: isAtEnd, jumpToEnd }
}

function scrollToEnd(node: HTMLElement) {
  node.scrollTop = node.scrollHeight
}
