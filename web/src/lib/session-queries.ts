import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/sessions.ts'
import { callApi } from './call-api.ts'

/** The user's conversations, newest update first (HIST-24). */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => callApi('sessions.list', {}, { signal }),
})

/** The key of what is stored of one conversation. */
export const conversationKey = (sessionId: string) => ['conversation', sessionId] as const

/** Puts a conversation that has just changed in front of the list, if the list is known. */
export function rememberSession(queryClient: QueryClient, session: Session): void {
  queryClient.setQueryData(sessionsQuery.queryKey, (list) => {
    if (!list) return undefined
    const others = list.sessions.filter(({ id }) => id !== session.id)
    const listed = session.message_count > 0 ? [session, ...others] : others
    return { sessions: listed.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at)) }
  })
}

/** What was read of conversations that no part of the page shows. */
export function forgetConversations(queryClient: QueryClient): void {
  queryClient.removeQueries({ queryKey: ['conversation'], type: 'inactive' })
}

/** Takes a conversation out of the list, and what was read of it out of the page unless it is shown. */
export function forgetSession(queryClient: QueryClient, sessionId: string): void {
  queryClient.removeQueries({ queryKey: conversationKey(sessionId), type: 'inactive' })
  queryClient.setQueryData(
    sessionsQuery.queryKey,
    (list) => list && { sessions: list.sessions.filter(({ id }) => id !== sessionId) },
  )
}

/** Another title for a conversation, in its place in the list and where it is shown. */
export function retitleSession(queryClient: QueryClient, sessionId: string, title: string): void {
  queryClient.setQueryData(
    conversationKey(sessionId),
    (known: { title: string | null } | undefined) => known && { ...known, title },
  )
  queryClient.setQueryData(
    sessionsQuery.queryKey,
    (list) =>
      list && { sessions: list.sessions.map((each) => (each.id === sessionId ? { ...each, title } : each)) },
  )
}
