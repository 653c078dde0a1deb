import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback } from 'react'
import { Navigate, useSearchParams } from '../lib/navigation/router.tsx'
import { lazyComponent } from '../components/lazy-component.tsx'
import { ErrorBoundary, type FallbackProps } from '../components/error-boundary.tsx'
import { PageError } from '../components/error-fallbacks.tsx'
import { Button } from '../components/ui/button.tsx'
import { useAuth } from '../features/auth/auth-context.ts'
import { ChatPage } from '../features/chat/chat-page.tsx'
import { ReconnectContext, type ReconnectProps } from '../features/chat/approvals/reconnect-context.ts'
import { countConnected, toolsQuery } from '../features/integrations/state/tools-query.ts'
import { integrationsQuery } from '../features/integrations/state/integrations-query.ts'
import { assistantsQuery } from '../lib/conversations/assistant-queries.ts'
import { conversationParameter, projectPath } from '../lib/navigation/paths.ts'
import { requestLeave } from '../lib/input/leave-guard.ts'
import {
  ToolPickerContext,
  ToolsContext,
  type ToolPickerProps,
} from '../lib/conversations/tool-picker-context.ts'
import { useIdle } from '../lib/browser/when-idle.ts'
import { useSignedInUser } from './authenticated-layout.tsx'
import { useChatUser } from './use-chat-user.ts'

const Reconnect = lazyComponent(() => import('../features/integrations/connect/reconnect.tsx'), 'Reconnect')
const TeamAssistants = lazyComponent(
  () => import('../features/assistants/team-assistants.tsx'),
  'TeamAssistants',
  null,
  // they are in the panel, too
  { silent: true },
)
const ToolPicker = lazyComponent(
  () => import('../features/integrations/tool-picker/tool-picker.tsx'),
  'ToolPicker',
  null,
  // all tools stay on without it
  { silent: true },
)

/** The top bar stays when the chat throws. */
const renderFailure = (failure: FallbackProps) => (
  <main className="grid">
    <PageError {...failure} />
  </main>
)

/** The open conversation, which the URL names (`/?c=<conversation id>`, `&m=<message id>`). */
export function MainScreen() {
  const user = useSignedInUser()
  const { expireSignIn } = useAuth()
  const [params] = useSearchParams()
  const { data: hasAssistants = false } = useQuery({
    ...assistantsQuery,
    enabled: useIdle(),
    select: ({ assistants }) => assistants.length > 0,
  })
  const chatUser = useChatUser(user.sub)
  // fetched by the top bar once the page is interactive
  const { data: connections } = useQuery({ ...integrationsQuery(user.sub), enabled: false })
  const toolList = useQuery({ ...toolsQuery(user.sub), enabled: false })
  const { data: tools } = toolList
  const requireSignIn = useCallback(() => requestLeave(() => void expireSignIn()), [expireSignIn])

  const renderReconnect = useCallback(
    ({ isDeciding, ...props }: ReconnectProps) => (
      <Suspense
        fallback={
          <Button variant="primary" busy>
            {t`Reconnect`}
          </Button>
        }
      >
        <Reconnect userId={user.sub} {...props} busy={isDeciding} />
      </Suspense>
    ),
    [user.sub],
  )
  const renderToolPicker = useCallback(
    (props: ToolPickerProps) => <ToolPicker userId={user.sub} {...props} />,
    [user.sub],
  )
  // the address of new chats in a project, before its page had a composer
  const projectId = params.get('p')
  if (projectId) return <Navigate to={projectPath(projectId)} />
  return (
    <ReconnectContext value={renderReconnect}>
      <ToolPickerContext value={tools?.length ? renderToolPicker : null}>
        <ToolsContext value={toolList}>
          <ErrorBoundary fallback={renderFailure} resetKey={params.get(conversationParameter)}>
            <ChatPage
              {...chatUser}
              connectedCount={countConnected(connections, tools)}
              otherStarts={hasAssistants && <TeamAssistants />}
              onSignInRequired={requireSignIn}
            />
          </ErrorBoundary>
        </ToolsContext>
      </ToolPickerContext>
    </ReconnectContext>
  )
}
