import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Folder, FolderPlus } from 'lucide-react'
import { useId, useState } from 'react'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { PanelLinks } from '../../components/panel-links.tsx'
import { Button } from '../../components/ui/button.tsx'
import { projectsQuery } from '../../lib/queries/project-queries.ts'
import { projectPath } from '../../lib/navigation/paths.ts'

const NewProjectDialog = lazyComponent(() => import('./new-project-dialog.tsx'), 'NewProjectDialog', null)

/** The user's projects, for the panel of conversations. @param onChosen called when one was chosen or created */
export function ProjectList({ onChosen }: { onChosen: () => void }) {
  const id = useId()
  const { data: projects = [], error, refetch } = useQuery(projectsQuery)
  const [isCreating, setIsCreating] = useState(false)
  return (
    <section aria-labelledby={id} className="px-2 pb-1">
      <div className="flex items-center justify-between ps-3">
        <h3 id={id} className="text-xs font-medium text-ink-faint">
          {t`Projects`}
        </h3>
        <Button variant="ghost" size="sm" onClick={() => setIsCreating(true)}>
          <FolderPlus aria-hidden size={16} />
          {t`New project`}
        </Button>
      </div>
      <PanelLinks
        labelledBy={id}
        items={projects}
        error={error}
        failure={t`Your projects could not be loaded.`}
        onRetry={() => void refetch()}
        describe={(project) => ({
          path: projectPath(project.id),
          icon: <Folder aria-hidden size={16} className="shrink-0 text-ink-faint" />,
        })}
        onChosen={onChosen}
      />
      {isCreating && <NewProjectDialog onClose={() => setIsCreating(false)} onCreated={onChosen} />}
    </section>
  )
}
