import clsx from 'clsx'
import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import { relockCards } from './press-lock.ts'

/** The space between the top bar and the head that a card is shown from. */
const headMarginPx = 16

/**
 * Scrolls the page so that the head of a card stands below the top bar. The buttons of all cards are locked again then: the user has not
 * scrolled. Does nothing outside of a page.
 */
export function showFromHead(card: HTMLElement): void {
  const page = card.closest('main')
  if (!page) return
  const before = page.scrollTop
  page.scrollTop += card.getBoundingClientRect().top - page.getBoundingClientRect().top - headMarginPx
  if (page.scrollTop !== before) relockCards()
}

/**
 * The buttons that decide. They stay in view while a part of their card does; one line then repeats what they decide, unless the head of the
 * card is in view.
 */
export function DecisionFoot({
  ref,
  head,
  summary,
  isLocked,
  labels,
  className,
  children,
}: {
  ref: RefObject<HTMLElement | null>
  /** says what is decided */
  head: RefObject<HTMLElement | null>
  /** repeats it in one line, of an e-mail to whom it goes */
  summary: string
  /** whether presses do not count yet, see `usePressLock` */
  isLocked: boolean
  labels: { 'aria-label': string } | { 'aria-labelledby': string }
  className: string
  children: ReactNode
}) {
  const isHeadSeen = useIsSeen(head)
  return (
    <footer
      ref={ref}
      role="group"
      {...labels}
      aria-disabled={isLocked || undefined}
      className={clsx(
        // above the composer, of which the upper 24 px are transparent, and the button that it has there
        'sticky bottom-[calc(var(--composer-height,1.5rem)-1.5rem)] z-2 flex flex-wrap items-center gap-2 rounded-b-lg bg-surface-raised',
        'before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-3 before:bg-linear-to-t before:from-surface-raised before:to-transparent',
        'aria-disabled:[&_a]:opacity-60 aria-disabled:[&_button]:opacity-60 max-sm:flex-row-reverse max-sm:justify-end [@media(max-height:25rem)]:static print:static',
        className,
      )}
    >
      {!isHeadSeen && (
        // the head itself is read to those who do not see it
        <p aria-hidden dir="auto" className="w-full truncate text-sm text-ink-muted">
          {summary}
        </p>
      )}
      {children}
    </footer>
  )
}

/** Whether a part of an element is in view. */
function useIsSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setIsSeen] = useState(true)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver((entries) =>
      setIsSeen(entries.at(-1)?.isIntersecting !== false),
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isSeen
}
