import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Folder } from 'lucide-react'
import { Link } from '../../../lib/router.tsx'
import { buttonClass } from '../../../components/ui/button.tsx'
import { projectsQuery } from '../../../lib/project-queries.ts'
import { projectPath } from '../../../lib/paths.ts'

/** The project of a conversation as a link. Renders nothing if it is not in the loaded list, which may be older than the project. */
export function ProjectLink({ projectId }: { projectId: string }) {
  const { data: projects } = useQuery(projectsQuery)
  const project = projects?.find(({ id }) => id === projectId)
  if (!project) return null
  return (
    <Link
      to={projectPath(project.id)}
      aria-label={t`Project: ${project.name}`}
      className={buttonClass({ variant: 'ghost', size: 'compact', className: 'mb-1.5 max-w-56' })}
    >
      <Folder aria-hidden size={16} className="shrink-0" />
      <span className="truncate" dir="auto">
        {project.name}
      </span>
    </Link>
  )
}
