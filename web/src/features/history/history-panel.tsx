import { useQuery } from '@tanstack/react-query'
import { Search, SquarePen } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { Session } from '#shared/contracts/sessions.ts'
import { deferred } from '../../components/deferred.tsx'
import { Button } from '../../components/ui/button.tsx'
import { SidePanel } from '../../components/ui/dialog.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { findComposer } from '../../lib/kept-focus.ts'
import { sessionsQuery } from '../../lib/session-list.ts'
import { useSharing } from '../../lib/share-queries.ts'
import { MoreSessions } from './more-sessions.tsx'
import { ListSkeleton, SessionGroups } from './session-groups.tsx'
import type { SessionActions } from './session-row.tsx'
import { useDeletedIds, useDeleteSession } from './use-delete-session.ts'
import { useRenameSession } from './use-rename-session.ts'

const { Deferred: ShareDialog } = deferred(
  () => import('./share-dialog.tsx').then((module) => module.ShareDialog),
  null,
)

interface HistoryPanelProps {
  open: boolean
  onOpenChange: (open: boolean) => void
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
  currentSessionId,
  onSelect,
  onStartFresh,
  onSearch,
}: HistoryPanelProps) {
  const { data, isPending, isError, refetch } = useQuery({ ...sessionsQuery, enabled: open })
  const deleted = useDeletedIds()
  /** the conversation that was open when it was deleted */
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
    onShare: canShare ? share : undefined,
  })
  const scroller = useRef<HTMLDivElement>(null)
  // the toast lies outside of the panel, where the keyboard does not get while it is open
  const onKeyDown = (event: KeyboardEvent) => {
    const undo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
    if (undo && !(event.target instanceof HTMLInputElement) && undoLast()) event.preventDefault()
  }

  return (
    <SidePanel
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      onKeyDown={onKeyDown}
      findFocusTarget={findFocusTarget}
      scroller={scroller}
      head={
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
        </div>
      }
      foot={
        <p className="min-h-10 border-t border-line px-5 py-3 text-xs text-ink-faint">
          {data && (count === 1 ? '1 conversation saved' : `${count} conversations saved`)}
        </p>
      }
    >
      {isPending && !isError ? (
        <ListSkeleton />
      ) : data === undefined ? (
        <div className="flex flex-col items-start gap-3 px-5 py-4">
          <p className="text-ink-muted">Your conversations could not be loaded.</p>
          <Button size="sm" onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      ) : count === 0 ? (
        <div className="px-5 py-4">
          <p className="font-medium">No conversations yet</p>
          <p className="text-ink-muted">Start chatting to see them here!</p>
        </div>
      ) : (
        <div className="px-2 pb-4">
          <SessionGroups sessions={sessions} currentSessionId={currentSessionId} actions={actions} />
          {data.next !== undefined && <MoreSessions next={data.next} scroller={scroller} />}
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
    </SidePanel>
  )
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
      ...(canShare && { onShare: (...given) => newest.current.onShare?.(...given) }),
    }),
    [canShare],
  )
}
