import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Whether the browser anchors the scroll position. Without it, deferred rows would move the visible text when they are laid out.
 */
export const anchorsScrolling = () => typeof CSS === 'undefined' || CSS.supports('overflow-anchor', 'auto')

/**
 * Preserves the scroll position when rows are added above, for browsers without scroll anchoring (Safari before 27).
 * @param firstId identifies the first row
 */
export function usePreservedScrollPosition(
  scroller: RefObject<HTMLElement | null>,
  rows: RefObject<HTMLElement | null>,
  firstId: string | undefined,
) {
  const first = useRef<{ row: HTMLElement; top: number }>(undefined)
  useLayoutEffect(() => {
    const previous = first.current
    const row = rows.current?.firstElementChild
    first.current = row instanceof HTMLElement ? { row, top: row.offsetTop } : undefined
    const node = scroller.current
    if (!node || !previous?.row.isConnected || anchorsScrolling()) return
    scrollDown(node, previous.row.offsetTop - previous.top)
  }, [scroller, rows, firstId])
}

function scrollDown(node: HTMLElement, px: number) {
  node.scrollTop += px
}
