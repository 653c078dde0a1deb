import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAuth } from '../features/auth/auth-context.ts'
import { ChatPage } from '../features/chat/chat-page.tsx'
import { whenIdle } from '../lib/when-idle.ts'
import { OfflineBar } from './offline-bar.tsx'
import { useSignedInUser } from './signed-in.tsx'
import { TopBar } from './top-bar.tsx'

const loadHistoryPanel = () =>
  import('../features/history/history-panel.tsx').then((module) => ({ default: module.HistoryPanel }))
const HistoryPanel = lazy(loadHistoryPanel)

/** The main screen: top bar, history, the open conversation, which is named by the address (`/?c=<session id>`). */
export function MainScreen() {
  const user = useSignedInUser()
  const { endSession } = useAuth()
  const [params, setParams] = useSearchParams()
  const [connected, setConnected] = useState<number>()
  const [historyOpen, setHistoryOpen] = useState(false)
  const [historyMet, setHistoryMet] = useState(false)
  const signInRequired = useCallback(() => void endSession(), [endSession])

  useEffect(() => {
    // a failure is reported when the panel is opened
    void whenIdle().then(() => loadHistoryPanel().catch(() => undefined))
  }, [])

  const openHistory = () => {
    setHistoryMet(true)
    setHistoryOpen(true)
  }
  return (
    <>
      <div className="grid h-dvh grid-rows-[auto_minmax(0,1fr)]">
        <div>
          <TopBar user={user} onOpenHistory={openHistory} onConnected={setConnected} />
          <OfflineBar />
        </div>
        <ChatPage userId={user.sub} connectedIntegrations={connected} onSignInRequired={signInRequired} />
      </div>
      {historyMet && (
        <Suspense>
          <HistoryPanel
            open={historyOpen}
            onOpenChange={setHistoryOpen}
            currentSessionId={params.get('c')}
            onSelect={(id) => setParams({ c: id })}
            onStartFresh={() => setParams({})}
          />
        </Suspense>
      )}
    </>
  )
}
