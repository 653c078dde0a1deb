import { t } from '@lingui/core/macro'
import { MessageSquareText } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTimeLong, formatUpdated } from '../../lib/dates.ts'
import type { TextRange } from '../../lib/search-terms.ts'
import type { Hit } from './search-index.ts'

/** A page or action that is found by its name. */
export interface Destination {
  label: string
  /** what it is, such as 'Project' */
  note?: string
  icon: ReactNode
  /** not listed before something is typed */
  isOnlyFound?: boolean
  onSelect: () => void
}

/** How loading the conversations goes, and that nothing was found. */
export function SearchFooter({
  state,
  empty,
  query,
  onRetry,
}: {
  state: 'loading' | 'ready' | 'failed'
  empty: boolean
  query: string
  onRetry: () => void
}) {
  return (
    <div role="status" className="px-5 text-sm text-ink-muted *:pb-4">
      {state === 'failed' ? (
        <p>
          {t`Your conversations could not be loaded.`}{' '}
          <button type="button" className="link font-medium" onClick={onRetry}>
            {t`Try again`}
          </button>
        </p>
      ) : state === 'loading' ? (
        <p>{t`Loading your conversations…`}</p>
      ) : (
        empty && <p className="wrap-anywhere">{t`Nothing found for “${query}”.`}</p>
      )}
    </div>
  )
}

/** A conversation that was found. */
export function HitLine({ hit, projectName, now }: { hit: Hit; projectName: string | undefined; now: Date }) {
  const updatedAt = new Date(hit.updatedAt)
  return (
    <>
      <MessageSquareText aria-hidden size={16} className="shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium" dir="auto">
          <HighlightedText text={hit.title} highlights={hit.titleHighlights} />
        </span>
        {hit.snippet && (
          <span className="block truncate text-sm text-ink-muted" dir="auto">
            <HighlightedText {...hit.snippet} />
          </span>
        )}
      </span>
      {projectName !== undefined && (
        <bdi className="max-w-32 shrink-0 truncate text-xs text-ink-muted">{projectName}</bdi>
      )}
      {hit.archived && (
        <span className="shrink-0 text-xs text-ink-muted">
          {t({ message: 'Archived', context: 'one conversation' })}
        </span>
      )}
      <time
        dateTime={hit.updatedAt}
        title={formatDateTimeLong(updatedAt)}
        className="shrink-0 text-xs text-ink-faint max-sm:hidden"
      >
        {formatUpdated(updatedAt, now)}
      </time>
    </>
  )
}

/** A page or action that was found. */
export function DestinationLine({ label, note, icon }: Destination) {
  return (
    <>
      <span className="shrink-0 text-ink-faint">{icon}</span>
      <span className="min-w-0 flex-1 truncate" dir="auto">
        {label}
      </span>
      {note !== undefined && <span className="shrink-0 text-xs text-ink-muted">{note}</span>}
    </>
  )
}

function HighlightedText({ text, highlights }: { text: string; highlights: readonly TextRange[] }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const [from, to] of highlights) {
    parts.push(
      text.slice(end, from),
      <mark key={from} className="rounded-[3px] bg-accent-soft text-accent-ink">
        {text.slice(from, to)}
      </mark>,
    )
    end = to
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  )
}
