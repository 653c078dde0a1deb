import type { Session } from '#shared/contracts/sessions.ts'
import { formatDayGroup } from '../../lib/dates.ts'

export interface SessionGroup {
  heading: string
  sessions: Session[]
}

/** The list cut into its pinned conversations and days, in its own order. In the archive a pin counts for nothing. */
export function groupSessions(sessions: readonly Session[], now: Date): SessionGroup[] {
  const groups: SessionGroup[] = []
  for (const session of sessions) {
    const isPinned = session.pinned === true && session.archived !== true
    const heading = isPinned ? 'Pinned' : formatDayGroup(new Date(session.updated_at), now)
    const last = groups.at(-1)
    if (last?.heading === heading) last.sessions.push(session)
    else groups.push({ heading, sessions: [session] })
  }
  return groups
}
