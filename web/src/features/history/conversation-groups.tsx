import { t } from '@lingui/core/macro'
import { useId } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { formatUpdated, formatDayGroup } from '../../lib/text/dates.ts'
import type { ConversationActions } from './conversation-actions.ts'
import { ConversationRow } from './conversation-row.tsx'
import { useNow } from '../../lib/browser/use-now.ts'

/** The conversations in their groups (`groupConversations`). */
export function ConversationGroups({
  conversations,
  currentId,
  projectNames,
  isCompact,
  tabStopId,
  actions,
}: {
  conversations: readonly Session[]
  currentId: string | null
  /** by id */
  projectNames: ReadonlyMap<string, string>
  /** whether a conversation is one line */
  isCompact: boolean
  /** the row to which Tab leads */
  tabStopId: string | undefined
  actions: ConversationActions
}) {
  const now = useNow()
  const listId = useId()
  return groupConversations(conversations, now).map(({ heading, conversations: groupMembers }, index) => {
    // not of the heading: `aria-labelledby` takes a blank for the end of an id
    const id = `${listId}${index}`
    return (
      <section key={heading} aria-labelledby={id}>
        <h3 id={id} className="px-3 pt-5 pb-1 text-xs font-medium text-ink-faint">
          {heading}
        </h3>
        <ul aria-labelledby={id}>
          {groupMembers.map((conversation) => (
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              isCurrent={conversation.id === currentId}
              lastUpdate={formatUpdated(new Date(conversation.updated_at), now)}
              projectName={projectNames.get(conversation.project_id ?? '')}
              isCompact={isCompact}
              isTabStop={conversation.id === tabStopId}
              actions={actions}
            />
          ))}
        </ul>
      </section>
    )
  })
}

const placeholderWidths = ['w-3/5', 'w-4/5', 'w-1/2', 'w-2/3', 'w-3/4', 'w-2/5'] as const

/** The placeholder of the list while it loads. */
export function ListSkeleton() {
  return (
    <div role="progressbar" aria-label={t`Loading conversations`} className="px-2 pt-10">
      {placeholderWidths.map((width) => (
        <div key={width} className="flex h-13 flex-col justify-center gap-2 px-3">
          <Skeleton className={width} />
          <Skeleton className="h-2 w-28" />
        </div>
      ))}
    </div>
  )
}

/** Conversations of some days or a month, or pinned ones, below a heading. */
interface ConversationGroup {
  heading: string
  conversations: Session[]
}

/** Groups a list that is sorted: pinned ones first, then the newest. The archive ignores pins. */
function groupConversations(conversations: readonly Session[], now: Date): ConversationGroup[] {
  const groups: ConversationGroup[] = []
  for (const conversation of conversations) {
    const isPinned = conversation.pinned === true && conversation.archived !== true
    const heading = isPinned ? t`Pinned` : formatDayGroup(new Date(conversation.updated_at), now)
    const last = groups.at(-1)
    if (last?.heading === heading) last.conversations.push(conversation)
    else groups.push({ heading, conversations: [conversation] })
  }
  return groups
}
