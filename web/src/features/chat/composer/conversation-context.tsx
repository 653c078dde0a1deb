import { use } from 'react'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Folder } from 'lucide-react'
import { Link } from '../../../lib/navigation/router.tsx'
import { ToolPickerContext } from '../../../lib/conversations/tool-picker-context.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { buttonClass } from '../../../components/ui/button.tsx'
import { projectsQuery } from '../../../lib/queries/project-queries.ts'
import { projectPath } from '../../../lib/navigation/paths.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'

const AssistantLink = lazyComponent(() => import('./assistant-link.tsx'), 'AssistantLink', null, {
  silent: true,
})

/** What the next replies of a conversation have besides its messages: the tools that they may use, the assistant, and the project. */
export function ConversationContext({ conversation }: { conversation: Conversation }) {
  const renderToolPicker = use(ToolPickerContext)
  const disabledTools = useConversationState(conversation, (state) => state.disabledTools)
  // a chat that has not begun is shown on the page of its project or assistant, where a link to it says nothing
  const projectId = useConversationState(conversation, ({ messages, projectId: id }) =>
    messages.length > 0 ? id : undefined,
  )
  const assistant = useConversationState(conversation, ({ messages, assistant: used }) =>
    messages.length > 0 ? used : undefined,
  )
  return (
    <>
      {renderToolPicker?.({
        disabledTools,
        onChange: (next) => conversation.choose({ disabledTools: next }),
      })}
      {assistant && <AssistantLink assistant={assistant} />}
      {projectId && <ProjectLink projectId={projectId} />}
    </>
  )
}

/** The project of a conversation as a link. Renders nothing if it is not in the loaded list, which may be older than the project. */
function ProjectLink({ projectId }: { projectId: string }) {
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
