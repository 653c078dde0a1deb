import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { deferred } from '../components/lazy-component.tsx'
import { ErrorBoundary, type Failure } from '../components/error-boundary.tsx'
import { PageFailure } from '../components/error-fallbacks.tsx'
import { Button } from '../components/ui/button.tsx'
import { useAuth } from '../features/auth/auth-context.ts'
import { ChatPage } from '../features/chat/chat-page.tsx'
import { ReconnectContext, type ReconnectProps } from '../features/chat/approvals/reconnect-context.ts'
import type { readConnections as ReadConnections } from '../features/integrations/state/tools-query.ts'
import { integrationsQuery, isConnected } from '../features/integrations/state/integrations-query.ts'
import { accountQuery } from '../lib/account-queries.ts'
import { requestLeave } from '../lib/leave-guard.ts'
import { adoptTheme } from '../lib/theme.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { OfflineBar } from '../components/offline-bar.tsx'
import { showOverlay, useOverlay } from './open-dialog.ts'
import { useShortcuts } from './shortcuts.ts'
import { useSignedInUser } from './authenticated-layout.tsx'
import { TopBar } from './top-bar.tsx'
import { readStored, removeStored, writeStored } from '../lib/storage.ts'
import { useMediaQuery } from '../lib/use-media-query.ts'

const { Deferred: OverlayHost } = deferred(() =>
  import('./global-dialogs.tsx').then((module) => module.OverlayHost),
)
const { Deferred: Reconnect } = deferred(() =>
  import('../features/integrations/connect/reconnect.tsx').then((module) => module.Reconnect),
)
const { Deferred: HistoryPanel, preload: loadHistoryPanel } = deferred(() =>
  import('../features/history/history-panel.tsx').then((module) => module.HistoryPanel),
)

/** A chat that breaks leaves the top bar. */
const renderFailure = (failure: Failure) => (
  <main className="grid">
    <PageFailure {...failure} />
  </main>
)

const closeOverlay = () => showOverlay(null)

/** A conversation that came a moment later would take the focus from where it has been moved since, and lose what was typed. */
const atOnce = { flushSync: true } as const

/** The main screen: top bar, history, the open conversation, which is named by the address (`/?c=<session id>`, `&m=<message id>`). */
export function MainScreen() {
  const user = useSignedInUser()
  const { expireSignIn: endSession } = useAuth()
  const [params, setParams] = useSearchParams()
  const queryClient = useQueryClient()
  // read by the top bar, once the page can be used
  const { data: connectedCount } = useQuery({
    ...integrationsQuery(user.sub),
    enabled: false,
    select: (rows) => rows.filter(isConnected).length,
  })
  const [readConnections, setReadConnections] = useState<typeof ReadConnections>()
  const connections = useCallback(
    () => readConnections?.(queryClient, user.sub),
    [readConnections, queryClient, user.sub],
  )
  const [historyOpen, setHistoryOpen] = useState(false)
  const [historyMet, setHistoryMet] = useState(false)
  const { canDock, docked, dock } = useDock()
  const { data: account } = useQuery(accountQuery)
  const settings = account?.settings
  const signInRequired = useCallback(() => requestLeave(() => void endSession()), [endSession])

  useEffect(() => {
    if (settings?.theme) adoptTheme(settings.theme)
  }, [settings?.theme])
  useEffect(() => {
    // a failure is reported when the panel is opened
    void whenIdle().then(() => loadHistoryPanel())
    // without it, messages name no connections
    whenIdle()
      .then(() => import('../features/integrations/state/tools-query.ts'))
      .then(
        (module) => setReadConnections(() => module.readConnections),
        () => undefined,
      )
  }, [])

  const reconnect = useCallback(
    (props: ReconnectProps) => (
      <Suspense
        fallback={
          <Button tone="primary" busy>
            Reconnect
          </Button>
        }
      >
        <Reconnect userId={user.sub} {...props} />
      </Suspense>
    ),
    [user.sub],
  )
  const openConversation = useCallback(
    (c: string, m?: string) => setParams(m === undefined ? { c } : { c, m }, atOnce),
    [setParams],
  )
  const startFresh = useCallback(() => {
    setHistoryOpen(false)
    setParams({}, atOnce)
  }, [setParams])
  const startFreshBehind = useCallback(() => setParams({}, atOnce), [setParams])
  useShortcuts(startFresh)
  const overlay = useOverlay()
  // whoever comes back to the page finds none
  useEffect(() => closeOverlay, [])

  const openHistory = () => {
    setHistoryMet(true)
    setHistoryOpen(true)
  }
  return (
    <>
      <div
        className={`grid h-dvh grid-rows-[auto_minmax(0,1fr)] print:block print:h-auto ${docked ? 'grid-cols-[var(--width-panel)_minmax(0,1fr)]' : 'grid-cols-1'}`}
      >
        <div className="col-span-full print:hidden">
          <TopBar user={user} onOpenHistory={openHistory} />
          <OfflineBar />
        </div>
        {(historyMet || docked) && (
          <div
            className={`print:hidden ${docked ? 'min-h-0 border-r border-line' : 'fixed bottom-0 left-0 z-(--z-panel)'}`}
          >
            <Suspense>
              <HistoryPanel
                open={historyOpen}
                onOpenChange={setHistoryOpen}
                docked={docked}
                onDock={canDock ? dock : undefined}
                currentSessionId={params.get('c')}
                onSelect={openConversation}
                onStartFresh={startFreshBehind}
                onSearch={() => {
                  setHistoryOpen(false)
                  showOverlay('search')
                }}
              />
            </Suspense>
          </div>
        )}
        <ReconnectContext value={reconnect}>
          <ErrorBoundary fallback={renderFailure} resetKey={params.get('c')}>
            <ChatPage
              userId={user.sub}
              connectedIntegrations={connectedCount}
              readConnections={connections}
              savesConversations={settings?.keep_conversations ?? true}
              onSignInRequired={signInRequired}
            />
          </ErrorBoundary>
        </ReconnectContext>
      </div>
      {overlay !== null && (
        <Suspense>
          <OverlayHost
            onClose={closeOverlay}
            onOpenConversation={openConversation}
            onStartFresh={startFresh}
          />
        </Suspense>
      )}
    </>
  )
}

const storageKey = 'juno.docked'

/** Whether the conversations stand beside the chat: chosen in this browser, and from 1024 px only. Known at the first paint. */
export function useDock() {
  const isWide = useMediaQuery('(min-width: 64rem)')
  const [chosen, setChosen] = useState(() => readStored('local', storageKey) !== null)
  const dock = (next: boolean) => {
    setChosen(next)
    if (next) writeStored('local', storageKey, 'true')
    else removeStored('local', storageKey)
  }
  return { canDock: isWide, docked: chosen && isWide, dock }
}
