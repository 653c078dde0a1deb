import clsx from 'clsx'
import { ChevronRight, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import { Link } from '../lib/navigation/router.tsx'

/** Links to parts of a page, under a heading. */
interface SectionGroup<Id extends string = string> {
  /** absent if it needs none */
  heading?: string
  sections: readonly { id: Id; label: string; path: string; Icon: LucideIcon }[]
}

/** The layout of a page with sections: their links in a column at the start of a wide screen. */
export function SectionLayout({ nav, children }: { nav: ReactNode; children: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-[calc(var(--width-sections)+3rem)] grid-cols-1 items-start gap-x-10 px-6 pb-16 lg:grid-cols-[12.5rem_minmax(0,1fr)] lg:pt-6 max-sm:px-4 max-sm:pb-12">
      {nav}
      {children}
    </div>
  )
}

/** The links to the sections of a page, in groups; on a phone a list that leads to them. */
export function SectionNav<Id extends string>({
  label,
  groups,
  current,
  onFollow,
  isRow = false,
  className,
}: {
  label: string
  groups: readonly SectionGroup<Id>[]
  /** the section that is shown */
  current: Id | undefined
  /** called for a press that stays in this window, instead of the navigation */
  onFollow?: (id: Id) => void
  /** one row where there is no room beside the sections */
  isRow?: boolean
  className?: string
}) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // a row does not show all of them at once on a phone
    if (isRow)
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isRow, current])
  const follow = (event: MouseEvent, id: Id) => {
    if (!onFollow || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onFollow(id)
  }
  return (
    <nav
      ref={nav}
      aria-label={label}
      className={clsx(
        'sticky top-24 -ms-3 text-ui',
        // links that do not fit are scrolled to; there is room for their focus ring
        isRow
          ? 'max-lg:static max-lg:overflow-x-auto max-lg:p-1 max-lg:pb-3 max-sm:-mx-4 max-sm:px-3'
          : 'max-sm:static max-sm:ms-0',
        className,
      )}
    >
      {groups.map(({ heading, sections }, index) => (
        <div key={heading ?? index}>
          {heading !== undefined && (
            <h2
              className={clsx(
                'px-3 pb-1 text-xs font-medium text-ink-faint max-sm:px-1 max-sm:pt-5',
                index > 0 && 'pt-4',
              )}
            >
              {heading}
            </h2>
          )}
          <ul
            className={
              isRow
                ? 'flex gap-1 lg:flex-col lg:gap-0.5'
                : 'grid gap-0.5 max-sm:gap-0 max-sm:divide-y max-sm:divide-line'
            }
          >
            {sections.map(({ id, label: name, path, Icon }) => (
              <li key={id}>
                <Link
                  // gets the focus when a section is left for the list on a phone
                  id={`to-${id}`}
                  to={path}
                  aria-current={id === current ? 'page' : undefined}
                  onClick={(event) => follow(event, id)}
                  className={clsx(
                    'flex min-h-9 items-center gap-2.5 rounded-sm px-3 no-underline transition-colors duration-(--duration-fast) hover:bg-surface-hover hover:text-ink',
                    isRow
                      ? 'whitespace-nowrap max-sm:min-h-11 max-sm:px-2.5'
                      : 'max-sm:min-h-12 max-sm:px-1 max-sm:text-ink',
                    id === current ? 'bg-surface-pressed font-medium text-ink' : 'text-ink-muted',
                  )}
                >
                  <Icon
                    aria-hidden
                    size={16}
                    className={clsx('shrink-0 text-ink-faint', isRow && 'max-lg:hidden')}
                  />
                  {name}
                  {!isRow && (
                    <ChevronRight aria-hidden size={16} className="ms-auto text-ink-faint sm:hidden" />
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
