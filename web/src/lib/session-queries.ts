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

/** The key of the list that the panel shows. */
export const activeSessionsKey = [...sessionListsKey, 'active'] as const

/** The key of what is stored of one conversation. */
export const conversationKey = (sessionId: string) => ['conversation', sessionId] as const

/** @returns below zero when `a` stands in front of `b` in a list: the newest first (HIST-24) */
export const compareSessions = (a: Session, b: Session) => b.updated_at.localeCompare(a.updated_at)

/** The list without a conversation. */
export function withoutSession(list: SessionList, sessionId: string): SessionList {
  const sessions = list.sessions.filter(({ id }) => id !== sessionId)
  return { ...list, sessions, total: list.total - (list.sessions.length - sessions.length) }
}

/** Puts a conversation that has just changed where it belongs in the list, if the list is known. */
export function rememberSession(queryClient: QueryClient, session: Session): void {
  const known = queryClient.getQueryData<SessionList>(activeSessionsKey)
  if (!known) return
  const others = withoutSession(known, session.id)
  const sessions =
    session.message_count > 0 ? [session, ...others.sessions].toSorted(compareSessions) : others.sessions
  queryClient.setQueryData<SessionList>(activeSessionsKey, {
    ...others,
    sessions,
    total: others.total + (sessions.length - others.sessions.length),
  })
  // it may stand in what was not read yet, and was counted there
  if (others.total === known.total && known.next !== undefined)
    void queryClient.invalidateQueries({ queryKey: activeSessionsKey })
}
