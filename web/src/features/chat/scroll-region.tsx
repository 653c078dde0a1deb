import clsx from 'clsx'
import type { ReactNode } from 'react'

/** What may be wider than the column scrolls inside itself, by keyboard too. */
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
  return (
    <Element
      role="region"
      aria-label={label}
      // not every browser lets the keyboard into a scroller by itself
      tabIndex={0}
      className={clsx('block overflow-x-auto scroll-quiet scroll-hint', className)}
    >
      {children}
    </Element>
  )
}
