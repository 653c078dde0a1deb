import { use } from 'react'
import { ToolPickerContext } from '../../../lib/tool-picker-context.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { ProjectLink } from './project-link.tsx'

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
