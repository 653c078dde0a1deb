import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { callApi } from './call-api.ts'
import {
  conversationKey,
  sessionListKey,
  sessionListsKey,
  withoutSession,
  type SessionList,
  type SessionView,
} from './session-queries.ts'

/** Conversations that one page brings. */
const pageSize = 100
/** The most that the service gives at once. */
const largestPage = 500

/**
 * The user's conversations, newest update first (HIST-24), as far as somebody has scrolled: those that are not archived, with the pinned ones
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
