import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/sessions.ts'

/** A list of conversations as far as it was read. */
export interface SessionList {
  /** in the list's order */
  sessions: Session[]
  /** how many there are, whether they were read or not */
  total: number
  /** names the page after these; absent when these are all */
  next?: string | undefined
}

/** The key of every list of conversations. */
export const sessionListsKey = ['sessions'] as const

/** The list of the panel, and the archive. */
export type SessionView = 'active' | 'archived'
export const sessionListKey = (view: SessionView) => [...sessionListsKey, view] as const

/** The key of what is stored of one conversation. */
export const conversationKey = (sessionId: string) => ['conversation', sessionId] as const

/** The list without a conversation. */
export function withoutSession(list: SessionList, sessionId: string): SessionList {
  const sessions = list.sessions.filter(({ id }) => id !== sessionId)
  return { ...list, sessions, total: list.total - (list.sessions.length - sessions.length) }
}

/** Puts a conversation that has just changed where it belongs: into the list or the archive, as far as they are known. */
export function rememberSession(queryClient: QueryClient, session: Session): void {
  for (const view of ['active', 'archived'] as const) {
    const queryKey = sessionListKey(view)
    const known = queryClient.getQueryData<SessionList>(queryKey)
    if (!known) continue
    const isArchive = view === 'archived'
    const rank = ({ pinned }: Session) => Number(!isArchive && pinned === true)
    const others = withoutSession(known, session.id)
    const belongs = session.message_count > 0 && (session.archived === true) === isArchive
    queryClient.setQueryData<SessionList>(
      queryKey,
      belongs
        ? {
            ...others,
            // the pinned ones, then the newest (HIST-24)
            sessions: [session, ...others.sessions].toSorted(
              (a, b) => rank(b) - rank(a) || b.updated_at.localeCompare(a.updated_at),
            ),
            total: others.total + 1,
          }
        : others,
    )
    // it may stand in what was not read yet, and was counted there
    if (others.total === known.total && known.next !== undefined)
      void queryClient.invalidateQueries({ queryKey })
  }
}
