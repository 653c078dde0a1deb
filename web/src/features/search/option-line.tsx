import { plural, t } from '@lingui/core/macro'
import { ChevronDown, MessageSquareText } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTimeLong, formatUpdated } from '../../lib/text/dates.ts'
import type { TextRange } from '../../lib/text/search-terms.ts'
import type { Hit } from './search-index.ts'
import type { Destination, SearchOption } from './search-options.ts'

/** What an option of the list shows. @param now for the times of conversations */
export function OptionLine({
  option,
  projectNames,
  now,
}: {
  option: SearchOption
  /** by id */
  projectNames: ReadonlyMap<string, string>
  now: Date
}) {
  switch (option.kind) {
    case 'hit':
      return <HitLine hit={option.hit} projectName={projectNames.get(option.hit.projectId ?? '')} now={now} />
    case 'destination':
      return <DestinationLine {...option.destination} />
    case 'more':
      return (
        <>
          <ChevronDown aria-hidden size={16} className="shrink-0 text-ink-faint" />
          <span className="flex-1 text-ink-muted">
            {plural(option.count, {
              one: 'Show # more conversation',
              other: 'Show # more conversations',
            })}
          </span>
        </>
      )
  }
}

/** A conversation that was found. */
function HitLine({ hit, projectName, now }: { hit: Hit; projectName: string | undefined; now: Date }) {
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
function DestinationLine({ label, note, icon }: Destination) {
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
