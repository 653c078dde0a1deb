import clsx from 'clsx'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'

/** What may be wider than the column scrolls inside itself; by keyboard too, where there is something to scroll. */
export function ScrollRegion({
  label,
  as: Element = 'div',
  className,
  children,
}: {
  label: string
  /** `span` within running text */
  as?: 'div' | 'span'
  className?: string
  children: ReactNode
}) {
  const region = useRef<HTMLElement>(null)
  const overflows = useOverflow(region)
  return (
    <Element
      ref={region as RefObject<HTMLDivElement & HTMLSpanElement>}
      // no landmark: a technical conversation has dozens of them
      role="group"
      aria-label={label}
      // not every browser lets the keyboard into a scroller
      tabIndex={overflows ? 0 : undefined}
      className={clsx('block overflow-x-auto scroll-quiet scroll-hint', className)}
    >
      {children}
    </Element>
  )
}

/** Whether what is inside is wider than its region. */
function useOverflow(region: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false)
  useEffect(() => {
    const node = region.current
    if (!node || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => setOverflows(node.scrollWidth > node.clientWidth))
    observer.observe(node)
    for (const child of node.children) observer.observe(child)
    return () => observer.disconnect()
  }, [region])
  return overflows
}
