import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useParams } from 'react-router'
import { uploadFile } from '../features/chat/attachments/upload-file.ts'
import { ProjectComposer } from '../features/chat/project-composer.tsx'
import { toolsQuery } from '../features/integrations/state/tools-query.ts'
import { ToolPicker } from '../features/integrations/tool-picker/tool-picker.tsx'
import { ProjectPage } from '../features/projects/project-page.tsx'
import { ToolPickerContext, type ToolPickerProps } from '../lib/tool-picker-context.ts'
import { useSignedInUser } from './authenticated-layout.tsx'
import { useChatUser } from './use-chat-user.ts'

/** The page of a project at /projects/…, connected to uploads and tools. */
export function ProjectScreen() {
  const user = useSignedInUser()
  const { projectId = '' } = useParams()
  const { data: hasTools = false } = useQuery({
    ...toolsQuery(user.sub),
    select: (tools) => tools.length > 0,
  })
  const renderToolPicker = useCallback(
    (props: ToolPickerProps) => <ToolPicker userId={user.sub} isForProject {...props} />,
    [user.sub],
  )
  const renderChatTools = useCallback(
    (props: ToolPickerProps) => <ToolPicker userId={user.sub} {...props} />,
    [user.sub],
  )
  const chatUser = useChatUser(user.sub)
  return (
    <ToolPickerContext value={hasTools ? renderToolPicker : null}>
      <ProjectPage
        key={projectId}
        projectId={projectId}
        upload={uploadFile}
        renderComposer={(project) => (
          <ToolPickerContext value={hasTools ? renderChatTools : null}>
            <ProjectComposer {...chatUser} project={project} />
          </ToolPickerContext>
        )}
      />
    </ToolPickerContext>
  )
}
