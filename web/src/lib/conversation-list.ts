import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/messages.ts'
import { sessionTitle } from '#shared/session-title.ts'
import { callApi } from './call-api.ts'
import { conversationKey } from './conversation-key.ts'

/** The loaded part of a list of conversations. */
export interface ConversationList {
  /** in display order */
  sessions: Session[]
  /** how many there are in total */
  total: number
  /** cursor of the next page; absent when everything is loaded */
  next?: string | undefined
}

/** The query key that matches every list of conversations. */
export const conversationListsKey = ['sessions'] as const

/** The list in the panel, or the archive. */
export type ConversationListView = 'active' | 'archived'
export const conversationListKey = (view: ConversationListView) => [...conversationListsKey, view] as const

export function omitConversation(list: ConversationList, sessionId: string): ConversationList {
  const sessions = list.sessions.filter(({ id }) => id !== sessionId)
  return { ...list, sessions, total: list.total - (list.sessions.length - sessions.length) }
}

/** Fetches the lists that are being fetched once more: the response may be older than a change. */
function refetchPendingLists(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: conversationListsKey, fetchStatus: 'fetching' })
}

/** Adds or updates a conversation in the cached list or archive that it belongs to, and removes it from the other. */
export function upsertConversation(queryClient: QueryClient, session: Session): void {
  for (const view of ['active', 'archived'] as const) {
    const queryKey = conversationListKey(view)
    const cachedList = queryClient.getQueryData<ConversationList>(queryKey)
    if (!cachedList) continue
    const isArchive = view === 'archived'
    const rank = ({ pinned }: Session) => Number(!isArchive && pinned === true)
    const others = omitConversation(cachedList, session.id)
    const isListed = session.message_count > 0 && (session.archived === true) === isArchive
    queryClient.setQueryData<ConversationList>(
      queryKey,
      isListed
        ? {
            ...others,
            // pinned first, then newest first
            sessions: [session, ...others.sessions].toSorted(
              (a, b) => rank(b) - rank(a) || b.updated_at.localeCompare(a.updated_at),
            ),
            total: others.total + 1,
          }
        : others,
    )
    // it may be on a page that is not loaded, and is counted there
    if (others.total === cachedList.total && cachedList.next !== undefined)
      void queryClient.invalidateQueries({ queryKey })
  }
  refetchPendingLists(queryClient)
}

const isListed = (queryClient: QueryClient, id: string) =>
  queryClient
    .getQueriesData<ConversationList>({ queryKey: conversationListsKey })
    .some(([, list]) => list?.sessions.some((session) => session.id === id))

/** What the page knows of a conversation that has begun. */
interface StartedConversation {
  id: string
  userId: string
  /** the first one */
  message: { content: string; attachments: readonly { name: string }[]; timestamp: number }
  projectId: string | null | undefined
}

/** Adds a conversation whose first message the service has stored, unless it is listed. Its reply brings what else there is to know. */
export function listNewConversation(
  queryClient: QueryClient,
  { id, userId, message: { content, attachments, timestamp }, projectId }: StartedConversation,
): void {
  if (isListed(queryClient, id)) return
  const at = new Date(timestamp).toISOString()
  upsertConversation(queryClient, {
    id,
    user_id: userId,
    title: sessionTitle(
      content,
      attachments.map(({ name }) => name),
    ),
    created_at: at,
    updated_at: at,
    message_count: 1,
    ...(projectId && { project_id: projectId }),
  })
}

/** Fetches a loaded list again if it lacks a conversation that exists. */
export function refetchListsWithout(queryClient: QueryClient, id: string): void {
  const queryKey = conversationListKey('active')
  if (!isListed(queryClient, id)) void queryClient.invalidateQueries({ queryKey })
}

const pageSize = 100
/** The API's limit. */
const maxPageSize = 500

/**
 * The user's conversations, pinned first, then by last update, as far as the user has scrolled; or the archived ones. A refetch loads as
 * many again.
 */
export const conversationsQuery = (view: ConversationListView) =>
  queryOptions({
    queryKey: conversationListKey(view),
    queryFn: async ({ client, queryKey, signal }): Promise<ConversationList> => {
      const list: ConversationList = { sessions: [], total: 0 }
      const countMissing = () =>
        (client.getQueryData<ConversationList>(queryKey)?.sessions.length ?? 0) - list.sessions.length
      do {
        const limit = Math.min(Math.max(countMissing(), pageSize), maxPageSize)
        const page = await callApi('sessions.list', { query: { view, limit, cursor: list.next } }, { signal })
        list.sessions.push(...page.sessions)
        list.total = page.total ?? list.sessions.length
        list.next = page.next
      } while (list.next !== undefined && countMissing() > 0)
      return list
    },
  })

/**
 * Loads the next page.
 * @throws what `callApi` throws
 */
export async function loadMoreConversations(
  queryClient: QueryClient,
  view: ConversationListView,
): Promise<void> {
  const { queryKey } = conversationsQuery(view)
  const cachedList = queryClient.getQueryData(queryKey)
  if (cachedList?.next === undefined) return
  const page = await callApi('sessions.list', { query: { view, limit: pageSize, cursor: cachedList.next } })
  queryClient.setQueryData(queryKey, (list) => {
    // refetched meanwhile
    if (!list || list.next !== cachedList.next) return list
    const listedIds = new Set(list.sessions.map(({ id }) => id))
    return {
      sessions: [...list.sessions, ...page.sessions.filter(({ id }) => !listedIds.has(id))],
      total: page.total ?? list.total,
      next: page.next,
    }
  })
}

/** The titles of all conversations, by id. */
export const conversationTitlesQuery = queryOptions({
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

/** Removes every list and every conversation that is not on the screen from the cache. */
export function clearConversationCache(queryClient: QueryClient): void {
  queryClient.removeQueries({ queryKey: conversationListsKey })
  queryClient.removeQueries({ queryKey: ['conversation'], type: 'inactive' })
}

/** Removes a conversation from the lists, and from the cache unless it is on the screen. */
export function removeConversation(queryClient: QueryClient, sessionId: string): void {
  queryClient.removeQueries({ queryKey: conversationKey(sessionId), type: 'inactive' })
  queryClient.setQueriesData<ConversationList>(
    { queryKey: conversationListsKey },
    (list) => list && omitConversation(list, sessionId),
  )
  refetchPendingLists(queryClient)
}

/** Updates a conversation's title in the cached lists and in the cached conversation. */
export function updateConversationTitle(queryClient: QueryClient, sessionId: string, title: string): void {
  queryClient.setQueryData(
    conversationKey(sessionId),
    (cached: { title: string | null } | undefined) => cached && { ...cached, title },
  )
  queryClient.setQueriesData<ConversationList>(
    { queryKey: conversationListsKey },
    (list) =>
      list && {
        ...list,
        sessions: list.sessions.map((each) => (each.id === sessionId ? { ...each, title } : each)),
      },
  )
  refetchPendingLists(queryClient)
}
