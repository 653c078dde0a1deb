import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Folder, FolderPlus } from 'lucide-react'
import { useId, useState } from 'react'
import { NavLink } from 'react-router'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { Button } from '../../components/ui/button.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { projectPath, projectsQuery } from '../../lib/projects.ts'

const NewProjectDialog = lazyComponent(() => import('./new-project-dialog.tsx'), 'NewProjectDialog', null)

/** More are listed on request: the conversations come first. */
const shownCount = 5

/** The user's projects, for the panel of conversations. @param onChosen called when one was chosen or created */
export function ProjectList({ onChosen }: { onChosen: () => void }) {
  const id = useId()
  const { data: projects = [], error, refetch } = useQuery(projectsQuery)
  const [isCreating, setIsCreating] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
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
      {error && projects.length === 0 && (
        <p className="px-3 py-1 text-sm text-ink-muted">
          {t`Your projects could not be loaded.`} <span>{errorMessage(error)}</span>{' '}
          <button type="button" className="link font-medium" onClick={() => void refetch()}>
            {t`Try again`}
          </button>
        </p>
      )}
      <ul aria-labelledby={id}>
        {projects.slice(0, showsAll ? undefined : shownCount).map((project) => (
          <li key={project.id}>
            <NavLink
              to={projectPath(project.id)}
              onClick={onChosen}
              className="flex h-10 items-center gap-2.5 rounded-md px-3 font-medium text-ink no-underline hover:bg-surface-hover aria-[current]:bg-accent-soft focus-visible:-outline-offset-2 max-sm:h-11"
            >
              <Folder aria-hidden size={16} className="shrink-0 text-ink-faint" />
              <span className="truncate" dir="auto" title={project.name}>
                {project.name}
              </span>
            </NavLink>
          </li>
        ))}
      </ul>
      {projects.length > shownCount && (
        <button
          type="button"
          aria-expanded={showsAll}
          className="link ms-3 min-h-9 text-sm max-sm:min-h-11"
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? t`Show fewer` : t`Show all ${{ count: projects.length }}`}
        </button>
      )}
      {isCreating && <NewProjectDialog onClose={() => setIsCreating(false)} onCreated={onChosen} />}
    </section>
  )
}
