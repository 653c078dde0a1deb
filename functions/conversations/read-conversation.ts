import type { Message, Session } from '#shared/contracts/messages.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { countsAsMessage } from '#shared/message-content.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'
import { commitReplacement } from './turns/commit-replacement.ts'
import { findShownPath, isActive, isEmptyAttempt, toRunView, type Run } from './store/run.ts'
import { ConversationNotFound } from './store/errors.ts'
import { formatCursor, type StoredMessage } from './store/message-row.ts'
import { addVersions } from './message-versions.ts'
import { recountMessages } from './store/recount-messages.ts'
import { recoverRun } from './turns/recover-run.ts'
import type { ConversationStores } from './store/conversation-stores.ts'

/** Whether the page needs the run: while it is active, and if it ended without a reply. */
const isRelevant = (run: Run) => run.status !== 'done' || isEmptyAttempt(run)

/** The turns to read: those that are shown, and that of a message which is to replace another one while its reply is written. */
const findReadPath = (run: Run) =>
  run.replaces && isActive(run)
    ? [{ first: run.turn, last: run.turn }, ...findShownPath(run)]
    : findShownPath(run)

/**
 * A conversation with the newest messages of the branch that is shown, or those before a cursor, and the state of its newest run.
 * @throws ConversationNotFound
 */
export async function readConversation(
  stores: ConversationStores,
  { sub, sessionId, before }: { sub: string; sessionId: string; before?: string | undefined },
): Promise<SessionRead> {
  const found = await stores.runs.find(sub, sessionId)
  // before the messages are loaded, so that they include what a lost run left
  const recovered = found && (await recoverRun(stores, found))
  const run = (recovered && (await commitReplacement(stores, recovered)))?.run ?? recovered
  const [session, { messages, earlier }, feedback, attempted] = await Promise.all([
    stores.conversations.find(sub, sessionId),
    stores.messages.loadNewest(sub, sessionId, {
      before,
      ...(run && { path: findReadPath(run) }),
      maxBytes: pageBytes,
    }),
    stores.feedback.findInConversation(sub, sessionId),
    run && isEmptyAttempt(run) ? stores.messages.loadTurn(sub, sessionId, run.turn) : [],
  ])
  if (!session || session === 'deleted') throw new ConversationNotFound(`no conversation ${sessionId}`)
  const view = run && isRelevant(run) ? toRunView(run) : null
  const linked = await stores.files.addLinks(
    sub,
    messages.map((message) => ({
      ...addVersions(message, run?.branches),
      feedback: feedback.get(message.id),
    })),
  )
  const [attempt] = await stores.files.addLinks(
    sub,
    attempted.filter(({ kind }) => kind === 'user'),
  )
  const page = takeNewestWithin(
    linked,
    pageBytes - responseBytes(view) - (attempt ? responseBytes(attempt) : 0),
  )
  const [first] = page
  return {
    session: await correctCount(stores, session, { messages, isWhole: earlier === null && !before, run }),
    messages: page,
    earlier: first && page.length < linked.length ? formatCursor(first) : earlier,
    run: view,
    ...(attempt && { attempt }),
  }
}

/** The newest messages that fit into a response with their links; one at least. */
function takeNewestWithin<M extends StoredMessage>(messages: readonly M[], maxBytes: number): M[] {
  let bytes = 0
  const first = messages.findLastIndex((message) => (bytes += responseBytes(message)) > maxBytes) + 1
  return messages.slice(Math.max(0, Math.min(first, messages.length - 1)))
}

/** Corrects the count if all messages were loaded: a turn that was cut short may have missed one. */
async function correctCount(
  stores: ConversationStores,
  session: Session,
  { messages, isWhole, run }: { messages: readonly Message[]; isWhole: boolean; run: Run | undefined },
): Promise<Session> {
  const count = messages.filter(({ content }) => countsAsMessage(content)).length
  if (!isWhole || (run && isActive(run)) || count === session.message_count) return session
  return recountMessages(stores, { ...run, sub: session.user_id, sessionId: session.id })
}
