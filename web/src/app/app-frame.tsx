import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { lazyComponent } from '../components/lazy-component.tsx'
import { accountQuery } from '../lib/account-queries.ts'
import type { SignedInUser } from '../lib/signed-in-user.ts'
import { conversationPath, useStartNewChat } from '../lib/new-chat.ts'
import { applyAccountTheme } from '../lib/theme.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { setCurrentDialog, useCurrentDialog } from './current-dialog.ts'
import { useDock } from './use-dock.ts'
import { TopBar } from './top-bar.tsx'

const ConversationPanel = lazyComponent(() => import('./conversation-panel.tsx'), 'ConversationPanel')

const FrameNotices = lazyComponent(() => import('./frame-notices.tsx'), 'FrameNotices', undefined, {
  silent: true,
})

/** What stands around chats and projects: the top bar, and the conversations beside the page or over it. */
export function AppFrame({ user, children }: { user: SignedInUser; children: ReactNode }) {
  const navigate = useNavigate()
  const currentId = new URLSearchParams(useLocation().search).get('c')
  const [hasHistoryOpened, setHasHistoryOpened] = useState(false)
  const [isPanelLoaded, setIsPanelLoaded] = useState(false)
  const { canDock, isDocked, isHidden, setDock } = useDock()
  const isBeside = isDocked && !isHidden
  const { data: account } = useQuery(accountQuery)
  const theme = account?.settings.theme

  useEffect(() => {
    if (theme) applyAccountTheme(theme)
  }, [theme])
  useEffect(() => {
    // the composer does not wait for it; a load error is reported by what shows it
    void whenIdle()
      .then(() => {
        // evaluated apart from the panel, so that a key that is pressed meanwhile is answered between the two
        void import('../components/ui/dialog.tsx').catch(() => undefined)
        return ConversationPanel.preload()
      })
      .then(() => setIsPanelLoaded(true))
  }, [])

  const openConversation = useCallback(
    // synchronously: a later render would take the focus away and lose what was typed meanwhile
    (id: string) => void navigate(conversationPath(id), { flushSync: true }),
    [navigate],
  )
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
    <div
      className={`grid h-dvh grid-rows-[auto_minmax(0,1fr)] print:block print:h-auto ${isBeside ? 'grid-cols-[var(--width-dock)_minmax(0,1fr)]' : 'grid-cols-1'}`}
    >
      <div className={`col-span-full print:hidden ${isBeside ? 'border-b border-line' : ''}`}>
        <TopBar
          user={user}
          isHistoryShown={isDocked ? isBeside : undefined}
          onToggleHistory={toggleHistory}
        />
        {isPanelLoaded && (
          <Suspense>
            <FrameNotices adminId={account?.is_admin && user.sub} />
          </Suspense>
        )}
      </div>
      {/* over the page it is there before it is opened, for its first press not to wait for it */}
      {(isDocked ? isBeside : hasHistoryOpened || isPanelLoaded) && (
        <div
          className={`print:hidden ${isDocked ? 'min-h-0 border-e border-line' : 'fixed bottom-0 start-0 z-(--z-panel)'}`}
        >
          {(!isDocked || isPanelLoaded) && (
            <Suspense>
              <ConversationPanel
                open={historyOpen}
                onOpenChange={setHistoryOpen}
                docked={isDocked}
                onDock={canDock ? dockHistory : undefined}
                currentId={currentId}
                onSelect={openConversation}
                onNewChat={startFresh}
                onSearch={() => setCurrentDialog('search')}
              />
            </Suspense>
          )}
        </div>
      )}
      {children}
    </div>
  )
}
