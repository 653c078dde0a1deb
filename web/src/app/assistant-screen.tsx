import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useParams } from 'react-router'
import { AssistantPage } from '../features/assistants/assistant-page.tsx'
import { AssistantComposer } from '../features/chat/assistant-composer.tsx'
import { integrationsQuery, isConnected } from '../features/integrations/state/integrations-query.ts'
import { toolsQuery } from '../features/integrations/state/tools-query.ts'
import { ToolPicker } from '../features/integrations/tool-picker/tool-picker.tsx'
import { ToolPickerContext, type ToolPickerProps } from '../lib/tool-picker-context.ts'
import { useSignedInUser } from './authenticated-layout.tsx'
import { useChatUser } from './use-chat-user.ts'

/** The page of an assistant at /assistants/…, connected to the chat and the user's tools. */
export function AssistantScreen() {
  const user = useSignedInUser()
  const { assistantId = '' } = useParams()
  const chatUser = useChatUser(user.sub)
  const { data: connections } = useQuery(integrationsQuery(user.sub))
  const { data: hasTools = false } = useQuery({
    ...toolsQuery(user.sub),
    select: (tools) => tools.length > 0,
  })
  const renderToolPicker = useCallback(
    (props: ToolPickerProps) => <ToolPicker userId={user.sub} {...props} />,
    [user.sub],
  )
  return (
    <ToolPickerContext value={hasTools ? renderToolPicker : null}>
      <AssistantPage
        key={assistantId}
        assistantId={assistantId}
        connectedIds={connections?.filter(isConnected).map(({ mcp_id }) => mcp_id)}
        renderComposer={(assistant) => <AssistantComposer {...chatUser} assistant={assistant} />}
      />
    </ToolPickerContext>
  )
}
