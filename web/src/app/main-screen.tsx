import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAuth } from '../features/auth/auth-context.ts'
import { ChatPage } from '../features/chat/chat-page.tsx'
import type { SignedInUser } from '../lib/auth-session.ts'
import { queryClient } from '../lib/query-client.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { OfflineBar } from './offline-bar.tsx'
import { showOverlay, useOverlay } from './overlays.ts'
import { useShortcuts } from './shortcuts.ts'
import { TopBar } from './top-bar.tsx'

const loadHistoryPanel = () =>
  import('../features/history/history-panel.tsx').then((module) => ({ default: module.HistoryPanel }))
const OverlayHost = lazy(() =>
  import('./overlay-host.tsx').then((module) => ({ default: module.OverlayHost })),
)
const HistoryPanel = lazy(loadHistoryPanel)

/** The main screen: top bar, history, the open conversation, which is named by the address (`/?c=<session id>`). */
export function MainScreen({ user }: { user: SignedInUser }) {
  const { endSession } = useAuth()
  const [params, setParams] = useSearchParams()
  const [historyOpen, setHistoryOpen] = useState(false)
  const [historyMet, setHistoryMet] = useState(false)
  const signInRequired = useCallback(() => void endSession(), [endSession])

  // gone with the user: nothing of one account is left for the next (DEC-031)
  useEffect(() => () => queryClient.clear(), [])
  useEffect(() => {
    // a failure is reported when the panel is opened
    void whenIdle().then(() => loadHistoryPanel().catch(() => undefined))
  }, [])

  const openConversation = useCallback((id: string) => setParams({ c: id }), [setParams])
  const startFresh = useCallback(() => {
    setHistoryOpen(false)
    setParams({})
  }, [setParams])
  const startFreshBehind = useCallback(() => setParams({}), [setParams])
  useShortcuts(startFresh)
  const overlay = useOverlay()
  const [overlayMet, setOverlayMet] = useState(false)
  if (overlay !== null && !overlayMet) setOverlayMet(true)

  const openHistory = () => {
    setHistoryMet(true)
    setHistoryOpen(true)
  }
  return (
    <QueryClientProvider client={queryClient}>
      <div className="grid h-dvh grid-cols-1 grid-rows-[auto_minmax(0,1fr)]">
        <div>
          <TopBar user={user} onOpenHistory={openHistory} />
          <OfflineBar />
        </div>
        <ChatPage userId={user.sub} onSignInRequired={signInRequired} />
      </div>
      {historyMet && (
        <Suspense>
          <HistoryPanel
            open={historyOpen}
            onOpenChange={setHistoryOpen}
            currentSessionId={params.get('c')}
            onSelect={openConversation}
            onStartFresh={startFreshBehind}
            onSearch={() => {
              setHistoryOpen(false)
              showOverlay('search')
            }}
          />
        </Suspense>
      )}
      {overlayMet && (
        <Suspense>
          <OverlayHost onOpenConversation={openConversation} onStartFresh={startFresh} />
        </Suspense>
      )}
    </QueryClientProvider>
  )
}
