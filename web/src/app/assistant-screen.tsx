import { useQuery } from '@tanstack/react-query'
import { useParams } from '../lib/navigation/router.tsx'
import { AssistantPage } from '../features/assistants/assistant-page.tsx'
import { AssistantComposer } from '../features/chat/assistant-composer.tsx'
import { integrationsQuery, isConnected } from '../features/integrations/state/integrations-query.ts'
import { ToolPickerContext } from '../lib/conversations/tool-picker-context.ts'
import { useSignedInUser } from './authenticated-layout.tsx'
import { useChatUser } from './use-chat-user.ts'
import { useToolPicker } from './use-tool-picker.tsx'

/** The page of an assistant at /assistants/…, connected to the chat and the user's tools. */
export function AssistantScreen() {
  const user = useSignedInUser()
  const { assistantId = '' } = useParams()
  const chatUser = useChatUser(user.sub)
  const { data: connections } = useQuery(integrationsQuery(user.sub))
  const renderToolPicker = useToolPicker(user.sub, 'conversation')
  return (
    <ToolPickerContext value={renderToolPicker}>
      <AssistantPage
        key={assistantId}
        assistantId={assistantId}
        connectedIds={connections?.filter(isConnected).map(({ mcp_id }) => mcp_id)}
        renderComposer={(assistant) => <AssistantComposer {...chatUser} assistant={assistant} />}
      />
    </ToolPickerContext>
  )
}
