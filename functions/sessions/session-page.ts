import * as z from 'zod'
import type { RouteQuery, RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { Session } from '#shared/contracts/sessions.ts'
import { BadRequest } from '../platform/errors.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'

/** Where a conversation stands in the list. Conversations of the same time are ordered by their id. */
const position = z.tuple([z.string(), z.string()])
type Position = z.infer<typeof position>

const getPosition = ({ updated_at, id }: Session): Position => [updated_at, id]

/** @returns below zero when `a` stands in front of `b`: the newest first */
const compare = ([aTime, aId]: Position, [bTime, bId]: Position) =>
  bTime.localeCompare(aTime) || bId.localeCompare(aId)

const encode = (session: Session) => Buffer.from(JSON.stringify(getPosition(session))).toString('base64url')

/** @throws BadRequest */
function decode(cursor: string): Position {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch (cause) {
    throw new BadRequest('The cursor is not one of this list.', { cause })
  }
}

/**
 * A page of a user's conversations, newest update first. A cursor names a position, not a conversation: one that was deleted, or has moved
 * up meanwhile, skips and repeats none of the others.
 * @param sessions all of them, in any order
 * @param query without `limit` as many as an answer carries
 * @throws BadRequest for a cursor that is none
 */
export function pageOfSessions(
  sessions: readonly Session[],
  { limit, cursor }: RouteQuery<'sessions.list'>,
): RouteResponse<'sessions.list'> {
  const after = cursor === undefined ? undefined : decode(cursor)
  const listed = sessions.toSorted((a, b) => compare(getPosition(a), getPosition(b)))
  const first = after === undefined ? 0 : listed.findIndex((each) => compare(after, getPosition(each)) < 0)
  const page: Session[] = []
  let bytes = 0
  for (const session of first < 0 ? [] : listed.slice(first, first + (limit ?? Infinity))) {
    bytes += responseBytes(session)
    if (bytes > pageBytes) break
    page.push(session)
  }
  const last = page.at(-1)
  const isEnd = last === undefined || last === listed.at(-1)
  return {
    sessions: page,
    ...(limit !== undefined && { total: listed.length }),
    ...(!isEnd && { next: encode(last) }),
  }
}
