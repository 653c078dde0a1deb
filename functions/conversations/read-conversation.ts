import type { Message, Session, SessionRead } from '#shared/contracts/sessions.ts'
import { isRealContent } from '#shared/message-content.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'
import { findPath } from '../runs/branches.ts'
import { endReplacement } from '../runs/commit-replacement.ts'
import { isActive, viewOf, type Run } from '../runs/run.ts'
import { SessionNotFound } from './errors.ts'
import { cursorOf, type PlacedMessage } from './message-repository.ts'
import { withVersions } from './message-versions.ts'
import { recount } from './recount-messages.ts'
import { recoverRun } from '../runs/recover-run.ts'
import type { Stores } from './stores.ts'

/** A run is of interest while it goes on, and when it ended without a reply to show for it. */
const worthTelling = (run: Run | undefined) => run && (isActive(run) || run.status !== 'done')

/**
 * A conversation with the newest messages of the branch that is shown, or those before a cursor, and how its newest run stands.
 * @throws SessionNotFound for what is unknown, deleted, or somebody else's
 */
export async function readSession(
  stores: Stores,
  { sub, sessionId, before }: { sub: string; sessionId: string; before?: string | undefined },
): Promise<SessionRead> {
  const found = await stores.runs.find(sub, sessionId)
  // first, so that what a lost run left is among the messages
  const recovered = found && (await recoverRun(stores, found))
  const run = (recovered && (await endReplacement(stores, recovered)))?.run ?? recovered
  const [session, { messages, earlier }] = await Promise.all([
    stores.sessions.find(sub, sessionId),
    stores.messages.newest(sub, sessionId, { before, path: findPath(run?.branches) }),
  ])
  if (!session || session === 'deleted') throw new SessionNotFound(`no conversation ${sessionId}`)
  const view = run && worthTelling(run) ? viewOf(run) : null
  const linked = await stores.files.links(
    sub,
    messages.map((message) => withVersions(message, run?.branches)),
  )
  const page = newestWithin(linked, pageBytes - responseBytes(view))
  const [first] = page
  return {
    session: await recountedIfWrong(stores, session, { messages, isWhole: earlier === null && !before, run }),
    messages: page,
    earlier: first && page.length < linked.length ? cursorOf(first) : earlier,
    run: view,
  }
}

/** The newest messages that fit into an answer with their links; one at least. */
function newestWithin<M extends PlacedMessage>(messages: readonly M[], maxBytes: number): M[] {
  let bytes = 0
  const first = messages.findLastIndex((message) => (bytes += responseBytes(message)) > maxBytes) + 1
  return messages.slice(Math.max(0, Math.min(first, messages.length - 1)))
}

/** What one sees whole can be counted; a turn that was cut short may have left a message out. */
async function recountedIfWrong(
  stores: Stores,
  session: Session,
  { messages, isWhole, run }: { messages: readonly Message[]; isWhole: boolean; run: Run | undefined },
): Promise<Session> {
  const count = messages.filter(({ content }) => isRealContent(content)).length
  if (!isWhole || (run && isActive(run)) || count === session.message_count) return session
  return recount(stores, { sub: session.user_id, sessionId: session.id, branches: run?.branches })
}
