import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Pin, PinOff, Search, SquarePen } from 'lucide-react'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { Button } from '../../components/ui/button.tsx'
import { SidePanel } from '../../components/ui/dialog.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { UnsentChats } from './unsent-chats.tsx'
import { getErrorMessage } from '../../lib/api-errors.ts'
import { findComposerToFocus } from '../../lib/focus-targets.ts'
import { conversationsQuery, type ConversationListView } from '../../lib/conversation-list.ts'
import { projectsQuery } from '../../lib/project-queries.ts'
import { useIsDeleting } from '../../lib/running-actions.ts'
import { watchPresence } from '../../lib/presence.ts'
import { isShortcut } from '../../lib/shortcuts.ts'
import { useSharing } from '../../lib/share-queries.ts'
import { DockedPanel } from './docked-panel.tsx'
import { useExportConversation } from './export-conversation.ts'
import { MoreConversations } from './more-conversations.tsx'
import { ListSkeleton, ConversationGroups } from './conversation-groups.tsx'
import type { ConversationActions } from './conversation-row.tsx'
import { focusMovedRow, focusNextRow } from './row-focus.ts'
import { useDeleteConversation } from './use-delete-conversation.ts'
import { useFlagConversation, useRenameConversation } from './use-update-conversation.ts'
import { type ConversationDialogProps, renderDialog, useConversationDialog } from './conversation-dialog.tsx'

const ShareDialog = lazyComponent(() => import('./share-dialog.tsx'), 'ShareDialog', null)

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

/** The saved conversations, by day. */
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
  const [view, setView] = useState<ConversationListView>('active')
  const [wasShown, setWasShown] = useState(isShown)
  if (wasShown !== isShown) {
    setWasShown(isShown)
    if (isShown) setView('active')
  }
  const isArchive = view === 'archived'
  const { data, isPending, isError, error, refetch } = useQuery({
    ...conversationsQuery(view),
    enabled: isShown,
  })
  const isDeleting = useIsDeleting()
  const leave = useCallback(
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
  const { remove, undoLast } = useDeleteConversation(leave)
  const rename = useRenameConversation()
  const flag = useFlagConversation(leave)
  const exportConversation = useExportConversation()
  const canShare = useSharing()
  const [shareRequest, share, closeShare] = useConversationDialog()
  const [moveRequest, move, closeMove] = useConversationDialog()
  const [printRequest, print, closePrint] = useConversationDialog()
  /** whether the panel closes after a selection, so the composer gets the focus */
  const hasChosen = useRef(false)
  useEffect(() => {
    if (open) hasChosen.current = false
  }, [open])
  const closeAfterSelection = () => {
    if (docked) return findComposerToFocus()?.focus()
    hasChosen.current = true
    onOpenChange(false)
  }
  // its page has no panel; the focus moves with the page
  const closeAfterProject = () => {
    if (!docked) onOpenChange(false)
  }
  const findFocusTarget = () => (hasChosen.current ? findComposerToFocus() : null)
  const loadedConversations = data?.sessions ?? []
  const { data: projects } = useQuery({
    ...projectsQuery,
    enabled: isShown && loadedConversations.some(({ project_id }) => project_id !== undefined),
  })
  const projectNames = useMemo(() => new Map(projects?.map(({ id, name }) => [id, name])), [projects])
  const conversations = loadedConversations.filter(({ id }) => !isDeleting(id))
  const total = data?.total
  const count =
    total === undefined ? conversations.length : total - (loadedConversations.length - conversations.length)
  const actions = useStableActions({
    onSelect: (id) => {
      onSelect(id)
      closeAfterSelection()
    },
    onDelete: (conversation) => {
      focusNextRow(conversation.id)
      remove(conversation)
    },
    onRename: rename,
    onExport: exportConversation,
    onFlag: (conversation, flags) => {
      if (flags.pinned !== undefined) focusMovedRow(conversation.id)
      flag(conversation, flags)
    },
    onShare: canShare ? share : undefined,
    onMove: renderMoveDialog && move,
    onPrint: renderPrintDialog && print,
    onExportWord,
  })
  // the open chat shows what it has not sent
  const shownIds = new Set([
    ...loadedConversations.map(({ id }) => id),
    ...(currentId === null ? [] : [currentId]),
  ])
  const scroller = useRef<HTMLDivElement>(null)
  // the open panel traps the focus, so the Undo button of the toast is not reachable by keyboard
  const onKeyDown = (event: KeyboardEvent) => {
    if (isShortcut(event, 'undo') && !(event.target instanceof HTMLInputElement) && undoLast())
      event.preventDefault()
  }

  const renderList = () => {
    if (isPending && !isError) return <ListSkeleton />
    if (data === undefined)
      return (
        <div className="flex flex-col items-start gap-3 px-5 py-4">
          <p className="text-ink-muted">
            {t`Your conversations could not be loaded.`} <span>{getErrorMessage(error)}</span>
          </p>
          <Button size="sm" onClick={() => void refetch()}>
            {t`Try again`}
          </Button>
        </div>
      )
    if (count === 0)
      return (
        <div className="px-5 py-4">
          <p className="font-medium">{isArchive ? t`Nothing archived` : t`No conversations yet`}</p>
          <p className="text-ink-muted">
            {isArchive
              ? t`Archive a conversation from its menu. Search still finds it.`
              : t`Start chatting to see them here!`}
          </p>
        </div>
      )
    return (
      <div className="px-2 pb-4">
        <ConversationGroups
          conversations={conversations}
          currentId={currentId}
          projectNames={projectNames}
          actions={actions}
        />
        {data.next !== undefined && (
          <MoreConversations view={view} nextCursor={data.next} scroller={scroller} />
        )}
      </div>
    )
  }
  const frame = {
    title: t`Your Conversations`,
    onKeyDown,
    scroller,
    actions: (
      <>
        <IconButton
          label={t`Search conversations`}
          // on focus it would take the Escape that closes the panel
          tooltip={docked}
          icon={<Search size={20} strokeWidth={1.75} />}
          onClick={onSearch}
        />
        {onDock && (
          <IconButton
            label={docked ? t`Open over the chat instead` : t`Keep open beside the chat`}
            tooltip={docked}
            icon={docked ? <PinOff size={20} strokeWidth={1.75} /> : <Pin size={20} strokeWidth={1.75} />}
            onClick={() => {
              hasChosen.current = true
              onDock(!docked)
            }}
          />
        )}
      </>
    ),
    header: isArchive ? (
      <div className="flex items-center gap-2 px-4 pt-1 pb-3">
        <IconButton
          label={t`Back to the conversations`}
          tooltip={false}
          ref={takeFocus}
          icon={<ArrowLeft size={20} strokeWidth={1.75} />}
          onClick={() => setView('active')}
          size="lg"
        />
        <h3 className="font-medium">{t`Archived`}</h3>
      </div>
    ) : (
      <div className="px-3 pt-1 pb-3">
        <Button
          variant="soft"
          block
          aria-keyshortcuts="Control+Shift+O Meta+Shift+O"
          onClick={() => {
            onNewChat()
            closeAfterSelection()
          }}
        >
          <SquarePen aria-hidden size={16} />
          {t`Start Fresh Chat`}
        </Button>
      </div>
    ),
    footer: (
      <div className="flex min-h-11 items-center justify-between border-t border-line px-5 text-xs text-ink-faint">
        <p>
          {data &&
            (isArchive
              ? plural(count, { one: '# conversation archived', other: `# conversations archived` })
              : total === undefined
                ? plural(count, {
                    one: 'More than # conversation saved',
                    other: `More than # conversations saved`,
                  })
                : plural(count, { one: '# conversation saved', other: `# conversations saved` }))}
        </p>
        {!isArchive && (
          <button type="button" className="link min-h-11" onClick={() => setView('archived')}>
            {t`Archived`}
          </button>
        )}
      </div>
    ),
    children: (
      <>
        {!isArchive && renderProjects?.(closeAfterProject)}
        {!isArchive && <UnsentChats listed={shownIds} onSelect={actions.onSelect} />}
        {renderList()}
        {renderDialog(moveRequest, closeMove, renderMoveDialog)}
        {renderDialog(printRequest, closePrint, renderPrintDialog)}
        {renderDialog(shareRequest, closeShare, (props) => (
          <ShareDialog {...props} />
        ))}
      </>
    ),
  }
  return docked ? (
    <DockedPanel {...frame} />
  ) : (
    <SidePanel {...frame} open={open} onOpenChange={onOpenChange} findFocusTarget={findFocusTarget} />
  )
}

const takeFocus = (element: HTMLElement | null) => element?.focus()

/** Stable functions that call the latest actions, so that memoised rows do not render again. */
function useStableActions(actions: ConversationActions): ConversationActions {
  const newest = useRef(actions)
  useLayoutEffect(() => {
    newest.current = actions
  })
  const canShare = actions.onShare !== undefined
  const canMove = actions.onMove !== undefined
  const canPrint = actions.onPrint !== undefined
  const canExportWord = actions.onExportWord !== undefined
  return useMemo(
    () => ({
      onSelect: (...args) => newest.current.onSelect(...args),
      onDelete: (...args) => newest.current.onDelete(...args),
      onRename: (...args) => newest.current.onRename(...args),
      onFlag: (...args) => newest.current.onFlag(...args),
      onExport: (...args) => newest.current.onExport(...args),
      ...(canShare && { onShare: (...args) => newest.current.onShare?.(...args) }),
      ...(canMove && { onMove: (...args) => newest.current.onMove?.(...args) }),
      ...(canPrint && { onPrint: (...args) => newest.current.onPrint?.(...args) }),
      ...(canExportWord && { onExportWord: (...args) => newest.current.onExportWord?.(...args) }),
    }),
    [canShare, canMove, canPrint, canExportWord],
  )
}
