import { useQuery } from '@tanstack/react-query'
import { Search, SquarePen } from 'lucide-react'
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { Session } from '#shared/contracts/sessions.ts'
import { deferred } from '../../components/deferred.tsx'
import { Button } from '../../components/ui/button.tsx'
import { SidePanel } from '../../components/ui/dialog.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { findComposer } from '../../lib/kept-focus.ts'
import { sessionsQuery } from '../../lib/session-queries.ts'
import { useSharing } from '../../lib/share-queries.ts'
import { groupSessions } from './group-sessions.ts'
import { SessionRow } from './session-row.tsx'
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

type OnShare = (session: Session, findOpener: () => HTMLElement | null) => void
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
  const share: OnShare = (session, findOpener) =>
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
  const sessions = (data?.sessions ?? []).filter(({ id }) => !deleted.has(id))
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
          {data &&
            (sessions.length === 1 ? '1 conversation saved' : `${sessions.length} conversations saved`)}
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
      ) : sessions.length === 0 ? (
        <div className="px-5 py-4">
          <p className="font-medium">No conversations yet</p>
          <p className="text-ink-muted">Start chatting to see them here!</p>
        </div>
      ) : (
        <SessionGroups
          sessions={sessions}
          currentSessionId={currentSessionId}
          onDelete={remove}
          onRename={rename}
          onShare={canShare ? share : undefined}
          onSelect={(id) => {
            onSelect(id)
            closeChosen()
          }}
        />
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

interface SessionGroupsProps {
  sessions: readonly Session[]
  currentSessionId: string | null
  onSelect: (id: string) => void
  onDelete: (session: Session) => void
  onRename: (session: Session, title: string) => void
  onShare: OnShare | undefined
}

function SessionGroups({
  sessions,
  currentSessionId,
  onSelect,
  onDelete,
  onRename,
  onShare,
}: SessionGroupsProps) {
  const now = useNow()
  const listId = useId()
  return (
    <div className="px-2 pb-4">
      {groupSessions(sessions, now).map(({ heading, sessions: ofDay }) => {
        const id = `${listId}${heading}`
        return (
          <section key={heading} aria-labelledby={id}>
            <h3 id={id} className="px-3 pt-4 pb-1.5 text-xs font-medium text-ink-faint">
              {heading}
            </h3>
            <ul aria-labelledby={id}>
              {ofDay.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  current={session.id === currentSessionId}
                  now={now}
                  onSelect={onSelect}
                  onDelete={onDelete}
                  onRename={onRename}
                  onShare={onShare}
                />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

const placeholderWidths = ['w-3/5', 'w-4/5', 'w-1/2', 'w-2/3', 'w-3/4', 'w-2/5'] as const

function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading conversations" className="px-2 pt-10">
      {placeholderWidths.map((width) => (
        <div key={width} className="flex h-13 flex-col justify-center gap-2 px-3">
          <Skeleton className={width} />
          <Skeleton className="h-2 w-28" />
        </div>
      ))}
    </div>
  )
}

const tickMs = 30_000

/** The time for labels, moving on while they can be seen. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
