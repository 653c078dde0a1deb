import { t } from '@lingui/core/macro'
import { useState, type ReactNode } from 'react'
import { getErrorMessage } from '../lib/api/api-errors.ts'
import { CopyDetails } from './ui/copy-details.tsx'
import { PanelLink } from './panel-link.tsx'

/** How many are listed at first, because the conversations follow below. */
const shownCount = 5

interface PanelLinksProps<Item> {
  /** id of the heading */
  labelledBy: string
  items: readonly Item[]
  /** why they could not be loaded */
  error: unknown
  /** the sentence that they could not be loaded; the reason is added to it */
  failure: string
  onRetry: () => void
  describe: (item: Item) => { path: string; icon: ReactNode; title?: string }
  /** called when one was chosen */
  onChosen: () => void
}

/** A short list of links above the conversations in their panel. */
export function PanelLinks<Item extends { id: string; name: string }>({
  labelledBy,
  items,
  error,
  failure,
  onRetry,
  describe,
  onChosen,
}: PanelLinksProps<Item>) {
  const [showsAll, setShowsAll] = useState(false)
  return (
    <>
      {Boolean(error) && items.length === 0 && (
        <p role="alert" className="px-3 py-1 text-sm text-ink-muted">
          {failure} <span>{getErrorMessage(error)}</span>{' '}
          <button type="button" className="link font-medium" onClick={onRetry}>
            {t`Try again`}
          </button>{' '}
          <CopyDetails error={error} />
        </p>
      )}
      <ul aria-labelledby={labelledBy}>
        {items.slice(0, showsAll ? undefined : shownCount).map((item) => {
          const { path, icon, title = item.name } = describe(item)
          return (
            <li key={item.id}>
              <PanelLink to={path} icon={icon} onChosen={onChosen}>
                <span className="truncate" dir="auto" title={title}>
                  {item.name}
                </span>
              </PanelLink>
            </li>
          )
        })}
      </ul>
      {items.length > shownCount && (
        <button
          type="button"
          aria-expanded={showsAll}
          className="link ms-3 min-h-9 text-sm max-sm:min-h-11"
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? t`Show fewer` : t`Show all ${{ count: items.length }}`}
        </button>
      )}
    </>
  )
}
