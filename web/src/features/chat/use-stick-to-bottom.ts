import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/** Scrolling down to within this distance of the end means: show me what comes. */
const nearPx = 32
const roundingPx = 2

/**
 * Keeps the end of a scroller in view while the reader is there, and leaves them alone once they have scrolled up.
 * @param content what grows inside the scroller
 * @param below what grows below it, in the same scroller, and would cover its end
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  below: RefObject<HTMLElement | null>,
) {
  const following = useRef(true)
  const [atEnd, setAtEnd] = useState(true)

  const jumpToEnd = useCallback(() => {
    following.current = true
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
      if (up && distance() > roundingPx) following.current = false
      else if (!up && distance() <= nearPx) following.current = true
      setAtEnd(following.current)
    }
    const observer = new ResizeObserver(() => {
      if (following.current) scrollToEnd(node)
      else if (distance() <= roundingPx) setAtEnd(true)
    })
    observer.observe(grows)
    if (below.current) observer.observe(below.current)
    node.addEventListener('scroll', onScroll, { passive: true })
    scrollToEnd(node)
    return () => {
      observer.disconnect()
      node.removeEventListener('scroll', onScroll)
    }
  }, [scroller, content, below])

  return { atEnd, jumpToEnd }
}

function scrollToEnd(node: HTMLElement) {
  node.scrollTop = node.scrollHeight
}
