import { useParams } from '../lib/navigation/router.tsx'
import { uploadFile } from '../features/chat/attachments/upload-file.ts'
import { ProjectComposer } from '../features/chat/project-composer.tsx'
import { ProjectPage } from '../features/projects/project-page.tsx'
import { ToolPickerContext } from '../lib/conversations/tool-picker-context.ts'
import { useSignedInUser } from './authenticated-layout.tsx'
import { useChatUser } from './use-chat-user.ts'
import { useToolPicker } from './use-tool-picker.tsx'

/** The page of a project at /projects/…, connected to uploads and tools. */
export function ProjectScreen() {
  const user = useSignedInUser()
  const { projectId = '' } = useParams()
  const renderProjectTools = useToolPicker(user.sub, 'project')
  const renderChatTools = useToolPicker(user.sub, 'conversation')
  const chatUser = useChatUser(user.sub)
  return (
    <ToolPickerContext value={renderProjectTools}>
      <ProjectPage
        key={projectId}
        projectId={projectId}
        upload={uploadFile}
        renderComposer={(project) => (
          <ToolPickerContext value={renderChatTools}>
            <ProjectComposer {...chatUser} project={project} />
          </ToolPickerContext>
        )}
      />
    </ToolPickerContext>
  )
}
