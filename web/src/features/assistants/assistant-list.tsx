import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { NameTile } from '../../components/name-tile.tsx'
import { PanelLinks } from '../../components/panel-links.tsx'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { assistantPath } from '../../lib/navigation/paths.ts'

/** The assistants that the user may use, for the panel of conversations; nothing if there are none, unless they could not be loaded. @param onChosen called when one was chosen */
export function AssistantList({ onChosen }: { onChosen: () => void }) {
  const id = useId()
  const { data, error, refetch } = useQuery(assistantsQuery)
  const assistants = data?.assistants ?? []
  if (assistants.length === 0 && !error) return null
  return (
    <section aria-labelledby={id} className="px-2 pb-1">
      <h3 id={id} className="flex h-8 items-center ps-3 text-xs font-medium text-ink-faint">
        {t`From your team`}
      </h3>
      <PanelLinks
        labelledBy={id}
        items={assistants}
        error={error}
        failure={t`The assistants could not be loaded.`}
        onRetry={() => void refetch()}
        describe={(assistant) => ({
          path: assistantPath(assistant.id),
          icon: <NameTile name={assistant.name} picture={assistant.picture?.url} size="xs" />,
          title: assistant.description || assistant.name,
        })}
        onChosen={onChosen}
      />
    </section>
  )
}
