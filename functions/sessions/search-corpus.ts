import type { RouteQuery, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { BadRequest } from '../platform/errors.ts'
import type { Stores } from './stores.ts'

/** What one answer carries at most, give or take a page of the table. */
const maxCharacters = 2_000_000
/** A message may become readable a little after the time that its conversation carries. */
const overlapMs = 60_000

/** Where the next answer goes on, and as of when all of them are. */
interface Cursor {
  asOf: string
  /** id of the conversation, and place of its last message that was sent */
  sessionId: string
  place: string
}

const encode = (cursor: Cursor) => Buffer.from(JSON.stringify(Object.values(cursor))).toString('base64url')

function decode(text: string): Cursor {
  try {
    const [asOf, sessionId, place] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (typeof asOf === 'string' && typeof sessionId === 'string' && /^\d{6}#[123]$/.test(String(place)))
      return { asOf, sessionId, place: String(place) }
  } catch (cause) {
    throw new BadRequest('The cursor is not one of this search.', { cause })
  }
  throw new BadRequest('The cursor is not one of this search.')
}

/**
 * The caller's own titles and messages, for a search that runs in their browser.
 * @param query `since` gives only conversations that changed after it, whole; `cursor` goes on with an earlier answer
 */
export async function searchCorpus(
  { sessions, messages }: Pick<Stores, 'sessions' | 'messages'>,
  sub: string,
  { since, cursor }: RouteQuery<'sessions.corpus'>,
): Promise<RouteResponse<'sessions.corpus'>> {
  const from = cursor === undefined ? undefined : decode(cursor)
  const asOf = from?.asOf ?? new Date().toISOString()
  const all = await sessions.list(sub)
  const sinceMs = since === undefined ? undefined : Date.parse(since) - overlapMs
  const changed = all
    .filter(({ updated_at }) => sinceMs === undefined || Date.parse(updated_at) >= sinceMs)
    .map(({ id }) => id)
    .toSorted()

  const found: RouteResponse<'sessions.corpus'>['messages'] = []
  let characters = 0
  let next: string | null = null
  for (const sessionId of changed.filter((id) => !from || id >= from.sessionId)) {
    let after = sessionId === from?.sessionId ? from.place : undefined
    do {
      const page = await messages.following(sub, sessionId, after)
      for (const { id, session_id, role, content, created_at } of page.messages) {
        found.push({ id, session_id, role, content, created_at })
        characters += content.length
      }
      after = page.next ?? undefined
      if (characters >= maxCharacters && page.last) {
        next = encode({ asOf, sessionId, place: page.last })
        break
      }
    } while (after !== undefined)
    if (next !== null) break
  }
  const first = from === undefined
  return {
    sessions: first ? all.map(({ id, title, updated_at }) => ({ id, title, updated_at })) : null,
    changed: first ? changed : null,
    messages: found,
    next,
    as_of: asOf,
  }
}
