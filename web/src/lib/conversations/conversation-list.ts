import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/messages.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { callApi } from '../api/call-api.ts'

/** The part of a list of conversations that is loaded. */
export interface ConversationList {
  /** in display order */
  sessions: Session[]
  /** how many there are in total; undefined while the service has not counted many */
  total: number | undefined
  /** cursor of the next page; absent when everything is loaded */
  next?: string | undefined
}

/** The query key that matches every list of conversations. */
export const conversationListsKey = ['sessions'] as const

/** The list in the panel, or the archive. */
export type ConversationListView = 'active' | 'archived'
/** The query key of the active or of the archived conversations. */
export const conversationListKey = (view: ConversationListView) => [...conversationListsKey, view] as const

/** More than a screen shows: the next page is loaded before the user has scrolled to it. */
const pageSize = 100
/** The API's limit (`sessionListQuery` of its contract). */
const maxPageSize = 500

/**
 * The user's conversations, pinned first, then by last update, as far as the user has scrolled; or the archived ones. A refetch loads as
 * many again.
 */
export const conversationsQuery = (view: ConversationListView) =>
  queryOptions({
    queryKey: conversationListKey(view),
    queryFn: async ({ client, queryKey, signal }): Promise<ConversationList> => {
      let list: ConversationList = { sessions: [], total: 0 }
      // of those that the list had before it was fetched again
      const countMissing = () =>
        (client.getQueryData<ConversationList>(queryKey)?.sessions.length ?? 0) - list.sessions.length
      do {
        const limit = Math.min(Math.max(countMissing(), pageSize), maxPageSize)
        const page = await callApi('sessions.list', { query: { view, limit, cursor: list.next } }, { signal })
        list = appendPage(list, page)
      } while (list.next !== undefined && countMissing() > 0)
      return list
    },
  })

/**
 * Loads the next page into the cached list; does nothing if there is none.
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
    // the list was fetched again meanwhile: this page does not follow it
    return !list || list.next !== cachedList.next ? list : appendPage(list, page)
  })
}

/** The list with its next page. A conversation that has moved from one to the other meanwhile, such as one that is no longer pinned, stays once. */
function appendPage(
  list: ConversationList,
  { sessions: added, total, next }: RouteResponse<'sessions.list'>,
): ConversationList {
  const listedIds = new Set(list.sessions.map(({ id }) => id))
  const sessions = [...list.sessions, ...added.filter(({ id }) => !listedIds.has(id))]
  // the last page tells the number that the service has not counted
  return { sessions, total: total ?? (next === undefined ? sessions.length : undefined), next }
}

/** The titles of all conversations, archived ones too, by id. */
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

/** The key of the conversations of each project, in pages. */
export const projectConversationsKey = ['project-sessions'] as const
