import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { lazyComponent } from '../components/lazy-component.tsx'
import { ErrorBoundary, type FallbackProps } from '../components/error-boundary.tsx'
import { PageError } from '../components/error-fallbacks.tsx'
import { Button } from '../components/ui/button.tsx'
import { useAuth } from '../features/auth/auth-context.ts'
import { ChatPage } from '../features/chat/chat-page.tsx'
import { ReconnectContext, type ReconnectProps } from '../features/chat/approvals/reconnect-context.ts'
import { countConnected, readConnections, toolsQuery } from '../features/integrations/state/tools-query.ts'
import { integrationsQuery } from '../features/integrations/state/integrations-query.ts'
import { accountQuery } from '../lib/account-queries.ts'
import { requestLeave } from '../lib/leave-guard.ts'
import { useStartNewChat } from '../lib/new-chat.ts'
import { applyAccountTheme } from '../lib/theme.ts'
import { ToolPickerContext, type ToolPickerProps } from '../lib/tool-picker-context.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { OfflineBar } from '../components/offline-bar.tsx'
import { setCurrentDialog, useCurrentDialog } from './current-dialog.ts'
import { useSignedInUser } from './authenticated-layout.tsx'
import { TopBar } from './top-bar.tsx'
import { useDock } from './dock.ts'

const Reconnect = lazyComponent(() => import('../features/integrations/connect/reconnect.tsx'), 'Reconnect')
const ToolPicker = lazyComponent(
  () => import('../features/integrations/tool-picker/tool-picker.tsx'),
  'ToolPicker',
  null,
  // all tools stay on without it
  { silent: true },
)
const ConversationPanel = lazyComponent(() => import('./conversation-panel.tsx'), 'ConversationPanel')

/** The top bar stays when the chat throws. */
const renderFailure = (failure: FallbackProps) => (
  <main className="grid">
    <PageError {...failure} />
  </main>
)

const AdminNotice = lazyComponent(
  () => import('../features/admin/admin-notice.tsx'),
  'AdminNotice',
  undefined,
  { silent: true },
)

/** Navigations are rendered synchronously: a later render would take the focus away and lose what was typed meanwhile. */
const synchronously = { flushSync: true } as const

/**
 * The main screen: top bar, history and the open conversation, which the URL names (`/?c=<conversation
 * id>`, `&m=<message id>`).
 */
export function MainScreen() {
  const user = useSignedInUser()
  const { expireSignIn } = useAuth()
  const [params, setParams] = useSearchParams()
  const queryClient = useQueryClient()
  // fetched by the top bar once the page is interactive
  const { data: connections } = useQuery({ ...integrationsQuery(user.sub), enabled: false })
  const { data: tools } = useQuery({ ...toolsQuery(user.sub), enabled: false })
  const readUserConnections = useCallback(
    () => readConnections(queryClient, user.sub),
    [queryClient, user.sub],
  )
  const [hasHistoryOpened, setHasHistoryOpened] = useState(false)
  const [isPanelLoaded, setIsPanelLoaded] = useState(false)
  const { canDock, isDocked, isHidden, setDock } = useDock()
  const isBeside = isDocked && !isHidden
  const { data: account } = useQuery(accountQuery)
  const settings = account?.settings
  const requireSignIn = useCallback(() => requestLeave(() => void expireSignIn()), [expireSignIn])

  useEffect(() => {
    if (settings?.theme) applyAccountTheme(settings.theme)
  }, [settings?.theme])
  useEffect(() => {
    // the composer does not wait for it; a load error is reported by what shows it
    void whenIdle()
      .then(() => ConversationPanel.preload())
      .then(() => setIsPanelLoaded(true))
  }, [])

  const renderReconnect = useCallback(
    (props: ReconnectProps) => (
      <Suspense
        fallback={
          <Button variant="primary" busy>
            {t`Reconnect`}
          </Button>
        }
      >
        <Reconnect userId={user.sub} {...props} />
      </Suspense>
    ),
    [user.sub],
  )
  const renderToolPicker = useCallback(
    (props: ToolPickerProps) => <ToolPicker userId={user.sub} {...props} />,
    [user.sub],
  )
  const openConversation = useCallback((c: string) => setParams({ c }, synchronously), [setParams])
  const startFresh = useStartNewChat()
  const historyOpen = useCurrentDialog() === 'history'
  const setHistoryOpen = useCallback((next: boolean) => setCurrentDialog(next ? 'history' : null), [])

  const toggleHistory = () => {
    if (isDocked) return setDock(isHidden ? 'shown' : 'hidden')
    setHasHistoryOpened(true)
    setHistoryOpen(true)
  }
  const dockHistory = (next: boolean) => {
    setHistoryOpen(!next)
    setHasHistoryOpened(true)
    setDock(next ? 'shown' : 'overlay')
  }
  return (
    <>
      <div
        className={`grid h-dvh grid-rows-[auto_minmax(0,1fr)] print:block print:h-auto ${isBeside ? 'grid-cols-[var(--width-dock)_minmax(0,1fr)]' : 'grid-cols-1'}`}
      >
        <div className={`col-span-full print:hidden ${isBeside ? 'border-b border-line' : ''}`}>
          <TopBar
            user={user}
            isHistoryShown={isDocked ? isBeside : undefined}
            onToggleHistory={toggleHistory}
          />
          <OfflineBar />
          {account?.is_admin && (
            <Suspense>
              <AdminNotice userId={user.sub} />
            </Suspense>
          )}
        </div>
        {isBeside && !isPanelLoaded && <div className="border-e border-line" />}
        {(isDocked ? isBeside && isPanelLoaded : hasHistoryOpened) && (
          <div
            className={`print:hidden ${isDocked ? 'min-h-0 border-e border-line' : 'fixed bottom-0 start-0 z-(--z-panel)'}`}
          >
            <Suspense>
              <ConversationPanel
                open={historyOpen}
                onOpenChange={setHistoryOpen}
                docked={isDocked}
                onDock={canDock ? dockHistory : undefined}
                currentId={params.get('c')}
                onSelect={openConversation}
                onNewChat={startFresh}
                onSearch={() => setCurrentDialog('search')}
              />
            </Suspense>
          </div>
        )}
        <ReconnectContext value={renderReconnect}>
          <ToolPickerContext value={tools?.length ? renderToolPicker : null}>
            <ErrorBoundary fallback={renderFailure} resetKey={params.get('c')}>
              <ChatPage
                userId={user.sub}
                connectedCount={countConnected(connections, tools)}
                readConnections={readUserConnections}
                savesConversations={settings?.keep_conversations ?? true}
                onSignInRequired={requireSignIn}
              />
            </ErrorBoundary>
          </ToolPickerContext>
        </ReconnectContext>
      </div>
    </>
  )
}
