import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { SidePanel } from '../../components/ui/side-panel.tsx'
import type { ConversationListView } from '../../lib/conversations/conversation-list.ts'
import { findComposerToFocus } from '../../lib/input/focus-targets.ts'
import { watchPresence } from '../../lib/input/presence.ts'
import { isShortcut } from '../../lib/input/shortcuts.ts'
import type { LeaveConversation } from './conversation-actions.ts'
import { ConversationList } from './conversation-list.tsx'
import { DockedPanel } from './docked-panel.tsx'
import { ArchiveHeading, NewChatButton, PanelButtons, PanelFooter } from './panel-parts.tsx'
import { UnsentChats } from './unsent-chats.tsx'
import { usePanelActions, type OtherActions } from './use-panel-actions.tsx'
import { useSavedConversations } from './use-saved-conversations.ts'

interface HistoryPanelProps extends OtherActions {
  /** whether it is open over the page */
  open: boolean
  onOpenChange: (open: boolean) => void
  /** whether the panel is part of the page, and not opened over it */
  isDocked: boolean
  /** docks the panel beside the page, or has it open over the page; undefined if there is no room for both */
  onToggleDock: (() => void) | undefined
  currentId: string | null
  onSelect: (id: string) => void
  onNewChat: () => void
  onSearch: () => void
  /** pages, assistants and projects, above the conversations. @param close closes the panel when one was chosen */
  renderPages: (close: () => void) => ReactNode
}

/** The panel of the saved conversations, beside the page or over it. */
export function HistoryPanel({
  open,
  onOpenChange,
  isDocked,
  onToggleDock,
  currentId,
  onSelect,
  onNewChat,
  onSearch,
  renderPages,
  ...otherActions
}: HistoryPanelProps) {
  const isShown = open || isDocked
  const [view, setView] = useView({ isShown })
  const list = useSavedConversations(view, { enabled: isShown })
  const scroller = useRef<HTMLDivElement>(null)
  const leave = useLeaveConversation({ currentId, onNewChat, onSelect })
  const { noteSelection, closeAfterSelection, findFocusTarget } = useClosing({ open, onOpenChange, isDocked })
  const { actions, dialogs, undoLast } = usePanelActions({
    ...otherActions,
    leave,
    onSelect: (id) => {
      onSelect(id)
      closeAfterSelection()
    },
  })
  // the focus moves with the page
  const closeAfterPage = () => {
    if (!isDocked) onOpenChange(false)
  }
  // the open panel traps the focus, so the Undo button of the toast is not reachable by keyboard
  const onKeyDown = (event: KeyboardEvent) => {
    if (isShortcut(event, 'undo') && !(event.target instanceof HTMLInputElement) && undoLast())
      event.preventDefault()
  }
  const startNewChat = () => {
    onNewChat()
    closeAfterSelection()
  }
  const toggleDock =
    onToggleDock &&
    (() => {
      noteSelection()
      onToggleDock()
    })
  const isArchive = view === 'archived'
  // the open chat shows what it has not sent
  const shownIds = new Set([...list.loadedIds, ...(currentId === null ? [] : [currentId])])
  const frame = {
    title: t`Your Conversations`,
    onKeyDown,
    scroller,
    actions: <PanelButtons isDocked={isDocked} onSearch={onSearch} onToggleDock={toggleDock} />,
    header: isArchive ? (
      <ArchiveHeading onBack={() => setView('active')} />
    ) : (
      <NewChatButton onClick={startNewChat} />
    ),
    footer: <PanelFooter list={list} onOpenArchive={() => setView('archived')} />,
    children: (
      <>
        {!isArchive && renderPages(closeAfterPage)}
        {!isArchive && <UnsentChats listed={shownIds} onSelect={actions.onSelect} />}
        <ConversationList
          list={list}
          currentId={currentId}
          isCompact={isDocked}
          actions={actions}
          scroller={scroller}
        />
        {dialogs}
      </>
    ),
  }
  return isDocked ? (
    <DockedPanel {...frame} />
  ) : (
    <SidePanel {...frame} open={open} onOpenChange={onOpenChange} findFocusTarget={findFocusTarget} />
  )
}

/** Which list the panel shows: that of the active conversations whenever it appears. */
function useView({ isShown }: { isShown: boolean }) {
  const [view, setView] = useState<ConversationListView>('active')
  const [wasShown, setWasShown] = useState(isShown)
  if (wasShown !== isShown) {
    setWasShown(isShown)
    if (isShown) setView('active')
  }
  return [view, setView] as const
}

/**
 * Closes the panel after a selection.
 * @returns `noteSelection`: has the composer get the focus when the panel closes next; `closeAfterSelection`: does so, and closes it, or
 * gives the composer the focus at once if the panel stays
 */
function useClosing({
  open,
  onOpenChange,
  isDocked,
}: Pick<HistoryPanelProps, 'open' | 'onOpenChange' | 'isDocked'>) {
  const hasSelected = useRef(false)
  useEffect(() => {
    if (open) hasSelected.current = false
  }, [open])
  const noteSelection = () => {
    hasSelected.current = true
  }
  return {
    noteSelection,
    closeAfterSelection: () => {
      if (isDocked) return findComposerToFocus()?.focus()
      noteSelection()
      onOpenChange(false)
    },
    findFocusTarget: () => (hasSelected.current ? findComposerToFocus() : null),
  }
}

/** @returns a stable function as long as the open conversation is the same */
function useLeaveConversation({
  currentId,
  onNewChat,
  onSelect,
}: Pick<HistoryPanelProps, 'currentId' | 'onNewChat' | 'onSelect'>): LeaveConversation {
  return useCallback(
    (id: string) => {
      if (id !== currentId) return undefined
      onNewChat()
      const isHere = watchPresence()
      return () => {
        if (isHere()) onSelect(id)
      }
    },
    [currentId, onNewChat, onSelect],
  )
}
