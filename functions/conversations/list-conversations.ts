import type { RouteQuery, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { compareToCursor, paginateConversations } from './conversation-page.ts'
import type { ConversationStores } from './store/conversation-stores.ts'
import type { ListIndex } from './store/list-index.ts'

interface ListDeps extends Pick<ConversationStores, 'conversations'> {
  readonly index: ListIndex
}

/**
 * A page of a user's conversations, as `paginateConversations` says. A page of the active ones with a `limit` is read from the index, if
 * that reaches so far, and then has no total; every other one needs all conversations.
 * @throws BadRequest for an invalid cursor
 */
export async function listConversations(
  { conversations, index }: ListDeps,
  sub: string,
  query: RouteQuery<'sessions.list'>,
  nowMs: number,
): Promise<RouteResponse<'sessions.list'>> {
  const { view, limit, project_id, cursor } = query
  if (view !== 'active' || limit === undefined || project_id !== undefined)
    return paginateConversations(await conversations.list(sub), query)
  const { after, isAfter } = compareToCursor(cursor)
  const isOnPage = ({ pinned = false, archived = false }: Flags) => !pinned && !archived
  // pinned conversations may go on after a full response
  if (!after?.isPinned) {
    const part = await index.find(
      sub,
      { after, limit, isOnPage: (session) => isOnPage(session) && isAfter(session) },
      nowMs,
    )
    if (part) return paginateConversations(part, query, 'some')
  }
  const all = await conversations.list(sub)
  const end = all.findIndex((session) => isOnPage(session) && isAfter(session))
  // a list is not refused because its index could not be written
  await index
    .maintain(sub, all, { passed: (end === -1 ? all.length : end) + limit, nowMs })
    .catch((cause: unknown) => logger.warn('the index of conversations was not written', { error: cause }))
  return paginateConversations(all, query)
}

interface Flags {
  pinned?: boolean | undefined
  archived?: boolean | undefined
}
