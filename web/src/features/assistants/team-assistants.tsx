import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from '../../lib/navigation/router.tsx'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { NameTile } from '../../components/name-tile.tsx'
import { cardClass } from '../../components/ui/card-class.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { assistantPath } from '../../lib/navigation/paths.ts'

/** Two rows; a phone shows three assistants. All of them are in the panel of conversations. */
const shownCount = 6

/** Assistants that a new chat can begin with instead; nothing if there are none. */
export function TeamAssistants() {
  const id = useId()
  const { data } = useQuery(assistantsQuery)
  const assistants = data?.assistants ?? []
  if (assistants.length === 0) return null
  return (
    <section aria-labelledby={id} className="mt-4">
      <h2 id={id} className="mb-2 text-sm font-medium text-ink-faint">{t`From your team`}</h2>
      <ul className="grid grid-cols-3 gap-3 max-sm:grid-cols-1 max-sm:gap-2">
        {assistants.slice(0, shownCount).map((assistant) => (
          <li key={assistant.id} className="grid min-w-0 max-sm:nth-[n+4]:hidden">
            <AssistantCard assistant={assistant} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A link to an assistant: its name, who has made it, which version, and what it is for. */
function AssistantCard({ assistant }: { assistant: Assistant }) {
  const { id, name, picture, description, version, mine, publisher } = assistant
  return (
    <Link
      to={assistantPath(id)}
      title={description || undefined}
      className={`${cardClass} grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 p-3 text-ink no-underline hover:bg-surface-hover`}
    >
      <NameTile name={name} picture={picture?.url} size="sm" />
      <span className="min-w-0">
        <b className="block truncate font-medium" dir="auto">
          {name}
        </b>
        <small className="block truncate text-xs text-ink-muted">
          {mine
            ? t`You · version ${{ version }}`
            : t`${{ publisher: publisher.name }} · version ${{ version }}`}
        </small>
      </span>
      {description !== '' && (
        <span dir="auto" className="col-span-2 mt-1.5 line-clamp-2 text-sm wrap-anywhere text-ink-muted">
          {description}
        </span>
      )}
    </Link>
  )
}
