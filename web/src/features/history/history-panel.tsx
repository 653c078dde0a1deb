import { t } from '@lingui/core/macro'
import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  useId,
  type KeyboardEventHandler,
  type Ref,
  useSyncExternalStore,
} from 'react'
import { SidePanel } from '../../components/ui/side-panel.tsx'
import type { ConversationListView } from '../../lib/conversation-list.ts'
import { findComposerToFocus } from '../../lib/focus-targets.ts'
import { watchPresence } from '../../lib/presence.ts'
import { isShortcut } from '../../lib/shortcuts.ts'
import type { LeaveConversation } from './conversation-actions.ts'
import { ConversationList } from './conversation-list.tsx'
import { ArchiveHeading, NewChatButton, PanelButtons, PanelFooter } from './panel-parts.tsx'
import { usePanelActions, type OtherActions } from './use-panel-actions.tsx'
import { useSavedConversations } from './use-saved-conversations.ts'
import { DocumentFlag } from '../../components/ui/document-flag.tsx'
import { truncate } from '#shared/truncate.ts'
import { listDrafts, readDraftPart } from '../../lib/drafts.ts'
import { subscribeToInputs } from '../../lib/inputs.ts'

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
        <ConversationList list={list} currentId={currentId} actions={actions} scroller={scroller} />
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

interface DockedPanelProps {
  title: string
  onKeyDown: KeyboardEventHandler
  /** buttons beside the title */
  actions: ReactNode
  /** above the list */
  header: ReactNode
  footer: ReactNode
  /** the scroll container of the children */
  scroller: Ref<HTMLDivElement>
  children: ReactNode
}

/** The panel beside the chat: a part of the page, not a dialog. It does not trap the focus; the button of the top bar hides it. */
function DockedPanel({ title, onKeyDown, actions, header, footer, scroller, children }: DockedPanelProps) {
  const titleId = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys of the elements inside
    <aside
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      className="grid h-full grid-rows-[auto_auto_minmax(0,1fr)_auto] text-ui"
    >
      <DocumentFlag name="dock" />
      <header className="flex h-12 items-center justify-between gap-1 pe-3 ps-5">
        <h2 id={titleId} className="min-w-0 truncate font-semibold">
          {title}
        </h2>
        <div className="flex">{actions}</div>
      </header>
      <div>{header}</div>
      <div ref={scroller} className="overflow-y-auto scroll-quiet">
        {children}
      </div>
      <div>{footer}</div>
    </aside>
  )
}

/** What a line shows of a message at most: more than fits into it. */
const maxLineCharacters = 200

interface UnsentChat {
  id: string
  /** the beginning of its first message */
  text: string
}

/** Chats of this browser whose first message the service has not acknowledged: only their address leads to them otherwise. */
function UnsentChats({
  listed,
  onSelect,
}: {
  /** ids of the conversations that are shown elsewhere */
  listed: ReadonlySet<string>
  onSelect: (id: string) => void
}) {
  const headingId = useId()
  const stored = useSyncExternalStore(subscribeToInputs, readUnsent)
  const chats = (JSON.parse(stored) as UnsentChat[]).filter(({ id }) => !listed.has(id))
  if (chats.length === 0) return null
  return (
    <section aria-labelledby={headingId} className="px-2">
      <h3 id={headingId} className="px-3 pt-4 pb-1.5 text-xs font-medium text-ink-faint">
        {t`Not sent`}
      </h3>
      <ul aria-labelledby={headingId}>
        {chats.map(({ id, text }) => (
          <li key={id}>
            <button
              type="button"
              dir="auto"
              onClick={() => onSelect(id)}
              className="block h-10 w-full truncate rounded-md px-3 text-start font-medium hover:bg-surface-hover focus-visible:-outline-offset-2 max-sm:h-11"
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** @returns the unsent chats as JSON: a snapshot that is equal until they change. Other users' drafts were removed at the sign-in. */
const readUnsent = (): string => JSON.stringify(listDrafts().flatMap((key) => readUnsentChat(key) ?? []))

/** @param key of a draft, `<user id>/<conversation id>`. @returns undefined if its conversation is stored, or nothing of it was sent */
function readUnsentChat(key: string): UnsentChat | undefined {
  const stored = readDraftPart(key, 'unacknowledged')
  // earlier releases stored one message, not a list
  const message: unknown = Array.isArray(stored) ? stored[0] : stored
  const { content, after } = Object(message) as { content?: unknown; after?: unknown }
  // a message after another one belongs to a stored chat
  if (typeof content !== 'string' || (after ?? '') !== '') return undefined
  const id = key.slice(key.indexOf('/') + 1)
  return { id, text: truncate(content.trim(), maxLineCharacters) || t`Files only` }
}
