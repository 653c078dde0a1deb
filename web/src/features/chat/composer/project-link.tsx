import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Folder } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../../../components/ui/button.tsx'
import { projectPath, projectsQuery } from '../../../lib/projects.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'

/**
 * The project of a conversation, whose defaults it gives to one that has not begun. It shows nothing for a project that is not in the list:
 * the list may be older than the project, and the service refuses a message to one that does not exist any more.
 */
export function ProjectLink({ conversation, projectId }: { conversation: Conversation; projectId: string }) {
  const isNew = useConversationState(conversation, ({ messages }) => messages.length === 0)
  const { data: projects } = useQuery(projectsQuery)
  const project = projects?.find(({ id }) => id === projectId)
  useLayoutEffect(() => {
    if (!isNew) return
    if (project?.disabled_tools) conversation.choose({ disabledTools: project.disabled_tools })
    // the picker gives up a model that is not offered any more
    if (project?.model !== undefined) conversation.choose({ model: project.model, effort: project.effort })
  }, [conversation, isNew, project])
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
