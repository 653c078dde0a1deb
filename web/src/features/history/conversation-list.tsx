import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type RefObject } from 'react'
import { CopyDetails } from '../../components/ui/copy-details.tsx'
import { Button } from '../../components/ui/button.tsx'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { projectsQuery } from '../../lib/queries/project-queries.ts'
import type { ConversationActions } from './conversation-actions.ts'
import { ConversationGroups, ListSkeleton } from './conversation-groups.tsx'
import { MoreConversations } from './more-conversations.tsx'
import { findRowId, moveInRows } from './row-focus.ts'
import type { SavedConversations } from './use-saved-conversations.ts'

interface ConversationListProps {
  list: SavedConversations
  currentId: string | null
  /** whether a conversation is one line */
  isCompact: boolean
  actions: ConversationActions
  scroller: RefObject<HTMLElement | null>
}

/** The saved conversations in groups, or why there are none. */
export function ConversationList({ list, currentId, isCompact, actions, scroller }: ConversationListProps) {
  const { data: projects } = useQuery({
    ...projectsQuery,
    enabled: list.conversations.some(({ project_id }) => project_id !== undefined),
  })
  const projectNames = useMemo(() => new Map(projects?.map(({ id, name }) => [id, name])), [projects])
  const [focusedId, setFocusedId] = useState<string>()
  const tabStopId = [focusedId, currentId].find((id) => list.conversations.some((each) => each.id === id))
  if (list.isPending) return <ListSkeleton />
  if (!list.isLoaded) return <LoadFailure error={list.error} onRetry={list.retry} />
  if (list.count === 0) return <EmptyList isArchive={list.view === 'archived'} />
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys of the rows inside
    <div
      className="px-2 pb-4"
      onKeyDown={moveInRows}
      onFocus={({ target }) => {
        const id = findRowId(target)
        if (id !== undefined) setFocusedId(id)
      }}
    >
      <ConversationGroups
        conversations={list.conversations}
        currentId={currentId}
        projectNames={projectNames}
        isCompact={isCompact}
        tabStopId={tabStopId ?? list.conversations[0]?.id}
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
