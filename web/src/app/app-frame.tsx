import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from '../lib/navigation/router.tsx'
import { lazyComponent } from '../components/lazy-component.tsx'
import { accountQuery } from '../lib/account/account-queries.ts'
import type { SignedInUser } from '../lib/api/signed-in-user.ts'
import { conversationPath, useStartNewChat } from '../lib/navigation/new-chat.ts'
import { whenIdle } from '../lib/browser/when-idle.ts'
import { conversationParameter } from '../lib/navigation/paths.ts'
import { setCurrentDialog, useCurrentDialog } from './current-dialog.ts'
import { TopBar } from './top-bar.tsx'
import { readStored, writeStored } from '../lib/browser/storage.ts'
import { useMediaQuery } from '../lib/browser/use-media-query.ts'

const ConversationPanel = lazyComponent(() => import('./conversation-panel.tsx'), 'ConversationPanel', null)

const FrameNotices = lazyComponent(() => import('./frame-notices.tsx'), 'FrameNotices', null, {
  silent: true,
})

/** Loads the panel once the page is idle, because the composer does not wait for it. @returns whether it has loaded, or failed to */
function usePanelPreload(): boolean {
  const [hasEnded, setHasEnded] = useState(false)
  useEffect(() => {
    void whenIdle()
      .then(() => {
        // evaluated apart from the panel, so that a key that is pressed meanwhile is answered between the two
        void import('../components/ui/dialog.tsx').catch(() => undefined)
        // what shows it reports a failure
        return ConversationPanel.preload()
      })
      .then(() => setHasEnded(true))
  }, [])
  return hasEnded
}

/** Where the list of conversations is: beside the page, beside it but hidden, or over the page when it is opened. */
type DockPlacement = 'beside' | 'hidden' | 'overlay'

const storageKey = 'juno.docked'

/** The list (`--width-dock`, 18rem) leaves a page the width for its text and the margins around it. */
const roomQuery = '(min-width: 80rem)'

/** The choice of this browser; beside the page by default. Read synchronously, for the first paint. */
function readChoice(): DockPlacement {
  const stored = readStored('local', storageKey)
  return stored === 'hidden' || stored === 'overlay' ? stored : 'beside'
}

/**
 * Whether the window has room for the list beside the page. A change waits until the dialogs are closed: the list is built anew then, and a
 * dialog that was opened from it would be lost, with what was typed there.
 */
function useRoom(): boolean {
  const hasRoomNow = useMediaQuery(roomQuery)
  const [hasRoom, setHasRoom] = useState(hasRoomNow)
  useEffect(() => {
    const root = document.documentElement
    const update = () => {
      if (!root.matches('[data-has-sheet]')) setHasRoom(hasRoomNow)
    }
    update()
    const observer = new MutationObserver(update)
    observer.observe(root, { attributeFilter: ['data-has-sheet'] })
    return () => observer.disconnect()
  }, [hasRoomNow])
  return hasRoom
}

/**
 * Where the list of conversations is: as the user has chosen in this browser, but over the page where there is no room for both.
 * @returns `hasRoom`: whether it can be beside the page; `choosePlacement`: stores another choice
 */
function useDock() {
  const hasRoom = useRoom()
  const [choice, setChoice] = useState(readChoice)
  const choosePlacement = (next: DockPlacement) => {
    setChoice(next)
    writeStored('local', storageKey, next)
  }
  return { hasRoom, placement: hasRoom ? choice : 'overlay', choosePlacement } as const
}

const setHistoryOpen = (isOpen: boolean): void => setCurrentDialog(isOpen ? 'history' : null)

/** What stands around chats and projects: the top bar, and the conversations beside the page or over it. */
export function AppFrame({ user, children }: { user: SignedInUser; children: ReactNode }) {
  const navigate = useNavigate()
  const currentId = new URLSearchParams(useLocation().search).get(conversationParameter)
  const isPanelPreloaded = usePanelPreload()
  const { hasRoom, placement, choosePlacement } = useDock()
  const isDocked = placement !== 'overlay'
  const isBeside = placement === 'beside'
  const { data: account } = useQuery(accountQuery)

  const openConversation = useCallback(
    // synchronously: a later render would take the focus away and lose what was typed meanwhile
    (id: string) => navigate(conversationPath(id), { flushSync: true }),
    [navigate],
  )
  const startFresh = useStartNewChat()
  const isHistoryOpen = useCurrentDialog() === 'history'
  // over the page it is there before it is opened, for its first press not to wait for it
  const hasPanel = isDocked ? isBeside : isHistoryOpen || isPanelPreloaded

  const toggleHistory = () =>
    isDocked ? choosePlacement(isBeside ? 'hidden' : 'beside') : setHistoryOpen(true)
  const toggleDock = () => {
    setHistoryOpen(isDocked)
    choosePlacement(isDocked ? 'overlay' : 'beside')
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
        {isPanelPreloaded && <FrameNotices adminId={account?.is_admin && user.sub} />}
      </div>
      {hasPanel && (
        <div
          className={`print:hidden ${isDocked ? 'min-h-0 border-e border-line' : 'fixed bottom-0 start-0 z-(--z-panel)'}`}
        >
          {/* beside the page its column is there from the first paint */}
          {(!isDocked || isPanelPreloaded) && (
            <ConversationPanel
              open={isHistoryOpen}
              onOpenChange={setHistoryOpen}
              isDocked={isDocked}
              onToggleDock={hasRoom ? toggleDock : undefined}
              currentId={currentId}
              onSelect={openConversation}
              onNewChat={startFresh}
              onSearch={() => setCurrentDialog('search')}
            />
          )}
        </div>
      )}
      {children}
    </div>
  )
}
