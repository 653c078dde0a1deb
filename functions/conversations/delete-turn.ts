import type { SessionRead } from '#shared/contracts/sessions.ts'
import { readConversation } from './read-conversation.ts'
import { isInternal } from '#shared/message-content.ts'
import { sessionTitle } from '#shared/session-title.ts'
import { untitled } from '#shared/untitled.ts'
import { hasTurn, removeTurn } from './store/branches.ts'
import type { StoredConversation } from './store/conversation-row.ts'
import type { StoredMessage } from './store/message-row.ts'
import type { ConversationStores } from './store/conversation-stores.ts'
import { ConversationNotFound, MessageNotFound, RunInProgress } from './store/errors.ts'
import { recountMessages } from './store/recount-messages.ts'
import { retryIfRunChanged } from './store/retry-if-run-changed.ts'
import { findShownPath, isActive, isEmptyAttempt, type Run } from './store/run.ts'
import { commitReplacement } from './turns/commit-replacement.ts'
import { recoverRun } from './turns/recover-run.ts'

interface DeleteTurnInput {
  sub: string
  sessionId: string
  /** of the turn, the user's or the reply */
  messageId: string
}

/**
 * Deletes a message with its reply, and their files that nothing else uses; can be repeated. Later messages stay, and other versions. The
 * summary, which may quote it, is made anew, and so is a title that is its first words. Links show neither any more. The first write depends on the run as it was read, and the next message's claim on the write.
 * @returns the conversation with the newest messages of the branch that is shown
 * @throws ConversationNotFound, MessageNotFound, RunInProgress while a reply is written or waits; RunChanged
 */
export const deleteTurn = (stores: ConversationStores, input: DeleteTurnInput): Promise<SessionRead> =>
  retryIfRunChanged(async () => {
    await attemptToDelete(stores, input)
    return readConversation(stores, input)
  })

async function attemptToDelete(
  stores: ConversationStores,
  { sub, sessionId, messageId }: DeleteTurnInput,
): Promise<void> {
  const [session, foundRun] = await Promise.all([
    stores.conversations.find(sub, sessionId),
    stores.runs.find(sub, sessionId),
  ])
  if (!session || session === 'deleted') throw new ConversationNotFound(`no conversation ${sessionId}`)
  const recovered = foundRun && (await recoverRun(stores, foundRun))
  let run = (recovered && (await commitReplacement(stores, recovered)))?.run ?? recovered
  if (run && isActive(run)) throw new RunInProgress(`run ${run.runId} is ${run.status}`)
  const outline = await stores.messages.loadOutline(sub, sessionId)
  const turn = outline.find(({ id }) => id === messageId)?.turn
  if (turn === undefined) {
    // an earlier request may have failed before the count
    await recountMessages(stores, { ...run, sub, sessionId })
    throw new MessageNotFound(`no message ${messageId}`)
  }
  const attemptTurn = run && isEmptyAttempt(run) ? run.turn : undefined
  // what was to replace the message goes with it
  const turns = new Set([turn === run?.replaces?.turn ? (attemptTurn ?? turn) : turn, turn])
  if (run) {
    const others = new Set(outline.map((message) => message.turn))
    if (attemptTurn !== undefined) others.delete(attemptTurn)
    const branches = removeTurn(run.branches, turn, run.turn, (other) => others.has(other))
    run = await stores.runs.showBranch(run, branches, turns.has(run.turn))
  }
  await stores.summaries.clear(sub, sessionId)
  const [deleted = [], others = []] = [true, false].map((isDeleted) =>
    outline.filter((message) => turns.has(message.turn) === isDeleted),
  )
  const usedIds = new Set(others.flatMap(({ fileIds }) => fileIds))
  const unusedIds = deleted.flatMap(({ fileIds }) => fileIds).filter((id) => !usedIds.has(id))
  if (unusedIds.length > 0) await stores.files.deleteConversationFiles(sub, [sessionId], new Set(unusedIds))
  for (const each of turns) await stores.transcripts.deleteTurn(sub, sessionId, each)
  const found = await Promise.all([...turns].map((each) => stores.messages.loadTurn(sub, sessionId, each)))
  const deletedMessages = found.flat()
  const title = await replaceQuotingTitle(stores, session, { run, turns, deletedMessages })
  const deletion = { messages: deletedMessages, fileIds: new Set(unusedIds), title }
  const removeFromLinks = () => stores.shares.removeDeleted(sub, deletion, new Set([sessionId]))
  await removeFromLinks()
  const messageIds = deleted.map(({ id }) => id)
  const removeRatings = () =>
    Promise.all(messageIds.map((id) => stores.feedback.remove(sub, { sessionId, messageId: id })))
  await removeRatings()
  // last, because a repeat finds its turn by them
  for (const each of turns) await stores.messages.deleteTurn(sub, sessionId, each)
  // those that were given or made meanwhile
  await removeRatings()
  await removeFromLinks()
  await recountMessages(stores, { ...run, sub, sessionId })
}

/** Replaces the title of a conversation if it is that of a deleted message. @returns the titles to replace elsewhere, and the title now */
async function replaceQuotingTitle(
  { conversations, messages }: ConversationStores,
  { id, user_id: sub, title, title_set: isNamed }: StoredConversation,
  {
    run,
    turns,
    deletedMessages,
  }: { run: Run | undefined; turns: ReadonlySet<number>; deletedMessages: readonly StoredMessage[] },
): Promise<{ seen: ReadonlySet<string>; next: string }> {
  const toTitle = ({ content, attachments }: StoredMessage) =>
    sessionTitle(
      content,
      attachments.map(({ name }) => name),
    )
  const seen = new Set(
    deletedMessages.flatMap((message) => (message.kind === 'user' ? toTitle(message) : [])),
  )
  if (isNamed || !seen.has(title)) return { seen, next: title }
  const path = findShownPath(run ?? {})
  let first: StoredMessage | undefined
  for (let after: string | null | undefined; after !== null && !first;) {
    const page = await messages.loadAfter(sub, id, after)
    first = page.messages.find(
      ({ kind, turn, content }) =>
        kind === 'user' && hasTurn(path, turn) && !turns.has(turn) && !isInternal(content),
    )
    after = page.next
  }
  const next = first ? toTitle(first) : untitled
  await conversations.replaceTitle(sub, id, { title: next, seen: title })
  return { seen, next }
}
