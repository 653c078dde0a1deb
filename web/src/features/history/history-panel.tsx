import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Columns2, Search, SquarePen } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { Session } from '#shared/contracts/sessions.ts'
import { deferred } from '../../components/lazy-component.tsx'
import { Button } from '../../components/ui/button.tsx'
import { SidePanel } from '../../components/ui/dialog.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { findComposer } from '../../lib/restore-focus.ts'
import { sessionsQuery, type SessionView } from '../../lib/conversation-list.ts'
import { useSharing } from '../../lib/share-queries.ts'
import { DockedPanel } from './docked-panel.tsx'
import { MoreSessions } from './more-conversations.tsx'
import { ListSkeleton, SessionGroups } from './conversation-groups.tsx'
import type { SessionActions } from './conversation-row.tsx'
import { useDeletedIds, useDeleteSession } from './use-delete-conversation.ts'
import { useFlagSession } from './use-update-conversation.ts'
import { useRenameSession } from './use-update-conversation.ts'

const { Deferred: ShareDialog } = deferred(
  () => import('./share-dialog.tsx').then((module) => module.ShareDialog),
  null,
)

interface HistoryPanelProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** it stands beside the chat, whether it was opened or not */
  docked: boolean
  /** absent where the window has no room for both */
  onDock?: ((docked: boolean) => void) | undefined
  currentSessionId: string | null
  onSelect: (id: string) => void
  onStartFresh: () => void
  onSearch: () => void
}

interface ShareRequest {
  session: Session
  findOpener: () => HTMLElement | null
  open: boolean
  /** another number for each time that somebody asks */
  time: number
}

const title = 'Your Conversations'

/** HIST-01 to HIST-11: the saved conversations, by day. */
export function HistoryPanel({
  open,
  onOpenChange,
  docked,
  onDock,
  currentSessionId,
  onSelect,
  onStartFresh,
  onSearch,
}: HistoryPanelProps) {
  const isShown = open || docked
  const [view, setView] = useState<SessionView>('active')
  const [wasShown, setWasShown] = useState(isShown)
  if (wasShown !== isShown) {
    setWasShown(isShown)
    if (isShown) setView('active')
  }
  const isArchive = view === 'archived'
  const { data, isPending, isError, refetch } = useQuery({ ...sessionsQuery(view), enabled: isShown })
  const deleted = useDeletedIds()
  /** the conversation that was open when it was deleted or archived */
  const left = useRef<string>(undefined)
  const leave = useCallback(
    (id: string) => {
      if (id !== currentSessionId) return
      left.current = id
      onStartFresh()
    },
    [currentSessionId, onStartFresh],
  )
  const address = useRef(currentSessionId)
  useEffect(() => {
    address.current = currentSessionId
  }, [currentSessionId])
  const comeBack = useCallback(
    (id: string) => {
      if (id === left.current && address.current === null) onSelect(id)
    },
    [onSelect],
  )
  const { remove, undoLast } = useDeleteSession(leave, comeBack)
  const rename = useRenameSession()
  const flag = useFlagSession(leave, comeBack)
  const canShare = useSharing()
  const [sharing, setSharing] = useState<ShareRequest>()
  const share: SessionActions['onShare'] = (session, findOpener) =>
    setSharing((last) => ({ session, findOpener, open: true, time: (last?.time ?? 0) + 1 }))
  /** a conversation was chosen: what is typed next belongs into it */
  const hasChosen = useRef(false)
  useEffect(() => {
    if (open) hasChosen.current = false
  }, [open])
  const closeChosen = () => {
    if (docked) return findComposer()?.focus()
    hasChosen.current = true
    onOpenChange(false)
  }
  const findFocusTarget = () => (hasChosen.current ? findComposer() : null)
  const listed = data?.sessions ?? []
  const sessions = listed.filter(({ id }) => !deleted.has(id))
  const count = (data?.total ?? 0) - (listed.length - sessions.length)
  const actions = useStable({
    onSelect: (id) => {
      onSelect(id)
      closeChosen()
    },
    onDelete: remove,
    onRename: rename,
    onFlag: (session, flags) => {
      if (flags.pinned !== undefined) followRow(session.id)
      flag(session, flags)
    },
    onShare: canShare ? share : undefined,
  })
  const scroller = useRef<HTMLDivElement>(null)
  // the toast lies outside of the panel, where the keyboard does not get while it is open
  const onKeyDown = (event: KeyboardEvent) => {
    const undo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
    if (undo && !(event.target instanceof HTMLInputElement) && undoLast()) event.preventDefault()
  }

  const frame = {
    title,
    onKeyDown,
    scroller,
    head: isArchive ? (
      <div className="flex items-center gap-2 px-4 pt-1 pb-3">
        <IconButton
          label="Back to the conversations"
          tooltip={false}
          ref={takeFocus}
          icon={<ArrowLeft size={20} strokeWidth={1.75} />}
          onClick={() => setView('active')}
          className="size-10! max-sm:size-11!"
        />
        <h3 className="font-medium">Archived</h3>
      </div>
    ) : (
      <div className="flex gap-2 px-4 pt-1 pb-3">
        <Button
          tone="soft"
          block
          onClick={() => {
            onStartFresh()
            closeChosen()
          }}
        >
          <SquarePen aria-hidden size={16} />
          Start Fresh Chat
        </Button>
        <IconButton
          label="Search conversations"
          tooltip={false}
          icon={<Search size={20} strokeWidth={1.75} />}
          onClick={onSearch}
          className="size-10! max-sm:size-11!"
        />
        {onDock && !docked && (
          <IconButton
            label="Keep open beside the chat"
            tooltip={false}
            title="Keep open beside the chat"
            icon={<Columns2 size={20} strokeWidth={1.75} />}
            onClick={() => {
              hasChosen.current = true
              onOpenChange(false)
              onDock(true)
            }}
            className="size-10!"
          />
        )}
      </div>
    ),
    foot: (
      <div className="flex min-h-11 items-center justify-between border-t border-line px-5 text-xs text-ink-faint">
        <p>
          {data &&
            (count === 1 ? '1 conversation' : `${count} conversations`) +
              (isArchive ? ' archived' : ' saved')}
        </p>
        {!isArchive && (
          <button type="button" className="link min-h-11" onClick={() => setView('archived')}>
            Archived
          </button>
        )}
      </div>
    ),
    children: (
      <>
        {isPending && !isError ? (
          <ListSkeleton />
        ) : data === undefined ? (
          <div className="flex flex-col items-start gap-3 px-5 py-4">
            <p className="text-ink-muted">Your conversations could not be loaded.</p>
            <Button size="sm" onClick={() => void refetch()}>
              Retry
            </Button>
          </div>
        ) : count === 0 && isArchive ? (
          <div className="px-5 py-4">
            <p className="font-medium">Nothing archived</p>
            <p className="text-ink-muted">
              Archive a conversation by its menu. Search finds it all the same.
            </p>
          </div>
        ) : count === 0 ? (
          <div className="px-5 py-4">
            <p className="font-medium">No conversations yet</p>
            <p className="text-ink-muted">Start chatting to see them here!</p>
          </div>
        ) : (
          <div className="px-2 pb-4">
            <SessionGroups sessions={sessions} currentSessionId={currentSessionId} actions={actions} />
            {data.next !== undefined && <MoreSessions view={view} next={data.next} scroller={scroller} />}
          </div>
        )}
        {sharing && (
          <ShareDialog
            key={sharing.time}
            session={sharing.session}
            findFocusTarget={sharing.findOpener}
            open={sharing.open}
            onClose={() => setSharing({ ...sharing, open: false })}
          />
        )}
      </>
    ),
  }
  const onAnswered = useCallback(() => onOpenChange(false), [onOpenChange])
  return docked ? (
    <DockedPanel {...frame} asked={open} onAnswered={onAnswered} onClose={() => onDock?.(false)} />
  ) : (
    <SidePanel {...frame} open={open} onOpenChange={onOpenChange} findFocusTarget={findFocusTarget} />
  )
}

const takeFocus = (element: HTMLElement | null) => element?.focus()

const findMore = (sessionId: string) =>
  document.querySelector<HTMLElement>(`[data-session="${CSS.escape(sessionId)}"] [aria-haspopup]`)

/** A row that is pinned is another one elsewhere in the list in one of the next frames: the focus goes with it. */
function followRow(sessionId: string) {
  const before = findMore(sessionId)
  let frames = 60
  const look = () => {
    const now = findMore(sessionId)
    if (now && now !== before) now.focus()
    else if ((frames -= 1) > 0) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** The same functions for as long as the component stands, so that rows need not be rendered again; they do what the newest ones do. */
function useStable(actions: SessionActions): SessionActions {
  const newest = useRef(actions)
  useLayoutEffect(() => {
    newest.current = actions
  })
  const canShare = actions.onShare !== undefined
  return useMemo(
    () => ({
      onSelect: (...given) => newest.current.onSelect(...given),
      onDelete: (...given) => newest.current.onDelete(...given),
      onRename: (...given) => newest.current.onRename(...given),
      onFlag: (...given) => newest.current.onFlag(...given),
      ...(canShare && { onShare: (...given) => newest.current.onShare?.(...given) }),
    }),
    [canShare],
  )
}
