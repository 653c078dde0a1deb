import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { SidePanel } from '../../components/ui/side-panel.tsx'
import type { ConversationListView } from '../../lib/conversation-list.ts'
import { findComposerToFocus } from '../../lib/focus-targets.ts'
import { watchPresence } from '../../lib/presence.ts'
import { isShortcut } from '../../lib/shortcuts.ts'
import { useCanShare } from '../../lib/share-queries.ts'
import { useStableActions } from './conversation-actions.ts'
import { type ConversationDialogProps, useConversationDialog } from './conversation-dialog.tsx'
import { ConversationList } from './conversation-list.tsx'
import { DockedPanel } from './docked-panel.tsx'
import { useExportConversation } from './export-conversation.ts'
import { ArchiveHeading, NewChatButton, PanelButtons, PanelFooter } from './panel-parts.tsx'
import { focusMovedRow, focusNextRow } from './row-focus.ts'
import { UnsentChats } from './unsent-chats.tsx'
import { useDeleteConversation } from './use-delete-conversation.ts'
import { useSavedConversations } from './use-saved-conversations.ts'
import { useFlagConversation, useRenameConversation } from './use-update-conversation.ts'

const ShareDialog = lazyComponent(() => import('./share-dialog.tsx'), 'ShareDialog', null)
const renderShareDialog = (props: ConversationDialogProps) => <ShareDialog {...props} />

interface HistoryPanelProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** whether the panel is part of the page, and not opened over it */
  docked: boolean
  /** pins the panel beside the page, or has it open over the page; absent if there is no room for both */
  onDock?: ((docked: boolean) => void) | undefined
  currentId: string | null
  onSelect: (id: string) => void
  onNewChat: () => void
  onSearch: () => void
  /** the projects, above the conversations. @param close closes the panel when one was chosen */
  renderProjects?: (close: () => void) => ReactNode
  /** the dialog that moves a conversation to a project; absent if there is none */
  renderMoveDialog?: (props: ConversationDialogProps) => ReactNode
  /** the dialog that prints a conversation */
  renderPrintDialog?: (props: ConversationDialogProps) => ReactNode
  /** downloads a conversation as a Word document */
  onExportWord?: (conversation: Session) => void
}

/** The panel of the saved conversations, beside the page or over it. */
export function HistoryPanel({
  open,
  onOpenChange,
  docked,
  onDock,
  currentId,
  onSelect,
  onNewChat,
  onSearch,
  renderProjects,
  renderMoveDialog,
  renderPrintDialog,
  onExportWord,
}: HistoryPanelProps) {
  const isShown = open || docked
  const [view, setView] = useView({ isShown })
  const list = useSavedConversations(view, { enabled: isShown })
  const scroller = useRef<HTMLDivElement>(null)
  const leave = useLeaveConversation({ currentId, onNewChat, onSelect })
  const { remove, undoLast } = useDeleteConversation(leave)
  const flag = useFlagConversation(leave)
  const { noteSelection, closeAfterSelection, findFocusTarget } = useClosing({ open, onOpenChange, docked })
  const share = useConversationDialog(useCanShare() ? renderShareDialog : undefined)
  const move = useConversationDialog(renderMoveDialog)
  const print = useConversationDialog(renderPrintDialog)
  const actions = useStableActions({
    onSelect: (id) => {
      onSelect(id)
      closeAfterSelection()
    },
    onDelete: (conversation) => {
      focusNextRow(conversation.id)
      remove(conversation)
    },
    onRename: useRenameConversation(),
    onExport: useExportConversation(),
    onFlag: (conversation, flags) => {
      if (flags.pinned !== undefined) focusMovedRow(conversation.id)
      flag(conversation, flags)
    },
    onShare: share.open,
    onMove: move.open,
    onPrint: print.open,
    onExportWord,
  })
  // its page has no panel; the focus moves with the page
  const closeAfterProject = () => {
    if (!docked) onOpenChange(false)
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
  const dock =
    onDock &&
    ((next: boolean) => {
      noteSelection()
      onDock(next)
    })
  // the open chat shows what it has not sent
  const shownIds = new Set([...list.loadedIds, ...(currentId === null ? [] : [currentId])])
  const frame = {
    title: t`Your Conversations`,
    onKeyDown,
    scroller,
    actions: <PanelButtons docked={docked} onSearch={onSearch} onDock={dock} />,
    header:
      view === 'archived' ? (
        <ArchiveHeading onBack={() => setView('active')} />
      ) : (
        <NewChatButton onClick={startNewChat} />
      ),
    footer: <PanelFooter list={list} onOpenArchive={() => setView('archived')} />,
    children: (
      <>
        {view === 'active' && renderProjects?.(closeAfterProject)}
        {view === 'active' && <UnsentChats listed={shownIds} onSelect={actions.onSelect} />}
        <ConversationList list={list} currentId={currentId} actions={actions} scroller={scroller} />
        {move.dialog}
        {print.dialog}
        {share.dialog}
      </>
    ),
  }
  return docked ? (
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

/** Closes the panel after a selection, and moves the focus to the composer then. */
function useClosing({
  open,
  onOpenChange,
  docked,
}: Pick<HistoryPanelProps, 'open' | 'onOpenChange' | 'docked'>) {
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
      if (docked) return findComposerToFocus()?.focus()
      noteSelection()
      onOpenChange(false)
    },
    findFocusTarget: () => (hasSelected.current ? findComposerToFocus() : null),
  }
}

/** @returns starts a new chat if a conversation that is to disappear is open; that returns the function that opens it again */
function useLeaveConversation({
  currentId,
  onNewChat,
  onSelect,
}: Pick<HistoryPanelProps, 'currentId' | 'onNewChat' | 'onSelect'>) {
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
