import { sayConversation } from '#shared/sentences/conversations.ts'
import * as z from 'zod'
import type { RouteQuery, RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { Session } from '#shared/contracts/messages.ts'
import { BadRequest } from '../platform/errors.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'

/** Sort position of a conversation: pinned, updated, id. The id orders conversations of the same time. */
const position = z.tuple([z.boolean(), z.string(), z.string()])
type Position = z.infer<typeof position>
type View = RouteQuery<'sessions.list'>['view']

/** Only the list of active conversations has the pinned ones first. */
const getPosition = ({ pinned = false, updated_at, id }: Session, view: View): Position => [
  pinned && view === 'active',
  updated_at,
  id,
]

/** Sorts pinned conversations first, then by newest update. */
const compare = ([aPinned, aTime, aId]: Position, [bPinned, bTime, bId]: Position) =>
  Number(bPinned) - Number(aPinned) || bTime.localeCompare(aTime) || bId.localeCompare(aId)

const encode = (at: Position) => Buffer.from(JSON.stringify(at)).toString('base64url')

/** @throws BadRequest */
function decode(cursor: string): Position {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch (cause) {
    throw new BadRequest(sayConversation('bad_request.list_cursor'), { cause })
  }
}

/**
 * What a cursor of the active conversations names, and whether one that is not pinned comes after it.
 * @throws BadRequest for an invalid cursor
 */
export function compareToCursor(cursor: string | undefined) {
  const after = cursor === undefined ? undefined : decode(cursor)
  return {
    after: after && { isPinned: after[0], updatedAt: after[1] },
    isAfter: (session: Session) => after === undefined || compare(after, getPosition(session, 'active')) < 0,
  }
}

const isListed = (
  { archived = false, project_id }: Session,
  { view, project_id: wanted }: RouteQuery<'sessions.list'>,
) =>
  (view === undefined || archived === (view === 'archived')) &&
  (wanted === undefined || project_id === wanted)

/**
 * A page of a user's conversations, newest update first. A cursor names a position, not a conversation: one that was deleted, or has moved
 * up meanwhile, skips and repeats none of the others.
 * @param sessions in any order
 * @param extent whether these are all of them: otherwise one that follows the page is among them, and no total is known
 * @param query without `limit` as many as fit into a response. Pinned conversations in front do not count against it.
 * @throws BadRequest for an invalid cursor
 */
export function paginateConversations(
  sessions: readonly Session[],
  query: RouteQuery<'sessions.list'>,
  extent: 'all' | 'some' = 'all',
): RouteResponse<'sessions.list'> {
  const { view, limit = Infinity, cursor } = query
  const after = cursor === undefined ? undefined : decode(cursor)
  const listed = sessions
    .filter((session) => isListed(session, query))
    .map((session) => ({ session, at: getPosition(session, view) }))
    .toSorted((a, b) => compare(a.at, b.at))
  const rest = after === undefined ? listed : listed.filter(({ at }) => compare(after, at) < 0)
  const pinnedCount = rest.filter(({ at: [isPinned] }) => isPinned).length
  const page: typeof listed = []
  let bytes = 0
  for (const entry of rest.slice(0, pinnedCount + limit)) {
    bytes += responseBytes(entry.session)
    if (bytes > pageBytes) break
    page.push(entry)
  }
  const last = page.at(-1)
  return {
    sessions: page.map(({ session }) => session),
    ...(limit !== Infinity && extent === 'all' && { total: listed.length }),
    ...(last && page.length < rest.length && { next: encode(last.at) }),
  }
}
