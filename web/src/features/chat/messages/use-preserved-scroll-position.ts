import { useLayoutEffect, useRef, type RefObject } from 'react'

/** Whether the browser keeps the visible text in place when something above it changes (scroll anchoring). */
export const anchorsScrolling = (): boolean => CSS.supports('overflow-anchor', 'auto')

/**
 * Keeps the visible messages in place when rows are added above them, in browsers without scroll anchoring, such as Safari 26.
 * @param firstId the id of the first row, which changes when rows are added
 */
export function usePreservedScrollPosition(
  scroller: RefObject<HTMLElement | null>,
  rows: RefObject<HTMLElement | null>,
  firstId: string | undefined,
): void {
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
