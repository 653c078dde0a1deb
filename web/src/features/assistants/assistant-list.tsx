import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { NavLink } from 'react-router'
import { NameTile } from '../../components/name-tile.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { assistantPath, assistantsQuery } from '../../lib/assistants.ts'

/** More are listed on request: projects and conversations follow. */
const shownCount = 5

/** The assistants that the user may use, for the panel of conversations; nothing if there are none. @param onChosen called when one was chosen */
export function AssistantList({ onChosen }: { onChosen: () => void }) {
  const id = useId()
  const { data, error, refetch } = useQuery(assistantsQuery)
  const [showsAll, setShowsAll] = useState(false)
  const assistants = data?.assistants ?? []
  if (assistants.length === 0 && !error) return null
  return (
    <section aria-labelledby={id} className="px-2 pb-1">
      <h3 id={id} className="flex h-8 items-center ps-3 text-xs font-medium text-ink-faint">
        {t`From your team`}
      </h3>
      {error && assistants.length === 0 && (
        <p className="px-3 py-1 text-sm text-ink-muted">
          {t`The assistants could not be loaded.`} <span>{errorMessage(error)}</span>{' '}
          <button type="button" className="link font-medium" onClick={() => void refetch()}>
            {t`Try again`}
          </button>
        </p>
      )}
      <ul aria-labelledby={id}>
        {assistants.slice(0, showsAll ? undefined : shownCount).map((assistant) => (
          <li key={assistant.id}>
            <NavLink
              to={assistantPath(assistant.id)}
              onClick={onChosen}
              className="flex h-10 items-center gap-2.5 rounded-md px-3 font-medium text-ink no-underline hover:bg-surface-hover aria-[current]:bg-accent-soft focus-visible:-outline-offset-2 max-sm:h-11"
            >
              <NameTile name={assistant.name} picture={assistant.picture?.url} size="xs" />
              <span className="truncate" dir="auto" title={assistant.description || assistant.name}>
                {assistant.name}
              </span>
            </NavLink>
          </li>
        ))}
      </ul>
      {assistants.length > shownCount && (
        <button
          type="button"
          aria-expanded={showsAll}
          className="link ms-3 min-h-9 text-sm max-sm:min-h-11"
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? t`Show fewer` : t`Show all ${{ count: assistants.length }}`}
        </button>
      )}
    </section>
  )
}
