import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useParams } from 'react-router'
import { isDocument } from '#shared/file-kinds.ts'
import { uploadFile } from '../features/chat/attachments/upload-file.ts'
import { toolsQuery } from '../features/integrations/state/tools-query.ts'
import { ToolPicker } from '../features/integrations/tool-picker/tool-picker.tsx'
import type { UploadFile } from '../features/projects/project-files.tsx'
import { ProjectPage } from '../features/projects/project-page.tsx'
import { callApi } from '../lib/call-api.ts'
import { ToolPickerContext, type ToolPickerProps } from '../lib/tool-picker-context.ts'
import { useSignedInUser } from './authenticated-layout.tsx'

/** Longer than the timeout of the server. */
const analysisTimeoutMs = 60_000

/** Stores a file, and has it read; one that cannot be read is stored too. */
const upload: UploadFile = async (file, onProgress, signal) => {
  const attachment = await uploadFile(file, onProgress, signal)
  onProgress(1)
  const { id, name, type, size } = attachment
  if (isDocument(attachment))
    await callApi(
      'documents.analyze',
      { body: { file: { id, name, type, size }, analysisType: 'analyze' } },
      { signal, timeoutMs: analysisTimeoutMs },
    )
  return attachment
}

/** The page of a project at /projects/…, connected to uploads and tools. */
export function ProjectScreen() {
  const user = useSignedInUser()
  const { projectId = '' } = useParams()
  const { data: hasTools = false } = useQuery({
    ...toolsQuery(user.sub),
    select: (tools) => tools.length > 0,
  })
  const renderToolPicker = useCallback(
    (props: ToolPickerProps) => <ToolPicker userId={user.sub} isOfProject {...props} />,
    [user.sub],
  )
  return (
    <ToolPickerContext value={hasTools ? renderToolPicker : null}>
      <ProjectPage key={projectId} projectId={projectId} upload={upload} />
    </ToolPickerContext>
  )
}
