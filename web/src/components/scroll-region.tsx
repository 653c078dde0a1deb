import clsx from 'clsx'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'

/** Scrolls content that is wider than the column, with the keyboard too. */
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
      // not a landmark: a technical conversation has dozens of regions
      role="group"
      aria-label={label}
      // not every browser makes a scroller focusable
      tabIndex={overflows ? 0 : undefined}
      className={clsx('block overflow-x-auto scroll-quiet scroll-hint', className)}
    >
      {children}
    </Element>
  )
}

/** Whether the content is wider than the region. */
function useOverflow(region: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false)
  useEffect(() => {
    const node = region.current
    if (!node) return
    const observer = new ResizeObserver(() => setOverflows(node.scrollWidth > node.clientWidth))
    observer.observe(node)
    for (const child of node.children) observer.observe(child)
    return () => observer.disconnect()
  }, [region])
  return overflows
}
