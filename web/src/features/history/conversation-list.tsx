import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { CopyDetails } from '../../components/ui/copy-details.tsx'
import { Button } from '../../components/ui/button.tsx'
import { getErrorMessage } from '../../lib/api-errors.ts'
import { projectsQuery } from '../../lib/project-queries.ts'
import type { ConversationActions } from './conversation-actions.ts'
import { ConversationGroups, ListSkeleton } from './conversation-groups.tsx'
import type { SavedConversations } from './use-saved-conversations.ts'
import { Spinner } from '../../components/ui/spinner.tsx'
import { loadMoreConversations, type ConversationListView } from '../../lib/conversation-list.ts'
import { focusLastRow } from './row-focus.ts'

interface ConversationListProps {
  list: SavedConversations
  currentId: string | null
  actions: ConversationActions
  scroller: RefObject<HTMLElement | null>
}

/** The saved conversations in groups, or why there are none. */
export function ConversationList({ list, currentId, actions, scroller }: ConversationListProps) {
  const { data: projects } = useQuery({
    ...projectsQuery,
    enabled: list.conversations.some(({ project_id }) => project_id !== undefined),
  })
  const projectNames = useMemo(() => new Map(projects?.map(({ id, name }) => [id, name])), [projects])
  if (list.isPending) return <ListSkeleton />
  if (!list.isLoaded) return <LoadFailure error={list.error} onRetry={list.retry} />
  if (list.count === 0) return <EmptyList isArchive={list.view === 'archived'} />
  return (
    <div className="px-2 pb-4">
      <ConversationGroups
        conversations={list.conversations}
        currentId={currentId}
        projectNames={projectNames}
        actions={actions}
      />
      {list.nextCursor !== undefined && (
        <MoreConversations view={list.view} nextCursor={list.nextCursor} scroller={scroller} />
      )}
    </div>
  )
}

function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="flex flex-col items-start gap-3 px-5 py-4">
      <p role="alert" className="text-ink-muted">
        {t`Your conversations could not be loaded.`} <span>{getErrorMessage(error)}</span>{' '}
        <CopyDetails error={error} />
      </p>
      <Button size="sm" onClick={onRetry}>
        {t`Try again`}
      </Button>
    </div>
  )
}

function EmptyList({ isArchive }: { isArchive: boolean }) {
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
}

/** The distance from the end of the list at which the next page is loaded: about the height of a screen, so that scrolling seldom waits. */
const prefetchPx = 800

/** Loads the next page when the user scrolls to the end. Offers to try again after a failure. */
function MoreConversations({
  view,
  nextCursor,
  scroller,
}: {
  view: ConversationListView
  /** the cursor of the next page */
  nextCursor: string
  scroller: RefObject<HTMLElement | null>
}) {
  const queryClient = useQueryClient()
  /** the cursor of the page that failed */
  const [failedCursor, setFailedCursor] = useState<string>()
  const end = useRef<HTMLDivElement>(null)
  const hasFailed = failedCursor === nextCursor
  const load = useCallback(async () => {
    setFailedCursor(undefined)
    try {
      await loadMoreConversations(queryClient, view)
    } catch {
      setFailedCursor(nextCursor)
    }
  }, [queryClient, view, nextCursor])
  const retry = () => {
    focusLastRow()
    void load()
  }
  useEffect(() => {
    if (!end.current || hasFailed) return
    let hasRequested = false
    const observer = new IntersectionObserver(
      (entries) => {
        if (hasRequested || !entries.some(({ isIntersecting }) => isIntersecting)) return
        hasRequested = true
        void load()
      },
      { root: scroller.current, rootMargin: `0px 0px ${prefetchPx}px 0px` },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [scroller, load, hasFailed])

  return (
    <div ref={end} role="status" className="flex min-h-11 items-center gap-2 px-3 text-sm text-ink-muted">
      {hasFailed ? (
        <>
          {t`More conversations could not be loaded.`}
          <button type="button" className="link font-medium max-sm:min-h-11" onClick={retry}>
            {t`Try again`}
          </button>
        </>
      ) : (
        <>
          <Spinner /> {t`Loading more conversations`}
        </>
      )}
    </div>
  )
}
