import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/sessions.ts'
import { callApi } from './call-api.ts'

/** The key of what is stored of one conversation. */
export const conversationKey = (sessionId: string) => ['conversation', sessionId] as const

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
            // the pinned ones, then the newest
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

/** Conversations that one page brings. */
const pageSize = 100
/** The most that the service gives at once. */
const largestPage = 500

/**
 * The user's conversations, newest update first, as far as somebody has scrolled: those that are not archived, with the pinned ones
 * in front, or the archived ones. A refresh reads as far again.
 */
export const sessionsQuery = (view: SessionView) =>
  queryOptions({
    queryKey: sessionListKey(view),
    queryFn: async ({ client, queryKey, signal }): Promise<SessionList> => {
      const list: SessionList = { sessions: [], total: 0 }
      const missing = () =>
        (client.getQueryData<SessionList>(queryKey)?.sessions.length ?? 0) - list.sessions.length
      do {
        const limit = Math.min(Math.max(missing(), pageSize), largestPage)
        const page = await callApi('sessions.list', { query: { view, limit, cursor: list.next } }, { signal })
        list.sessions.push(...page.sessions)
        list.total = page.total ?? list.sessions.length
        list.next = page.next
      } while (list.next !== undefined && missing() > 0)
      return list
    },
  })

/**
 * Reads the page after those that are known.
 * @throws what `callApi` throws
 */
export async function loadMoreSessions(queryClient: QueryClient, view: SessionView): Promise<void> {
  const { queryKey } = sessionsQuery(view)
  const known = queryClient.getQueryData(queryKey)
  if (known?.next === undefined) return
  const page = await callApi('sessions.list', { query: { view, limit: pageSize, cursor: known.next } })
  queryClient.setQueryData(queryKey, (list) => {
    // it was read again meanwhile
    if (!list || list.next !== known.next) return list
    const listed = new Set(list.sessions.map(({ id }) => id))
    return {
      sessions: [...list.sessions, ...page.sessions.filter(({ id }) => !listed.has(id))],
      total: page.total ?? list.total,
      next: page.next,
    }
  })
}

/** The titles of all conversations, by id. */
export const sessionTitlesQuery = queryOptions({
  queryKey: ['session-titles'],
  queryFn: async ({ signal }) => {
    const titles = new Map<string, string>()
    let cursor: string | undefined
    do {
      const page = await callApi('sessions.list', { query: { cursor } }, { signal })
      for (const { id, title } of page.sessions) titles.set(id, title)
      cursor = page.next
    } while (cursor !== undefined)
    return titles
  },
})

/** Forgets every list and what was read of conversations that no part of the page shows. */
export function forgetConversations(queryClient: QueryClient): void {
  queryClient.removeQueries({ queryKey: sessionListsKey })
  queryClient.removeQueries({ queryKey: ['conversation'], type: 'inactive' })
}

/** Takes a conversation out of the lists, and what was read of it out of the page unless it is shown. */
export function forgetSession(queryClient: QueryClient, sessionId: string): void {
  queryClient.removeQueries({ queryKey: conversationKey(sessionId), type: 'inactive' })
  queryClient.setQueriesData<SessionList>(
    { queryKey: sessionListsKey },
    (list) => list && withoutSession(list, sessionId),
  )
}

/** Another title for a conversation, in its place in the lists and where it is shown. */
export function retitleSession(queryClient: QueryClient, sessionId: string, title: string): void {
  queryClient.setQueryData(
    conversationKey(sessionId),
    (known: { title: string | null } | undefined) => known && { ...known, title },
  )
  queryClient.setQueriesData<SessionList>(
    { queryKey: sessionListsKey },
    (list) =>
      list && {
        ...list,
        sessions: list.sessions.map((each) => (each.id === sessionId ? { ...each, title } : each)),
      },
  )
}
