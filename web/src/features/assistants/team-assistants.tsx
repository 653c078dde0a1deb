import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { NameTile } from '../../components/name-tile.tsx'
import { buttonClass } from '../../components/ui/button.tsx'
import { assistantPath, assistantsQuery } from '../../lib/assistants.ts'

/** More are in the panel of conversations. */
const shownCount = 4

/** Assistants that a new chat can begin with instead; nothing if there are none. */
export function TeamAssistants() {
  const id = useId()
  const { data } = useQuery(assistantsQuery)
  const assistants = data?.assistants ?? []
  if (assistants.length === 0) return null
  return (
    <section aria-labelledby={id} className="mt-2">
      <h2 id={id} className="mb-1 text-sm font-medium text-ink-faint">{t`From your team`}</h2>
      <ul className="-ms-2 flex flex-wrap gap-1">
        {assistants.slice(0, shownCount).map(({ id: assistantId, name, description }) => (
          <li key={assistantId} className="max-w-full">
            <Link
              to={assistantPath(assistantId)}
              title={description || undefined}
              className={buttonClass({ variant: 'ghost', size: 'compact', className: 'max-w-full' })}
            >
              <NameTile name={name} size="xs" />
              <span className="truncate" dir="auto">
                {name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
