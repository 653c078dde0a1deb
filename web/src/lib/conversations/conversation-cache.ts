import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/messages.ts'
import { sessionTitle } from '#shared/session-title.ts'
import { assistantsQuery } from './assistant-queries.ts'
import { broadcastListChange } from './conversation-broadcast.ts'
import { conversationKey, conversationsKey } from './conversation-key.ts'
import {
  conversationListKey,
  conversationListsKey,
  conversationTitlesQuery,
  projectConversationsKey,
  type ConversationList,
} from './conversation-list.ts'

/** A conversation whose first message was sent. */
interface StartedConversation {
  id: string
  userId: string
  /** the first one */
  message: { content: string; attachments: readonly { name: string }[]; timestamp: number }
  projectId: string | null | undefined
}

/** The part of a cached conversation that this module changes. */
interface CachedConversation {
  title: string | null
  projectId?: string | null
}

/** What `createConversationCache` returns. */
export type ConversationCache = ReturnType<typeof createConversationCache>

/**
 * Brings what the page has cached of the user's conversations up to date after a change: the list, the archive, the lists of projects, the
 * titles, and title and project of each conversation. Its messages belong to the chat. Lists that are being fetched are fetched again: the
 * response may be older than the change.
 */
export function createConversationCache(client: QueryClient) {
  const { refetchOutdated, changeLists, changeConversation, changeTitles, findListed } =
    createCacheAccess(client)

  /** Fetches the assistants again when a conversation says that its assistant was withdrawn. */
  const refetchWithdrawnAssistant = ({ assistant }: Session) => {
    const { queryKey } = assistantsQuery
    if (assistant?.gone && client.getQueryData(queryKey)?.assistants.some(({ id }) => id === assistant.id))
      void client.invalidateQueries({ queryKey })
  }

  /** Adds or updates a conversation where it belongs, and removes it from where it does not. */
  const upsert = (session: Session): void => {
    refetchWithdrawnAssistant(session)
    for (const view of ['active', 'archived'] as const) {
      const queryKey = conversationListKey(view)
      const cachedList = client.getQueryData<ConversationList>(queryKey)
      if (!cachedList) continue
      client.setQueryData<ConversationList>(queryKey, placeInList(cachedList, session, view))
      // the conversation may be on a page of the list that is not loaded, and then was counted twice
      const wasListed = cachedList.sessions.some(({ id }) => id === session.id)
      if (!wasListed && cachedList.next !== undefined) void client.invalidateQueries({ queryKey })
    }
    refetchOutdated()
    changeTitles((titles) => titles.set(session.id, session.title))
  }

  return {
    upsert,

    /** Lists a conversation whose first message the service has stored, unless it is listed. Its remaining fields come with the reply. */
    begin(started: StartedConversation): void {
      if (!findListed(started.id)) upsert(toSession(started))
    },

    /** Removes a conversation from all lists. If it is on the screen, it is fetched again, and found missing. */
    remove(id: string): void {
      client.removeQueries({ queryKey: conversationKey(id), type: 'inactive' })
      void client.resetQueries({ queryKey: conversationKey(id) })
      changeLists((list) => omit(list, id))
      changeTitles((titles) => titles.delete(id))
    },

    /** Changes a title everywhere. @param from the expected current title: another one, which is newer, stays */
    retitle(id: string, title: string, from?: string): void {
      const current =
        client.getQueryData<CachedConversation>(conversationKey(id))?.title ?? findListed(id)?.title
      if (from !== undefined && current !== undefined && current !== from) return
      changeConversation(id, { title })
      changeLists((list) => ({
        ...list,
        sessions: list.sessions.map((each) => (each.id === id ? { ...each, title } : each)),
      }))
      changeTitles((titles) => titles.set(id, title))
    },

    /** Shows a conversation in its new project, or outside of its old one. @param session as the service has stored it */
    move(session: Session): void {
      upsert(session)
      changeConversation(session.id, { projectId: session.project_id ?? null })
    },

    /** Fetches the list again if it lacks a conversation that exists. */
    refetchIfMissing(id: string): void {
      if (!findListed(id)) void client.invalidateQueries({ queryKey: conversationListKey('active') })
    },

    /** Fetches all lists again. */
    refetch: (): Promise<void> => client.invalidateQueries({ queryKey: conversationListsKey }),

    /** Fetches again everything that lists conversations or titles: another tab has changed it. */
    refetchAll(): void {
      for (const queryKey of [
        conversationListsKey,
        projectConversationsKey,
        conversationTitlesQuery.queryKey,
      ])
        void client.invalidateQueries({ queryKey })
    },

    /** Aborts running fetches of lists: their responses would have the state before a change. */
    cancelFetches: (): Promise<void> => client.cancelQueries({ queryKey: conversationListsKey }),

    /** Removes every list and every conversation that is not on the screen. Lists that are there are fetched again, in other tabs too. */
    clear(): void {
      for (const queryKey of [conversationListsKey, conversationsKey])
        client.removeQueries({ queryKey, type: 'inactive' })
      void client.resetQueries({ queryKey: conversationListsKey })
      broadcastListChange()
    },
  }
}

/** Reads and changes the cached lists, titles and conversations. */
function createCacheAccess(client: QueryClient) {
  /** Fetches again what a change has made outdated: lists whose response may be older, and those of projects, which are not changed in place. */
  const refetchOutdated = () => {
    void client.invalidateQueries({ queryKey: conversationListsKey, fetchStatus: 'fetching' })
    void client.invalidateQueries({ queryKey: projectConversationsKey })
  }
  const changeLists = (change: (list: ConversationList) => ConversationList) => {
    client.setQueriesData<ConversationList>(
      { queryKey: conversationListsKey },
      (list) => list && change(list),
    )
    refetchOutdated()
  }
  const changeConversation = (id: string, change: Partial<CachedConversation>) =>
    client.setQueryData<CachedConversation>(
      conversationKey(id),
      (cached) => cached && { ...cached, ...change },
    )
  const changeTitles = (change: (titles: Map<string, string>) => unknown) =>
    client.setQueryData(conversationTitlesQuery.queryKey, (known) => {
      if (!known) return known
      const titles = new Map(known)
      change(titles)
      return titles
    })
  const findListed = (id: string): Session | undefined =>
    client
      .getQueriesData<ConversationList>({ queryKey: conversationListsKey })
      .flatMap(([, list]) => list?.sessions ?? [])
      .find((session) => session.id === id)
  return { refetchOutdated, changeLists, changeConversation, changeTitles, findListed }
}

/** The conversation as the list shows it until the service has answered. */
function toSession({
  id,
  userId,
  message: { content, attachments, timestamp },
  projectId,
}: StartedConversation): Session {
  const at = new Date(timestamp).toISOString()
  return {
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
  }
}

/** The list with a conversation that belongs there, or without one that does not. */
function placeInList(
  list: ConversationList,
  session: Session,
  view: 'active' | 'archived',
): ConversationList {
  const isArchive = view === 'archived'
  const others = omit(list, session.id)
  if (session.message_count === 0 || (session.archived === true) !== isArchive) return others
  const rank = ({ pinned }: Session) => Number(!isArchive && pinned === true)
  return {
    ...others,
    // pinned first, then newest first
    sessions: [session, ...others.sessions].toSorted(
      (a, b) => rank(b) - rank(a) || b.updated_at.localeCompare(a.updated_at),
    ),
    total: addTo(others.total, 1),
  }
}

function omit(list: ConversationList, sessionId: string): ConversationList {
  const sessions = list.sessions.filter(({ id }) => id !== sessionId)
  return { ...list, sessions, total: addTo(list.total, sessions.length - list.sessions.length) }
}

/** @returns undefined for a total that is not known */
const addTo = (total: number | undefined, count: number) => (total === undefined ? undefined : total + count)
