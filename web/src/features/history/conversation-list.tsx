import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type RefObject } from 'react'
import { CopyDetails } from '../../components/ui/copy-details.tsx'
import { Button } from '../../components/ui/button.tsx'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { projectsQuery } from '../../lib/queries/project-queries.ts'
import type { ConversationActions } from './conversation-actions.ts'
import { ConversationGroups, ListSkeleton } from './conversation-groups.tsx'
import { MoreConversations } from './more-conversations.tsx'
import type { SavedConversations } from './use-saved-conversations.ts'

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
