import { useEffect, useId, useState } from 'react'
import type { Session } from '#shared/contracts/sessions.ts'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { updatedLabel, dayGroup } from '../../lib/dates.ts'
import { SessionRow, type SessionActions } from './conversation-row.tsx'

/** Conversations under the headings of their days. */
export function SessionGroups({
  sessions,
  currentSessionId,
  actions,
}: {
  sessions: readonly Session[]
  currentSessionId: string | null
  actions: SessionActions
}) {
  const now = useNow()
  const listId = useId()
  return groupSessions(sessions, now).map(({ heading, sessions: inGroup }) => {
    const id = `${listId}${heading}`
    return (
      <section key={heading} aria-labelledby={id}>
        <h3 id={id} className="px-3 pt-4 pb-1.5 text-xs font-medium text-ink-faint">
          {heading}
        </h3>
        <ul aria-labelledby={id}>
          {inGroup.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              current={session.id === currentSessionId}
              updated={updatedLabel(new Date(session.updated_at), now)}
              actions={actions}
            />
          ))}
        </ul>
      </section>
    )
  })
}

const placeholderWidths = ['w-3/5', 'w-4/5', 'w-1/2', 'w-2/3', 'w-3/4', 'w-2/5'] as const

export function ListSkeleton() {
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

export interface SessionGroup {
  heading: string
  sessions: Session[]
}

/** The list cut into its pinned conversations and days, in its own order. In the archive a pin counts for nothing. */
export function groupSessions(sessions: readonly Session[], now: Date): SessionGroup[] {
  const groups: SessionGroup[] = []
  for (const session of sessions) {
    const isPinned = session.pinned === true && session.archived !== true
    const heading = isPinned ? 'Pinned' : dayGroup(new Date(session.updated_at), now)
    const last = groups.at(-1)
    if (last?.heading === heading) last.sessions.push(session)
    else groups.push({ heading, sessions: [session] })
  }
  return groups
}
